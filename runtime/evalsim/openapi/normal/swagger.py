"""Swagger 2.0 in the shape of 3.x."""

from collections.abc import Callable

from evalsim.openapi.normal.notes import Notes
from evalsim.openapi.normal.version import Version
from evalsim.types import Json, JsonObject


def as_openapi(document: JsonObject, notes: Notes) -> JsonObject:  # noqa: ARG001
    return document


def lift(version: Version, document: JsonObject) -> Callable[[str, Json], Json]:  # noqa: ARG001
    return lambda kind, value: value  # noqa: ARG005
