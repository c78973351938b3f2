"""What is kept of a call: the record's line, and the state it left, before it is answered."""

import json
import traceback
from dataclasses import dataclass

import orjson

from evalsim.contract.encode import text_result
from evalsim.hosting.calls import FakeCalls
from evalsim.hosting.record import Record, error_result
from evalsim.hosting.statefile import StateFile
from evalsim.protocol.errors import ProtocolError
from evalsim.types import JsonObject
from evalsim.world.faults import Fault, FaultKind
from evalsim.world.state import StateError


@dataclass(frozen=True, slots=True)
class KeptCalls:
    """The caller an endpoint is given: one fake's calls, recorded and written where asked."""

    calls: FakeCalls
    record: Record | None
    state_file: StateFile | None

    async def __call__(self, name: str, arguments: JsonObject, meta: JsonObject | None) -> bytes:
        """The CallToolResult as JSON bytes; raises ProtocolError for a tool that is not served."""
        number = self.calls.world.count_call()
        # As sent: a handler may change what it is given
        sent = _as_sent(arguments) if self.record is not None else b""
        try:
            result = await self.calls(name, arguments, meta, number)
        except ProtocolError as error:
            self._keep(name, number, sent, error_result(error.code, error.message))
            raise
        return self._keep(name, number, sent, result)

    def _keep(self, name: str, number: int, sent: bytes, result: bytes) -> bytes:
        """The result, once it is kept; a tool error when it cannot be."""
        try:
            if self.state_file is not None:
                self.state_file.update(self.calls.fake, self.calls.world.dump(self.calls.fake))
        except (StateError, OSError) as error:
            result = self._fault("state", name, number, error)
        try:
            if self.record is not None:
                self.record.write(self.calls.fake, name, sent, result)
        except OSError as error:
            result = self._fault("record", name, number, error)
        return result

    def _fault(self, kind: FaultKind, name: str, number: int, error: Exception) -> bytes:
        trace = "".join(traceback.format_exception(error))
        fault = Fault(kind, self.calls.fake, name, number, str(error), trace)
        self.calls.world.record_fault(fault)
        return text_result(f"Error executing tool {name}", is_error=True)


def _as_sent(arguments: JsonObject) -> bytes:
    try:
        return orjson.dumps(arguments)
    except orjson.JSONEncodeError:
        # A lone surrogate or an integer beyond 64 bits, which JSON may hold and a caller may send
        return json.dumps(arguments, separators=(",", ":")).encode()
