"""What holds of the gate for any schema and any value."""

import copy

from hypothesis import given, settings
from hypothesis import strategies as st

from evalsim.gate.gate import compile_gate
from evalsim.types import Json, JsonObject

NAMES = st.sampled_from(["a", "b", "c"])
SCALARS = st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from(["", "a", "xy"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
SIMPLE = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["string", "integer", "object", "array", ["null", "object"]]),
        "minimum": st.integers(-1, 2),
        "maxLength": st.integers(0, 2),
        "enum": st.lists(SCALARS, min_size=1, max_size=3),
        "required": st.lists(NAMES, max_size=2, unique=True),
        "uniqueItems": st.booleans(),
    },
)


def compound(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[JsonObject]:
    """Schemas that hold others, and refer to the root or to a definition."""
    some = st.lists(inner, min_size=1, max_size=3)
    return st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(NAMES, inner | defaulted(inner), max_size=3),
            "additionalProperties": inner | st.booleans(),
            "items": inner,
            "prefixItems": some,
            "anyOf": some,
            "oneOf": some,
            "allOf": some,
            "not": inner,
            "if": inner,
            "then": inner,
            "contains": inner,
            "$ref": st.sampled_from(["#", "#/$defs/d"]),
            "required": st.lists(NAMES, max_size=2, unique=True),
        },
    )


def defaulted(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[JsonObject]:
    """Schemas with a default, valid or not."""
    return st.tuples(inner, VALUES).map(
        lambda pair: {**(pair[0] if isinstance(pair[0], dict) else {}), "default": pair[1]}
    )


INNER = st.recursive(SIMPLE | st.booleans(), compound, max_leaves=6)
SCHEMAS = st.tuples(compound(INNER), INNER).map(lambda pair: {**pair[0], "$defs": {"d": pair[1]}})


@given(SCHEMAS, st.lists(VALUES, min_size=1, max_size=6))
@settings(deadline=None)
def test_a_refusal_has_words_and_an_acceptance_has_none(schema: Json, values: list[Json]) -> None:
    """The verdict and the explanation never disagree."""
    gate = compile_gate(schema)

    for value in values:
        assert gate.accepts(value) == (gate.refusal(value) is None)


@given(SCHEMAS, st.lists(VALUES, min_size=1, max_size=6))
@settings(deadline=None)
def test_walking_a_value_never_changes_it(schema: Json, values: list[Json]) -> None:
    """Filling and pruning leave what they were given as it was."""
    gate = compile_gate(schema)
    before = copy.deepcopy(values)

    for value in values:
        gate.prune_nulls(value)
        if isinstance(value, dict):
            gate.fill(value)

    assert values == before


OBJECTS = st.dictionaries(NAMES, SCALARS | st.dictionaries(NAMES, SCALARS, max_size=2), max_size=3)


def typed(depth: int) -> st.SearchStrategy[JsonObject]:
    """Schemas whose defaults are all valid under their own schemas."""
    whole_number = st.integers(0, 3).map(lambda n: {"type": "integer", "default": n})
    leaves = whole_number | st.just({"type": "integer"}) | st.just({"type": ["null", "object"]})
    if depth == 0:
        return leaves
    members = st.dictionaries(NAMES, leaves | typed(depth - 1), max_size=3)
    return st.tuples(members, st.booleans()).map(
        lambda pair: {"type": "object", "properties": pair[0], "additionalProperties": pair[1]}
    )


@given(typed(2), st.lists(OBJECTS, min_size=1, max_size=6))
@settings(deadline=None)
def test_filling_valid_defaults_keeps_a_value_valid(schema: Json, values: list[JsonObject]) -> None:
    """An accepted value with its defaults is accepted, and filled again it stays the same."""
    gate = compile_gate(schema)

    for value in filter(gate.accepts, values):
        filled = gate.fill(value)

        assert gate.accepts(filled)
        assert gate.fill(filled) is filled
