"""What `evalsim generate` makes of an observed.json."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalsim.contract.captured import CapturedTool
from evalsim.types import Json
from evalsim_generator.observe.disagreement import disagreements
from support.command import Run, evalsim
from support.recorded import call, captured, compact, line, recorded, tool

__all__ = ["evalsim"]

DECLARED = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "amount": {"type": "number"},
        "closed": {"type": ["string", "null"], "format": "date"},
        "owner": {"$ref": "#/$defs/owner"},
        "value": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    },
    "required": ["id"],
    "$defs": {
        "owner": {
            "type": "object",
            "properties": {"name": {"type": "string"}},
            "additionalProperties": False,
        }
    },
}
GOOD = {"id": "d1", "amount": 3, "closed": "2026-10-01", "owner": {"name": "x"}, "value": 1}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A Recipe of three tools, one of which declares what it answers."""
    return captured(
        tmp_path, [tool("list-deals"), tool("send"), tool("typed", outputSchema=DECLARED)]
    )


def observe(root: Path, evalsim: Run, *lines: str) -> None:
    """Write observed.json."""
    recorded(root / "calls.jsonl", lines)
    assert evalsim("observe", "crm", "--from", "calls.jsonl", cwd=root).code == 0


def deals(count: int) -> list[str]:
    """Answers with an owner that some lack, and a table by name."""
    return [
        call("list-deals", {"n": n}, compact({"deals": [{"id": n}], "by_name": {f"Deal {n}": 1}}))
        for n in range(count)
    ]


def sent(count: int, to: str = "you") -> list[str]:
    """Answers framed by words."""
    return [
        call("send", {"n": n}, f"Email sent to {to}: {compact({'id': n})}") for n in range(count)
    ]


def seeded(root: Path) -> Any:
    """The answers.json that generate wrote."""
    return json.loads((root / "fakes/mcp/crm/answers.json").read_text())


def test_answers_are_seeded_and_typed(root: Path, evalsim: Run) -> None:
    """The first answers.json holds what was seen, and the models its types."""
    observe(root, evalsim, *deals(3), *sent(3))

    ran = evalsim("generate", cwd=root)

    assert ran.code == 0
    assert seeded(root)["send"]["prefix"] == "Email sent to you: "
    schema = seeded(root)["list-deals"]["schema"]
    assert schema["required"] == ["by_name", "deals"]
    assert schema["properties"]["by_name"]["additionalProperties"] == {"type": "integer"}
    assert "x-masked" not in compact(seeded(root))
    models = (root / "fakes/mcp/crm/models.py").read_text()
    assert "by_name: dict[str, int]" in models
    assert "class SendResult" in models


def test_a_few_samples_require_no_key(root: Path, evalsim: Run) -> None:
    """What two answers happened to hold is no promise."""
    observe(root, evalsim, *deals(2))

    evalsim("generate", cwd=root)

    assert "required" not in compact(seeded(root))


def test_a_prefix_that_was_not_written_in_full_declares_nothing(root: Path, evalsim: Run) -> None:
    """Nobody could answer with it: the tool stays undeclared."""
    observe(root, evalsim, *sent(3, to="Zanzibarov"), *deals(3))

    evalsim("generate", cwd=root)

    assert list(seeded(root)) == ["list-deals"]


DISAGREEMENTS: dict[str, tuple[dict[str, Json], str]] = {
    "another type": ({"amount": "3"}, "the answer.amount is string, not number"),
    "null": ({"amount": None}, "the answer.amount is null, not number"),
    "another format": ({"closed": "soon"}, "the answer.closed is not always of the format date"),
    "a closed object": ({"owner": {"age": 3}}, "the answer.owner.age is there"),
    "no alternative": ({"value": True}, "the answer.value is boolean, and fits no alternative"),
}


@pytest.mark.parametrize(("more", "why"), DISAGREEMENTS.values(), ids=DISAGREEMENTS)
def test_an_answer_outside_its_output_schema_is_warned_of(
    root: Path, evalsim: Run, more: dict[str, Json], why: str
) -> None:
    """The server declares one thing and answers another: generating says so, and goes on."""
    lines = [line("typed", {"n": n}, {"structuredContent": GOOD | more}) for n in range(2)]
    observe(root, evalsim, *lines)

    ran = evalsim("generate", cwd=root)

    assert ran.code == 0
    assert (
        f"warning: fakes/mcp/crm/observed.json: typed: its outputSchema says otherwise: {why}"
        in (ran.err)
    )


def test_a_missing_key_and_missing_structured_content_are_warned_of(
    root: Path, evalsim: Run
) -> None:
    """A required key that one answer lacked, and an answer of text alone."""
    lacking = {key: value for key, value in GOOD.items() if key != "id"}
    observe(root, evalsim, line("typed", {}, {"structuredContent": lacking}))
    missing = evalsim("generate", cwd=root)
    observe(root, evalsim, call("typed", {}, compact(GOOD)))
    unstructured = evalsim("generate", cwd=root)

    assert "the answer.id is not always there" in missing.err
    assert "answered without structured content" in unstructured.err


def test_an_answer_of_its_output_schema_is_no_warning(root: Path, evalsim: Run) -> None:
    """Nothing is said where both agree."""
    observe(root, evalsim, *(line("typed", {"n": n}, {"structuredContent": GOOD}) for n in (1, 2)))

    assert "outputSchema" not in evalsim("generate", cwd=root).err


BRANCHING = {"type": "null", "anyOf": [{"$ref": "#"}, {"$ref": "#"}]}
HOSTILE: dict[str, Json] = {
    "references that branch": BRANCHING,
    "all of itself": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]},
    "keywords of other kinds": {
        "type": 7,
        "required": 7,
        "properties": [],
        "format": [],
        "anyOf": {},
        "items": 7,
        "additionalProperties": 7,
    },
}


@pytest.mark.parametrize("declared", HOSTILE.values(), ids=HOSTILE)
def test_hostile_output_schemas_are_compared_in_bounded_time(declared: Json) -> None:
    """A schema that leads back to itself, or is none, neither hangs nor breaks the comparison."""
    seen = {"type": ["object", "string"], "required": 7, "properties": {"a": {"type": 7}}}
    answer = {"format": "json", "structured": True, "schema": seen}
    tools = {"typed": CapturedTool("typed", {"name": "typed", "outputSchema": declared})}

    assert len(list(disagreements({"typed": {"answer": answer}}, tools))) < 100
