"""The official Python SDK's low-level server: python_sdk.py TOOLS STATE.

Stateless, with JSON answers and the compiled validator: its fastest shape.
"""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
)
from serving import serve
from starlette.applications import Starlette
from starlette.routing import Route
from work import TOOLS, call

LISTED = ListToolsResult.model_validate({"tools": list(TOOLS.values())})


async def list_tools(_context: Any, _params: PaginatedRequestParams | None) -> ListToolsResult:
    """The tools, as far as the SDK's models keep them."""
    return LISTED


async def call_tool(_context: Any, params: CallToolRequestParams) -> CallToolResult:
    """The result of a call."""
    return CallToolResult.model_validate(call(params.name, params.arguments or {}, _write))


def _write(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def app() -> Starlette:
    """The SDK's endpoint."""
    server = Server(
        "bench",
        version="1.0.0",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        get_tool_input_schema=lambda name: TOOLS.get(name, {}).get("inputSchema"),
    )
    security = TransportSecuritySettings(allowed_hosts=["127.0.0.1:*"], allowed_origins=[])
    manager = StreamableHTTPSessionManager(
        server, json_response=True, stateless=True, security_settings=security
    )

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncGenerator[None]:
        async with manager.run():
            yield

    route = Route("/bench/mcp", StreamableHTTPASGIApp(manager))
    return Starlette(routes=[route], lifespan=lifespan)


if __name__ == "__main__":
    serve(app())
