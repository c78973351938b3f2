"""What every call of a tool goes through, from the arguments as sent to the result as returned."""

import asyncio
import inspect
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeGuard

from pydantic import BaseModel, TypeAdapter, ValidationError

from evalsim.contract.contract import PreparedTool
from evalsim.contract.encode import text_result
from evalsim.contract.plain import EncodeError
from evalsim.contract.reply import Call
from evalsim.errors import ToolError
from evalsim.hosting.answering import Breach, answer_call
from evalsim.protocol.errors import INVALID_PARAMS, ProtocolError
from evalsim.recipe.handlers import Handler
from evalsim.types import Json, JsonObject
from evalsim.world.faults import Fault, FaultKind
from evalsim.world.world import World


@dataclass(frozen=True, slots=True)
class ServedTool:
    """A tool with the function that answers it and the reader of its arguments."""

    prepared: PreparedTool
    handler: Handler
    read_args: Callable[[Json], Any]

    @classmethod
    def of(cls, prepared: PreparedTool, handler: Handler) -> "ServedTool":
        """The tool, with its arguments' model made ready once."""
        return cls(prepared, handler, _reader(prepared.args))


@dataclass(frozen=True, slots=True)
class FakeCalls:
    """The calls of one fake in one world."""

    fake: str
    tools: Mapping[str, ServedTool]
    world: World
    settings: Mapping[str, Json]
    handler_timeout: float

    async def __call__(
        self, name: str, arguments: JsonObject, meta: JsonObject | None, number: int
    ) -> bytes:
        """The CallToolResult of call `number`, as JSON bytes.

        Raises `ProtocolError` for a tool that is not served. Whatever the fake does wrong becomes
        a tool error that tells the caller nothing of the fake, and a fault in the world.
        """
        tool = self.tools.get(name)
        if tool is None:
            raise ProtocolError(INVALID_PARAMS, f"Tool {name} not found")
        refusal = tool.prepared.accepts.refusal(arguments)
        if refusal is not None:
            return _error(f"Input validation error: Invalid arguments for tool {name}: {refusal}")
        try:
            value = await self._run(tool, arguments, meta, number)
            return answer_call(tool.prepared, value)
        except ToolError as error:
            return _error(error.message)
        except Breach as breach:
            self._record(name, number, "answer", str(breach))
            return _error(f"Output validation error: {breach.told}")
        except _Failed as failed:
            self._record(name, number, failed.kind, failed.message, failed.traceback)
            return _error(f"Error executing tool {name}")

    async def _run(
        self, tool: ServedTool, arguments: JsonObject, meta: JsonObject | None, number: int
    ) -> Any:
        """What the handler returns for arguments that the schema has accepted."""
        filled = tool.prepared.accepts.fill(arguments)
        try:
            args = tool.read_args(filled)
        except ValidationError as error:
            raise _Failed(
                "arguments", f"the model refuses what the schema accepts: {error}"
            ) from error
        state = self.world.states[self.fake]
        given = [args, state]
        if tool.handler.takes_call:
            given.append(self._call(tool.prepared.name, number, meta))
        try:
            value = tool.handler.function(*given)
            return await self._await(value) if inspect.isawaitable(value) else value
        except (ToolError, _Failed):
            raise
        except (Exception, SystemExit) as error:
            text = "".join(traceback.format_exception(error))
            raise _Failed("exception", f"{type(error).__name__}: {error}", text) from error

    async def _await(self, value: Any) -> Any:
        limit = asyncio.timeout(self.handler_timeout)
        try:
            async with limit:
                return await value
        except TimeoutError as error:
            if not limit.expired():
                raise
            taken = f"the handler took longer than {self.handler_timeout:g} s and was cancelled"
            raise _Failed("timeout", taken) from error
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            raise _Failed("exception", "something that the handler awaits was cancelled") from error

    def _call(self, name: str, number: int, meta: JsonObject | None) -> Call:
        return Call(
            tool=name,
            number=number,
            now=self.world.clock.now,
            settings=self.settings,
            meta=meta or {},
            new_id=self.world.new_ids(number),
        )

    def _record(
        self, name: str, number: int, kind: FaultKind, message: str, trace: str = ""
    ) -> None:
        self.world.record_fault(Fault(kind, self.fake, name, number, message, trace))


class _Failed(Exception):
    """The fake could not carry a call out."""

    def __init__(self, kind: FaultKind, message: str, trace: str = "") -> None:
        self.kind: FaultKind = kind
        self.message = message
        self.traceback = trace
        super().__init__(message)


def _error(text: str) -> bytes:
    try:
        return text_result(text, is_error=True)
    except EncodeError:
        return text_result(text.encode("utf-8", "replace").decode(), is_error=True)


def _reader(args: Any) -> Callable[[Json], Any]:
    """How validated arguments become what the handler takes; by wire name alone."""
    validate: Callable[..., Any] = (
        args.model_validate if _is_model(args) else TypeAdapter[Any](args).validate_python
    )
    return partial(validate, by_alias=True, by_name=False)


def _is_model(args: Any) -> TypeGuard[type[BaseModel]]:
    return isinstance(args, type) and issubclass(args, BaseModel)
