"""Nulls that a schema does not allow are dropped from an answer, and no others."""

import copy

import pytest

from evalsim.gate.gate import compile_gate
from evalsim.types import Json

TEXT = {"type": "string"}
TEXT_OR_NULL = {"type": ["string", "null"]}
DEAL = {"type": "object", "properties": {"name": TEXT, "note": TEXT_OR_NULL}, "required": ["name"]}


def pruned(schema: Json, value: Json) -> Json:
    return compile_gate(schema).prune_nulls(value)


def test_an_optional_member_that_cannot_be_null_is_dropped() -> None:
    """What a model left unset stays unsaid."""
    assert pruned({"properties": {"a": TEXT, "b": TEXT}}, {"a": None, "b": "x"}) == {"b": "x"}


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": TEXT_OR_NULL}},
        {"properties": {"a": {"type": "string", "nullable": True}}},
        {"properties": {"a": {"anyOf": [TEXT, {"type": "null"}]}}},
        {"properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"const": None}}},
        {"properties": {"a": TEXT}, "required": ["a"]},
        {"properties": {"b": TEXT}},
        {"anyOf": [{"properties": {"a": TEXT}, "required": ["b"]}, {"properties": {"a": True}}]},
        True,
    ],
    ids=["type", "nullable", "anyOf", "ref", "required", "undeclared", "branch", "true"],
)
def test_a_null_that_is_allowed_required_or_undeclared_stays(schema: Json) -> None:
    """Only a null that no declaration accepts is dropped; the value itself is returned."""
    value = {"a": None}

    assert pruned(schema, value) is value


def test_nulls_are_dropped_at_any_depth() -> None:
    """Through properties, items, references, maps and allOf."""
    schema = {
        "properties": {
            "deals": {"items": {"$ref": "#/$defs/deal"}},
            "by_id": {"additionalProperties": {"allOf": [{"$ref": "#/$defs/deal"}, {
                "properties": {"value": {"type": "number"}}}]}},
        },
        "$defs": {"deal": {**DEAL, "properties": {**DEAL["properties"], "stage": TEXT}}},
    }  # fmt: skip
    stray = {"name": None, "note": None, "stage": None, "value": None}

    assert pruned(schema, {"deals": [stray, 5], "by_id": {"x": stray}}) == {
        "deals": [{"name": None, "note": None, "value": None}, 5],
        "by_id": {"x": {"name": None, "note": None}},
    }


def test_items_that_are_null_stay() -> None:
    """Only members of objects are dropped: an array would change its places."""
    assert pruned({"items": TEXT}, [None, "x"]) == [None, "x"]


def test_the_branch_that_fits_but_for_nulls_decides() -> None:
    """A union is read by the branch that the rest of the value fits."""
    branches = [
        {"properties": {"kind": {"const": "a"}, "x": TEXT}, "required": ["kind"]},
        {"properties": {"kind": {"const": "b"}, "x": TEXT_OR_NULL}, "required": ["kind"]},
    ]

    assert pruned({"oneOf": branches}, {"kind": "a", "x": None}) == {"kind": "a"}
    assert pruned({"oneOf": branches}, {"kind": "b", "x": None}) == {"kind": "b", "x": None}


def test_an_object_beside_null_is_pruned() -> None:
    """A union with null leaves one branch for an object, whatever else is wrong with it."""
    schema = {"properties": {"deal": {"anyOf": [DEAL, {"type": "null"}]}}}
    schema["properties"]["deal"]["anyOf"][0] = {"properties": {"stage": TEXT}, "type": "object"}

    assert pruned(schema, {"deal": {"stage": None}}) == {"deal": {}}


def test_the_answer_is_never_changed_in_place() -> None:
    """A pruned answer is a copy."""
    value = {"a": {"b": None}}
    before = copy.deepcopy(value)

    assert pruned({"properties": {"a": {"properties": {"b": TEXT}}}}, value) == {"a": {}}
    assert value == before
