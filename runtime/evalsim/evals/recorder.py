"""What is noted of a session while it runs, by whichever thread tells it."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import orjson

from evalsim.evals.events import (
    AgentSaid,
    CustomEmitted,
    ErrorReported,
    Event,
    SessionEnded,
    SessionRefused,
)
from evalsim.evals.tools import MISSING, Missing, ToolCall, ToolSource
from evalsim.types import Json, JsonObject

if TYPE_CHECKING:
    from evalsim.evals.networks import CaseNetwork


@dataclass(slots=True)
class Recorder:
    """The sink of a session's agent: events, utterances, and the tool calls it told of."""

    began: float = field(default_factory=time.monotonic)
    events: list[Event] = field(default_factory=list[Event])
    utterances: list[str] = field(default_factory=list[str])
    tools: list[ToolCall] = field(default_factory=list[ToolCall])
    ended_by: SessionEnded | None = None
    refused_by: SessionRefused | None = None
    network: "CaseNetwork | None" = None
    _streams: bool = False
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def now(self) -> float:
        """Seconds since the session opened."""
        return time.monotonic() - self.began

    def note(self, event: Event) -> Event:
        """Keep an event, with the time it happened."""
        with self._lock:
            kept = replace(event, at=self.now(), number=len(self.events) + 1)
            self.events.append(kept)
            return kept

    def said(self, text: str, *, part: bool = False) -> None:
        """Note what the agent said; parts that follow each other are one utterance."""
        if not text:
            return
        with self._lock:
            if part and self._streams:
                self.utterances[-1] += text
            else:
                self.utterances.append(text)
            self._streams = part
            self.note(AgentSaid(text))

    def begin_turn(self) -> None:
        """Start to collect the utterances and tool calls of a new turn."""
        with self._lock:
            self.utterances, self.tools, self._streams = [], [], False

    def emitted(self, name: str, data: Json) -> None:
        self.note(CustomEmitted(name, data))

    def ended(self, reason: str | None) -> None:
        with self._lock:
            if self.ended_by is None:
                self.ended_by = SessionEnded(reason)
                self.note(self.ended_by)

    def refused(self, reason: str) -> None:
        with self._lock:
            if self.refused_by is None:
                self.refused_by = SessionRefused(reason)
                self.note(self.refused_by)

    def failed(self, message: str) -> None:
        self.note(ErrorReported(message))

    def allow(self, host: str, port: int) -> None:
        """Let the case's network reach an address of the harness's own."""
        if self.network is not None:
            self.network.allow(host, port)

    def process_env(self) -> dict[str, str]:
        """The variables by which another process is held to the case's network."""
        return {} if self.network is None else self.network.process_env()

    def used_tool(
        self,
        name: str,
        args: Json,
        result: Json | Missing,
        is_error: bool,
        call_id: str | None,
        *,
        source: ToolSource = "agent",
        seconds: float = 0.0,
    ) -> None:
        """Note a tool call that took `seconds` up to now."""
        now = self.now()
        ended = None if result is MISSING else now
        call = ToolCall(
            name, args, (source,), result, is_error, call_id, started=now - seconds, ended=ended
        )
        with self._lock:
            self.tools.append(call)


@dataclass(slots=True)
class FakeCall:
    """A call that arrived at a fake; `line` is its line of the record once it is answered."""

    fake: str
    name: str
    number: int
    sent: bytes
    arrived: float
    ended: float | None = None
    line: JsonObject | None = None


@dataclass(slots=True)
class FakeCalls:
    """The calls of a case's fakes, in the order they arrived; a `CallWatch` of its services."""

    now: Callable[[], float]
    calls: list[FakeCall] = field(default_factory=list[FakeCall])
    lines: list[JsonObject] = field(default_factory=list[JsonObject])
    """The lines of the record, in the order the calls were answered."""

    async def arrived(self, fake: str, name: str, number: int, sent: bytes, /) -> None:
        """Note a call that is about to be answered."""
        self.calls.append(FakeCall(fake, name, number, sent, self.now()))

    def ended(self, number: int, line: bytes, /) -> None:
        """Note how a call is answered."""
        call = next(call for call in reversed(self.calls) if call.number == number)
        told: JsonObject = orjson.loads(line)
        call.line, call.ended = told, self.now()
        self.lines.append(told)
