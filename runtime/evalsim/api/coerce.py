"""Text as the value that its schema describes: parameters, members of forms."""

import math
import re
from typing import TypeAlias

import orjson

from evalsim.api.reply import File
from evalsim.api.shapes import Shape
from evalsim.types import Json, is_array, is_object

Tree: TypeAlias = "str | File | dict[str, Tree] | list[Tree]"
"""What was sent under one name: texts and files, nested as their names were written."""

_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,399})")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_BOOLEANS = {"true": True, "false": False}


def coerce_text(shape: Shape, text: str, *, as_text: bool = False) -> Json:
    """The value a text is; the text itself where no type that is allowed can be read from it.

    `as_text` takes it for a text wherever that is allowed.
    """
    types = shape.types
    if types is None or (as_text and "string" in types):
        return text
    if "boolean" in types and text in _BOOLEANS:
        return _BOOLEANS[text]
    if ("integer" in types or "number" in types) and _INTEGER.fullmatch(text):
        return int(text)
    if "number" in types and _NUMBER.fullmatch(text) and math.isfinite(number := float(text)):
        return number
    if "string" in types:
        return text
    if "null" in types and text in ("", "null"):
        return None
    if "object" in types or "array" in types:
        return _coerce_whole(shape, text, as_text)
    return text


def coerce_tree(shape: Shape, tree: Tree, *, as_text: bool = False) -> Json:
    """The value of what was sent under one name, member by member.

    Names that are numbers are places in a list where a list is allowed.
    """
    if isinstance(tree, str):
        return coerce_text(shape, tree, as_text=as_text)
    if isinstance(tree, dict):
        is_list = shape.types is not None and "array" in shape.types
        if is_list and tree and all(map(_is_place, tree)):
            items = [tree[place] for place in sorted(tree, key=int)]
            return [coerce_tree(shape.items, item, as_text=as_text) for item in items]
        return {
            name: coerce_tree(shape.member(name), inner, as_text=as_text)
            for name, inner in tree.items()
        }
    if isinstance(tree, list):
        return [coerce_tree(shape.items, item, as_text=as_text) for item in tree]
    return [tree] if shape.is_list else tree


def _coerce_whole(shape: Shape, text: str, as_text: bool) -> Json:
    """A list or an object that was sent as one text: JSON, or the only item of a list."""
    if text[:1] in ("[", "{"):
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError:
            value = None
        if (is_array(value) and shape.allows("array")) or (
            is_object(value) and shape.allows("object")
        ):
            return value
    return [coerce_text(shape.items, text, as_text=as_text)] if shape.allows("array") else text


def _is_place(name: str) -> bool:
    return name.isascii() and name.isdecimal() and len(name) < 10
