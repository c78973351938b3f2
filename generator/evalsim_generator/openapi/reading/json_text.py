"""JSON text: read by orjson, and looked at again only where a key stands twice."""

import json
import re
from collections import Counter

import orjson

from evalsim.errors import DocumentError
from evalsim.openapi.normal.notes import ROOT, Notes, Place, below
from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.openapi.reading.writable import as_json

_TWICE = "A key that stands twice in one object: the last one counts."
_COLON = re.compile(rb'"\s+:')


def parse_json(text: bytes, where: str, notes: Notes, at: Place = ROOT) -> Json:
    """The value of a JSON text; a key that stands twice is noted, and its last value counts."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise DocumentError(
            f"{where}: not JSON: {error.msg} at line {error.lineno}, column {error.colno}."
        ) from None
    if _may_hold_twins(text, as_json(value, where)):
        _note_twins(text, notes, at)
    return value


def _may_hold_twins(text: bytes, again: bytes) -> bool:
    """Whether keys were lost, by how often a quote is followed by a colon before and after."""
    marks = text.count(b'":') + len(_COLON.findall(text))
    return marks != again.count(b'":')


class _Twins(dict[str, Json]):
    """An object in which keys stood twice."""

    keys_twice: tuple[str, ...] = ()


def _note_twins(text: bytes, notes: Notes, at: Place) -> None:
    def gathered(pairs: list[tuple[str, Json]]) -> JsonObject:
        found = _Twins(pairs) if len(dict(pairs)) != len(pairs) else dict(pairs)
        if isinstance(found, _Twins):
            often = Counter(key for key, _ in pairs)
            found.keys_twice = tuple(key for key, times in often.items() if times > 1)
        return found

    waiting: list[tuple[Json, Place]] = [(json.loads(text, object_pairs_hook=gathered), at)]
    while waiting:
        node, at = waiting.pop()
        if is_object(node):
            for key in getattr(node, "keys_twice", ()):
                notes.add(below(at, key), _TWICE)
            waiting.extend((item, below(at, key)) for key, item in reversed(node.items()))
        elif is_array(node):
            waiting.extend((item, below(at, str(index))) for index, item in enumerate(node))
