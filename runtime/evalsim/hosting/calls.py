"""What every call of a tool goes through, from the arguments as sent to the result as returned."""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from evalsim.contract.contract import PreparedTool
from evalsim.contract.encode import text_result
from evalsim.contract.reply import Call, Text
from evalsim.errors import SchemaError, ToolError
from evalsim.hosting.answering import Breach, answer_call
from evalsim.hosting.outcome import Outcome
from evalsim.hosting.reading import reader_of
from evalsim.hosting.record import error_result, record_line, written_arguments
from evalsim.hosting.running import Failed, run_handler
from evalsim.protocol.errors import INVALID_PARAMS, ProtocolError
from evalsim.recipe.handlers import Handler
from evalsim.types import Json, JsonObject
from evalsim.verify.faults import BROKEN, FAILED
from evalsim.world.faults import Fault
from evalsim.world.world import World

ANSWER_LIMIT = 16 * 1024 * 1024
"""Bytes of a result; no client reads more, and a fake that gives more has gone astray."""


@dataclass(frozen=True, slots=True)
class ServedTool:
    """A tool with the function that answers it and the reader of its arguments."""

    prepared: PreparedTool
    handler: Handler
    read_args: Callable[[Json], Any]

    @classmethod
    def of(cls, prepared: PreparedTool, handler: Handler) -> "ServedTool":
        """The tool, with its arguments' model made ready once."""
        return cls(prepared, handler, reader_of(prepared.args))


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """What a call of a tool was sent: its arguments, and the request's `_meta`."""

    arguments: JsonObject
    meta: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class FakeCalls:
    """The calls of one fake in one world."""

    fake: str
    tools: Mapping[str, ServedTool]
    world: World
    settings: Mapping[str, Json]
    handler_timeout: float

    async def __call__(self, name: str, request: ToolRequest, number: int, /) -> Outcome[bytes]:
        """What call `number` came to, as a CallToolResult of JSON bytes.

        A tool that is not served is a `ProtocolError`. Whatever the fake does wrong becomes a tool
        error that tells the caller nothing of the fake, and the outcome's fault.
        """
        tool = self.tools.get(name)
        if tool is None:
            unserved = ProtocolError(INVALID_PARAMS, f"Tool {name} not found")
            return Outcome(error_result(unserved.code, unserved.message), raises=unserved)
        try:
            refusal = tool.prepared.accepts.refusal(request.arguments)
            if refusal is not None:
                told = f"Input validation error: Invalid arguments for tool {name}: {refusal}"
                return Outcome(text_result(told, is_error=True))
            return Outcome(_answer(tool, await self._run(tool, request, number)))
        except Breach as breach:
            told = f"{BROKEN}{breach.told}"
            where = tool.handler.where
            fault = Fault("answer", self.fake, name, number, str(breach), where=where)
            return Outcome(text_result(told, is_error=True), fault)
        except SchemaError as error:  # which generating would have told
            failed = Failed("arguments", f"the tool's schema is no gate: {error}")
            return self.failed(name, number, failed, tool.handler.where)
        except Failed as failed:
            return self.failed(name, number, failed, tool.handler.where)

    def where(self, name: str, /) -> str:
        """The line at which the handler of a tool is defined; empty for one that is not served."""
        return self.tools[name].handler.where if name in self.tools else ""

    def failed(self, name: str, number: int, failed: Failed, where: str = "", /) -> Outcome[bytes]:
        """The tool error of a call the fake could not carry out."""
        result = text_result(f"{FAILED}{name}", is_error=True)
        return Outcome(result, failed.fault(self.fake, name, number, where))

    def sent(self, request: ToolRequest, /) -> bytes:
        """The arguments as JSON; raises ProtocolError for what is too deep to be written down."""
        return written_arguments(request.arguments)

    def line(self, name: str, sent: bytes, outcome: Outcome[bytes], more: JsonObject, /) -> bytes:
        """`{"server", "tool", "args", "result"}`, and what there is more."""
        names = {"server": self.fake, "tool": name}
        return record_line(names, {"args": sent, "result": outcome.result}, more)

    async def _run(self, tool: ServedTool, request: ToolRequest, number: int) -> Any:
        """What the handler returns for arguments that the schema has accepted."""
        filled = tool.prepared.accepts.fill(request.arguments)
        try:
            args = tool.read_args(filled)
        except ValidationError as error:
            refused = f"the model refuses what the schema accepts: {error}"
            raise Failed("arguments", refused) from error
        given = [args, self.world.states[self.fake]]
        if tool.handler.takes_call:
            given.append(self._call(tool.prepared.name, number, request.meta))
        try:
            return await run_handler(tool.handler.function, given, self.handler_timeout)
        except ToolError as error:
            return Text(error.message, is_error=True)

    def _call(self, name: str, number: int, meta: JsonObject | None) -> Call:
        return Call(
            tool=name,
            number=number,
            now=self.world.clock.now,
            settings=copy.deepcopy(self.settings),  # what one call changes, no other one reads
            meta=meta or {},
            new_id=self.world.new_ids(number),
        )


def _answer(tool: ServedTool, value: object) -> bytes:
    try:
        result = answer_call(tool.prepared, value)
    except Breach:
        raise
    except Exception as error:  # what the fake's own models do when they are written
        raise Failed.of("answer", error) from error
    if len(result) > ANSWER_LIMIT:
        size = f"the answer has {len(result):,} bytes; at most {ANSWER_LIMIT:,} are sent"
        raise Failed("answer", size)
    return result
