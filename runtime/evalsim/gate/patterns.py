"""Regular expressions of schemas, matched by the same engine that judges whole schemas."""

from collections.abc import Callable

import jsonschema_rs

from evalsim.gate.values import with_whole_characters


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
        try:
            return search(text)
        except UnicodeEncodeError:
            return search(with_whole_characters(text))
