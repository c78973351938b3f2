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
    recorded. `call` is the world's number of the call, `traceback` is empty where there is none,
    `undone` says that the state was put back to what it was before the call, and `where` is the
    line of the Recipe it came from, as `fakes/mcp/crm/handlers.py:12`: of the raise where there was
    one, else of the handler; empty where no handler is to blame. Half a character, which UTF-8
    cannot carry, is spelled.
    """

    kind: FaultKind
    fake: str
    tool: str
    call: int
    message: str
    traceback: str = ""
    undone: bool = False
    where: str = ""

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if isinstance(value, str):
                object.__setattr__(self, name, value.encode(errors="backslashreplace").decode())

    @property
    def leaves_half(self) -> bool:
        """Whether the state may be one that no whole call leaves."""
        return self.kind in ("exception", "timeout", "state") and not self.undone

    def as_json(self) -> JsonObject:
        """The fault as a JSON object."""
        return asdict(self)
