"""A session with an agent, in tests with an event loop and in plain ones."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from evalsim.evals.base_session import BaseSession
from evalsim.evals.loops import arrive
from evalsim.evals.turn import Turn

if TYPE_CHECKING:
    from evalsim.evals.jobs.app import App, SyncApp
    from evalsim.evals.judging import Judged, Judgement
    from evalsim.evals.simulating import SimulatedCall

T = TypeVar("T")


class Session(BaseSession):
    """A session for async tests."""

    async def simulate(self, *, persona: str, goal: str, **options: Any) -> "SimulatedCall":
        """Let a simulated user talk to the agent; `options` are those of `simulate_call`."""
        given = {"persona": persona, "goal": goal, **options}
        return await self._await(lambda: self._simulate(given))

    async def judge(
        self, criteria: Sequence[str], judged: "Judged | None" = None, **options: Any
    ) -> "Judgement":
        """A ruling on each criterion of the session, or of a part of it.

        `options` are those of `judge_conversation`.
        """
        return await self._await(lambda: self._judge(judged, criteria, options))

    async def _await(self, function: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What a coroutine function returns, run where the agent runs."""
        __tracebackhide__ = True
        future = self._case.runtime.agents.submit(function, self._case.context)
        try:
            return await arrive(future)
        except asyncio.CancelledError:
            future.cancel()
            raise

    async def say(self, text: str) -> Turn:
        """Say one thing, and wait until the agent has answered it.

        Raises what the agent raises, `TurnTimeout`, `SessionOver`, and `InvalidMeasurement` where
        the turn measured nothing of the agent.
        """
        __tracebackhide__ = True
        return await self._await(self._say(text))

    send = say

    @property
    def app(self) -> "App":
        """The suite's jobs, to be run and waited for; raises `EvalError` where it runs none."""
        from evalsim.evals.jobs.app import App  # noqa: PLC0415  most suites run none

        return App(self._case, self._engine)

    async def say_all(self, lines: Iterable[str]) -> list[Turn]:
        """Say one line after another; stops after a turn that ended the session."""
        turns: list[Turn] = []
        for line in lines:
            turns.append(await self.say(line))
            if self.ended or self.refused is not None:
                break
        return turns


class SyncSession(BaseSession):
    """A session for tests without an event loop."""

    def simulate(self, *, persona: str, goal: str, **options: Any) -> "SimulatedCall":
        """Let a simulated user talk to the agent; `options` are those of `simulate_call`."""
        given = {"persona": persona, "goal": goal, **options}
        return self._case.run_agent(lambda: self._simulate(given))

    def judge(
        self, criteria: Sequence[str], judged: "Judged | None" = None, **options: Any
    ) -> "Judgement":
        """A ruling on each criterion of the session, or of a part of it.

        `options` are those of `judge_conversation`.
        """
        return self._case.run_agent(lambda: self._judge(judged, criteria, options))

    def say(self, text: str) -> Turn:
        """Say one thing, and wait until the agent has answered it; raises as `Session.say`."""
        __tracebackhide__ = True
        return self._case.run_agent(self._say(text))

    send = say

    @property
    def app(self) -> "SyncApp":
        """The suite's jobs, to be run and waited for; raises `EvalError` where it runs none."""
        from evalsim.evals.jobs.app import SyncApp  # noqa: PLC0415  most suites run none

        return SyncApp(self._case, self._engine)

    def say_all(self, lines: Iterable[str]) -> list[Turn]:
        """Say one line after another; stops after a turn that ended the session."""
        turns: list[Turn] = []
        for line in lines:
            turns.append(self.say(line))
            if self.ended or self.refused is not None:
                break
        return turns
