"""What is kept of a call: the state it left, and the record's line, before it is answered."""

import json
from dataclasses import dataclass

import orjson

from evalsim.hosting.batches import StateWriter
from evalsim.hosting.calls import FakeCalls, Outcome, failed_outcome
from evalsim.hosting.journal import Journal
from evalsim.hosting.record import Record, error_result
from evalsim.hosting.running import Failed
from evalsim.hosting.transactions import TransactionalCalls
from evalsim.protocol.errors import INVALID_PARAMS, ProtocolError
from evalsim.types import JsonObject
from evalsim.world.faults import FaultKind
from evalsim.world.state import StateError
from evalsim.world.world import World


@dataclass(frozen=True, slots=True)
class Keepers:
    """What the calls of a world are kept in; None is what was not asked for."""

    record: Record | None = None
    states: StateWriter | None = None
    journal: Journal | None = None


@dataclass(frozen=True, slots=True)
class KeptCalls:
    """The caller an endpoint is given: one fake's calls, recorded and written where asked.

    `reading` are the tools that are said to write nothing.
    """

    fake: str
    world: World
    calls: FakeCalls | TransactionalCalls
    keepers: Keepers
    reading: frozenset[str] = frozenset()

    async def __call__(self, name: str, arguments: JsonObject, meta: JsonObject | None) -> bytes:
        """The CallToolResult as JSON bytes.

        Raises ProtocolError for a tool that is not served, and arguments that cannot be recorded.
        """
        number = self.world.count_call()
        # As sent: a handler may change what it is given
        sent = _as_sent(arguments) if self.keepers.record is not None else b""
        try:
            outcome = await self.calls(name, arguments, meta, number)
        except ProtocolError as error:
            unserved = Outcome(error_result(error.code, error.message))
            await self._keep(name, number, sent, unserved)
            raise
        return await self._keep(name, number, sent, outcome)

    async def _keep(self, name: str, number: int, sent: bytes, outcome: Outcome) -> bytes:
        """The result, once it is kept; a tool error when it cannot be."""
        if outcome.fault is not None:
            self.world.record_fault(outcome.fault)
        changes: list[JsonObject] = []
        try:
            changes = await self._keep_state(name)
        except StateError as error:
            outcome = self._spoiled(name, number, error, outcome)
        except OSError as error:
            outcome = self._fail("state", name, number, error, outcome)
        try:
            self._keep_line(name, sent, outcome, changes)
        except OSError as error:
            outcome = self._fail("record", name, number, error, outcome)
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
        self, name: str, sent: bytes, outcome: Outcome, changes: list[JsonObject]
    ) -> None:
        record = self.keepers.record
        if record is None:
            return
        more: JsonObject = {}
        if self.keepers.journal is not None:
            more["changes"] = changes
        if outcome.fault is not None:
            more["fault"] = outcome.fault.as_json()
        record.write(self.fake, name, sent, outcome.result, more)

    def _spoiled(self, name: str, number: int, error: StateError, outcome: Outcome) -> Outcome:
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
        outcome: Outcome,
        where: str = "",
    ) -> Outcome:
        """What a call that cannot be kept comes to; one that failed before stays as it was."""
        failed = failed_outcome(self.fake, name, number, Failed.of(kind, error), where)
        assert failed.fault is not None
        self.world.record_fault(failed.fault)
        return failed if outcome.fault is None else outcome


def _as_sent(arguments: JsonObject) -> bytes:
    """The arguments as JSON; raises ProtocolError for what is too deep to be written down."""
    try:
        return orjson.dumps(arguments)
    except orjson.JSONEncodeError:
        pass
    try:
        # A lone surrogate or an integer beyond 64 bits, which JSON may hold and a caller may send
        return json.dumps(arguments, separators=(",", ":")).encode()
    except RecursionError:
        problem = "Invalid tools/call request: params.arguments is nested too deeply"
        raise ProtocolError(INVALID_PARAMS, problem) from None
