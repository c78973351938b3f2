"""Verdicts on histories drawn at random, and on runs of real services."""

import json
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalsim.host import load_fakes, start_services
from evalsim.types import Json, JsonObject
from evalsim.verify import (
    VerifyError,
    changed_entities,
    changes,
    judge,
    read_record,
    same,
    state_changes,
    write_attempts,
)
from support.calling import call
from support.fakes import CLOCK, write_recipe

MANIFESTS = {"crm": {"tools": {"act": {"writes": ["d", "e"]}}}}
SCALARS = st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from(["a", "b", 1.0])
VALUES = st.recursive(
    SCALARS,
    lambda part: (
        st.lists(part, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "key", "n", "m"]), part, max_size=3)
    ),
    max_leaves=10,
)
STATES = st.dictionaries(st.sampled_from(["d", "e", "unwritten"]), VALUES, max_size=3)


def journalled(history: list[JsonObject]) -> list[JsonObject]:
    """The record of a run that went through these states, one call each."""
    common = {"server": "crm", "tool": "act", "args": {}, "result": {}}
    return [{**common, "changes": state_changes(one, other)} for one, other in pairwise(history)]


def ends(first: Json, last: Json) -> dict[str, dict[str, Json]]:
    return {"initial": {"crm": first}, "final": {"crm": last}}


@given(STATES, STATES)
def test_the_checks_agree(first: JsonObject, last: JsonObject) -> None:
    """An entity is changed when it has a change, and when its JSON is not the same."""
    entities = changed_entities(ends(first, last), MANIFESTS)
    found = changes(ends(first, last), MANIFESTS)

    assert {f"{change.fake}.{change.path[0]}" for change in found} == set(entities)
    assert all(not same(change.before, change.after) for change in found)
    assert len({(*c.path, c.reordered) for c in found}) == len(found)


@given(st.lists(STATES.filter(lambda s: {"d", "e"} <= set(s)), min_size=1, max_size=6))
def test_a_whole_journal_explains_every_run(history: list[JsonObject]) -> None:
    """Whatever happened in between: each difference has its call, and nothing contradicts."""
    verdict = judge(ends(history[0], history[-1]), MANIFESTS, journalled(history))

    assert verdict.reasons == ()
    assert all(change.call is not None for change in verdict.changes)
    assert all(
        step.call and step.undone_by and step.call.number < step.undone_by.number
        for step in verdict.undone
    )


@given(STATES, STATES)
def test_a_run_that_goes_there_and_back_is_seen(one: JsonObject, other: JsonObject) -> None:
    """The two ends are equal, and a journal tells what was done and undone."""
    first = {"d": 0, "e": 0, **one}
    second = {"d": 0, "e": 0, **other}
    there = changes(ends(first, second), MANIFESTS)
    verdict = judge(ends(first, first), MANIFESTS, journalled([first, second, first]))

    assert verdict.changes == ()
    assert {step.where for step in verdict.undone} == {change.where for change in there}
    assert verdict.outcome == ("changed" if there else "unchanged")


HOSTILE_CHANGE = st.dictionaries(
    st.sampled_from(["entity", "record", "field", "before", "after", "reordered"]), VALUES
)
HOSTILE_LINE = st.dictionaries(
    st.sampled_from(["server", "tool", "result", "response", "fault"]), VALUES
) | st.fixed_dictionaries({"changes": VALUES | st.lists(VALUES | HOSTILE_CHANGE)})


@given(VALUES | STATES, st.lists(HOSTILE_LINE, max_size=3), st.just(MANIFESTS["crm"]) | VALUES)
def test_hostile_evidence_is_judged_or_refused(
    state: Json, lines: list[JsonObject], manifest: Json
) -> None:
    """No other exception than the one that says what is wrong."""
    with suppress(VerifyError):
        assert judge(ends(state, state), {"crm": manifest}, lines).outcome
    with suppress(VerifyError):
        assert changed_entities({"initial": state, "final": state}, MANIFESTS) == []


@pytest.mark.parametrize(
    "change", [None, [], {}, {"record": "a"}, {"entity": {}}, {"entity": "d", "record": []}]
)
def test_a_journal_that_is_none_is_refused(change: Json) -> None:
    """The error names the call whose line it is."""
    line = {"server": "crm", "tool": "act", "changes": [change]}

    with pytest.raises(VerifyError, match=r"^The journal of act \(call 1\) holds what is no "):
        judge(ends({"d": 0, "e": 0}, {"d": 0, "e": 0}), MANIFESTS, [line])
    with pytest.raises(VerifyError, match=r"^The journal of act \(call 1\) is no list"):
        judge(ends({"d": 0, "e": 0}, {"d": 0, "e": 0}), MANIFESTS, [{**line, "changes": 1}])


def test_a_digit_beyond_a_double_counts() -> None:
    """Whole numbers are compared exactly, as they stand in the state files."""
    assert changed_entities(ends({"d": 2**53 + 1}, {"d": 2**53}), MANIFESTS) == ["crm.d"]


@pytest.fixture
def run(tmp_path: Path) -> Any:
    """Runs calls of the small fake in a journalled world: its verdict, and its record."""
    fakes = load_fakes(write_recipe(tmp_path))
    record = tmp_path / "calls.jsonl"

    def judged(*calls: tuple[str, JsonObject]) -> Any:
        with start_services(fakes, clock=CLOCK, record=record, journal=True) as services:
            for tool, arguments in calls:
                call(services.url("crm"), tool, arguments)
            states, faults = services.snapshot(), [f.as_json() for f in services.faults]
        lines = read_record(record)
        manifests = {"crm": json.loads((fakes["crm"].folder / "manifest.json").read_text())}
        assert len(write_attempts(lines, manifests)) == len(calls)
        return judge(states, manifests, lines, faults)

    return judged


def test_a_run_is_judged_by_what_its_services_kept(run: Any) -> None:
    """The journal that the host writes explains the states that it gives."""
    verdict = run(
        ("list-deals", {}), ("add-deal", {"name": "Bolt"}), ("add-deal", {"name": "Acme"})
    )

    assert verdict.outcome == "changed"
    (change,) = verdict.changes
    assert str(change).startswith("add-deal (call 2) added deals[")


def test_a_run_without_changes_is_unchanged(run: Any) -> None:
    """A refused call and a read change nothing."""
    verdict = run(("list-deals", {"limit": 999}), ("add-deal", {"name": "Acme"}))

    assert (verdict.outcome, verdict.exit_code) == ("unchanged", 0)
