"""Regular expressions that the engine of the gate can read."""

import re

import jsonschema_rs

from evalsim.openapi.normal.notes import Notes, Place
from evalsim.openapi.normal.walk import GONE
from evalsim.types import Json

_DELIMITED = re.compile(r"/(\^.*\$)/[a-z]*", re.DOTALL)


def is_sound(pattern: str) -> bool:
    """Whether the engine can compile a pattern, without which it would refuse the whole schema."""
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern}, offline=True)
    except ValueError:
        return False
    return True


def pattern(notes: Notes, value: Json, at: Place) -> Json:
    """`pattern`: one that can be read; between slashes, as JavaScript writes it, without them."""
    if not isinstance(value, str):
        notes.add(at, "`pattern` is no text: left out.")
        return GONE
    delimited = _DELIMITED.fullmatch(value)
    if delimited:
        notes.add(at, "A pattern between slashes: read without them.")
        value = delimited[1]
    if is_sound(value):
        return value
    notes.add(at, f"The pattern {value[:60]!r} cannot be read: left out.")
    return GONE
