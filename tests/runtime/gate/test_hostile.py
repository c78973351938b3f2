"""No schema and no value makes the gate hang, crash or go silent."""

import pytest

from evalsim.errors import SchemaError
from evalsim.gate.gate import compile_gate
from evalsim.types import Json

FILTER = {
    "type": "object",
    "properties": {
        "and": {"type": "array", "items": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}},
        "limit": {"default": 5},
    },
    "required": ["and"],
}


def nested(levels: int, leaf: Json) -> Json:
    value = leaf
    for _ in range(levels):
        value = {"and": [value]}
    return value


def lists(levels: int) -> Json:
    value: Json = []
    for _ in range(levels):
        value = [value]
    return value


def bomb(levels: int) -> Json:
    """Each level refers to the next one twice."""
    twice = {
        str(level): {"anyOf": [{"$ref": f"#/$defs/{level + 1}"}] * 2} for level in range(levels)
    }
    return {"$ref": "#/$defs/0", "$defs": {**twice, str(levels): {"type": "string"}}}


def test_a_bomb_of_references_is_refused_as_a_schema() -> None:
    """A schema that would be walked in more than a million ways is not obeyed."""
    with pytest.raises(SchemaError, match="combines others in more than 1000000 ways"):
        compile_gate(bomb(40))


def test_a_smaller_bomb_is_refused_in_few_words() -> None:
    """An explanation that would take too many steps ends in one sentence."""
    assert compile_gate(bomb(15)).refusal(1) == (
        "data must match the schema (it is too large or deep to say where it does not)"
    )


def test_too_many_problems_end_in_one_sentence() -> None:
    """A huge array of wrong items is refused without listing each."""
    gate = compile_gate({"items": {"type": "string"}})

    assert str(gate.refusal([1] * 30_000)).startswith("data must match the schema")


@pytest.mark.parametrize("levels", [201, 300])
def test_a_schema_nested_too_deep_is_refused(levels: int) -> None:
    """The limit is on levels of JSON."""
    schema: Json = {"type": "string"}
    for _ in range(levels):
        schema = {"items": schema}

    with pytest.raises(SchemaError, match="nested deeper than 200 levels"):
        compile_gate(schema)


@pytest.mark.parametrize("levels", [30, 300, 3000])
def test_deep_values_are_judged_filled_and_pruned(levels: int) -> None:
    """Depth that Python cannot recurse through ends in a verdict all the same."""
    gate = compile_gate(FILTER)
    good, bad = nested(levels, None), nested(levels, 7)

    assert gate.refusal(good) is None
    assert str(gate.refusal(bad)).startswith("data")
    assert gate.fill(good)["limit"] == 5
    assert gate.prune_nulls(good) is good


@pytest.mark.parametrize("schema", [{"uniqueItems": True, "maxItems": 1}, {"const": 1}])
def test_values_of_ten_thousand_levels_are_refused_in_words(schema: Json) -> None:
    """Comparing what is too deep to compare is a refusal, not an exception."""
    assert compile_gate(schema).refusal([lists(10_000), lists(10_000)]) is not None


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
def test_what_is_no_json_number_is_refused(value: float) -> None:
    """Infinity and NaN have no JSON, whatever a lenient parser made of 1e400."""
    assert compile_gate({"type": "number"}).refusal(value) is not None


@pytest.mark.parametrize(
    ("schema", "value", "words"),
    [
        ({"type": "integer"}, 10**4000, None),
        ({"maximum": 4}, 10**4000, "data must be <= 4"),
        ({"maximum": 10**400}, 10**401, "data must be <= Infinity"),
        ({"multipleOf": 2}, 10**400, "data must be multiple of 2"),
        ({"format": "int32"}, 10**400, 'data must match format "int32"'),
    ],
    ids=["accepted", "bound", "huge-bound", "divisor", "format"],
)
def test_huge_numbers_are_judged(schema: Json, value: int, words: str | None) -> None:
    """Numbers beyond a double are compared where that makes sense, and refused where not."""
    assert compile_gate(schema).refusal(value) == words


@pytest.mark.parametrize(
    ("schema", "value", "words"),
    [
        ({"maxLength": 2}, "\ud800a", None),
        ({"maxLength": 1}, "\ud800a", "data must NOT have more than 1 characters"),
        ({"pattern": "^a"}, "\ud800a", 'data must match pattern "^a"'),
        ({"patternProperties": {"^a": False}}, {"\ud800a": [1, {"\udfff": None}]}, None),
        (
            {"additionalProperties": False},
            {"\ud800": 1},
            "data must NOT have additional properties",
        ),
    ],
    ids=["accepted", "length", "pattern", "name", "additional"],
)
def test_lone_surrogates_are_judged(schema: Json, value: Json, words: str | None) -> None:
    """Half a character, which no UTF-8 can hold, counts as one character."""
    assert compile_gate(schema).refusal(value) == words


def test_what_is_no_json_is_refused_in_words() -> None:
    """A Python object that is no JSON value is a refusal too."""
    assert compile_gate({}).refusal(object()) is not None
