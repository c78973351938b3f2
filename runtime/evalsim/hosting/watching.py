"""Watching the calls of fakes in the process that serves them, as an eval does."""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from evalsim.hosting.outcome import Calls, Outcome
from evalsim.hosting.running import Failed
from evalsim.types import JsonObject
from evalsim.world.world import World

Q = TypeVar("Q")
T = TypeVar("T")


class CallWatch(Protocol):
    """What is told of each call, in the loop that serves it."""

    async def arrived(self, fake: str, name: str, number: int, sent: bytes, /) -> None:
        """Call `number` is about to be answered, and waits for this; `sent` is its JSON."""
        ...

    def ended(self, number: int, line: bytes, /) -> None:
        """Call `number` is about to be answered with what its `line` of the record says."""
        ...


@dataclass(frozen=True, slots=True)
class WatchedCalls(Generic[Q, T]):
    """One fake's calls, each of which begins when the watch lets it."""

    calls: Calls[Q, T]
    watch: CallWatch

    @property
    def fake(self) -> str:
        """As the calls themselves."""
        return self.calls.fake

    @property
    def world(self) -> World:
        """As the calls themselves."""
        return self.calls.world

    async def __call__(self, name: str, request: Q, number: int, /) -> Outcome[T]:
        """As the calls themselves."""
        await self.watch.arrived(self.fake, name, number, self.calls.sent(request))
        return await self.calls(name, request, number)

    def where(self, name: str, /) -> str:
        """As the calls themselves."""
        return self.calls.where(name)

    def failed(self, name: str, number: int, failed: Failed, where: str = "", /) -> Outcome[T]:
        """As the calls themselves."""
        return self.calls.failed(name, number, failed, where)

    def sent(self, request: Q, /) -> bytes:
        """As the calls themselves."""
        return self.calls.sent(request)

    def line(self, name: str, sent: bytes, outcome: Outcome[T], more: JsonObject, /) -> bytes:
        """As the calls themselves."""
        return self.calls.line(name, sent, outcome, more)
