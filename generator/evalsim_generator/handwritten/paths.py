"""Paths of arguments as text: `limit`, `filter.op`, `filters[].op`, `labels{}.color`, `"a.b".c`."""

import json
import re

EACH = "[]"
"""Every item of an array."""

VALUES = "{}"
"""Every value of an object that is used as a map."""

_WORD = re.compile(r"[A-Za-z0-9_$@:/-]+")
_PART = re.compile(r'"(?:[^"\\]|\\.)*"|\[\]|\{\}|[A-Za-z0-9_$@:/-]+')


def part(name: str) -> str:
    """A property's name as it stands in a path: itself when it is a word, else as ASCII JSON."""
    return name if _WORD.fullmatch(name) else json.dumps(name).replace("\x7f", "\\u007f")


def parts(path: str) -> tuple[str, ...]:
    """A path's parts as they stand in it, EACH and VALUES among them."""
    return tuple(_PART.findall(path))


def wire_name(part: str) -> str:
    """The property that a part of a path names."""
    return str(json.loads(part)) if part.startswith('"') else part


def parent(path: str) -> str:
    """The path of the argument that holds this one; empty at the top."""
    above = list(parts(path))[:-1]
    while above and above[-1] in (EACH, VALUES):
        above.pop()
    return _join(above)


def _join(parts: list[str]) -> str:
    return "".join(
        part if part in (EACH, VALUES) or not place else f".{part}"
        for place, part in enumerate(parts)
    )
