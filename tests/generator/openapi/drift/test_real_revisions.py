"""Revisions of real descriptions, made by script: who is named, and how it is classed."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import orjson
import pytest

from evalsim.types import Json, JsonObject
from evalsim_generator.openapi.drift.operations import changes
from evalsim_generator.openapi.trimming.catalogue import operations_of
from evalsim_generator.openapi.trimming.trim import trim
from support.descriptions import MEDIUM, real

Revision = Callable[[dict[str, Any]], bool]
"""Changes an object's schema; False where it cannot."""


def add_field(schema: dict[str, Any]) -> bool:
    """One more property."""
    schema["properties"]["an-addition"] = {"type": "string"}
    return True


def add_required(schema: dict[str, Any]) -> bool:
    """One more property, which is required."""
    schema["required"] = [*schema.get("required", []), "an-addition"]
    return add_field(schema)


def narrow_enum(schema: dict[str, Any]) -> bool:
    """One value less of an enum."""
    listed = [each for each in _properties(schema) if len(each.get("enum", ())) > 1]
    for each in listed[:1]:
        each["enum"] = each["enum"][1:]
    return bool(listed)


def change_type(schema: dict[str, Any]) -> bool:
    """A text becomes a number."""
    texts = [each for each in _properties(schema) if each.get("type") == "string"]
    for each in texts[:1]:
        each["type"] = "integer"
    return bool(texts)


def _properties(schema: JsonObject) -> Iterator[dict[str, Any]]:
    return (each for each in schema["properties"].values() if isinstance(each, dict))


REVISIONS: list[tuple[Revision, str, str]] = [
    (add_field, "OPTIONAL_ADDED", "additive"),
    (add_required, "REQUIRED_ADDED", "breaking"),
    (narrow_enum, "ENUM_NARROWED", "breaking"),
    (change_type, "TYPE_CHANGED", "breaking"),
]


@pytest.mark.parametrize("name", [each for each in MEDIUM if each != "attio-2025-05"])
def test_who_reaches_a_schema_is_named(name: str) -> None:
    """Each operation that a trim of it alone keeps the schema for, and no other."""
    document = real(name)
    keys = [each.key for each in operations_of(document)]
    some = Random(name).sample(keys, min(8, len(keys)))
    old = trim(document, some).document
    alone = {key: _schemas(trim(document, [key]).document) for key in some}
    made = 0
    for revise, kind, severity in REVISIONS:
        for schema in [each for each, node in _schemas(old).items() if "properties" in node][:4]:
            new = orjson.loads(orjson.dumps(old))
            if not revise(new["components"]["schemas"][schema]):
                continue
            found = changes(old, new)
            made += 1
            assert {key for key in some if schema in alone[key]} == {
                each.operation for each in found
            }
            assert {(kind, severity)} == {(each.kind.name, each.severity) for each in found}
            assert all(each.path.startswith("schemas.") for each in found)

    assert made >= 4 or not _schemas(old)


@pytest.mark.parametrize("name", MEDIUM)
def test_an_operation_that_is_gone_is_named(name: str) -> None:
    """It breaks; nothing is said of the others, whose trims hold the same."""
    document = real(name)
    keys = [each.key for each in operations_of(document)]
    some = Random(name).sample(keys, min(4, len(keys)))
    old, new = trim(document, some).document, trim(document, some[1:]).document

    operations = [(each.operation, each.severity) for each in changes(old, new) if each.operation]
    assert [(some[0], "breaking")] == operations
    back = [(each.operation, each.severity) for each in changes(new, old) if each.operation]
    assert [(some[0], "additive")] == back


def _schemas(document: JsonObject) -> dict[str, Json]:
    schemas: dict[str, Json] = document.get("components", {}).get("schemas", {})
    return schemas
