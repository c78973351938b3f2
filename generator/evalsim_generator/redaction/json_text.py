"""Texts that are JSON, read so that a changed value can be written in the same style."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from evalsim.types import Json

_INDENTS = (None, 2, 4, 1, "\t")


@dataclass(frozen=True, slots=True)
class JsonText:
    """The value of a text, and how the text writes it."""

    value: Json
    style: dict[str, Any]

    def write(self, value: Json) -> str:
        """Another value in the same style."""
        return json.dumps(value, **self.style)


def read_json_text(text: str) -> JsonText | None:
    """The JSON object or array that `text` is, in a style that `json.dumps` knows; else None."""
    if text[:1] not in ("{", "["):
        return None
    try:
        value = json.loads(text)
        for style in _styles(text):
            if json.dumps(value, **style) == text:
                return JsonText(value, style)
    except (ValueError, RecursionError):
        pass
    return None


def _styles(text: str) -> Iterator[dict[str, Any]]:
    """The styles that the first lines and characters of a text allow."""
    for indent in _INDENTS if "\n" in text else (None,):
        for separators in ((",", ":"), (", ", ": "), (",", ": ")):
            for ensure_ascii in (False, True) if not text.isascii() or "\\u" in text else (False,):
                yield {"indent": indent, "separators": separators, "ensure_ascii": ensure_ascii}
