"""A world: one scenario's live states, what they were at first, its clock and its faults."""

import hashlib
import logging
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from evalsim.types import JsonObject
from evalsim.world.clock import Clock
from evalsim.world.faults import Fault
from evalsim.world.state import StateType

log = logging.getLogger("evalsim")


@dataclass(slots=True)
class World:
    """The one place where a run's conditions live; nothing is loaded into it once it runs.

    `states` are the live ones by fake id, changed in place by handlers; `initial` is the JSON a
    verdict compares with, which a resumed run inherits; `namespace` tells its ids from those of
    every other world; `spoilers` are the faults that left a fake's state unwritable, by fake id.
    """

    types: Mapping[str, StateType]
    states: dict[str, Any]
    initial: JsonObject
    clock: Clock
    namespace: uuid.UUID
    faults: list[Fault] = field(default_factory=list[Fault])
    calls: int = 0
    spoilers: dict[str, Fault] = field(default_factory=dict[str, Fault])

    def count_call(self) -> int:
        """The number of a new call, from 1."""
        self.calls += 1
        return self.calls

    def record_fault(self, fault: Fault) -> None:
        """Keep a fault, and tell the log, for a fake that fails must not fail in silence."""
        self.faults.append(fault)
        at = f" ({fault.where})" if fault.where else ""
        log.error("%s: call %d of %s: %s%s", fault.fake, fault.call, fault.tool, fault.message, at)

    def new_ids(self, number: int) -> Callable[[str], str]:
        """`call.new_id` for call `number`: a UUID from a label, another one each time."""
        made: dict[str, int] = {}

        def new_id(label: str) -> str:
            made[label] = made.get(label, 0) + 1
            return str(uuid.uuid5(self.namespace, f"{number}/{made[label]}/{label}"))

        return new_id

    @property
    def faulty(self) -> frozenset[str]:
        """The fakes whose state may be half-way, for a handler failed and was not undone."""
        return frozenset(fault.fake for fault in self.faults if fault.leaves_half)

    def restore(self, fake_id: str, state: bytes) -> None:
        """Give one fake the state that it had when it was dumped, as an object of its own."""
        self.states[fake_id] = self.types[fake_id].load(state)

    def dump(self, fake_id: str) -> bytes:
        """One fake's live state as JSON; raises `StateError`."""
        return self.types[fake_id].dump(self.states[fake_id])

    def snapshot(self) -> JsonObject:
        """Every fake's live state as decoded JSON, by id; raises `StateError`."""
        return {fake_id: orjson.loads(self.dump(fake_id)) for fake_id in self.states}


def namespace_of(states: Mapping[str, bytes]) -> uuid.UUID:
    """The namespace of a world's ids: a resumed world starts from other states, so has others."""
    digest = hashlib.sha256()
    for fake_id in sorted(states):
        digest.update(fake_id.encode() + b"\0" + states[fake_id] + b"\0")
    return uuid.UUID(bytes=digest.digest()[:16])
