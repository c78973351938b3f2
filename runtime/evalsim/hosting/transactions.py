"""Calls that leave no trace when the fake fails in them."""

import asyncio
from dataclasses import dataclass, field, replace

from evalsim.hosting.calls import FakeCalls, Outcome, failed_outcome
from evalsim.hosting.running import Failed
from evalsim.types import JsonObject
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
                outcome = failed_outcome(fake, name, number, Failed.of("state", error))
            except asyncio.CancelledError:
                world.restore(fake, before)
                raise
            if outcome.fault is None:
                return outcome
            world.restore(fake, before)
            return replace(outcome, fault=replace(outcome.fault, undone=True))
