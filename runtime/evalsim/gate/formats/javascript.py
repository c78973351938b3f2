"""What JavaScript's regular expressions mean where Python's mean something else."""

SPACE = r"\t\n\x0b\x0c\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
r"""The characters of `\s`, to stand inside a character class."""
