"""What is kept of a call: the state it left, and the record's line, before it is answered."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from evalsim.hosting.batches import StateWriter
from evalsim.hosting.journal import Journal
from evalsim.hosting.outcome import Calls, Outcome
from evalsim.hosting.record import Record
from evalsim.hosting.running import Failed
from evalsim.hosting.watching import CallWatch
from evalsim.types import JsonObject
from evalsim.world.faults import FaultKind
from evalsim.world.state import StateError
from evalsim.world.world import World

Q = TypeVar("Q")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Keepers:
    """What the calls of a world are kept in; None is what was not asked for."""

    record: Record | None = None
    states: StateWriter | None = None
    journal: Journal | None = None
    watch: CallWatch | None = None

    @property
    def takes_lines(self) -> bool:
        """Whether anyone reads the record's lines."""
        return self.record is not None or self.watch is not None


@dataclass(frozen=True, slots=True)
class KeptCalls(Generic[Q, T]):
    """One fake's calls, recorded and written where asked.

    `reading` are the tools or operations that are said to write nothing.
    """

    fake: str
    world: World
    calls: Calls[Q, T]
    keepers: Keepers
    reading: frozenset[str] = frozenset()

    async def __call__(self, name: str, request: Q) -> T:
        """What the caller reads; raises what it is told by an exception."""
        begun = self.begin(request)
        return await self.finish(name, begun, await self.calls(name, request, begun.number))

    def begin(self, request: Q) -> "Begun":
        """Count a call, and note what was sent, for a handler may change what it is given."""
        number = self.world.count_call()
        sent = self.calls.sent(request) if self.keepers.takes_lines else b""
        return Begun(number, sent)

    async def finish(self, name: str, begun: "Begun", outcome: Outcome[T]) -> T:
        """What the caller reads once the call is kept; a failure when it cannot be."""
        number = begun.number
        if outcome.fault is not None:
            self.world.record_fault(outcome.fault)
        raises = outcome.raises
        changes: list[JsonObject] = []
        try:
            changes = await self._keep_state(name)
        except StateError as error:
            outcome = self._spoiled(name, number, error, outcome)
        except OSError as error:
            outcome = self._fail("state", name, number, error, outcome)
        try:
            self._keep_line(name, begun, outcome, changes)
        except OSError as error:
            outcome = self._fail("record", name, number, error, outcome)
        if raises is not None:
            raise raises
        return outcome.result

    async def _keep_state(self, name: str) -> list[JsonObject]:
        """Put the state where it is asked for; what changed, where a journal asks for that."""
        states, journal = self.keepers.states, self.keepers.journal
        if states is None and journal is None:
            return []
        changes: list[JsonObject] = []
        if journal is not None:  # it tells what each call changed, so each state is dumped
            state = self.world.dump(self.fake)
            if states is not None:
                states.put(self.fake, state)
            changes = journal.changes(self.fake, state)
        elif states is not None:
            await states.keep(self.fake, reads=name in self.reading)
        self.world.spoilers.pop(self.fake, None)
        return changes

    def _keep_line(
        self, name: str, begun: "Begun", outcome: Outcome[T], changes: list[JsonObject]
    ) -> None:
        record, watch = self.keepers.record, self.keepers.watch
        if not self.keepers.takes_lines:
            return
        more: JsonObject = {}
        if self.keepers.journal is not None:
            more["changes"] = changes
        if outcome.fault is not None:
            more["fault"] = outcome.fault.as_json()
        line = self.calls.line(name, begun.sent, outcome, more)
        if watch is not None:
            watch.ended(begun.number, line)
        if record is not None:
            record.append(line)

    def _spoiled(
        self, name: str, number: int, error: StateError, outcome: Outcome[T]
    ) -> Outcome[T]:
        """What a call comes to after which the state cannot be written.

        The first one is to blame. Later ones that write are refused, for what they do could not be
        kept; those that are said only to read lose nothing, and are answered.
        """
        first = self.world.spoilers.get(self.fake)
        if first is None:
            outcome = self._fail("state", name, number, error, outcome, self.calls.where(name))
            self.world.spoilers[self.fake] = self.world.faults[-1]
            return outcome
        if name in self.reading:
            return outcome
        told = StateError(f"{first.message}, since call {first.call} of {first.tool}")
        return self._fail("state", name, number, told, outcome, first.where)

    def _fail(
        self,
        kind: FaultKind,
        name: str,
        number: int,
        error: Exception,
        outcome: Outcome[T],
        where: str = "",
    ) -> Outcome[T]:
        """What a call that cannot be kept comes to; one that failed before stays as it was."""
        failed = self.calls.failed(name, number, Failed.of(kind, error), where)
        assert failed.fault is not None
        self.world.record_fault(failed.fault)
        return failed if outcome.fault is None else outcome


@dataclass(frozen=True, slots=True)
class Begun:
    """A call that is being answered: its number, and what was sent as JSON where it is recorded."""

    number: int
    sent: bytes
