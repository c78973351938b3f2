"""Bodies by media type, with their schemas, encodings and headers."""

import re

from evalsim.openapi.normal.containers import (
    Rule,
    each,
    fields,
    gone,
    kept,
    plain,
    referable,
)
from evalsim.openapi.normal.notes import Place, below
from evalsim.openapi.normal.schemas import schema
from evalsim.openapi.normal.schemas.keywords import flag, text
from evalsim.openapi.normal.styles import lift_schema, style_in, with_one_content
from evalsim.openapi.normal.walk import GONE, Walk
from evalsim.types import Json, JsonObject, is_object

_TOKEN = r"[A-Za-z0-9!#$%&'*+.^_`|~{}-]+"
_MEDIA_TYPE = re.compile(rf"\s*{_TOKEN}/{_TOKEN}\s*(;.*)?", re.DOTALL)
_MEANT = {
    "json": "application/json",
    "xml": "application/xml",
    "html": "text/html",
    "text": "text/plain",
    "form": "application/x-www-form-urlencoded",
    "multipart": "multipart/form-data",
    "*": "*/*",
}
_PER_ITEM = ("itemSchema", "itemEncoding", "prefixEncoding")

example: Rule = referable(
    "examples",
    fields(
        "an example",
        {
            "summary": plain(text),
            "description": plain(text),
            "value": kept,
            "externalValue": plain(text),
        },
    ),
)
examples: Rule = each(example)


def content(walk: Walk, value: Json, at: Place) -> Json:
    """`content`: what a body may be, by media type; a name that is no media type goes."""
    if not is_object(value):
        return gone(walk, at, "`content` is no object: left out.")
    changed: JsonObject = {}
    for name, inner in value.items():
        place = below(at, name)
        known = _media_name(walk, name, len(value) == 1, place)
        new = GONE if known is None else media_type(walk, inner, place)
        if known is not None and new is not GONE:
            changed.setdefault(known, new)
    same = len(changed) == len(value) and all(
        k in changed and changed[k] is v for k, v in value.items()
    )
    return value if same else changed


def _media_name(walk: Walk, name: str, alone: bool, at: Place) -> str | None:
    if _MEDIA_TYPE.fullmatch(name):
        return name
    meant = _MEANT.get(name.strip().lower()) or ("application/json" if alone else None)
    if meant is None:
        walk.notes.add(at, f"{name[:60]!r} is no media type: left out.")
    else:
        walk.notes.add(at, f"{name[:60]!r} is no media type: read as {meant}.")
    return meant


def media_type(walk: Walk, value: Json, at: Place) -> Json:
    """One media type of a body; null says that nothing more is known."""
    if value is None:
        walk.notes.add(at, "A media type that is null: read as one without a schema.")
        return {}
    if is_object(value) and isinstance(value.get("$ref"), str):
        return _shared(walk, value["$ref"], at)
    if is_object(value) and any(key in value for key in _PER_ITEM):
        value = _sequence(walk, value, at)
    return _media_type(walk, value, at)


def _shared(walk: Walk, ref: str, at: Place) -> JsonObject:
    """A media type that 3.2 keeps among the components, made once and put where it is used."""
    if ref in walk.shared:
        return walk.shared[ref]
    walk.shared[ref] = {}  # what it is within itself
    found = walk.references.put(ref)
    if found is None or (is_object(found[0]) and "$ref" in found[0]):
        walk.notes.add(at, "A media type that is a reference which leads nowhere: left empty.")
        return {}
    walk.notes.add(at, "A media type that is a reference, as 3.2 allows: put in its place.")
    made = media_type(walk, found[0], at)
    walk.shared[ref] = {} if made is GONE else made
    return walk.shared[ref]


def _sequence(walk: Walk, value: JsonObject, at: Place) -> JsonObject:
    """Items one after the other, as 3.2 describes them: 3.1 can only say a list of them."""
    walk.notes.add(at, "A media type described item by item, as 3.2 allows: read as a list.")
    rest = {key: item for key, item in value.items() if key not in _PER_ITEM}
    if "itemSchema" in value and "schema" not in rest:
        rest["schema"] = {"type": "array", "items": value["itemSchema"]}
    return rest


def header(walk: Walk, value: Json, at: Place) -> Json:
    """A header of a response or of a part."""
    if not is_object(value):
        return gone(walk, at, "What should be a header is no object: left out.")
    value = lift_schema(walk, value, at)
    named = {key: item for key, item in value.items() if key not in ("name", "in")}
    if len(named) != len(value):
        walk.notes.add(at, "A header that says its own name or place: left out of it.")
        value = named
    new = _header(walk, style_in(walk, value, "header", at), at)
    return with_one_content(walk, new, at)


def headers(walk: Walk, value: Json, at: Place) -> Json:
    """The headers of a response; `Content-Type` is said by the media type."""
    new = _headers(walk, value, at)
    if is_object(new):
        typed = [name for name in new if name.lower() == "content-type"]
        if typed:
            walk.notes.add(
                below(at, typed[0]), "The header Content-Type, which is the media type's: left out."
            )
            return {name: item for name, item in new.items() if name not in typed}
    return new


_header = fields(
    "a header",
    {
        "description": plain(text),
        "required": plain(flag),
        "deprecated": plain(flag),
        "allowEmptyValue": plain(flag),
        "allowReserved": plain(flag),
        "style": plain(text),
        "explode": plain(flag),
        "schema": schema,
        "content": content,
        "example": kept,
        "examples": examples,
    },
)
_headers = each(referable("headers", header))
_encoding = fields(
    "an encoding",
    {
        "contentType": plain(text),
        "headers": headers,
        "style": plain(text),
        "explode": plain(flag),
        "allowReserved": plain(flag),
    },
)
_media_type = fields(
    "a media type",
    {"schema": schema, "example": kept, "examples": examples, "encoding": each(_encoding)},
)
