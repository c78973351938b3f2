"""Telling JSON values apart in a way that type checkers follow, and writing them."""

import json
from typing import TypeGuard

from evalsim.types import Json, JsonObject


def is_object(value: Json) -> TypeGuard[JsonObject]:
    """Whether a decoded JSON value is an object."""
    return isinstance(value, dict)


def is_array(value: Json) -> TypeGuard[list[Json]]:
    """Whether a decoded JSON value is an array."""
    return isinstance(value, list)


def encode(document: Json) -> bytes:
    """A decoded JSON value as JSON, lone surrogates and large integers included."""
    return json.dumps(document, separators=(",", ":")).encode()
