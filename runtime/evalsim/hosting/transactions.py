"""Calls that leave no trace when the fake fails in them."""

import asyncio
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from evalsim.hosting.outcome import Calls, Outcome
from evalsim.hosting.running import Failed
from evalsim.types import JsonObject
from evalsim.world.faults import Fault
from evalsim.world.state import StateError
from evalsim.world.world import World

Q = TypeVar("Q")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TransactionalCalls(Generic[Q, T]):
    """One fake's calls, one after another, each undone when it ends in a fault.

    That costs two dumps of the fake's state a call, and its async handlers no longer overlap. The
    refusal of a handler (`ToolError`) is no fault and undoes nothing. What a handler that ran on
    after it was cancelled still changes, it changes in a state that no one reads.
    """

    calls: Calls[Q, T]
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

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
        world, fake = self.world, self.fake
        async with self._turn:
            try:
                before = world.dump(fake)
            except StateError as error:
                return self.failed(name, number, Failed.of("state", error))
            try:
                outcome = await self.calls(name, request, number)
                if outcome.fault is None:
                    world.dump(fake)
            except StateError as error:
                failed = Failed.of("state", error)
                outcome = self.failed(name, number, failed, self.where(name))
            except asyncio.CancelledError:
                world.restore(fake, before)
                raise
            return outcome if outcome.fault is None else self._undo(outcome, outcome.fault, before)

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

    def _undo(self, outcome: Outcome[T], fault: Fault, before: bytes) -> Outcome[T]:
        try:
            self.world.restore(self.fake, before)
        except StateError as error:  # it could be written, but is not what its type says
            told = f"{fault.message}; and the state before could not be put back: {error}"
            return replace(outcome, fault=replace(fault, message=told))
        return replace(outcome, fault=replace(fault, undone=True))
