"""A server's words, made safe to stand in generated code."""

from evalsim.types import Json

LONGEST_DOC = 120
LONGEST_SUMMARY = 76  # with its indent and quotes, one line of code


def one_line(text: Json, longest: int = LONGEST_DOC) -> str:
    """The first line of a captured text, printable and cut; empty for anything but text."""
    line = _first_line(text, longest)
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def first_sentence(text: Json, longest: int = LONGEST_SUMMARY) -> str:
    """As many whole sentences of the first line as fit, else as much of the first as does."""
    line = _first_line(text, longest)
    if len(line) <= longest:
        return line
    end = line.rfind(". ", 0, longest)
    return line[: end + 1] if end > 0 else one_line(line, longest)


def _first_line(text: Json, longest: int) -> str:
    """The first line, unprintable characters made blanks; not all of one that is far too long."""
    if not isinstance(text, str):
        return ""
    head = text[: longest * 8].strip()
    line = head.splitlines()[0] if head else ""
    seen = line if line.isprintable() else "".join(c if c.isprintable() else " " for c in line)
    return " ".join(seen.split())
