"""One parameter's value from its text, in the style that the description gives it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import orjson

from evalsim.api.coerce import coerce_text
from evalsim.api.refused import bad
from evalsim.api.shapes import Shape
from evalsim.api.texts import decode
from evalsim.openapi.media_types import body_kind
from evalsim.openapi.parameters import Parameter
from evalsim.types import Json, JsonObject

Read: TypeAlias = Callable[[Sequence[str], bool], Json]
"""The value of what was sent under one name, still encoded; the flag prefers texts."""

Undo: TypeAlias = Callable[[str], str]

_UNDO: dict[str, Undo] = {
    "query": decode,
    "cookie": partial(decode, plus=False),
    "header": str.strip,  # nothing is encoded in a header
    "path": str,  # routing has decoded it
}
_DELIMITERS = {
    "form": (",", "%2C", "%2c"),
    "spaceDelimited": ("%20", "+", " "),
    "pipeDelimited": ("|", "%7C", "%7c"),
}


def reader_of(parameter: Parameter, shape: Shape) -> Read:
    """What reads a parameter that is sent under its own name."""
    where = f"{parameter.place}/{parameter.name}"
    undo = _UNDO[parameter.place]
    if parameter.media_type is not None:
        return _content(where, parameter.media_type, undo)
    if shape.types is None or not shape.types & {"array", "object"}:
        return _scalar(where, shape, undo)
    return _listing(parameter, where, shape, undo)


def _scalar(where: str, shape: Shape, undo: Undo) -> Read:
    def read(sent: Sequence[str], as_text: bool) -> Json:
        if len(sent) > 1:
            raise bad("parameters", f"{where} is sent {len(sent)} times")
        return coerce_text(shape, undo(sent[0]), as_text=as_text)

    return read


def _content(where: str, media_type: str, undo: Undo) -> Read:
    is_json = body_kind(media_type) == "json"

    def read(sent: Sequence[str], _as_text: bool) -> Json:
        if len(sent) > 1:
            raise bad("parameters", f"{where} is sent {len(sent)} times")
        text = undo(sent[0])
        if not is_json:
            return text
        try:
            return orjson.loads(text)
        except orjson.JSONDecodeError as error:
            raise bad("parameters", f"{where} is not JSON") from error

    return read


def _listing(parameter: Parameter, where: str, shape: Shape, undo: Undo) -> Read:
    """A parameter that may be a list or an object, or one value as well."""
    is_repeated = parameter.explode and parameter.place in ("query", "cookie")
    delimiters = _DELIMITERS.get(parameter.style, (",",))
    is_scalar_too = shape.types is not None and bool(shape.types - {"array", "object", "null"})

    def read(sent: Sequence[str], as_text: bool) -> Json:
        if len(sent) > 1 and not (is_repeated and shape.allows("array")):
            raise bad("parameters", f"{where} is sent {len(sent)} times")
        pieces = list(sent) if is_repeated else _split(sent[0], delimiters)
        items = [undo(piece) for piece in pieces]
        if is_scalar_too and len(items) == 1:
            return coerce_text(shape, items[0], as_text=as_text)
        return read_items(shape, items, explode=parameter.explode, where=where, as_text=as_text)

    return read


def read_items(
    shape: Shape, items: Sequence[str], *, explode: bool, where: str, as_text: bool
) -> Json:
    """A list of the items, or the object whose names and values they are.

    An object is `name=value` pieces where it is exploded, else names and values in turn.
    """
    if shape.allows("array"):
        if list(items) == [""]:
            return []
        return [coerce_text(shape.items, item, as_text=as_text) for item in items]
    pairs = [item.partition("=")[::2] for item in items] if explode else _in_turn(items, where)
    found: JsonObject = {}
    for name, value in pairs:
        found[name] = coerce_text(shape.member(name), value, as_text=as_text)
    return found


def _in_turn(items: Sequence[str], where: str) -> list[tuple[str, str]]:
    if list(items) == [""]:
        return []
    if len(items) % 2:
        raise bad("parameters", f"{where} is not names and values in turn")
    return list(zip(items[::2], items[1::2], strict=True))


def _split(text: str, delimiters: Sequence[str]) -> list[str]:
    """The pieces between delimiters; an encoded one counts only where there is no bare one.

    Many clients encode every comma, and no server could tell theirs from those in an item.
    """
    for delimiter in delimiters:
        if delimiter in text:
            return text.split(delimiter)
    return [text]
