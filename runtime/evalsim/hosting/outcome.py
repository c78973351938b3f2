"""What a call comes to, and what the calls of a fake are to those that undo and keep them."""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from evalsim.hosting.running import Failed
from evalsim.types import JsonObject
from evalsim.world.faults import Fault
from evalsim.world.world import World

Q_contra = TypeVar("Q_contra", contravariant=True)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What a call came to: what its caller reads, and what the fake did wrong in it.

    `raises` is what the caller is told by an exception, `result` then being what the record says.
    """

    result: T
    fault: Fault | None = None
    raises: Exception | None = None


class Calls(Protocol[Q_contra, T]):
    """The calls of one fake in one world, by whatever protocol: tools, or operations of an API."""

    @property
    def fake(self) -> str:
        """The id of the fake."""
        ...

    @property
    def world(self) -> World:
        """The world it is in."""
        ...

    async def __call__(self, name: str, request: Q_contra, number: int, /) -> Outcome[T]:
        """What call `number` came to; whatever the fake does wrong is the outcome's fault."""
        ...

    def where(self, name: str, /) -> str:
        """The line at which the handler is defined; empty for what is not served."""
        ...

    def failed(self, name: str, number: int, failed: Failed, where: str = "", /) -> Outcome[T]:
        """What came of a call the fake could not carry out: its caller learns no more than that.

        `where` is where the handler is defined, for a failure that came from no line of the Recipe.
        """
        ...

    def sent(self, request: Q_contra, /) -> bytes:
        """The request as JSON, as it is before a handler can change it.

        Raises what the caller is to be told of one that cannot be written down.
        """
        ...

    def line(self, name: str, sent: bytes, outcome: Outcome[T], more: JsonObject, /) -> bytes:
        """The record's whole line of a call, which ends in a newline; `more` stands at its end."""
        ...
