"""Driving an agent of any kind through its turns."""

import asyncio
import inspect
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import Any, Protocol, TypeAlias, cast

from evalsim.evals.agents.io import AgentIO
from evalsim.evals.invalid import AgentLeak, EvalError

Agent: TypeAlias = "Callable[..., Any] | Factory | Opener"
"""A function of `AgentIO`, a class or `Factory` that makes one for each case, or an `Opener`."""

GRACE = 1.0
"""Seconds that a thread of the agent has to end, once its session is over."""
_END = object()


@dataclass(frozen=True, slots=True)
class Factory:
    """Makes an agent for each case and repeat: something with `send(io)`, or a function of `io`.

    `make` is given the session's `AgentIO`, before anything was said.
    """

    make: Callable[[AgentIO], Any]


class Driver(Protocol):
    """An agent in one session."""

    async def turn(self, io: AgentIO) -> None:
        """Take one turn; what is said goes to the sink. Returning ends the turn."""
        ...

    async def close(self) -> None:
        """Let go of whatever the agent holds."""
        ...


class Opener(Protocol):
    """An agent that lies outside this process, or starts in its own way."""

    async def open_agent(self, io: AgentIO) -> Driver:
        """The agent in a session of its own."""
        ...


async def open_driver(agent: Agent, io: AgentIO) -> Driver:
    """The driver of an agent for one session; raises `EvalError` for what is no agent."""
    if not isinstance(agent, type) and hasattr(agent, "open_agent"):
        return await cast("Opener", agent).open_agent(io)
    if isinstance(agent, Factory):
        return CallDriver(*_parts(await Threads().call(agent.make, io)))
    if isinstance(agent, type):
        return CallDriver(*_parts(await Threads().call(_maker(agent), io)))
    if hasattr(agent, "send"):
        raise EvalError(
            f"{type(agent).__name__} is one object with a `send`, and would take what it remembers "
            "from case to case: give its class, or Factory(lambda io: …), to have one per case."
        )
    return CallDriver(cast("Callable[[AgentIO], Any]", agent), None)


def _maker(agent: type) -> Callable[[AgentIO], Any]:
    """How a class is made: of `io` where its constructor takes something."""
    takes = inspect.signature(agent).parameters.values()
    needs_io = any(p.default is p.empty and p.kind in (0, 1) for p in takes)
    return agent if needs_io else lambda _: agent()


def _parts(made: Any) -> tuple[Callable[[AgentIO], Any], Callable[[], Any] | None]:
    """The function of a turn, and what closes it, of what a factory made."""
    send = getattr(made, "send", None) or (made if callable(made) else None)
    if send is None:
        raise EvalError(
            f"The agent's factory made {made!r}, which has no `send` and cannot be called."
        )
    return send, getattr(made, "aclose", None) or getattr(made, "close", None)


class Threads:
    """The threads in which functions that are not async run, so that they may block."""

    def __init__(self) -> None:
        self._running: set[int] = set()

    async def call(self, function: Callable[..., Any], *given: object) -> Any:
        """What a function returns, run in a thread where it is not async."""
        if _runs_here(function):
            answer = function(*given)
        else:
            answer = await asyncio.to_thread(self._noted, function, given)
        return await answer if inspect.isawaitable(answer) else answer

    async def check_ended(self) -> None:
        """Raise `AgentLeak` where one still runs: no thread can be stopped from outside."""
        for _ in range(20):
            if not self._running:
                return
            await asyncio.sleep(GRACE / 20)
        frames = sys._current_frames()  # pyright: ignore[reportPrivateUsage]  no other way
        at = ", ".join(_place(frames.get(thread)) for thread in self._running)
        raise AgentLeak(
            f"The agent still runs in a thread that cannot be stopped, at {at}: write it async, or "
            "give what it waits for a timeout below the suite's turn_timeout."
        )

    def _noted(self, function: Callable[..., Any], given: tuple[object, ...]) -> Any:
        thread = threading.get_ident()
        self._running.add(thread)
        try:
            return function(*given)
        finally:
            self._running.discard(thread)


class CallDriver:
    """An agent that is a function of `AgentIO`: sync, async, or a generator of either kind."""

    def __init__(self, turn: Callable[[AgentIO], Any], close: Callable[[], Any] | None) -> None:
        self._turn, self._close = turn, close
        self._threads = Threads()

    async def turn(self, io: AgentIO) -> None:
        """Take one turn: what is returned is said, what is yielded is said in parts."""
        answer = await self._threads.call(self._turn, io)
        if hasattr(answer, "__aiter__"):
            async for part in cast("AsyncIterator[object]", answer):
                io.sink.said(_text(part), part=True)
        elif inspect.isgenerator(answer):
            step: Callable[[], object] = partial(next, cast("Iterator[object]", answer), _END)
            while (part := await self._threads.call(step)) is not _END:
                io.sink.said(_text(part), part=True)
        elif answer is not None:
            io.sink.said(_text(answer))

    async def close(self) -> None:
        """Close what a factory made, where it can be closed; raises `AgentLeak`."""
        if self._close is not None:
            await self._threads.call(self._close)
        await self._threads.check_ended()


def _place(frame: FrameType | None) -> str:
    """The line of the agent's own function that a thread is in."""
    inner = "an unknown place"
    while frame is not None and frame.f_code.co_name != "_noted":
        inner = f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return inner


def _runs_here(function: Callable[..., Any]) -> bool:
    """Whether calling it only makes a coroutine or a generator."""
    bare: Any = function.func if isinstance(function, partial) else function
    if not inspect.isroutine(bare):
        bare = type(bare).__call__
    makes = (inspect.iscoroutinefunction, inspect.isasyncgenfunction, inspect.isgeneratorfunction)
    return any(is_kind(bare) for is_kind in makes)


def _text(answer: object) -> str:
    if not isinstance(answer, str):
        raise EvalError(
            f"The agent answered with {type(answer).__name__}, not with the text it says: "
            "return or yield a str (None says nothing)."
        )
    return answer
