"""Any description becomes OpenAPI 3.1, and what was changed is told."""

import copy

import pytest

from evalsim.errors import DocumentError
from evalsim.openapi.normal import normalise
from evalsim.types import Json, JsonObject


def described(openapi: str, schema: Json, **more: Json) -> JsonObject:
    """A description with one component schema."""
    return {
        "openapi": openapi,
        "info": {"title": "t", "version": "1"},
        "paths": {},
        "components": {"schemas": {"A": schema, **more}},
    }


def converted(schema: Json, openapi: str = "3.0.3", **more: Json) -> Json:
    """What the schema becomes in normal form."""
    return normalise(described(openapi, schema, **more)).document["components"]["schemas"]["A"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        (
            {"type": "string", "nullable": True, "enum": ["a"]},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        ({"type": "string", "nullable": False}, {"type": "string"}),
        (
            {"nullable": True, "description": "d", "allOf": [{"$ref": "#/components/schemas/B"}]},
            {
                "description": "d",
                "anyOf": [{"allOf": [{"$ref": "#/components/schemas/B"}]}, {"type": "null"}],
            },
        ),
        (
            {"nullable": True, "anyOf": [{"$ref": "#/components/schemas/B"}]},
            {"anyOf": [{"$ref": "#/components/schemas/B"}, {"type": "null"}]},
        ),
        (
            {"$ref": "#/components/schemas/B", "nullable": True},
            {"anyOf": [{"$ref": "#/components/schemas/B"}, {"type": "null"}]},
        ),
        (
            {"type": "number", "minimum": 1, "exclusiveMinimum": True},
            {"type": "number", "exclusiveMinimum": 1},
        ),
        (
            {"type": "number", "maximum": 1, "exclusiveMaximum": False},
            {"type": "number", "maximum": 1},
        ),
        (
            {"type": "string", "format": "binary"},
            {"type": "string", "contentMediaType": "application/octet-stream"},
        ),
        (
            {"$ref": "#/components/schemas/B", "description": "d", "minLength": 3},
            {"$ref": "#/components/schemas/B", "description": "d"},
        ),
        ({"type": "any"}, {}),
        (
            {"type": "object", "properties": {"a": {"type": "string", "required": True}}},
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        ),
        ({"type": "integer", "default": "10"}, {"type": "integer", "default": 10}),
        ({"type": "integer", "default": "ten"}, {"type": "integer"}),
        ({"type": "integer", "example": "x"}, {"type": "integer"}),
    ],
)
def test_a_schema_of_3_0_is_said_in_2020_12(given: JsonObject, expected: JsonObject) -> None:
    """What 3.0 writes otherwise is converted, and the given document is left as it was."""
    document = described("3.0.3", given, B={"type": "string"})
    before = copy.deepcopy(document)

    made = normalise(document)

    assert expected == made.document["components"]["schemas"]["A"]
    assert before == document
    again = normalise(made.document)
    assert (made.document, ()) == (again.document, again.notes)


def test_what_needs_no_change_is_shared() -> None:
    """A 3.1 description in normal form costs no copy of its schemas, and no note."""
    document = described("3.1.0", {"type": ["string", "null"]})

    made = normalise(document)

    assert document == made.document
    assert made.document["components"]["schemas"]["A"] is document["components"]["schemas"]["A"]
    assert () == made.notes


def test_the_same_trouble_in_many_places_is_one_note() -> None:
    """A note says where it was met first, and how often."""
    properties = {name: {"type": "string", "nullable": True} for name in "abc"}

    (note,) = normalise(described("3.1.0", {"type": "object", "properties": properties})).notes

    assert "/components/schemas/A/properties/a" == note.where
    assert 3 == note.times
    assert str(note).endswith("(and 2 more)")


def test_a_reference_into_the_middle_of_a_part_becomes_a_component() -> None:
    """Every reference of the normal form leads to a component by its name."""
    given = {
        "properties": {
            "x": {"type": "string"},
            "y": {"$ref": "#/components/schemas/A/properties/x"},
        }
    }

    made = normalise(described("3.1.0", given)).document["components"]["schemas"]

    assert {"$ref": "#/components/schemas/A.properties.x"} == made["A"]["properties"]["y"]
    assert {"type": "string"} == made["A.properties.x"]


@pytest.mark.parametrize("ref", ["#/components/schemas/Gone", "other.json#/A", "http://x/y", 7])
def test_a_reference_that_leads_nowhere_accepts_anything(ref: Json) -> None:
    """What cannot be resolved is left out of the schema, with a note."""
    made = normalise(described("3.0.0", {"properties": {"a": {"$ref": ref}}}))

    assert {"properties": {"a": {}}} == made.document["components"]["schemas"]["A"]
    assert 2 == len(made.notes)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({}, "neither `openapi` nor `swagger`"),
        ({"openapi": "4.0"}, "4.0"),
        ({"swagger": "1.2"}, "1.2"),
        ([], "no object"),
    ],
)
def test_what_is_no_description_is_said_to_be_none(document: Json, said: str) -> None:
    """The error names what was found."""
    with pytest.raises(DocumentError, match=said):
        normalise(document)


def test_a_schema_too_deep_to_read_is_an_error() -> None:
    """No stack is overflown."""
    schema: JsonObject = {"type": "string"}
    for _ in range(10_000):
        schema = {"items": schema}

    with pytest.raises(DocumentError, match="nested deeper"):
        normalise(described("3.1.0", schema))


def test_a_name_that_begins_like_an_extension_is_a_name() -> None:
    """Headers are often called so; what they hold is read as any other's."""
    headers = {"x-rate-limit": {"description": "left", "type": "integer"}}
    document = described("3.0.0", {})
    document["components"]["responses"] = {"R": {"description": "", "headers": headers}}

    made = normalise(document).document["components"]["responses"]["R"]["headers"]

    assert {"x-rate-limit": {"description": "left", "schema": {"type": "integer"}}} == made
