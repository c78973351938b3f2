"""Defaults are filled wherever an object was sent, and nothing else is touched."""

import copy

import pytest

from evalsim.gate.gate import compile_gate
from evalsim.types import Json, JsonObject

PAGE = {"properties": {"limit": {"type": "integer", "default": 25}, "after": {"default": None}}}


def filled(schema: Json, value: JsonObject) -> JsonObject:
    return compile_gate(schema).fill(value)


def test_what_is_absent_is_filled_in_declared_order() -> None:
    """Each default of the schema appears, after what was sent."""
    assert list(filled(PAGE, {"x": 1}).items()) == [("x", 1), ("limit", 25), ("after", None)]


@pytest.mark.parametrize("sent", [None, 0, "", [], {}])
def test_what_was_sent_is_never_replaced(sent: Json) -> None:
    """An explicit null stays, whatever the default."""
    assert filled(PAGE, {"limit": sent, "after": 1}) == {"limit": sent, "after": 1}


@pytest.mark.parametrize("schema", [PAGE, {"type": "object"}, True])
def test_nothing_to_fill_gives_the_same_object(schema: Json) -> None:
    """No copy is made where none is needed."""
    value = {"limit": 1, "after": 2}

    assert filled(schema, value) is value


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"properties": {"page": PAGE}}, {}, {}),
        ({"properties": {"page": PAGE}}, {"page": {}}, {"page": {"limit": 25, "after": None}}),
        ({"properties": {"page": PAGE}}, {"page": "x"}, {"page": "x"}),
        (
            {"properties": {"pages": {"items": {"$ref": "#/$defs/page"}}}, "$defs": {"page": PAGE}},
            {"pages": [{"limit": 1}, 7, {"after": 2}]},
            {"pages": [{"limit": 1, "after": None}, 7, {"after": 2, "limit": 25}]},
        ),
        (
            {"properties": {"p": {"prefixItems": [{}, PAGE],
                                  "items": {"properties": {"z": {"default": 1}}}}}},
            {"p": [{}, {"limit": 1, "after": 1}, {}]},
            {"p": [{}, {"limit": 1, "after": 1}, {"z": 1}]},
        ),
        (
            {"$schema": "http://json-schema.org/draft-07/schema#",
             "properties": {"p": {"items": [PAGE], "additionalItems": PAGE}}},
            {"p": [{"limit": 1}, {"after": 1}]},
            {"p": [{"limit": 1, "after": None}, {"after": 1, "limit": 25}]},
        ),
        (
            {"additionalProperties": {"properties": {"n": {"default": 1}}}},
            {"any": {}},
            {"any": {"n": 1}},
        ),
        ({"properties": {"a": {"$ref": "#/$defs/d"}}, "$defs": {"d": {"default": 3}}}, {},
         {"a": 3}),
        ({"allOf": [PAGE, {"properties": {"limit": {"default": 1}, "b": {"default": 2}}}]}, {},
         {"limit": 25, "after": None, "b": 2}),
        (
            {"properties": {"child": {"$ref": "#"}, "n": {"default": 0}}},
            {"child": {"child": {}}},
            {"child": {"child": {"n": 0}, "n": 0}, "n": 0},
        ),
    ],
    ids=["absent", "object", "no-object", "items", "prefix", "tuple", "map", "ref", "all", "tree"],
)  # fmt: skip
def test_defaults_are_filled_at_any_depth(schema: Json, value: JsonObject, expected: Json) -> None:
    """Through properties, items and references, where the containing object was sent."""
    assert filled(schema, value) == expected


def test_the_input_is_never_changed() -> None:
    """A new object is made along the way to what is filled."""
    schema = {"properties": {"a": {"items": PAGE}}}
    value = {"a": [{"limit": 1}], "b": [1]}
    before = copy.deepcopy(value)

    result = filled(schema, value)

    assert (value, result != value) == (before, True)


def test_each_call_gets_its_own_default() -> None:
    """A default is copied, so that a handler may change what it received."""
    gate = compile_gate({"properties": {"tags": {"default": ["a"]}}})
    gate.fill({})["tags"].append("b")

    assert gate.fill({}) == {"tags": ["a"]}


def test_a_default_its_own_schema_refuses_is_filled() -> None:
    """Real schemas often say `default: null` beside a type without null."""
    assert filled({"properties": {"a": {"type": "string", "default": None}}}, {}) == {"a": None}


def test_objects_inside_a_default_have_theirs_filled() -> None:
    """A default of {} with defaults inside arrives whole."""
    assert filled({"properties": {"page": {**PAGE, "default": {"limit": 1}}}}, {}) == {
        "page": {"limit": 1, "after": None}
    }


def test_a_default_inside_itself_is_filled_once() -> None:
    """A recursive schema whose default is an object must not fill forever."""
    tree = {"properties": {"child": {"$ref": "#", "default": {}}}}

    assert filled(tree, {}) == {"child": {}}


def test_defaults_that_multiply_are_bounded() -> None:
    """Defaults of defaults cannot make a small schema fill a huge value."""
    levels = {
        str(level): {
            "properties": {
                name: {"$ref": f"#/$defs/{level + 1}", "default": {}} for name in ("a", "b", "c")
            }
        }
        for level in range(30)
    }
    gate = compile_gate({"$ref": "#/$defs/0", "$defs": {**levels, "30": {}}})

    assert len(str(gate.fill({}))) < 100_000


A_OR_B = [
    {"properties": {"kind": {"const": "a"}, "x": {"default": 1}}, "required": ["kind"]},
    {"properties": {"kind": {"const": "b"}, "y": {"default": 2}}, "required": ["kind"]},
]


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
def test_the_only_branch_that_fits_is_filled(keyword: str) -> None:
    """Of branches, the one that the value fits fills its defaults."""
    gate = compile_gate({keyword: A_OR_B})

    assert gate.fill({"kind": "a"}) == {"kind": "a", "x": 1}
    assert gate.fill({"kind": "b"}) == {"kind": "b", "y": 2}
    assert gate.ambiguous_defaults == ()


def test_a_branch_beside_null_is_filled() -> None:
    """The usual way to write an optional object leaves no doubt."""
    gate = compile_gate(
        {"properties": {"page": {"anyOf": [{**PAGE, "type": "object"}, {"type": "null"}]}}}
    )

    assert gate.fill({"page": {"limit": 1}}) == {"page": {"limit": 1, "after": None}}
    assert gate.fill({"page": None}) == {"page": None}
    assert gate.ambiguous_defaults == ()


def test_when_several_branches_fit_none_is_filled() -> None:
    """Guessing a branch would be worse; the defaults are listed instead."""
    gate = compile_gate(
        {
            "anyOf": [
                {"properties": {"x/y": {"default": 1}}},
                {"properties": {"z": {"$ref": "#/$defs/z"}}},
            ],
            "properties": {"sure": {"default": 0}},
            "$defs": {"z": {"default": 2}},
        }
    )

    assert gate.fill({}) == {"sure": 0}
    assert gate.ambiguous_defaults == (
        "/anyOf/0/properties/x~1y/default",
        "/$defs/z/default",
    )


def test_a_default_on_a_branch_of_an_absent_value_is_ambiguous() -> None:
    """No value chooses the branch, so its default is left and listed."""
    gate = compile_gate(
        {"properties": {"a": {"oneOf": [{"type": "string", "default": "x"}, {"type": "null"}]},
                        "b": {"default": 1}}}
    )  # fmt: skip

    assert gate.fill({}) == {"b": 1}
    assert gate.ambiguous_defaults == ("/properties/a/oneOf/0/default",)


@pytest.mark.parametrize(
    ("other", "ambiguous"),
    [
        ({"type": "array"}, False),
        ({"enum": ["a", 1, None]}, False),
        ({"$ref": "#/$defs/text"}, False),
        (False, False),
        ({"required": ["z"]}, True),
        ({"properties": {"q": {}}, "additionalProperties": False}, False),
        ({"properties": {"kind": {"enum": ["b", "c"]}}, "required": ["kind"]}, False),
        ({"properties": {"kind": {"enum": ["b", "a"]}}, "required": ["kind"]}, True),
        ({"properties": {"kind": {"const": "b"}}}, True),
        ({}, True),
    ],
    ids=str,
)
def test_branches_that_cannot_both_hold_leave_no_doubt(other: Json, ambiguous: bool) -> None:
    """Types, fixed values of required members and closed objects tell branches apart."""
    one = {"type": "object", **A_OR_B[0]}
    gate = compile_gate({"anyOf": [one, other], "$defs": {"text": {"type": "string"}}})

    assert bool(gate.ambiguous_defaults) is ambiguous
