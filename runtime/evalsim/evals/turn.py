"""What came of one thing the user said."""

from dataclasses import dataclass

from evalsim.evals.events import CustomEmitted, ErrorReported, Event, events_of
from evalsim.evals.model.calls import ModelCall
from evalsim.evals.tools import ToolCall


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: what the user `said`, the agent's `text`, and what happened between.

    `text` is everything the agent said, utterances joined with a space. `completed` is false where
    the turn was cut off or refused. `seconds` are from the user's words to the agent's first ones,
    None where it said nothing.
    """

    number: int
    said: str
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    events: tuple[Event, ...] = ()
    model_calls: tuple[ModelCall, ...] = ()
    completed: bool = True
    ended_session: bool = False
    seconds: float | None = None

    @property
    def errors(self) -> tuple[str, ...]:
        """What the agent told of errors of its own, and the tools that failed."""
        own = [event.message for event in events_of(self.events, ErrorReported)]
        tools = [f"{call.name}: {call.result}" for call in self.tool_calls if call.is_error]
        return (*own, *tools)

    @property
    def emitted(self) -> tuple[CustomEmitted, ...]:
        """What the agent gave `io.emit`."""
        return tuple(events_of(self.events, CustomEmitted))

    def __repr__(self) -> str:
        from evalsim.evals.claims.telling import describe_turn  # noqa: PLC0415  it reads turns

        return describe_turn(self)
