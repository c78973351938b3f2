"""The envelope in which a gated tool answers: its own result, and where the conversation is."""

from typing import Generic, TypeVar

from pydantic import BaseModel

T = TypeVar("T")


class Envelope(BaseModel, Generic[T]):
    """What a tool that is only there at some stages answers: `Envelope[Booking]`.

    `state` is where the call led, `done` whether that is the last stage, and `instruction` what the
    stage asks of the agent.
    """

    result: T
    state: str
    done: bool
    instruction: str | None = None
