"""Calls that leave no trace when the fake fails in them."""

import asyncio
from dataclasses import dataclass, field, replace

from evalsim.hosting.calls import FakeCalls, Outcome, failed_outcome
from evalsim.hosting.running import Failed
from evalsim.types import JsonObject
from evalsim.world.faults import Fault
from evalsim.world.state import StateError


@dataclass(frozen=True, slots=True)
class TransactionalCalls:
    """One fake's calls, one after another, each undone when it ends in a fault.

    That costs two dumps of the fake's state a call, and its async handlers no longer overlap. The
    refusal of a handler (`ToolError`) is no fault and undoes nothing. What a handler that ran on
    after it was cancelled still changes, it changes in a state that no one reads.
    """

    calls: FakeCalls
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def __call__(
        self, name: str, arguments: JsonObject, meta: JsonObject | None, number: int
    ) -> Outcome:
        """As the calls themselves."""
        world, fake = self.calls.world, self.calls.fake
        async with self._turn:
            try:
                before = world.dump(fake)
            except StateError as error:
                return failed_outcome(fake, name, number, Failed.of("state", error))
            try:
                outcome = await self.calls(name, arguments, meta, number)
                if outcome.fault is None:
                    world.dump(fake)
            except StateError as error:
                failed = Failed.of("state", error)
                outcome = failed_outcome(fake, name, number, failed, self.where(name))
            except asyncio.CancelledError:
                world.restore(fake, before)
                raise
            return outcome if outcome.fault is None else self._undo(outcome, outcome.fault, before)

    def where(self, name: str) -> str:
        """As the calls themselves."""
        return self.calls.where(name)

    def _undo(self, outcome: Outcome, fault: Fault, before: bytes) -> Outcome:
        try:
            self.calls.world.restore(self.calls.fake, before)
        except StateError as error:  # it could be written, but is not what its type says
            told = f"{fault.message}; and the state before could not be put back: {error}"
            return replace(outcome, fault=replace(fault, message=told))
        return replace(outcome, fault=replace(fault, undone=True))
