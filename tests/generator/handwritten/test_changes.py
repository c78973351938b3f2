"""What changed in a tool's arguments is told in one line each, and what breaks is marked."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsim_generator.handwritten.changes import Change, describe, diff

FILTER = {
    "type": "object",
    "required": ["op"],
    "properties": {
        "op": {"enum": ["eq", "neq"]},
        "and": {"type": "array", "items": {"$ref": "#/$defs/Filter"}},
    },
}


def arguments(**properties: Any) -> dict[str, str]:
    """The description of an object with these properties."""
    return describe({"type": "object", "properties": properties})


@pytest.mark.parametrize(
    ("schema", "line"),
    [
        ({"type": "integer", "default": 50}, "integer = 50"),
        ({"type": "integer", "minimum": 1, "maximum": 9}, "integer (minimum 1, maximum 9)"),
        ({"type": "string", "format": "date-time"}, "string (format date-time)"),
        ({"type": ["string", "null"]}, "string | null"),
        ({"enum": ["eq", "neq", 1, None, True]}, "eq | neq | 1 | null | true"),
        ({"enum": ["string", "a b", "1", ""]}, '"string" | "a b" | "1" | ""'),
        ({"const": "x"}, "x"),
        ({"type": "array", "items": {"type": "string"}}, "array<string>"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, "array<a | b>"),
        ({"type": "array"}, "array"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "object<number>"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string | null"),
        ({"allOf": [{"type": "string"}, {"minLength": 2}]}, "string (minLength 2)"),
        ({"properties": {}}, "object"),
        (
            {"type": "string", "default": "a = b | (c)"},
            'string = "a \\u003d b \\u007c \\u0028c\\u0029"',
        ),
        ({"default": {"b": 1, "a": [2]}}, 'any = {"a":[2],"b":1}'),
        ({}, "any"),
        (True, "any"),
        ({"type": 7, "enum": "x", "anyOf": {}}, "any"),
        ({"$ref": "https://example.com/x.json"}, "any"),
        ({"$ref": "#/nowhere"}, "any"),
    ],
)
def test_an_argument_is_one_line(schema: Any, line: str) -> None:
    """Type or values, limits, default: in words that hold no mark of the line itself."""
    assert arguments(x=schema) == {"x": line}


def test_nested_arguments_have_paths() -> None:
    """Objects, items and map values are flattened; a recursive reference is told once."""
    schema = {
        "$defs": {"Filter": FILTER},
        "required": ["filter"],
        "properties": {
            "filter": {"$ref": "#/$defs/Filter"},
            "filters": {"type": "array", "items": {"$ref": "#/$defs/Filter"}},
            "labels": {"additionalProperties": {"properties": {"a.b": {"type": "null"}}}},
        },
    }

    assert describe(schema) == {
        "filter": "object, required",
        "filters": "array<object>",
        "labels": "any",
        "filter.op": "eq | neq, required",
        "filter.and": "array",
        "filters[].op": "eq | neq, required",
        "filters[].and": "array",
        'labels{}."a.b"': "null",
    }


def test_properties_of_branches_are_arguments() -> None:
    """What allOf requires is required; what one branch of a union requires is not."""
    schema = {
        "allOf": [{"required": ["a"], "properties": {"a": {"type": "string"}}}],
        "oneOf": [
            {"required": ["b"], "properties": {"b": {"const": 1}}},
            {"required": ["b"], "properties": {"b": {"const": 2}}},
        ],
    }

    assert describe(schema) == {"a": "string, required", "b": "1 | 2"}


def test_a_bomb_of_references_is_told_in_part() -> None:
    """A schema that doubles at each level ends, and what is outermost is there."""
    doubled = {
        f"D{level}": {
            "anyOf": [{"$ref": f"#/$defs/D{level + 1}"}] * 2,
            "properties": {side: {"$ref": f"#/$defs/D{level + 1}"} for side in "ab"},
        }
        for level in range(200)
    }
    deep: Any = {"type": "string"}
    for _ in range(1_000):
        deep = {"type": "array", "items": deep, "default": [deep]}

    found = describe({"$defs": doubled, "properties": {"x": deep, "y": {"$ref": "#/$defs/D0"}}})

    assert list(found)[:2] == ["x", "y"]
    assert sum(map(len, found.values())) < 100_000


def test_a_wide_schema_is_told_in_part() -> None:
    """Of very many arguments and values only so many are listed, the rest by a digest."""
    many = {f"p{number}": {"enum": list(range(9_000))} for number in range(600)}

    found = arguments(**many)

    assert len(found) == 500
    assert all("8800-more#" in line for line in found.values())


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(
                ["type", "properties", "items", "enum", "const", "anyOf", "allOf", "$ref"]
            )
            | st.sampled_from(["default", "required", "additionalProperties", "format"])
            | st.text(),
            inner,
        )
    ),
)


@given(json_values)
def test_any_json_is_described_in_printable_ascii(schema: Any) -> None:
    """No document is too odd to describe, and nothing of it reaches a terminal raw."""
    found = describe({"properties": {"x": schema, "\u202e\x1b": schema}})

    assert all((path + line).isascii() for path, line in found.items())
    assert all((path + line).isprintable() for path, line in found.items())
    assert diff("t", found, found) == ()


@pytest.mark.parametrize(
    ("old", "new", "text", "breaking"),
    [
        (None, {"type": "integer", "default": 50}, "+ x: integer = 50", False),
        ({"type": "integer"}, None, "- x: integer", True),
        ({"type": "integer"}, {"type": "string"}, "~ x: integer -> string", True),
        (
            {"type": "integer"},
            {"type": ["integer", "null"]},
            "~ x: integer -> integer | null",
            False,
        ),
        ({"enum": ["a", "b"]}, {"enum": ["a"]}, "~ x: a | b -> a", True),
        ({"enum": ["a"]}, {"enum": ["b", "a"]}, "~ x: a -> b | a", False),
        ({"enum": ["a | b"]}, {"enum": ["a"]}, '~ x: "a \\u007c b" -> a', True),
        (
            {"type": "array", "items": {"enum": ["a"]}},
            {"type": "array", "items": {"enum": ["a", "b"]}},
            "~ x: array<a> -> array<a | b>",
            False,
        ),
        (
            {"type": "array", "items": {"enum": ["a", "b"]}},
            {"type": "array", "items": {"enum": ["a"]}},
            "~ x: array<a | b> -> array<a>",
            True,
        ),
        (
            {"type": "integer", "default": 5},
            {"type": "integer", "default": 6},
            "~ x: integer = 5 -> integer = 6",
            False,
        ),
        (
            {"type": "integer", "maximum": 9},
            {"type": "integer"},
            "~ x: integer (maximum 9) -> integer",
            False,
        ),
    ],
)
def test_a_change_is_told_and_judged(old: Any, new: Any, text: str, breaking: bool) -> None:
    """Removal, a lost type and a lost value break; a default, a limit and a widening do not."""
    before = arguments(**({} if old is None else {"x": old}))
    after = arguments(**({} if new is None else {"x": new}))

    assert diff("list-deals", before, after) == (
        Change(f"list-deals: {text}", breaking, "x" if new is None else None),
    )


def test_what_becomes_required_breaks() -> None:
    """A new required argument breaks, so does an old one that has become required."""
    optional, required = {"x": "string"}, {"x": "string, required"}

    assert [it.breaking for it in diff("t", {}, required)] == [True]
    assert [it.breaking for it in diff("t", optional, required)] == [True]
    assert [it.breaking for it in diff("t", required, optional)] == [False]


def test_what_lies_in_an_object_goes_and_comes_with_it() -> None:
    """A removed object is one change; what a new optional object requires breaks nothing."""
    whole = {"filter": "object", "filter.op": "eq, required", "filter.and[].x": "eq, required"}

    assert [it.text for it in diff("t", whole, {})] == ["t: - filter: object"]
    assert [it.breaking for it in diff("t", {}, whole)] == [False, False, False]
    assert [it.removed_argument for it in diff("t", whole, {"filter": "object"})] == [
        "filter.op",
        "filter.and[].x",
    ]


def test_a_tool_is_named_in_printable_ascii() -> None:
    """A tool whose name would upset a terminal is quoted."""
    assert diff("\x1b[2J", {"x": "any"}, {})[0].text == '"\\x1b[2J": - x: any'
