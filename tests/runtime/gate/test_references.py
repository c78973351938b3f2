"""References lead to places in the same schema, and nowhere else."""

import pytest

from evalsim.errors import SchemaError
from evalsim.gate.gate import compile_gate
from evalsim.types import Json

DRAFT_07 = "http://json-schema.org/draft-07/schema#"


@pytest.mark.parametrize(
    "ref",
    ["https://example.com/x.json", "file:///etc/passwd", "x.json#/a", "urn:other", DRAFT_07],
)
def test_what_is_not_local_is_refused_and_never_fetched(ref: str) -> None:
    """The error names the reference and where it stands."""
    with pytest.raises(SchemaError) as caught:
        compile_gate({"properties": {"a/b": {"$ref": ref}}})

    assert f"{ref!r} at #/properties/a~1b/$ref is not local" in str(caught.value)


def test_a_remote_reference_in_an_unused_definition_is_refused() -> None:
    """The engine would have to fetch it, and may not."""
    with pytest.raises(SchemaError, match=r"https://example\.com/x"):
        compile_gate({"$defs": {"unused": {"$ref": "https://example.com/x"}}})


@pytest.mark.parametrize("ref", ["#/$defs/none", "#none", "#/properties/a/$ref", "#/$defs/list/5"])
def test_what_leads_to_no_schema_is_refused(ref: str) -> None:
    """A local reference must end at an object, true or false."""
    schema = {"properties": {"a": {"$ref": ref}}, "$defs": {"list": [{}]}}

    with pytest.raises(SchemaError, match="leads to no schema"):
        compile_gate(schema)


@pytest.mark.parametrize(
    ("ref", "extra"),
    [
        ("#/$defs/a%20b~1c", {"$defs": {"a b/c": {"type": "string"}}}),
        ("#/x-parts/0", {"x-parts": [{"type": "string"}]}),
        ("#text", {"$defs": {"a": {"$anchor": "text", "type": "string"}}}),
        ("https://example.com/root#/$defs/a", {"$id": "https://example.com/root",
                                               "$defs": {"a": {"type": "string"}}}),
    ],
)  # fmt: skip
def test_local_references_are_followed(ref: str, extra: Json) -> None:
    """Escaped names, places outside the known keywords, anchors and the root's own id."""
    gate = compile_gate({"properties": {"a": {"$ref": ref}}, **extra})

    assert gate.accepts({"a": "x"})
    assert gate.refusal({"a": 1}) == "data/a must be string"


def test_an_anchor_of_draft_07_is_an_id() -> None:
    """`$id: "#name"` names a place in drafts up to 07."""
    schema = {
        "$schema": DRAFT_07,
        "properties": {"a": {"$ref": "#text"}},
        "definitions": {"t": {"$id": "#text", "type": "string"}},
    }

    assert compile_gate(schema).refusal({"a": 1}) == "data/a must be string"


def test_references_inside_a_schema_with_an_id_count_from_it() -> None:
    """A nested `$id` makes a resource of its own, whose `#` is itself."""
    nested = {
        "$id": "https://example.com/nested",
        "$ref": "#/$defs/s",
        "$defs": {"s": {"type": "string"}},
    }
    schema = {"properties": {"a": nested}, "$defs": {"s": {"type": "number"}}}

    assert compile_gate(schema).refusal({"a": 1}) == "data/a must be string"


def test_schemas_that_share_an_id_do_not_see_each_other() -> None:
    """Each gate knows its own document only."""
    shared = {"$id": "https://example.com/s", "properties": {"a": {"$ref": "#/$defs/t"}}}
    text = compile_gate({**shared, "$defs": {"t": {"type": "string"}}})
    number = compile_gate({**shared, "$defs": {"t": {"type": "number"}}})

    assert [text.accepts({"a": "x"}), number.accepts({"a": "x"})] == [True, False]


def test_recursive_references_are_followed_as_far_as_the_value_goes() -> None:
    """A tree is judged at every depth."""
    tree = {"properties": {"child": {"$ref": "#"}}, "additionalProperties": False}

    assert compile_gate(tree).refusal({"child": {"child": {"x": 1}}}) == (
        "data/child/child must NOT have additional properties"
    )


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#", "type": "string"},
        {
            "$ref": "#/$defs/a",
            "$defs": {"a": {"$ref": "#/$defs/b", "type": "string"}, "b": {"$ref": "#/$defs/a"}},
        },
        {"anyOf": [{"$ref": "#"}, {"$ref": "#"}], "type": "string"},
    ],
)
def test_references_that_lead_back_to_themselves_end(schema: Json) -> None:
    """A circle without progress in the value says nothing of its own."""
    gate = compile_gate(schema)

    assert gate.accepts("x")
    assert "data must be string" in str(gate.refusal(1))
