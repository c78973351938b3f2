"""Sessions: history, endings, refusals, what failed, and what is kept of each turn."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from evalsim.evals import (
    AgentIO,
    Call,
    EvalError,
    Fail,
    InvalidMeasurement,
    Parallel,
    SessionOver,
    Suite,
    events_of,
    is_event,
    transcript_of,
)
from evalsim.evals.events import ErrorReported, ReplyCancelled, ToolCalled, ToolCompleted
from evalsim.stubs import Harness, SealBroken, Stub
from support.evals import crm_agent
from support.fakes import CLOCK, HANDLERS, write_recipe

BROKEN = HANDLERS.replace("state.deals.append(", "raise KeyError('oops')\n    state.deals.append(")
"""A fake that fails where a deal is added."""


@pytest.fixture
def crm(tmp_path: Path) -> Suite:
    """An agent of a CRM's fake."""
    write_recipe(tmp_path)
    return Suite(agent=crm_agent, name="crm", fakes=tmp_path / "fakes", clock=CLOCK)


def echo(io: AgentIO) -> str:
    """Says how much it was told."""
    return f"{len(io.messages)} {io.messages[-1]['content']}"


def test_each_turn_is_told_all_that_was_said() -> None:
    """The greeting first; it is said before the user speaks, and is no turn."""
    with Suite(agent=echo, greeting="Hello.").open() as session:
        assert ("Hello.",) == session.said()
        turns = session.say_all(["a", "b"])

        assert ["2 a", "4 b"] == [turn.text for turn in turns]
        assert ("Hello.", "2 a", "4 b") == session.said()
        assert [1, 2] == [turn.number for turn in session.turns]
        kinds = [event.type for event in session.events()]
        assert ["agent.said", "user.said", "agent.said", "reply.completed"] == kinds[:4]


def test_a_turn_that_failed_is_not_remembered_by_the_agent() -> None:
    """Its exception is the agent's own; events keep it, and the conversation goes on."""

    def agent(io: AgentIO) -> str:
        if io.text == "bad":
            raise LookupError("no such thing")
        return echo(io)

    with Suite(agent=agent).open() as session:
        session.say("a")
        with pytest.raises(LookupError, match="no such thing"):
            session.say("bad")
        assert "3 b" == session.say("b").text
        assert ["1 a", "3 b"] == [turn.text for turn in session.turns]
        failed = session.all_turns[1]
        (cancelled,) = events_of(failed.events, ReplyCancelled)
        assert ("bad", "LookupError: no such thing") == (failed.said, cancelled.reason)


def test_an_agent_can_end_its_session() -> None:
    """The turn that does so is whole; nothing more can be said."""

    def agent(io: AgentIO) -> str:
        io.end_session("done here")
        return "Bye."

    with Suite(agent=agent).open() as session:
        turns = session.say_all(["a", "b", "c"])

        assert 1 == len(turns)
        assert ("Bye.", True, True) == (turns[0].text, turns[0].ended_session, session.ended)
        with pytest.raises(SessionOver, match="has ended the session: done here"):
            session.say("d")


def test_an_agent_can_refuse_its_session() -> None:
    """The refusal is a value; then nothing was said, and nothing can be."""

    def agent(io: AgentIO) -> None:
        io.refuse("no account")

    with Suite(agent=agent, greeting="Hello.").open() as session:
        assert not session.say("hi").completed
        assert ("no account", ()) == (session.refused, session.said())
        with pytest.raises(SessionOver, match="refused the session: no account"):
            session.say("hello?")


def test_a_session_can_be_refused_as_it_opens() -> None:
    """By what makes the agent, which knows who is there."""

    class Agent:
        def __init__(self, io: AgentIO) -> None:
            if "user" not in io.identity:
                io.refuse("who are you?")

        def send(self, io: AgentIO) -> str:
            return str(io.identity["user"])

    suite = Suite(agent=Agent, identity={"user": "sam", "plan": "plus"})
    with suite.open() as session:
        assert (None, "sam") == (session.refused, session.say("hi").text)
    with suite.open(identity={"user": None}) as session:
        assert "who are you?" == session.refused
    with suite.open(identity={"user": "lena"}) as session:
        assert "lena" == session.say("hi").text


def test_one_thing_is_said_at_a_time() -> None:
    """A second one is refused, and the first goes on."""

    async def agent(io: AgentIO) -> str:
        await asyncio.sleep(0.05)
        return "hi"

    async def check() -> None:
        async with Suite(agent=agent).open() as session:
            first = asyncio.create_task(session.say("a"))
            await asyncio.sleep(0.01)
            with pytest.raises(EvalError, match="A turn is still running"):
                await session.say("b")
            assert "hi" == (await first).text

    asyncio.run(check())


def test_tool_calls_are_one_list_of_all_who_saw_them(crm: Suite) -> None:
    """A call the model asked for and the fake answered is one call, in the order they began."""
    script = [
        Parallel(Call("add-deal", name="Bolt"), Call("add-deal", name="Acme")),
        Call("list-deals", limit=9),
        "Done.",
    ]
    with crm.open(stub_reply=script) as session:
        turn = session.say("add two")

        names = [(call.name, call.sources, call.is_error) for call in turn.tool_calls]
        assert [
            ("add-deal", ("model", "mcp"), False),
            ("add-deal", ("model", "mcp"), True),
            ("list-deals", ("model", "mcp"), False),
        ] == names
        assert ["call_1", "call_2", "call_3"] == [call.call_id for call in turn.tool_calls]
        assert {"Acme", "Bolt"} == {deal["name"] for deal in turn.tool_calls[2].result["deals"]}
        assert ("add-deal: A deal named Acme exists.",) == turn.errors
        assert all(
            is_event(e, ToolCalled) or is_event(e, "tool.completed") for e in turn.events[2:6]
        )
        assert 3 == len(events_of(turn.events, ToolCompleted))
        times = [event.at for event in turn.events]
        assert times == sorted(times)


def test_calls_of_stubs_and_of_the_agent_itself_are_in_it_too() -> None:
    """A stubbed call is matched to the model's by its id, else by name and arguments."""

    async def agent(io: AgentIO) -> str:
        assert io.harness is not None
        io.harness.dispatch("look_up", {"id": 1}, None)
        io.record_tool("think", {"about": "it"})
        io.record_tool("remember", result="ok")
        return "done"

    def stubs() -> Harness:
        return Harness([Stub("look_up", result={"found": True})], on_unhandled="error")

    with Suite(agent=agent, stubs=stubs).open() as session:
        turn = session.say("go")

    told = {call.name: (call.source, call.completed) for call in turn.tool_calls}
    assert {
        "look_up": ("stubs", True),
        "think": ("agent", False),
        "remember": ("agent", True),
    } == told


def test_a_blocked_call_is_told_of_though_the_agent_hides_it() -> None:
    """The harness of a case is closed with it."""

    def agent(io: AgentIO) -> str:
        assert io.harness is not None
        with suppress(AssertionError):
            io.harness.dispatch("drop", {}, None)
        return "done"

    suite = Suite(agent=agent, stubs=lambda: Harness([], on_unhandled="error"))
    with pytest.raises(SealBroken, match="drop"), suite.open() as session:
        (call,) = session.say("go").tool_calls
        assert (("stubs",), True) == (call.sources, call.is_error)


@pytest.mark.parametrize(
    ("script", "told"),
    [
        (
            [Call("drop-deal")],
            "the script calls the tool 'drop-deal', which the agent does not offer",
        ),
        ([Call("drop-deal")], "it offers: list-deals, add-deal"),
    ],
)
def test_a_turn_that_measured_nothing_raises(crm: Suite, script: list[Any], told: str) -> None:
    """Whatever the agent makes of it."""
    with crm.open(stub_reply=script) as session:
        with pytest.raises(InvalidMeasurement, match=told):
            session.say("drop it")
        assert 1 == len(session.invalid)
        assert () == session.turns


def test_a_fault_of_a_fake_makes_the_turn_invalid(tmp_path: Path) -> None:
    """It says where the fake failed, and the state verdict is invalid too."""
    handlers = HANDLERS.replace(
        "state.deals.append(", "raise KeyError('oops')\n    state.deals.append("
    )
    write_recipe(tmp_path, handlers=handlers)
    suite = Suite(agent=crm_agent, fakes=tmp_path / "fakes", clock=CLOCK)

    with suite.open(stub_reply=[Call("add-deal", name="Bolt")]) as session:
        with pytest.raises(InvalidMeasurement, match=r"add-deal: the fake failed \(exception\)"):
            session.say("add Bolt")
        with pytest.raises(InvalidMeasurement):
            _ = session.changes


def test_a_fault_after_the_last_turn_makes_the_case_invalid(tmp_path: Path) -> None:
    """Work that the agent left running counts until it is drained."""
    handlers = HANDLERS.replace(
        "state.deals.append(", "raise KeyError('oops')\n    state.deals.append("
    )
    write_recipe(tmp_path, handlers=handlers)

    async def agent(io: AgentIO) -> str:
        agent.task = asyncio.create_task(later(io))  # type: ignore[attr-defined]
        return "soon"

    async def later(io: AgentIO) -> None:
        await asyncio.sleep(0.05)
        await crm_agent(io)

    suite = Suite(agent=agent, fakes=tmp_path / "fakes", clock=CLOCK)
    with pytest.raises(InvalidMeasurement, match="the fake failed"):
        with suite.open(stub_reply=[Call("add-deal", name="Bolt")]) as session:
            session.say("add Bolt")


def test_a_scripted_failure_of_the_model_is_the_agents_to_handle(crm: Suite) -> None:
    """It is no fault of the measurement."""
    with crm.open(stub_reply=[Fail(429, retry_after=2), "Fine."]) as session:
        with pytest.raises(Exception, match="429"):
            session.say("hi")
        assert () == session.invalid
        assert "Fine." == session.say("hi").text
        assert [429, 200] == [call.status for call in session.model.calls]


def test_what_is_kept_of_a_turn_is_a_copy(crm: Suite) -> None:
    """Later turns change none of it, and the initial state stays the first."""
    with crm.open(
        stub_reply=[Call("add-deal", name="Bolt"), "a", Call("add-deal", name="Crux")]
    ) as s:
        s.say_all(["one", "two"])
        first, second = s.artifacts

    deals = [len(kept.states["final"]["crm"]["deals"]) for kept in (first, second)]
    assert ([2, 3], 1) == (deals, len(second.states["initial"]["crm"]["deals"]))
    assert [1, 2] == [len(kept.calls) for kept in (first, second)]


def test_a_conversation_that_goes_on_after_a_failure_reaches_its_fakes(crm: Suite) -> None:
    """What ended is a turn, not the case: the fakes are served until all of it is over."""
    with crm.open(stub_reply=[Fail(500), Call("add-deal", name="Bolt"), "Added."]) as session:
        with pytest.raises(Exception, match="500"):
            session.say("add Bolt")
        assert "Added." == session.say("go on").text
        assert 2 == len(session.artifacts)
    assert 2 == len(session.states["final"]["crm"]["deals"])


def test_errors_that_the_agent_reports_are_told() -> None:
    """They do not end the turn."""

    def agent(io: AgentIO) -> str:
        io.report_error("the cache is cold")
        return "hi"

    with Suite(agent=agent).open() as session:
        turn = session.say("hi")

    assert (("the cache is cold",), True) == (turn.errors, turn.completed)
    assert ["the cache is cold"] == [e.message for e in events_of(turn.events, ErrorReported)]


def test_the_transcript_tells_who_said_and_did_what(crm: Suite) -> None:
    """Tool calls stand under their turn; of a long session its end is shown."""
    script = [Call("add-deal", name="Acme"), "It exists.", *["Yes."] * 60]
    with crm.open(stub_reply=script) as session:
        assert "nothing was said" == transcript_of(session)
        session.say("add Acme")
        lines = transcript_of(session).splitlines()
        assert "User: add Acme" == lines[0]
        assert '  add-deal({"name":"Acme"}) !> "A deal named Acme exists."' == lines[1]
        assert "Agent: It exists." == lines[2]

        session.say_all(["still there?"] * 25)
        session.say("x" * 1000)
        long = transcript_of(session).splitlines()
        assert (41, "… 15 lines before …") == (len(long), long[0])
        assert 300 == max(map(len, long))


def test_an_eval_needs_no_pytest() -> None:
    """Everything but the plugin is there without it."""
    import subprocess
    import sys

    code = (
        "import sys; sys.modules['pytest'] = None\n"
        "import evalsim.evals as evals\n"
        "[getattr(evals, name) for name in evals.__all__]\n"
        "with evals.Suite(agent=lambda io: 'hi').open() as session:\n"
        "    print(session.say('hello').text)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert ("hi\n", "") == (done.stdout, done.stderr)
