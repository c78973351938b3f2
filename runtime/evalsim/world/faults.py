"""Faults: what a fake did wrong while it was called, kept apart from what the agent did wrong."""

from dataclasses import asdict, dataclass
from typing import Literal

from evalsim.types import JsonObject

FaultKind = Literal["arguments", "exception", "timeout", "answer", "state", "record"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One failure of a fake.

    `kind`: its arguments' model refused what the schema accepts, its handler raised or took too
    long, its answer broke the contract, its state cannot be written, or the call cannot be
    recorded. `call` is the world's number of the call, `traceback` is empty where there is none.
    """

    kind: FaultKind
    fake: str
    tool: str
    call: int
    message: str
    traceback: str = ""

    def as_json(self) -> JsonObject:
        """The fault as a JSON object."""
        return asdict(self)
