"""Requests and answers as JSON, over the official SDK's dispatcher.

Not over its session: that reads every answer into models which drop unknown fields and refuse a
whole list of tools for one odd tool, and a capture keeps what the server sent.
"""

from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import anyio
from mcp import MCPError
from mcp.shared.dispatcher import CallOptions, DispatchContext
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.transport_context import TransportContext
from mcp_types import METHOD_NOT_FOUND
from pydantic import ValidationError

from evalsim import __version__
from evalsim.protocol.versions import (
    CLIENT_CAPABILITIES_KEY,
    CLIENT_INFO_KEY,
    PROTOCOL_VERSION_KEY,
    is_modern,
)
from evalsim.types import JsonObject
from evalsim_generator.clients.failures import Exchange, Misbehaved, printable
from evalsim_generator.clients.transports import Streams

CLIENT = {"name": "evalsim", "version": __version__}


class Wire:
    """One connection; `version` is the revision that requests are stamped with."""

    def __init__(
        self, dispatcher: JSONRPCDispatcher[TransportContext], exchange: Exchange, wait: float
    ) -> None:
        self._dispatcher = dispatcher
        self._exchange = exchange
        self._wait = wait
        self.version: str | None = None

    async def request(
        self, method: str, params: JsonObject | None = None, *, wait: float | None = None
    ) -> JsonObject:
        """The result of a request, as it was sent.

        Raises MCPError for a JSON-RPC error, TimeoutError when there is none in `wait` seconds.
        """
        self._exchange.asked = method
        self._exchange.tell(method)
        self._exchange.status = 0
        options: CallOptions = {"cancel_on_abandon": False, "headers": self._headers(method)}
        stamped = {**(params or {}), **self._envelope()}
        with anyio.fail_after(self._wait if wait is None else wait):
            return await self._dispatcher.send_raw_request(method, stamped or None, options)

    async def notify(self, method: str) -> None:
        """Send a notification."""
        options: CallOptions = {"headers": self._headers(method)}
        with anyio.fail_after(self._wait):
            await self._dispatcher.notify(method, None, options)

    def _headers(self, method: str) -> dict[str, str]:
        if self.version is None:
            return {}
        headers = {"mcp-protocol-version": self.version}
        return {**headers, "mcp-method": method} if is_modern(self.version) else headers

    def _envelope(self) -> JsonObject:
        if self.version is None or not is_modern(self.version):
            return {}
        return {
            "_meta": {
                PROTOCOL_VERSION_KEY: self.version,
                CLIENT_INFO_KEY: CLIENT,
                CLIENT_CAPABILITIES_KEY: {},
            }
        }


@asynccontextmanager
async def connect(
    transport: AbstractAsyncContextManager[Streams], exchange: Exchange, wait: float
) -> AsyncGenerator[Wire]:
    """A wire over a transport; what the server asks of its client is refused, or pinged back."""

    async def stop(error: Exception) -> None:
        faults.append(Misbehaved(_unreadable(error)))
        tasks.cancel_scope.cancel()

    faults: list[Misbehaved] = []
    async with transport as (incoming, outgoing):
        async with anyio.create_task_group() as tasks:
            dispatcher = JSONRPCDispatcher[TransportContext](
                incoming, outgoing, on_stream_exception=stop
            )
            await tasks.start(dispatcher.run, _answer, _ignore)
            try:
                yield Wire(dispatcher, exchange, wait)
            finally:
                tasks.cancel_scope.cancel()
        if faults:
            raise faults[0]


def _unreadable(error: Exception) -> str:
    """A clause for what the SDK could not read; pydantic keeps the text."""
    text = str(error.errors()[0]["input"]) if isinstance(error, ValidationError) else str(error)
    return (
        f"sent {printable(text)[:100]!r}, which is no message of the protocol: "
        "a program must log to its standard error"
    )


async def _answer(
    _context: DispatchContext[TransportContext], method: str, _params: Mapping[str, Any] | None
) -> dict[str, Any]:
    if method == "ping":
        return {}
    raise MCPError(code=METHOD_NOT_FOUND, message=f"Method not found: {method}")


async def _ignore(
    _context: DispatchContext[TransportContext], _method: str, _params: Mapping[str, Any] | None
) -> None:
    """Logs and progress are nothing to a capture."""
