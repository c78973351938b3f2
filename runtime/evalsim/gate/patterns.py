"""Regular expressions in ECMA's syntax, judged by the same engine that judges whole schemas."""

import re
from collections.abc import Callable

import jsonschema_rs

_PYTHON_ONLY = re.compile(r"\(\?P[<=>]|[^\\]\\Z")


def is_pattern(text: str) -> bool:
    """Whether `text` is a regular expression of JavaScript."""
    if _PYTHON_ONLY.search(text):
        return False
    try:
        jsonschema_rs.Draft202012Validator({"pattern": text}, offline=True)
    except ValueError:
        return False
    return True


class Patterns:
    """Single patterns against single texts, each compiled once."""

    def __init__(self) -> None:
        self._compiled: dict[str, Callable[[str], bool]] = {}

    def matches(self, pattern: str, text: str) -> bool:
        """Whether `pattern`, which its schema has proved sound, is found in `text`."""
        search = self._compiled.get(pattern)
        if search is None:
            search = jsonschema_rs.Draft202012Validator({"pattern": pattern}, offline=True).is_valid
            self._compiled[pattern] = search
        return search(text)
