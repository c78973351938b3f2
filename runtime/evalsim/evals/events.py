"""What happens in a session, as values in the order it happened."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar, overload

from typing_extensions import TypeIs

from evalsim.types import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened; `at` is seconds since the session opened, `number` its place."""

    type: ClassVar[str] = "event"
    number: int = 0
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class UserSaid(Event):
    """The user's turn began."""

    type: ClassVar[str] = "user.said"
    text: str


@dataclass(frozen=True, slots=True)
class AgentSaid(Event):
    """The agent said something that the user reads: a whole reply, or a part of a streamed one."""

    type: ClassVar[str] = "agent.said"
    text: str


@dataclass(frozen=True, slots=True)
class ToolCalled(Event):
    """A tool was called; `source` saw it."""

    type: ClassVar[str] = "tool.called"
    name: str
    args: Json
    source: str
    call_id: str | None = None


@dataclass(frozen=True, slots=True)
class ToolCompleted(Event):
    """A tool call was answered."""

    type: ClassVar[str] = "tool.completed"
    name: str
    result: Json
    source: str
    call_id: str | None = None
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class ModelCalled(Event):
    """The model was called, and answered with `status`."""

    type: ClassVar[str] = "model.called"
    call: int
    role: str
    status: int | None


@dataclass(frozen=True, slots=True)
class ReplyCompleted(Event):
    """The agent ended its turn."""

    type: ClassVar[str] = "reply.completed"


@dataclass(frozen=True, slots=True)
class ReplyCancelled(Event):
    """The agent's turn ended before it was done; `reason` says why."""

    type: ClassVar[str] = "reply.cancelled"
    reason: str


@dataclass(frozen=True, slots=True)
class ErrorReported(Event):
    """The agent reported an error of its own, or raised one."""

    type: ClassVar[str] = "error.reported"
    message: str
    fatal: bool = False


@dataclass(frozen=True, slots=True)
class CustomEmitted(Event):
    """What the agent gave `io.emit`."""

    type: ClassVar[str] = "custom.emitted"
    name: str
    data: Json = None


@dataclass(frozen=True, slots=True)
class SessionEnded(Event):
    """The agent ended the session."""

    type: ClassVar[str] = "session.ended"
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class SessionRefused(Event):
    """The agent refused the session."""

    type: ClassVar[str] = "session.refused"
    reason: str


@dataclass(frozen=True, slots=True)
class JobStarted(Event):
    """The agent started a job in the background."""

    type: ClassVar[str] = "job.started"
    job: str
    run_id: str
    input: Any = field(default=None)


E = TypeVar("E", bound=Event)


@overload
def is_event(event: Event, type: type[E]) -> TypeIs[E]: ...
@overload
def is_event(event: Event, type: str) -> bool: ...
def is_event(event: Event, type: type[Event] | str) -> bool:
    """Whether an event is of a class, or has the name of one: `"tool.called"`."""
    return event.type == type if isinstance(type, str) else isinstance(event, type)


@overload
def events_of(events: Iterable[Event], type: type[E]) -> list[E]: ...
@overload
def events_of(events: Iterable[Event], type: str) -> list[Event]: ...
def events_of(events: Iterable[Event], type: type[Event] | str) -> list[Any]:
    """The events of one class or name, in order."""
    return [event for event in events if is_event(event, type)]
