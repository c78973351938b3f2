"""Keywords that hold no schema: what each may hold, and what becomes of anything else."""

import re
from collections.abc import Callable
from math import isfinite
from typing import TypeAlias

from evalsim.openapi.normal.notes import Notes, Place, below
from evalsim.openapi.normal.walk import GONE
from evalsim.types import Json, is_array, is_object

_MOST = 2**63 - 1
"""As many of anything as there can be, and what any JSON can hold."""
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")

Rule: TypeAlias = Callable[[Notes, Json, Place], Json]

TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
_MEANT = {
    "int": "integer", "long": "integer", "int32": "integer", "int64": "integer",
    "float": "number", "double": "number", "decimal": "number", "bool": "boolean",
    "str": "string", "text": "string", "date": "string", "datetime": "string",
    "date-time": "string", "uuid": "string", "uri": "string", "list": "array",
    "dict": "object", "map": "object", "json": "object", "hash": "object",
}  # fmt: skip
"""Names of types in programming languages, which descriptions written by hand use."""


def text(notes: Notes, value: Json, at: Place) -> Json:
    """A keyword that holds text."""
    if type(value) is str:
        return value
    if isinstance(value, bool | int | float):
        notes.add(at, f"`{at[1]}` is no text: written as text.")
        return str(value).lower() if isinstance(value, bool) else str(value)
    return _dropped(notes, at, "no text")


def flag(notes: Notes, value: Json, at: Place) -> Json:
    """A keyword that holds true or false."""
    if type(value) is bool:
        return value
    if isinstance(value, str) and value.lower() in ("true", "false"):
        notes.add(at, f"`{at[1]}` is true or false as text: read as what it says.")
        return value.lower() == "true"
    return _dropped(notes, at, "neither true nor false")


def count(notes: Notes, value: Json, at: Place) -> Json:
    """A keyword that holds a number of things."""
    if type(value) is int and value >= 0:
        return value
    number = numeric(value)
    if number is not None and number >= 0 and number == int(number):
        notes.add(at, f"`{at[1]}` is no whole number as written: read as one.")
        return min(int(number), _MOST)
    return _dropped(notes, at, "no count")


def number(notes: Notes, value: Json, at: Place) -> Json:
    """A keyword that holds a number."""
    if type(value) is int or type(value) is float:
        return value
    found = numeric(value)
    if found is None:
        return _dropped(notes, at, "no number")
    notes.add(at, f"`{at[1]}` is a number as text: read as the number.")
    return found


def limit(notes: Notes, value: Json, at: Place) -> Json:
    """`exclusiveMinimum` and its twin: numbers, or flags as older drafts write them."""
    return value if type(value) is bool else number(notes, value, at)


def step(notes: Notes, value: Json, at: Place) -> Json:
    """`multipleOf`: a number above 0."""
    found = number(notes, value, at)
    if found is not GONE and found <= 0:
        return _dropped(notes, at, "not above 0")
    return found


def types(notes: Notes, value: Json, at: Place) -> Json:
    """`type`: one name or a list of them."""
    if type(value) is str and value in TYPES:
        return value
    names = value if is_array(value) else [value]
    meant = [_type_meant(notes, name, at) for name in names]
    known = list(dict.fromkeys(name for name in meant if name is not None))
    if len(known) != len(meant) and any(name in ("any", "Any") for name in names):
        known = []
    if not known:
        return GONE if meant else _dropped(notes, at, "an empty list")
    if known == value:
        return value
    return known if is_array(value) and len(known) > 1 else known[0]


def _type_meant(notes: Notes, name: Json, at: Place) -> str | None:
    if isinstance(name, str) and name in TYPES:
        return name
    if name is None:
        notes.add(at, 'The type null without quotes: read as "null".')
        return "null"
    if name == "file":
        return "file"
    if not isinstance(name, str):
        notes.add(at, "A type that is no name: left out.")
        return None
    lower = name.lower()
    meant = lower if lower in TYPES else _MEANT.get(lower)
    if lower == "any":
        notes.add(at, "The type any: left out, for no type is any type.")
    elif meant is None:
        notes.add(at, f"The type {name[:40]!r}, which JSON Schema does not have: left out.")
    else:
        notes.add(at, f"The type {name[:40]!r}: read as {meant}.")
    return meant


def names(notes: Notes, value: Json, at: Place) -> Json:
    """`required`: names, each once. A flag, as draft 3 writes it, belongs to the object around."""
    if is_array(value):
        kept = [name for name in dict.fromkeys(map(_hashable, value)) if isinstance(name, str)]
        if len(kept) == len(value):
            return value
        notes.add(at, "`required` holds a name twice or what is no name: each name kept once.")
        return kept
    if type(value) is bool:
        notes.add(at, "`required` is a flag on a property: moved to the object's list.")
        return GONE
    return _dropped(notes, at, "no list of names")


def dependent(notes: Notes, value: Json, at: Place) -> Json:
    """`dependentRequired`: for a name the names that it needs."""
    if not is_object(value):
        return _dropped(notes, at, "no object")
    listed = {name: names(notes, needed, below(at, name)) for name, needed in value.items()}
    made = {name: needed for name, needed in listed.items() if needed is not GONE}
    return value if made == value else made


def _hashable(value: Json) -> Json:
    return None if isinstance(value, dict | list) else value


def values(notes: Notes, value: Json, at: Place) -> Json:
    """`enum`: at least one value."""
    if is_array(value) and value:
        return value
    return _dropped(notes, at, "no list of values")


def listed(notes: Notes, value: Json, at: Place) -> Json:
    """`examples` of a schema: a list."""
    return value if is_array(value) else _dropped(notes, at, "no list, as a schema's are")


def thing(notes: Notes, value: Json, at: Place) -> Json:
    """A keyword that holds an object of its own kind."""
    return value if is_object(value) else _dropped(notes, at, "no object")


def discriminator(notes: Notes, value: Json, at: Place) -> Json:
    """`discriminator`: a property's name, and which value means which schema."""
    if isinstance(value, str):
        return {"propertyName": value}
    if not is_object(value) or not isinstance(value.get("propertyName"), str):
        return _dropped(notes, at, "without the name of a property")
    kept = {
        key: item
        for key, item in value.items()
        if key in ("propertyName", "mapping") or key[:2] == "x-"
    }
    mapping = kept.get("mapping", {})
    if not is_object(mapping):
        notes.add(at, "A discriminator's mapping is no object: left out.")
        del kept["mapping"]
    elif not all(isinstance(item, str) for item in mapping.values()):
        notes.add(at, "A discriminator maps to what is no text: left out of the mapping.")
        kept["mapping"] = {name: item for name, item in mapping.items() if isinstance(item, str)}
    if len(kept) != len(value):
        notes.add(at, "A discriminator holds what 3.1 does not have there: left out.")
    return value if kept == value else kept


def left_out(notes: Notes, value: Json, at: Place) -> Json:  # noqa: ARG001
    """A keyword that would change how the schema is read, and must not."""
    notes.add(at, f"`{at[1]}` of a schema: left out, for every schema is read as 2020-12.")
    return GONE


def silent(notes: Notes, value: Json, at: Place) -> Json:  # noqa: ARG001
    """A keyword that says nothing once its references are led to components."""
    return GONE


def numeric(value: Json) -> int | float | None:
    """The number that a value is or spells; None for any other and for what JSON cannot hold."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and (len(value) > 40 or _NUMBER.fullmatch(value) is None):
        return None
    if isinstance(value, int) or (isinstance(value, str) and value.lstrip("-").isdecimal()):
        whole = int(value)
        return whole if -_MOST <= whole <= _MOST else float(whole)
    found = float(value)
    return found if isfinite(found) else None


def _dropped(notes: Notes, at: Place, why: str) -> Json:
    notes.add(at, f"`{at[1]}` is {why}: left out.")
    return GONE


PLAIN: dict[str, Rule] = {
    "dependentRequired": dependent,
    "type": types, "required": names, "enum": values, "examples": listed,
    "title": text, "description": text, "format": text,
    "contentEncoding": text, "contentMediaType": text, "$comment": text,
    "nullable": flag, "readOnly": flag, "writeOnly": flag, "deprecated": flag, "uniqueItems": flag,
    "minimum": number, "maximum": number, "exclusiveMinimum": limit, "exclusiveMaximum": limit,
    "multipleOf": step,
    "minLength": count, "maxLength": count, "minItems": count, "maxItems": count,
    "minProperties": count, "maxProperties": count, "minContains": count, "maxContains": count,
    "xml": thing, "externalDocs": thing,
    "$schema": left_out, "$vocabulary": left_out, "$id": silent,
    "$anchor": silent, "$dynamicAnchor": silent, "$recursiveAnchor": silent,
}  # fmt: skip
"""What is done with each keyword that holds no schema."""
