"""A simulated user, and the judge of what was said: scripted without a key, and flagged as such."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from evalsim.evals import AgentIO, Call, EvalError, Fail, InvalidMeasurement, Parallel, Suite
from evalsim.evals.judging import SCRIPTED, UNRULED, read_judgement
from evalsim.evals.simulating import NOTHING_TO_SAY, SILENCE
from support.evals import run_evals, write_evals

HANG_UP = Call("end_call", reason="It is booked.")
WHO = {"persona": "Ada, in a hurry", "goal": "a table for two"}


def echo(io: AgentIO) -> str:
    """Says what it heard."""
    if io.text == "bye":
        io.end_session("the caller said bye")
    return "" if io.text == "hush" else f"You said {io.text}."


SUITE = Suite(agent=echo, greeting="Hello, this is the desk.")


def simulated(script: Any, suite: Suite = SUITE, **options: Any) -> Any:
    """The call of a scripted caller."""
    with suite.open() as session:
        return session.simulate(stub_caller=script, **WHO, **options)


def test_a_caller_talks_until_it_hangs_up() -> None:
    """Its reason is kept apart from the cap on turns, and the agent's lines are in the call."""
    call = simulated(["A table.", "For two.", HANG_UP])

    assert ["A table.", "For two."] == [turn.caller for turn in call.turns]
    assert "You said For two.." == call.turns[1].turn.text
    assert ("caller", "It is booked.") == (call.ended_by, call.end_reason)
    assert (2, 0) == (call.metrics["turns"], call.metrics["tool_calls"])
    assert {"mean", "p50", "max"} == set(call.metrics["latency"])
    lines = call.transcript().splitlines()
    assert ["Agent: Hello, this is the desk.", "User: A table."] == lines[:2]
    assert "(caller ended the call: It is booked.)" == lines[-1]


@pytest.mark.parametrize(
    ("script", "options", "ended_by", "reason", "turns"),
    [
        (["Again."], {"max_turns": 3}, "max_turns", "3 turns were over", 3),
        (["Hi.", "  "], {}, "caller", NOTHING_TO_SAY, 1),
        (["Hi.", "bye", "more"], {}, "agent", "the caller said bye", 2),
        ([HANG_UP], {"opening": "Hi."}, "caller", "It is booked.", 1),
        ([Call("end_call")], {}, "caller", "The caller hung up.", 0),
    ],
)
def test_how_a_call_ends(
    script: list[Any], options: Any, ended_by: str, reason: str, turns: int
) -> None:
    """By the caller, by its silence, by the agent, or by the cap."""
    call = simulated(script, **options)

    assert (ended_by, reason, turns) == (call.ended_by, call.end_reason, len(call.turns))


def test_a_caller_without_a_script_says_one_line() -> None:
    """And hangs up."""
    with SUITE.open() as session:
        call = session.simulate(**WHO)

    assert (1, "caller") == (len(call.turns), call.ended_by)


def test_an_agent_that_takes_too_long_ends_the_call() -> None:
    """The turns before it are kept."""

    async def agent(io: AgentIO) -> str:
        await asyncio.sleep(0 if io.text == "a" else 10)
        return "ok"

    call = simulated(["a", "b"], Suite(agent=agent, turn_timeout=0.05))

    assert ("timeout", 1) == (call.ended_by, len(call.turns))


def test_the_caller_hears_the_agent_and_not_itself() -> None:
    """The agent's lines are the caller's user messages, and silence is told as such."""
    heard: list[Any] = []

    def listen(call: Any) -> Any:
        heard.append([(m["role"], m["content"]) for m in call.messages])
        return "hush" if len(heard) == 1 else HANG_UP

    simulated([listen])

    assert ("user", "Hello, this is the desk.") == heard[0][1]
    assert [("assistant", "hush"), ("user", SILENCE)] == heard[1][2:]
    assert "Ada, in a hurry" in heard[0][0][1]
    assert "a table for two" in heard[0][0][1]


def test_the_caller_is_no_traffic_of_the_agent() -> None:
    """Its calls and its tool are in no turn; where its model fails, nothing is measured."""
    with SUITE.open() as session:
        session.simulate(stub_caller=[Parallel(HANG_UP, Call("other"))], **WHO)
        assert (() == session.model.calls) == (() == session.tool_calls())
        with pytest.raises(InvalidMeasurement, match="the caller's model failed with 500"):
            session.simulate(stub_caller=[Fail(500)], **WHO)


def test_a_scripted_judge_is_flagged() -> None:
    """It rules as it is told, passes what it is not told of, and is no grade."""
    criteria = ["It greets.", "It books.", "It thanks."]
    with SUITE.open() as session:
        judgement = session.judge(criteria, stub_judge=[True, False])
        assert session.judge(criteria).passed
        assert 2 == len(session.judgements)

    assert (False, True) == (judgement.passed, judgement.scripted)
    assert [True, False, True] == [ruling.passed for ruling in judgement.rulings]
    assert f"It books.: {SCRIPTED}" == judgement.explain()
    with pytest.raises(AssertionError, match=r"The judge finds not met:\nIt books\."):
        judgement.raise_if_failed()


@pytest.mark.parametrize("criteria", [[], "It greets."])
def test_nothing_to_judge_by_is_refused(criteria: Any) -> None:
    """As is one sentence in place of a list of them."""
    with SUITE.open() as session, pytest.raises(EvalError, match="nothing to judge by"):
        session.judge(criteria)


def test_a_judges_rulings_are_read_by_number() -> None:
    """In any order; a criterion without one is not met, and another number counts for none."""
    rulings = [
        {"criterion": 2, "pass": True, "reason": "It did."},
        {"criterion": 9, "pass": True, "reason": "?"},
        {"criterion": 3, "pass": "yes", "reason": "?"},
    ]
    text = json.dumps({"rulings": rulings, "summary": "Half."})

    judgement = read_judgement(text, ["a", "b", "c"])

    assert [False, True, False] == [ruling.passed for ruling in judgement.rulings]
    assert [UNRULED, "It did.", UNRULED] == [ruling.reason for ruling in judgement.rulings]
    assert ("Half.", False) == (judgement.summary, judgement.scripted)
    with pytest.raises(InvalidMeasurement, match="gave no rulings"):
        read_judgement("I like it.", ["a"])


def test_both_are_fixtures(tmp_path: Path) -> None:
    """And what was judged by a script is told in the reports."""
    text = """
suite = Suite(name="desk", agent=lambda io: "hi")
pytestmark = suite.mark

def test_sync(simulate, judge):
    call = simulate(persona="p", goal="g")
    judge(["It says hi."], call).raise_if_failed()

async def test_async(simulate, judge):
    call = await simulate(persona="p", goal="g")
    (await judge(["It says hi."], call.turns[0].turn)).raise_if_failed()
"""
    write_evals(tmp_path, text)

    done = run_evals(tmp_path, "-q", "--eval-json=out.json")

    assert "2 passed" in done.stdout, done.stdout
    cases = json.loads((tmp_path / "out.json").read_text())["cases"]
    judged = [case["repeats"][0]["judges"] for case in cases]
    assert [[{"passed": True, "scripted": True}]] * 2 == judged
