"""Every schema that real servers have served can be judged by."""

import json
from pathlib import Path

import pytest

from evalsim.errors import SchemaError
from evalsim.gate.gate import Gate, compile_gate
from evalsim.types import JsonObject
from support.data import captures


def gates(capture: Path) -> list[tuple[JsonObject, Gate]]:
    tools = json.loads(capture.read_text())["tools"]
    schemas = [tool.get(key) for tool in tools for key in ("inputSchema", "outputSchema")]
    return [(schema, compile_gate(schema)) for schema in schemas if schema is not None]


@pytest.mark.parametrize("capture", captures(), ids=lambda path: path.stem)
def test_every_captured_schema_compiles(capture: Path) -> None:
    """No captured schema is refused, and an empty call is judged and explained alike."""
    for _schema, gate in gates(capture):
        assert gate.accepts({}) == (gate.refusal({}) is None)


@pytest.mark.parametrize("capture", captures(), ids=lambda path: path.stem)
def test_filling_a_captured_schema_settles(capture: Path) -> None:
    """Filling what was filled changes nothing, and nothing is filled where no default is."""
    for schema, gate in gates(capture):
        once = gate.fill({})

        assert gate.fill(once) == once
        assert once == {} or '"default"' in json.dumps(schema)


def test_tuples_of_an_older_draft_need_its_name() -> None:
    """`items: [...]` without `$schema` is no 2020-12 schema; the SDK refuses it too."""
    tuples = {"type": "array", "items": [{"type": "number"}]}

    with pytest.raises(SchemaError, match=r"#/items is \[\{\"type\": \"number\"\}\]"):
        compile_gate(tuples)
    draft_07 = {"$schema": "http://json-schema.org/draft-07/schema#", **tuples}
    assert compile_gate(draft_07).refusal(["x"]) == "data/0 must be number"
