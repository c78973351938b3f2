"""Refusals read as the official SDK words them."""

import json

import pytest

from evalsim.gate.gate import compile_gate
from evalsim.types import Json
from support.data import data_dir

DRAFT_07 = "http://json-schema.org/draft-07/schema#"


def said(schema: Json, value: Json) -> str | None:
    return compile_gate(schema).refusal(value)


def test_recorded_refusals_are_worded_alike() -> None:
    """At most one in a thousand recorded texts differs from what the SDK said."""
    recorded = json.loads((data_dir() / "schema" / "error-texts.json").read_text())
    gates = [compile_gate(schema) for schema in recorded["schemas"]]

    differing = [
        (index, value)
        for index, value, text in recorded["cases"]
        if (gates[index].refusal(value) or "") != text
    ]

    assert len(recorded["cases"]) > 2000
    assert len(differing) <= len(recorded["cases"]) / 1000


def test_accepted_values_have_no_words() -> None:
    """A refusal is None exactly when the value is accepted."""
    assert said({"type": "string"}, "x") is None


@pytest.mark.parametrize(
    ("schema", "value", "words"),
    [
        (
            {"minimum": 4, "enum": ["p"]},
            1,
            "data must be equal to one of the allowed values, data must be >= 4",
        ),
        (
            {"type": "string", "minimum": 5, "minLength": 1},
            3,
            "data must be >= 5, data must be string",
        ),
        ({"type": "integer", "minimum": 5}, 1.5, "data must be integer, data must be >= 5"),
        ({"type": ["string", "array"]}, 1, "data must be string,array"),
        ({"type": "string", "nullable": True}, 1, "data must be string"),
        ({"type": ["string", "number"], "nullable": True}, [], "data must be string,number,null"),
        (
            {"items": {"minimum": 3}, "minItems": 5, "uniqueItems": True},
            [1, 1],
            "data must NOT have fewer than 5 items, data/0 must be >= 3, data/1 must be >= 3, "
            "data must NOT have duplicate items (items ## 0 and 1 are identical)",
        ),
        (
            {
                "required": ["a"],
                "additionalProperties": False,
                "properties": {"b": {"type": "null"}},
            },
            {"b": 1, "c": 1},
            "data must have required property 'a', data must NOT have additional properties, "
            "data/b must be null",
        ),
    ],
)
def test_problems_come_in_the_sdks_order(schema: Json, value: Json, words: str) -> None:
    """Untyped keywords, numbers, strings, arrays, objects; a lone type where its rules stand."""
    assert said(schema, value) == words


@pytest.mark.parametrize(
    ("schema", "value", "words"),
    [
        (
            {"anyOf": [{"type": "string"}, {"required": ["a"]}]},
            {},
            "data must be string, data must have required property 'a', "
            "data must match a schema in anyOf",
        ),
        (
            {"oneOf": [{"type": "string"}, {"type": "integer"}, {"minimum": 0}, {"type": "null"}]},
            1,
            "data must be string, data must match exactly one schema in oneOf",
        ),
        ({"not": {"type": "null"}}, None, "data must NOT be valid"),
        (
            {"if": {"type": "number"}, "then": {"minimum": 3}, "else": False},
            "x",
            'data boolean schema is false, data must match "else" schema',
        ),
        ({"if": {"type": "number"}}, "x", None),
        (
            {"contains": {"minimum": 5}, "minContains": 2, "maxContains": 3},
            [1, 7],
            "data/0 must be >= 5, data must contain at least 2 and no more than 3 valid item(s)",
        ),
        ({"$schema": DRAFT_07, "contains": {"minimum": 5}, "minContains": 2}, [7], None),
        (
            {"dependentRequired": {"a": ["b", "c"]}},
            {"a": 1, "b": 1},
            "data must have properties b, c when property a is present",
        ),
        (
            {"dependencies": {"a": {"required": ["z"]}}},
            {"a": 1},
            "data must have required property 'z'",
        ),
        (
            {"propertyNames": {"maxLength": 1}},
            {"ab": 1},
            "data must NOT have more than 1 characters, data property name must be valid",
        ),
        (
            {"prefixItems": [{"type": "string"}], "items": False},
            [1, 2],
            "data/0 must be string, data must NOT have more than 1 items",
        ),
        (
            {
                "$schema": DRAFT_07,
                "items": [{"type": "string"}],
                "additionalItems": {"type": "null"},
            },
            [1, 2],
            "data/1 must be null, data/0 must be string",
        ),
        (
            {"properties": {"a": True}, "unevaluatedProperties": False},
            {"a": 1, "b": 2},
            "data must NOT have unevaluated properties",
        ),
        (
            {"allOf": [{"prefixItems": [True]}], "unevaluatedItems": False},
            [1, 2],
            "data must NOT have more than 1 items",
        ),
        (
            {"unevaluatedItems": {"type": "string"}, "contains": {"type": "null"}},
            [None, 1],
            "data/1 must be string",
        ),
        ({"format": "int32"}, 2**31, 'data must match format "int32"'),
        ({"format": "uuid"}, "x", 'data must match format "uuid"'),
    ],
)
def test_each_kind_of_problem_has_its_words(schema: Json, value: Json, words: str | None) -> None:
    """Combinations, counts, dependencies and tuples are worded as the SDK words them."""
    assert said(schema, value) == words


def test_places_are_escaped_pointers() -> None:
    """A name with a slash or a tilde is escaped in the place of its value."""
    schema = {"properties": {"a/b~": {"items": {"type": "string"}}}}

    assert said(schema, {"a/b~": [1]}) == "data/a~1b~0/0 must be string"


def test_members_are_told_in_javascripts_order() -> None:
    """Names that look like indices come first, in numeric order."""
    schema = {"additionalProperties": {"type": "null"}}
    value = {"b": 1, "10": 1, "9": 1, "01": 1}

    assert said(schema, value) == (
        "data/9 must be null, data/10 must be null, data/b must be null, data/01 must be null"
    )


@pytest.mark.parametrize(
    ("bound", "text"),
    [(2.0, "2"), (0.5, "0.5"), (1e21, "1e+21"), (1e20, "100000000000000000000"), (5e-7, "5e-7"),
     (0.000001, "0.000001"), (1.5e300, "1.5e+300"), (2**60, "1152921504606847000"), (-0.0, "0")],
)  # fmt: skip
def test_numbers_are_written_as_javascript_writes_them(bound: float, text: str) -> None:
    """A bound appears in a refusal as JavaScript turns numbers into text."""
    assert said({"minimum": bound}, bound - abs(bound) - 1) == f"data must be >= {text}"


@pytest.mark.parametrize(
    ("items", "value", "pair"),
    [
        ({"type": "integer"}, [1, 1, 1], "2 and 1"),
        ({}, [1, 1, 1], "1 and 2"),
        ({}, [{"a": 1, "b": [2]}, 0, {"b": [2.0], "a": 1}], "0 and 2"),
    ],
)
def test_duplicates_are_named_by_the_pair_the_sdk_finds(
    items: Json, value: Json, pair: str
) -> None:
    """Which twins are named depends on the search, and that on the types of the items."""
    words = f"data must NOT have duplicate items (items ## {pair} are identical)"

    assert said({"items": items, "uniqueItems": True}, value) == words


def test_true_is_no_number_and_one_equals_one_point_zero() -> None:
    """Values are compared as JSON."""
    assert said({"enum": [1]}, 1.0) is None
    assert said({"const": {"a": 1}}, {"a": True}) == "data must be equal to constant"
    assert said({"uniqueItems": True}, [1, True]) is None


def test_draft_04_bounds_sharpened_by_true_are_exclusive() -> None:
    """In draft-04 `exclusiveMaximum: true` makes the maximum itself too much."""
    schema = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "maximum": 5,
        "exclusiveMaximum": True,
    }

    assert said(schema, 5) == "data must be < 5"
    assert said(schema, 4) is None
