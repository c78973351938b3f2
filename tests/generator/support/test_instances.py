"""The instance generator makes what it says: accepted values, refused ones, or a reason."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evalsim.types import Json
from support.data import captures
from support.instances import Instances, fingerprint, instances
from support.judge import judge

DRAFT_07 = {"$schema": "http://json-schema.org/draft-07/schema#"}
LINKED = {"anyOf": [{"type": "null"}, {"$ref": "#"}]}

POSSIBLE: dict[str, Json] = {
    "anything": True,
    "type list": {"type": ["string", "null", "integer"]},
    "bounds": {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 900},
    "steps": {"type": "number", "multipleOf": 0.25, "minimum": 0},
    "draft-04 bounds": {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "type": "number",
        "minimum": 0,
        "exclusiveMinimum": True,
    },
    "int32": {"type": "integer", "format": "int32"},
    "date-time": {"type": "string", "format": "date-time"},
    "format and pattern": {"type": "string", "format": "date-time", "pattern": "^2024-"},
    "long pattern": {"type": "string", "pattern": "^[a-z]+$", "minLength": 200, "maxLength": 210},
    "lookaheads": {"type": "string", "pattern": r"^(?=.*[a-z])(?=.*\d)(?!.*x).{8,}$"},
    "unicode classes": {"type": "string", "pattern": r"^\p{Lu}\p{L}+$"},
    "named groups": {"type": "string", "pattern": r"^(?<y>\d{4})-(?<m>\d\d)$"},
    "pattern keys": {
        "type": "object",
        "patternProperties": {"^x-": {"type": "integer"}, "y$": {"minimum": 5}},
        "additionalProperties": False,
        "minProperties": 2,
    },
    "property names": {
        "type": "object",
        "propertyNames": {"pattern": "^[a-z]{3}$"},
        "additionalProperties": {"type": "number"},
        "minProperties": 1,
        "maxProperties": 4,
    },
    "dependent required": {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}},
        "dependentRequired": {"a": ["b"], "b": ["c"]},
        "additionalProperties": False,
    },
    "dependencies": {
        **DRAFT_07,
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "dependencies": {"a": ["b"], "b": {"required": ["z"]}},
    },
    "prefix items": {
        "type": "array",
        "prefixItems": [{"type": "string"}, {"type": "integer"}],
        "items": {"type": "boolean"},
        "minItems": 1,
    },
    "item list": {
        **DRAFT_07,
        "type": "array",
        "items": [{"type": "string"}, {"type": "integer"}],
        "additionalItems": False,
    },
    "contains": {
        "type": "array",
        "items": {"type": "integer"},
        "contains": {"minimum": 100},
        "minContains": 2,
        "maxContains": 3,
    },
    "unique": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True, "minItems": 5},
    "all of": {
        "allOf": [
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"properties": {"a": {"minLength": 3}, "b": {"type": "integer"}}, "required": ["b"]},
        ]
    },
    "overlapping one of": {
        "oneOf": [{"type": "integer", "multipleOf": 3}, {"type": "integer", "multipleOf": 5}]
    },
    "one of required": {"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
    "any of doubled": {
        "type": "integer",
        "allOf": [{"anyOf": [{"minimum": n}, {"maximum": -n}]} for n in range(14)],
    },
    "not": {"type": "object", "not": {"required": ["a"]}, "properties": {"a": {}, "b": {}}},
    "if then else": {
        "type": "object",
        "properties": {"kind": {"enum": ["a", "b"]}},
        "required": ["kind"],
        "if": {"properties": {"kind": {"const": "a"}}},
        "then": {"required": ["x"], "properties": {"x": {"type": "integer"}}},
        "else": {"required": ["y"]},
    },
    "recursion": {
        "$ref": "#/$defs/node",
        "$defs": {
            "node": {
                "type": "object",
                "required": ["value"],
                "properties": {
                    "value": {"type": "integer"},
                    "kids": {"type": "array", "items": {"$ref": "#/$defs/node"}},
                },
            }
        },
    },
    "required recursion": {
        "type": "object",
        "required": ["left", "right"],
        "properties": {"left": LINKED, "right": LINKED},
        "additionalProperties": False,
    },
    "ref into properties": {
        "type": "object",
        "properties": {
            "a": {"type": "object", "properties": {"k": {"type": "integer"}}, "required": ["k"]},
            "b": {"$ref": "#/properties/a"},
        },
        "required": ["b"],
    },
    "ref with siblings": {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/s", "minLength": 5}},
        "required": ["a"],
        "$defs": {"s": {"type": "string"}},
    },
    "ref with siblings in draft-07": {
        **DRAFT_07,
        "type": "object",
        "properties": {"a": {"$ref": "#/definitions/s", "maxLength": 3}},
        "required": ["a"],
        "definitions": {"s": {"type": "string"}},
    },
    "nullable": {"type": "string", "nullable": True},
    "unevaluated": {"type": "object", "properties": {"a": {}}, "unevaluatedProperties": False},
}

IMPOSSIBLE: dict[str, tuple[Json, str]] = {
    "false": (False, "nothing may be here"),
    "empty enum": ({"enum": []}, "its enum is empty"),
    "two types": ({"allOf": [{"type": "string"}, {"type": "integer"}]}, "both string and integer"),
    "crossed bounds": ({"type": "integer", "minimum": 5, "maximum": 4}, "at least 5 and at most 4"),
    "crossed sizes": ({"type": "string", "minLength": 3, "maxLength": 2}, "minLength 3"),
    "endless": (
        {"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]},
        "levels of nesting",
    ),
    "circle": (
        {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}},
        "in a circle",
    ),
    "closed": (
        {"type": "object", "required": ["zz"], "additionalProperties": False},
        "/zz: nothing may be here",
    ),
    "self-contradicting pattern": ({"type": "string", "pattern": "^a(?!b)b$"}, "no string found"),
    "same branch twice": ({"oneOf": [{"type": "string"}, {"type": "string"}]}, "oneOf"),
    "too few values": (
        {"type": "array", "items": {"type": "boolean"}, "uniqueItems": True, "minItems": 3},
        "/2: no further item",
    ),
    "remote": ({"$ref": "http://example.com/schema"}, "is not local"),
    "not a regex": ({"type": "string", "pattern": "(["}, "#/pattern"),
}


@pytest.mark.parametrize("schema", POSSIBLE.values(), ids=POSSIBLE.keys())
def test_every_value_is_what_it_is_called(schema: Json) -> None:
    """Valid values are accepted by the schema, invalid ones refused, and all are distinct."""
    made = instances(schema, count=60, seed=1)
    accepts = judge(schema)
    assert made.reason is None
    assert len(made.valid) == 60
    assert all(accepts(value) for value in made.valid)
    assert not any(accepts(value) for value in made.invalid)
    assert made.invalid or schema is True
    assert len({fingerprint(value) for value in made.valid}) == len(made.valid)


@pytest.mark.parametrize(("schema", "reason"), IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_an_impossible_schema_says_why(schema: Json, reason: str) -> None:
    """A schema without a value yields none, and the reason."""
    made = instances(schema, count=5, seed=1)
    assert made.valid == []
    assert reason in (made.reason or "")


def test_few_values_are_no_fault() -> None:
    """A schema with three values yields those three and gives no reason."""
    made = instances({"enum": ["a", 1, None]}, count=50, seed=2)
    assert sorted(map(fingerprint, made.valid)) == ['"a"', "1", "null"]
    assert made.reason is None


def test_a_part_that_can_never_be_filled_is_named() -> None:
    """An optional property with an empty enum is left out and reported by its path."""
    schema = {"type": "object", "properties": {"a": {"enum": []}, "b": {"type": "string"}}}
    made = instances(schema, count=20, seed=3)
    assert len(made.valid) == 20
    assert made.gaps == {"/a": "its enum is empty"}


def test_mutations_reach_each_kind_of_breach() -> None:
    """Among the refused values are a missing key, an unknown one, a null, a wrong type and more."""
    schema = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "format": "uuid"},
            "size": {"type": "integer", "minimum": 1, "maximum": 50},
            "kind": {"enum": ["a", "b"]},
            "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
        },
        "required": ["id", "size", "kind", "tags"],
        "additionalProperties": False,
    }
    known = instances(schema, count=300, seed=4).invalid
    refused = [value for value in known if isinstance(value, dict)]
    full = [value for value in refused if {"id", "size", "kind", "tags"} <= value.keys()]
    assert len(refused) < len(known), "the root's own type"
    assert any("id" not in value for value in refused), "a required key deleted"
    assert any(len(value) > 4 for value in full), "an unknown key"
    assert any(value["kind"] not in ("a", "b") and isinstance(value["kind"], str) for value in full)
    assert any(value["size"] is None for value in full), "null"
    assert any(isinstance(value["size"], str) for value in full), "a wrong type"
    assert any(isinstance(value["size"], int) and value["size"] > 50 for value in full), "a bound"
    assert any(isinstance(value["id"], str) and "-" not in value["id"] for value in full), (
        "a format"
    )
    assert any(isinstance(value["tags"], list) and len(value["tags"]) > 3 for value in full)


def test_the_values_reach_the_edges_of_json() -> None:
    """Open and optional parts are filled with odd names, odd texts, big numbers and 5.0."""
    schema = {
        "type": "object",
        "properties": {"n": {"type": "integer"}, "s": {"type": "string"}, "d": {}},
    }
    made = instances(schema, count=400, seed=5).valid
    numbers = [value["n"] for value in made if "n" in value]
    assert {} in made
    assert any(isinstance(number, float) and number.is_integer() for number in numbers)
    assert any(abs(number) > 2**53 for number in numbers)
    assert any(value.get("s") == "" for value in made)
    assert any(not str(value.get("s", "")).isascii() for value in made)
    assert {"model_config", "self", "a-b", ""} <= {key for value in made for key in value}


SAME_TWICE = """
import json, sys
from support.instances import instances
schema = json.loads(sys.stdin.read())
made = instances(schema, count=40, seed=9)
print(json.dumps([made.valid, made.invalid]))
"""


def test_a_seed_decides_everything() -> None:
    """The same seed gives the same values in another process with another hash seed."""
    schema = POSSIBLE["pattern keys"] | {"anyOf": [{"required": ["x-a"]}, {"maxProperties": 6}]}
    tests = Path(__file__).resolve().parents[2]
    printed = [
        subprocess.run(
            [sys.executable, "-c", SAME_TWICE],
            input=json.dumps(schema),
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(tests)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    ]
    made = instances(schema, count=40, seed=9)
    assert printed[0] == printed[1] == json.dumps([made.valid, made.invalid]) + "\n"


def _schemas() -> list[tuple[str, Json]]:
    found = []
    for capture in captures():
        for tool in json.loads(capture.read_text(encoding="utf-8"))["tools"]:
            for key in ("inputSchema", "outputSchema"):
                if key in tool:
                    found.append((f"{capture.stem} {tool['name']} {key}", tool[key]))
    return found


@pytest.mark.skipif(not captures(), reason="no shared test data: set EVALSIM_TEST_DATA")
def test_real_schemas_are_all_possible_but_for_the_known_ones() -> None:
    """A tenth of the captured schemas yields values; the only ones without are listed here."""
    made: dict[str, Instances] = {
        name: instances(schema, count=10, seed=index)
        for index, (name, schema) in enumerate(_schemas())
        if index % 10 == 0 or name.startswith("netlify")
    }
    without = {name: result.reason for name, result in made.items() if result.reason}
    assert without == {
        "netlify netlify-coding-rules inputSchema": "/creationType: its enum is empty"
    }
    assert all(result.valid for name, result in made.items() if name not in without)
