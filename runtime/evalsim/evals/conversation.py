"""The turns of a session: what is said, done by the agent, and measured."""

import asyncio
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from evalsim.errors import EvalsimError
from evalsim.evals.agents.io import Message
from evalsim.evals.artifacts import Artifact
from evalsim.evals.case import Case
from evalsim.evals.events import (
    Event,
    ReplyCancelled,
    ReplyCompleted,
    UserSaid,
    events_of,
)
from evalsim.evals.invalid import EvalError, InvalidMeasurement, SessionOver, TurnTimeout
from evalsim.evals.measuring import Mark, Measured, measure, trouble_since
from evalsim.evals.turn import Turn

if TYPE_CHECKING:
    from evalsim.evals.judging import Judgement


class Conversation:
    """One case's session; its coroutines run in the loop of agents."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.turns: list[Turn] = []
        self.failed: list[Turn] = []
        self.artifacts: list[Artifact] = []
        greeting = case.suite.greeting
        self._history: list[Message] = []
        if greeting:
            case.recorder.said(greeting)
            self._history.append({"role": "assistant", "content": greeting})
        self.final: Artifact | None = None
        self.judgements: list[Judgement] = []
        self.invalid: list[str] = []
        self._turn = threading.Lock()
        self._measured = Mark.of(case)

    @property
    def all_turns(self) -> list[Turn]:
        """The turns that were measured and those that were not, in order."""
        return sorted((*self.turns, *self.failed), key=lambda turn: turn.number)

    def close(self) -> None:
        """Close the case; raises `InvalidMeasurement` for what spoilt it after its last turn."""
        try:
            self.case.close()
        finally:
            self.final = self.case.runtime.agents.run(self._last)
        if late := list(trouble_since(self.case, self._measured)):
            self.invalid += late
            raise InvalidMeasurement(late)

    async def _last(self) -> Artifact:
        return await Artifact.of(self.case, 0)

    def check_open(self) -> None:
        """Raise `SessionOver` where nothing more can be said."""
        recorder = self.case.recorder
        if recorder.refused_by is not None:
            raise SessionOver(f"The agent refused the session: {recorder.refused_by.reason}")
        if recorder.ended_by is not None:
            told = f": {recorder.ended_by.reason}" if recorder.ended_by.reason else ""
            raise SessionOver(f"The agent has ended the session{told}: open another one to go on.")

    async def say(self, text: str) -> Turn:
        """Take one turn; raises `InvalidMeasurement` where it measured nothing of the agent."""
        __tracebackhide__ = True
        self.check_open()
        if not self._turn.acquire(blocking=False):
            raise EvalError("A turn is still running: await it before anything else is said.")
        try:
            return await self._take(text)
        finally:
            self._turn.release()

    async def _take(self, text: str) -> Turn:
        __tracebackhide__ = True
        case, recorder = self.case, self.case.recorder
        mark = Mark.of(case)
        recorder.begin_turn()
        recorder.note(UserSaid(text))
        messages: tuple[Message, ...] = (*self._history, {"role": "user", "content": text})
        error = await self._drive(text, messages)
        measured = await measure(case, mark)
        self._measured = Mark.of(case)
        turn = self._turn_of(text, measured, error is None)
        self.artifacts.append(await Artifact.of(case, turn.number))
        if error is not None or measured.trouble:
            self.failed.append(turn)
        if measured.trouble:
            self.invalid += measured.trouble
            raise InvalidMeasurement(measured.trouble) from error
        if error is not None:
            raise error
        self.turns.append(turn)
        self._history = [*messages, {"role": "assistant", "content": turn.text}]
        return turn

    async def _drive(self, text: str, messages: Sequence[Message]) -> BaseException | None:
        """Let the agent take the turn; what it raised, if it did."""
        case, recorder = self.case, self.case.recorder
        if case.driver is None:
            title = case.suite.title
            return EvalError(f"The suite {title} has no agent: run its jobs with `app`.")
        timeout = case.suite.turn_timeout
        limit = asyncio.timeout(timeout)
        try:
            async with limit:
                await case.driver.turn(case.io(text, tuple(messages)))
        except TimeoutError as error:
            if not limit.expired():
                return self._cut(error)
            seen = ", ".join(dict.fromkeys(event.type for event in recorder.events)) or "nothing"
            told = f"The agent did not end its turn within {timeout:g} s; what was seen: {seen}."
            return self._cut(TurnTimeout(told))
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            recorder.note(ReplyCancelled(str(error) or "the agent cancelled it"))
            return None
        except Exception as error:
            return self._cut(error)
        if recorder.refused_by is None:
            recorder.note(ReplyCompleted())
        return None

    def _cut(self, error: Exception) -> Exception:
        told = str(error) if isinstance(error, EvalsimError) else f"{type(error).__name__}: {error}"
        self.case.recorder.note(ReplyCancelled(told))
        return error

    def _turn_of(self, text: str, measured: Measured, ended_well: bool) -> Turn:
        recorder = self.case.recorder
        events: tuple[Event, ...] = measured.events
        said = events_of(events, "agent.said")
        began = events_of(events, UserSaid)[-1].at
        return Turn(
            number=len(self.turns) + len(self.failed) + 1,
            said=text,
            text=" ".join(recorder.utterances),
            tool_calls=measured.tool_calls,
            events=events,
            model_calls=measured.model_calls,
            completed=ended_well
            and not events_of(events, ReplyCancelled)
            and recorder.refused_by is None,
            ended_session=recorder.ended_by is not None,
            seconds=said[0].at - began if said else None,
        )
