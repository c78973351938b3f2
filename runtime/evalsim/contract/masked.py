"""What observed.json leaves out: keys that are data, and a mark where words were."""

import re

HIDDEN = "…"
"""Stands for any text where a prefix, a suffix or an error text held something not written."""

NAME_PATTERN = r"^[a-z][A-Za-z]*(?:_[A-Za-z]+)*$"
_NAME = re.compile(NAME_PATTERN, re.ASCII)
_LONGEST = 64


def is_name(key: str) -> bool:
    """Whether a key is a plain word that starts with a lowercase letter: `deals`, `created_at`.

    Anything else (digits, spaces, capitals first, other scripts) looks like data.
    """
    return len(key) <= _LONGEST and _NAME.fullmatch(key) is not None


def fits(pattern: str, text: str) -> bool:
    """Whether `text` is `pattern`, where each `HIDDEN` stands for any text or none."""
    first, *others = pattern.split(HIDDEN)
    if not others:
        return text == first
    *middle, last = others
    if len(text) < len(first) + len(last):
        return False
    if not (text.startswith(first) and text.endswith(last)):
        return False
    place, end = len(first), len(text) - len(last)
    for part in middle:
        found = text.find(part, place, end)
        if found < 0:
            return False
        place = found + len(part)
    return True
