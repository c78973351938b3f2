"""The example's CRM, observed, and ten ways in which a handler could come to answer otherwise."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalsim.checks import Outcome, checks_of, read_subject, run_check
from evalsim.recipe.locate import find_recipe
from evalsim_generator.observe.observe import observe
from support.data import PROJECT

RECORDING = "fakes/tests/responses.jsonl"
Answer = Callable[[Any], Any]


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example whose real server answered as the recording has it."""
    root = tmp_path_factory.mktemp("observed") / "attio-crm"
    shutil.copytree(PROJECT / "examples" / "attio-crm", root)
    seen = observe(find_recipe(root), "attio", [str(root / RECORDING)], lambda *_: None)
    seen.path.write_bytes(seen.text)
    return root


def test_it_answers_as_observed(recipe: Path) -> None:
    """What was observed holds for what it was observed of."""
    assert judged(recipe, recipe / RECORDING).faults == ()


def listed(change: Callable[[dict[str, Any]], object]) -> Answer:
    """The list of records with something else in it."""

    def answer(text: str) -> str:
        value = json.loads(text)
        change(value)
        return json.dumps(value)

    return answer


def first(value: dict[str, Any], **fields: object) -> None:
    """Give the first record of a list other fields."""
    for record in value["records"][:1]:
        record.update(fields)


@pytest.mark.parametrize(
    ("tool", "answer", "told"),
    [
        ("list-records", listed(lambda v: v.pop("total")), "required property 'total', as in 16"),
        (
            "list-records",
            listed(lambda v: v.update(total="3")),
            "data/total must be integer, as in",
        ),
        (
            "list-records",
            listed(lambda v: first(v, id="r-1")),
            "data/records/0/id must match format",
        ),
        (
            "list-records",
            listed(lambda v: first(v, created_at="yesterday")),
            'data/records/0/created_at must match format "date-time"',
        ),
        ("list-records", listed(lambda v: v.update(records={})), "data/records must be array"),
        (
            "create-note",
            lambda text: f"Done. {text}",
            "answers with 'Note created: ' before the JSON",
        ),
        ("create-note", lambda text: text[len("Note created: ") :], "text before the JSON is ''"),
        ("search-records", lambda _: '{"matches": []}', "the real server answers in TOON (4"),
        ("search-records", lambda _: "matches: []", "the real server answers in canonical TOON"),
        ("update-record", lambda _: "Updated.", "the real server answers in JSON (3 observed"),
    ],
)
def test_an_answer_unlike_the_observed_fails(
    recipe: Path, tmp_path: Path, tool: str, answer: Answer, told: str
) -> None:
    """One check fails, and says what the real server did."""
    changed = tmp_path / "responses.jsonl"
    lines = map(json.loads, (recipe / RECORDING).read_text().splitlines())
    changed.write_text("".join(json.dumps(_with(line, tool, answer)) + "\n" for line in lines))

    faults = judged(recipe, changed).faults

    assert faults
    assert all(fault.startswith(f"'{tool}' called with ") for fault in faults)
    assert any(told in fault for fault in faults), faults


def test_a_tool_that_no_test_calls_fails(recipe: Path, tmp_path: Path) -> None:
    """An observed tool has an answer to compare."""
    lines = (recipe / RECORDING).read_text().splitlines(keepends=True)
    changed = tmp_path / "responses.jsonl"
    changed.write_text("".join(line for line in lines if '"list-notes"' not in line))

    (fault,) = judged(recipe, changed).faults

    assert fault.startswith("'list-notes' has no successful answer in the recording, and the real")


def _with(line: dict[str, Any], tool: str, answer: Answer) -> dict[str, Any]:
    if line["tool"] == tool and not line["result"].get("isError"):
        (block,) = line["result"]["content"]
        block["text"] = answer(block["text"])
    return line


def judged(recipe: Path, recording: Path) -> Outcome:
    """What came of the check of attio's answers, and of that alone."""
    subject = read_subject(recipe, clock="2026-10-01T09:00:00Z", recording=recording)
    (check,) = [c for c in checks_of(subject) if c.title.startswith("attio answers every observed")]
    return run_check(check, subject)
