"""A schema is read by the draft its root names."""

import pytest

from evalsim.errors import SchemaError
from evalsim.gate.gate import compile_gate
from evalsim.types import Json

DRAFT_07 = "http://json-schema.org/draft-07/schema#"


@pytest.mark.parametrize(
    ("declared", "keyword"),
    [
        (None, "prefixItems"),
        ("https://json-schema.org/draft/2020-12/schema", "prefixItems"),
        ("http://json-schema.org/draft/2020-12/schema#", "prefixItems"),
        ("https://example.com/our-own-dialect", "prefixItems"),
        (7, "prefixItems"),
        ("https://json-schema.org/draft/2019-09/schema", "items"),
        (DRAFT_07, "items"),
        ("https://json-schema.org/draft-07/schema", "items"),
        ("http://json-schema.org/draft-06/schema#", "items"),
        ("http://json-schema.org/draft-04/schema#", "items"),
    ],
)
def test_the_named_draft_decides_how_tuples_are_written(declared: Json, keyword: str) -> None:
    """2020-12 is the draft of a schema that names none, or none that is known."""
    schema: Json = {keyword: [{"type": "string"}]}
    if declared is not None:
        schema["$schema"] = declared

    assert compile_gate(schema).refusal([1]) == "data/0 must be string"


def test_a_draft_no_engine_reads_is_refused() -> None:
    """Draft-03 means other things by the same keywords, so guessing would be worse."""
    with pytest.raises(SchemaError, match=r"cannot be read .*draft-03"):
        compile_gate({"$schema": "http://json-schema.org/draft-03/schema#"})


def test_a_draft_named_inside_changes_nothing() -> None:
    """Only the root's `$schema` counts."""
    inner = {"$schema": DRAFT_07, "prefixItems": [{"type": "string"}]}

    assert compile_gate({"properties": {"a": inner}}).refusal({"a": [1]}) is not None


def test_keywords_beside_a_reference_count_in_every_draft() -> None:
    """The SDK applies what stands beside a `$ref`, also in draft-07."""
    schema = {
        "$schema": DRAFT_07,
        "$ref": "#/definitions/n",
        "maximum": 5,
        "definitions": {"n": {"type": "integer"}},
    }

    assert compile_gate(schema).refusal(10) == "data must be <= 5"


def test_keywords_of_a_later_draft_are_ignored() -> None:
    """Draft-07 has no dependentRequired and no unevaluatedProperties."""
    gate = compile_gate(
        {
            "$schema": DRAFT_07,
            "dependentRequired": {"a": ["b"]},
            "unevaluatedProperties": False,
            "maxProperties": 1,
        }
    )

    assert gate.accepts({"a": 1})
    assert gate.refusal({"a": 1, "c": 2}) == "data must NOT have more than 1 properties"


@pytest.mark.parametrize("value", ["x", None])
def test_nullable_admits_null_beside_a_type(value: Json) -> None:
    """OpenAPI's `nullable` counts as the SDK counts it."""
    assert compile_gate({"type": "string", "nullable": True}).accepts(value)


@pytest.mark.parametrize(
    "schema",
    [{"required": True}, {"properties": None}, {"type": "objekt"}, {"enum": "a"}, {"allOf": {}}],
    ids=str,
)
def test_an_invalid_schema_is_refused_with_its_place(schema: Json) -> None:
    """The error names the place in the schema and what stands there."""
    keyword = next(iter(schema))

    with pytest.raises(SchemaError, match=f"not valid: #/properties/x/{keyword} is "):
        compile_gate({"properties": {"x": schema}})


def test_a_pattern_the_engine_cannot_compile_is_refused_with_its_place() -> None:
    """A broken pattern is an error of the schema, found when it is compiled."""
    with pytest.raises(SchemaError, match=r'#/properties/x/pattern is "\("'):
        compile_gate({"properties": {"x": {"pattern": "("}}})


@pytest.mark.parametrize("schema", [None, [], "x", 1])
def test_what_is_no_schema_is_refused(schema: Json) -> None:
    """A schema is an object, true or false."""
    with pytest.raises(SchemaError, match="A schema is an object, true or false"):
        compile_gate(schema)


def test_true_and_false_are_schemas() -> None:
    """True accepts all, false nothing."""
    assert compile_gate(True).accepts({"a": 1})
    assert compile_gate(False).refusal(1) == "data boolean schema is false"
