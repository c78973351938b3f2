"""Agents of every kind are driven the same way, and given all they need."""

import asyncio
import json
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from evalsim.evals import (
    AgentExited,
    AgentIO,
    AgentLeak,
    ChatEndpoint,
    EvalError,
    Factory,
    Subprocess,
    Suite,
    TurnTimeout,
)


def plain(io: AgentIO) -> str:
    """A sync agent, which may block."""
    time.sleep(0.01)
    return f"plain {io.text}"


async def waiting(io: AgentIO) -> str:
    """An async agent."""
    await asyncio.sleep(0)
    return f"waiting {io.text}"


def parts(io: AgentIO) -> Iterator[str]:
    """A generator."""
    yield "parts "
    yield io.text


async def async_parts(io: AgentIO) -> AsyncIterator[str]:
    """An async generator."""
    yield "parts "
    await asyncio.sleep(0)
    yield io.text


class Remembering:
    """A class whose objects remember what was said, one for each case."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def send(self, io: AgentIO) -> str:
        """Take a turn."""
        self.heard.append(io.text)
        return ", ".join(self.heard)


class Answering:
    """An object that is called."""

    async def __call__(self, io: AgentIO) -> str:
        return f"called {io.text}"


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        (plain, "plain hi"),
        (waiting, "waiting hi"),
        (parts, "parts hi"),
        (async_parts, "parts hi"),
        (lambda io: waiting(io=io), "waiting hi"),
        (Remembering, "hi"),
        (Factory(lambda io: Remembering()), "hi"),
        (Factory(lambda io: lambda turn: f"{io.session_id} {turn.text}"), "case hi"),
        (Answering(), "called hi"),
    ],
)
def test_any_callable_is_an_agent(agent: Any, said: str) -> None:
    """Sync or async, returning or yielding, made for each case or not."""
    with Suite(agent=agent, name="case").open() as session:
        turn = session.say("hi")

    assert (said, True) == (turn.text, turn.completed)


def test_what_is_said_in_parts_is_one_utterance() -> None:
    """And what is said at once another; silence is no text."""

    def agent(io: AgentIO) -> Iterator[str]:
        io.say("Let me see.")
        yield "It "
        yield "shipped."

    with Suite(agent=agent).open() as session:
        assert "Let me see. It shipped." == session.say("where is it?").text

    with Suite(agent=lambda io: None).open() as session:
        assert "" == session.say("hello?").text


def test_an_async_test_awaits_its_session() -> None:
    """The agent runs in a loop of its own, so that one which blocks it blocks no one else."""

    async def blocking(io: AgentIO) -> str:
        time.sleep(0.05)
        return threading.current_thread().name

    async def check() -> None:
        async with Suite(agent=blocking).open() as session:
            ticks = 0
            saying = asyncio.create_task(session.say("hi"))
            while not saying.done():
                ticks += 1
                await asyncio.sleep(0.005)
            assert "evalsim-agents" == (await saying).text
            assert ticks > 2

    asyncio.run(check())


def test_other_event_loops_can_wait_too() -> None:
    """Any loop that anyio knows."""
    pytest.importorskip("trio")
    import anyio

    async def check() -> None:
        async with Suite(agent=waiting).open() as session:
            assert "waiting hi" == (await session.say("hi")).text

    anyio.run(check, backend="trio")


def test_a_factory_is_asked_once_a_session_and_closed_with_it() -> None:
    """What it made is closed in the loop it was made in."""
    loops: list[Any] = []

    class Agent:
        def __init__(self) -> None:
            loops.append(threading.current_thread().name)

        async def send(self, io: AgentIO) -> str:
            return "hi"

        async def aclose(self) -> None:
            loops.append("closed")

    with Suite(agent=Factory(lambda io: Agent())).open() as session:
        session.say_all(["a", "b"])

    assert "closed" == loops[-1]
    assert 2 == len(loops)


class Shared:
    """An object with a `send`, which can be called too."""

    def __call__(self) -> None: ...

    def send(self, io: AgentIO) -> str:
        """Take a turn."""
        return io.text


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        (Shared(), "give its class, or Factory"),
        (Factory(lambda io: 3), "made 3, which has no `send`"),
    ],
)
def test_what_is_no_agent_is_refused(agent: Any, told: str) -> None:
    """And says what to give instead."""
    with pytest.raises(EvalError, match=told), Suite(agent=agent).open():
        pass


def test_an_answer_that_is_no_text_is_refused() -> None:
    """The message names what came and what is wanted."""
    with Suite(agent=lambda io: {"text": "hi"}).open() as session:
        with pytest.raises(EvalError, match="answered with dict, not with the text it says"):
            session.say("hi")


def test_an_agent_that_takes_too_long_is_cut_off() -> None:
    """The error names what was seen, and the session goes on."""
    slow = [10.0, 0.0]

    async def agent(io: AgentIO) -> str:
        io.say("Wait.")
        await asyncio.sleep(slow.pop(0))
        return "done"

    with Suite(agent=agent, turn_timeout=0.05).open() as session:
        with pytest.raises(
            TurnTimeout, match=r"within 0.05 s; what was seen: user.said, agent.said"
        ):
            session.say("go")
        assert "Wait. done" == session.say("again").text
        first, second = session.all_turns
        assert (False, True) == (first.completed, second.completed)


def test_a_task_that_is_left_running_is_told_of() -> None:
    """It is given time to end; what does not is cancelled and named."""
    done: list[str] = []

    async def later(seconds: float) -> None:
        await asyncio.sleep(seconds)
        done.append("later")

    async def agent(io: AgentIO) -> str:
        agent.task = asyncio.create_task(later(float(io.text)))  # type: ignore[attr-defined]
        return "started"

    with Suite(agent=agent, drain=0.5).open() as session:
        session.say("0.01")
    assert ["later"] == done

    with pytest.raises(AgentLeak, match=r"still ran 0.05 s after its case was over.*later"):
        with Suite(agent=agent, drain=0.05).open() as session:
            session.say("60")


def test_a_thread_that_is_left_running_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """It cannot be stopped, so the case fails, naming where it waits."""
    from evalsim.evals.agents import driving

    monkeypatch.setattr(driving, "GRACE", 0.05)
    let_go = threading.Event()

    def agent(io: AgentIO) -> str:
        let_go.wait(20)
        return "late"

    with pytest.raises(AgentLeak, match=r"that cannot be stopped, at \S+test_agents.py:\d+"):
        with Suite(agent=agent, turn_timeout=0.05).open() as session:
            with pytest.raises(TurnTimeout):
                session.say("go")
    let_go.set()


LINES = """
import json, os, sys
turns = 0
for line in sys.stdin:
    turn, turns = json.loads(line), turns + 1
    if turn["text"] == "die":
        sys.exit("no more")
    if turn["text"] == "chatter":
        print("loading…", flush=True)
    def send(**message):
        print(json.dumps(message), flush=True)
    send(say="Looking.")
    send(tool="look_up", args={"id": 1}, result={"found": True})
    send(emit="state", data=turns)
    if turn["text"] == "bye":
        send(end="said bye")
    send(reply=" ".join(sorted(os.environ)) if turn["text"] == "env" else f"turn {turns}")
"""


@pytest.fixture
def lines(tmp_path: Path) -> Subprocess:
    """An agent that is a process with a line for each turn."""
    script = tmp_path / "agent.py"
    script.write_text(LINES)
    return Subprocess([sys.executable, str(script)])


def test_a_process_is_an_agent(lines: Subprocess) -> None:
    """One for the session: what it tells is noted, and it is given its own variables alone."""
    with Suite(agent=lines, env={"MINE": "1"}).open() as session:
        turn = session.say("hi")
        assert "Looking. turn 1" == turn.text
        assert ["look_up"] == [call.name for call in turn.tool_calls]
        assert [1] == [event.data for event in turn.emitted]
        told = session.say("env").text.split()
        assert {"MINE", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "EVALSIM_ENDPOINTS", "PATH"} <= set(
            told
        )
        assert not {"HOME", "VIRTUAL_ENV"} & set(told)
        assert session.say("bye").ended_session


def test_a_process_that_ends_or_chatters_is_told_of(lines: Subprocess) -> None:
    """With what it wrote to its standard error, or what it printed."""
    with Suite(agent=lines).open() as session:
        with pytest.raises(AgentExited, match=r"ended with 1. It wrote:\nno more"):
            session.say("die")
        with pytest.raises(AgentExited, match="ended with 1"):
            session.say("hi")
    with Suite(agent=lines).open() as session:
        with pytest.raises(EvalError, match="which is no message: print what is not"):
            session.say("chatter")


def test_a_command_can_run_for_each_turn(tmp_path: Path) -> None:
    """It reads the turn as JSON, and says what it prints."""
    code = (
        "import json, sys; turn = json.load(sys.stdin); print(len(turn['messages']), turn['text'])"
    )
    agent = Subprocess([sys.executable, "-c", code], per="turn")

    with Suite(agent=agent, greeting="Hello.").open() as session:
        assert ["2 a", "4 b"] == [turn.text for turn in session.say_all(["a", "b"])]
    with Suite(agent=Subprocess([str(tmp_path / "none")], per="turn")).open() as session:
        with pytest.raises(EvalError, match="cannot be run"):
            session.say("hi")


SERVER = """
import json, os, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Chat(BaseHTTPRequestHandler):
    def do_POST(self):
        turn = json.loads(self.rfile.read(int(self.headers["content-length"])))
        status = 500 if turn["text"] == "fail" else 200
        body = json.dumps({"reply": f"{self.path} {turn['text']} {sorted(turn['model'])[0]}"})
        self.send_response(status)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass

HTTPServer(("127.0.0.1", int(sys.argv[1])), Chat).serve_forever()
"""


def test_an_endpoint_is_an_agent(tmp_path: Path) -> None:
    """Started for the case on a free port, asked by a POST a turn, and stopped after it."""
    script = tmp_path / "server.py"
    script.write_text(dedent(SERVER))
    agent = ChatEndpoint(
        url="http://127.0.0.1:{port}/chat?v=1", command=[sys.executable, str(script), "{port}"]
    )

    with Suite(agent=agent).open() as session:
        assert "/chat?v=1 hi anthropic_base_url" == session.say("hi").text
        with pytest.raises(Exception, match="answered with 500"):
            session.say("fail")


def test_a_server_that_does_not_come_up_is_told_of() -> None:
    """With its errors where it ended, else with the time it had."""
    broken = ChatEndpoint(
        url="http://127.0.0.1:{port}/", command=[sys.executable, "-c", "raise SystemExit('broken')"]
    )
    with pytest.raises(AgentExited, match="ended with 1"), Suite(agent=broken).open():
        pass


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("hi", "hi"),
        ({"text": "hi"}, "hi"),
        ({"choices": [{"message": {"content": "hi"}}]}, "hi"),
    ],
)
def test_answers_of_endpoints_are_read(answer: Any, text: str) -> None:
    """As they commonly look; any other is refused, naming the way out."""
    from evalsim.evals.agents.wire import read_reply

    assert text == read_reply(json.loads(json.dumps(answer)))
    with pytest.raises(EvalError, match=r"ChatEndpoint\(read=…\)"):
        read_reply({"status": "ok"})
