"""Readers and claims: what holds passes, and what does not says what happened instead."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from evalsim.evals import (
    AgentIO,
    Call,
    EvalError,
    Suite,
    SyncSession,
    ToolCall,
    Turn,
    custom_events,
    errors_in,
    expect_called,
    expect_no_changes,
    expect_not_called,
    expect_only_changes,
    expect_refused,
    expect_tool_before_speech,
    last_state,
    last_tool_result,
    refusal_pattern,
    said_in,
    tool_args,
    tool_names,
    tool_result,
    tool_results,
    turn_calling,
)
from evalsim.evals.events import AgentSaid
from support.evals import crm_agent
from support.fakes import CLOCK, write_recipe


def called(name: str, args: Any = None, result: Any = "ok", **more: Any) -> ToolCall:
    """A call that the model asked for."""
    return ToolCall(name, args or {}, ("model",), result, **more)


def turn(*calls: ToolCall, number: int = 1, text: str = "Done.") -> Turn:
    """A turn with these calls."""
    return Turn(number, "go", text, calls)


LOOKED = turn(called("look_up", {"id": "W1", "deep": {"a": 1, "b": 2}}, {"found": True}))
TWICE = turn(called("save", {"n": 1}, {"id": 1}), called("save", {"n": 2}, {"id": 2}), number=2)


def look_up() -> None:
    """A tool, as a function."""


class Found(BaseModel):
    """What `look_up` answers."""

    found: bool


class Missing(BaseModel):
    """What no tool answers."""

    lost: int


def test_what_was_called() -> None:
    """By name, by function, by how often and with which arguments among others."""
    expect_called(LOOKED, "look_up", look_up)
    expect_called(LOOKED, look_up, args={"deep": {"b": 2}})
    expect_called([LOOKED, TWICE], "look_up", "save")
    expect_called(TWICE, "save", times=2)
    expect_called(TWICE, "save", args={"n": 2}, times=1)
    expect_not_called(LOOKED, "save")


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        (lambda: expect_called(LOOKED, "save"), "save was not called. What happened:\n  turn 1: "),
        (lambda: expect_called(LOOKED, "save"), "said 'Done.'"),
        (lambda: expect_called(LOOKED, "look_up", args={"id": 1}), 'but never with {"id":1}'),
        (lambda: expect_called(TWICE, "save", times=1), "save was called 2 times, not 1"),
        (lambda: expect_not_called(LOOKED), "Called, though it should not have been: look_up("),
        (lambda: expect_not_called(TWICE, "save"), 'save({"n":1}) -> {"id":1}, save('),
        (lambda: tool_result(TWICE, "save"), "save was called 2 times, not once"),
        (lambda: tool_result(LOOKED, "save"), "save was called 0 times, not once"),
        (lambda: last_tool_result(LOOKED, "save"), "save was not called"),
        (
            lambda: tool_result(LOOKED, "look_up", Missing),
            "are not a Missing: lost: Field required",
        ),
        (lambda: tool_args(LOOKED, "look_up", Missing), "The arguments of look_up("),
        (lambda: turn_calling([LOOKED, TWICE], "drop"), "No turn called drop. What happened:"),
        (
            lambda: turn_calling([TWICE], "save", lambda call: call.args["n"] == 3),
            "save was called 2 times, but never as asked for",
        ),
        (lambda: expect_tool_before_speech(turn()), "No tool was called: turn 1"),
        (lambda: expect_refused(LOOKED, "look_up"), "look_up was not refused: look_up("),
        (lambda: expect_refused(LOOKED, "save"), "save was not called"),
        (lambda: last_state(LOOKED, "cart"), "The agent never emitted 'cart'"),
    ],
)
def test_what_does_not_hold_says_what_happened(claim: Any, told: str) -> None:
    """Each message names what was asked for and what there was."""
    with pytest.raises(AssertionError) as failed:
        claim()

    assert told in str(failed.value)


def test_readers_give_one_or_all() -> None:
    """The plural of nothing is empty; what is typed is read so."""
    assert ["look_up", "save", "save"] == tool_names([LOOKED, TWICE])
    assert [{"n": 1}, {"n": 2}] == tool_args(TWICE, "save")
    assert Found(found=True) == tool_result(LOOKED, "look_up", Found)
    assert [Found(found=True)] == tool_results(LOOKED, "look_up", Found)
    assert {"id": 2} == last_tool_result([LOOKED, TWICE], "save")
    assert [] == tool_args(LOOKED, "save") == tool_results(LOOKED, "save")
    assert TWICE is turn_calling([LOOKED, TWICE], "save", lambda call: call.args["n"] == 2)
    assert ["Done.", "Done."] == said_in([LOOKED, TWICE])


def test_a_call_that_never_ended_has_no_result() -> None:
    """Its position is in the message."""
    open_ = ToolCall("save", {"n": 2}, ("model",))
    with pytest.raises(AssertionError, match=r"Call 2 of save was never completed: save\("):
        tool_results(turn(called("save"), open_), "save")


@pytest.mark.parametrize("name", ["attio__create-note", "mcp__attio__create_note", "create_note"])
def test_a_tool_is_known_by_the_names_that_clients_give_it(name: str) -> None:
    """A claim may use the fake's own name, or the one the model saw."""
    scope = turn(called(name, server="attio", tool="create-note"))

    expect_called(scope, "create_note")
    expect_called(turn(called("create-note", server="attio")), name)


def test_speech_comes_after_the_first_tool() -> None:
    """By the order in which it happened."""

    def early(io: AgentIO) -> str:
        io.say("Let me look.")
        io.record_tool("look_up", result=1)
        return "Found."

    def late(io: AgentIO) -> str:
        io.record_tool("look_up", result=1)
        return "Found."

    with Suite(agent=late).open() as session:
        expect_tool_before_speech(session.say("go"))
    with Suite(agent=early).open() as session:
        with pytest.raises(AssertionError, match=r"said 'Let me look.' before it called look_up"):
            expect_tool_before_speech(session.say("go"))


@pytest.mark.parametrize(
    "refusal",
    [
        'Not available yet: this conversation is at "checking". Verify the caller first.',
        r"{\"error\":\"Not available yet: this conversation is at \\\"checking\\\".\"}",
        "Not available yet: this conversation is at 'checking'.",
    ],
)
def test_the_sentence_of_a_refusal_is_found(refusal: str) -> None:
    """Itself or within JSON, at its stage or at any."""
    assert refusal_pattern("checking").search(refusal)
    assert refusal_pattern().search(refusal)
    assert not refusal_pattern("done").search(refusal)
    assert not refusal_pattern("check.ng").search(refusal)


@pytest.mark.parametrize(
    "call",
    [
        called("pay", result="Nope.", is_error=True),
        called("pay", result={"error": "not verified"}),
        called("pay", result='Not available yet: this conversation is at "checking".'),
    ],
)
def test_a_refused_call_is_found(call: ToolCall) -> None:
    """By a tool error, an error in its answer, or the sentence."""
    assert call is expect_refused(turn(called("pay"), call), "pay")
    with pytest.raises(AssertionError, match="pay was refused, but not at 'done'"):
        expect_refused(turn(call), "pay", "done")


def test_what_was_emitted_is_read_typed() -> None:
    """The last under its name; errors of all turns are listed."""

    def agent(io: AgentIO) -> str:
        io.emit("cart", {"found": io.text == "b"})
        io.emit("other")
        if io.text == "b":
            io.report_error("late")
        return "ok"

    with Suite(agent=agent).open() as session:
        session.say_all(["a", "b"])
        assert 2 == len(custom_events(session, "cart"))
        assert 4 == len(custom_events(session))
        assert Found(found=True) == last_state(session, "cart", Found)
        assert ["late"] == errors_in(session)


@pytest.fixture
def crm(tmp_path: Path) -> Suite:
    """An agent of a CRM's fake, asked to add two deals."""
    write_recipe(tmp_path)
    return Suite(agent=crm_agent, fakes=tmp_path / "fakes", clock=CLOCK)


ADD_TWO = [Call("add-deal", name="Bolt"), Call("add-deal", name="Crux"), "Added."]


def test_only_the_expected_was_changed(crm: Suite) -> None:
    """By entity or deeper, by how it changed, and by how often."""
    with crm.open(stub_reply=ADD_TWO) as session:
        expect_no_changes(session)
        session.say("add two")

        assert ["add-deal (call 1)", "add-deal (call 2)"] == [str(c.call) for c in session.changes]
        expect_only_changes(session, "crm.deals")
        expect_only_changes(session, "2 added crm.deals")
        expect_only_changes(session, "added crm.*.*", "crm.deals")


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        (expect_no_changes, "Changed, though nothing should have been:"),
        (expect_no_changes, "add-deal (call 1) added deals["),
        (
            lambda s: expect_only_changes(s, "1 added crm.deals"),
            "1 added crm.deals: 2 such changes",
        ),
        (lambda s: expect_only_changes(s, "set crm.deals"), "set crm.deals: no such changes"),
        (lambda s: expect_only_changes(s, "set crm.deals"), "changed besides: crm: add-deal"),
        (lambda s: expect_only_changes(s, "crm.deals", "crm.notes"), "crm.notes: no such changes"),
        (expect_only_changes, "changed besides: crm: add-deal"),
    ],
)
def test_other_changes_are_told(crm: Suite, claim: Any, told: str) -> None:
    """With the call that made them."""
    with crm.open(stub_reply=ADD_TWO) as session:
        session.say("add two")
        with pytest.raises(AssertionError) as failed:
            claim(session)

    assert told in str(failed.value)


def test_what_names_no_place_is_refused(crm: Suite) -> None:
    """As is a state verdict of a suite without fakes."""

    def check(session: SyncSession, *wanted: str) -> None:
        expect_only_changes(session, *wanted)

    with crm.open() as session, pytest.raises(EvalError, match="names no place of a fake's state"):
        check(session, "deals")
    with Suite(agent=lambda io: "hi").open() as session:
        with pytest.raises(EvalError, match="has no fakes, so there is nothing that could change"):
            expect_no_changes(session)


def test_events_say_when_they_happened() -> None:
    """In seconds since the session opened, numbered in order."""
    with Suite(agent=lambda io: "hi").open() as session:
        first = session.say("a").events
        second = session.say("b").events

    assert [1, 2, 3, 4, 5, 6] == [event.number for event in (*first, *second)]
    assert isinstance(first[1], AgentSaid)
    assert first[-1].at <= second[0].at
