"""The official Python SDK's low-level server doing the fake's work: python_peer.py TOOLS.

Prints its port, and ends when its standard input does.
"""

import json
import logging
import socket
import sys
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn
from mcp import MCPError
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import (
    StreamableHTTPASGIApp,
    StreamableHTTPSessionManager,
)
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
)
from starlette.applications import Starlette
from starlette.routing import Route

from evalsim.gate.gate import compile_gate

TOOLS: dict[str, dict[str, Any]] = {
    tool["name"]: tool for tool in json.loads(Path(sys.argv[1]).read_bytes())["tools"]
}
GATES = {name: compile_gate(tool["inputSchema"]) for name, tool in TOOLS.items()}
"""The SDK judges no arguments itself, so it is given this host's words for them."""

PICTURE = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}


def text(value: str) -> dict[str, Any]:
    """A result of one text."""
    return {"content": [{"type": "text", "text": value}]}


def structured(value: dict[str, Any]) -> dict[str, Any]:
    """A structured result, repeated as text."""
    said = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return {**text(said), "structuredContent": value}


WORK: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "echo": lambda args: structured({"value": args["value"]}),
    "find-deals": lambda args: structured(
        {"asked": args, "deals": ["Acme", "Bolt"][: int(args["limit"])]}
    ),
    "greet": lambda args: text(f"Hello, {args['name']}."),
    "refuse": lambda _: {**text("The office is closed."), "isError": True},
    "show": lambda _: {"content": [{"type": "text", "text": "Look:"}, PICTURE]},
    "route": lambda _: text("There."),
}


async def list_tools(_context: Any, _params: PaginatedRequestParams | None) -> ListToolsResult:
    """The tools as captured, as far as the SDK's models keep them."""
    return ListToolsResult.model_validate({"tools": list(TOOLS.values())})


async def call_tool(_context: Any, params: CallToolRequestParams) -> CallToolResult:
    """The fake's pipeline in short: judge, fill, answer."""
    gate = GATES.get(params.name)
    if gate is None:
        raise MCPError(code=-32602, message=f"Tool {params.name} not found")
    arguments = params.arguments or {}
    if refusal := gate.refusal(arguments):
        problem = f"Input validation error: Invalid arguments for tool {params.name}: {refusal}"
        return CallToolResult.model_validate({**text(problem), "isError": True})
    return CallToolResult.model_validate(WORK[params.name](gate.fill(arguments)))


def app() -> Starlette:
    """The SDK's stateless endpoint with JSON answers."""
    server = Server(
        "peer",
        version="1.0.0",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        get_tool_input_schema=lambda name: TOOLS.get(name, {}).get("inputSchema"),
    )
    names = ["127.0.0.1", "localhost", "[::1]"]
    origins = [f"{scheme}://{name}" for scheme in ("http", "https") for name in names]
    manager = StreamableHTTPSessionManager(
        server,
        json_response=True,
        stateless=True,
        security_settings=TransportSecuritySettings(
            allowed_hosts=[*names, *(f"{name}:*" for name in names)],
            allowed_origins=[*origins, *(f"{origin}:*" for origin in origins)],
        ),
    )

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncGenerator[None]:
        async with manager.run():
            yield

    return Starlette(routes=[Route("/peer/mcp", StreamableHTTPASGIApp(manager))], lifespan=lifespan)


def main() -> None:
    """Serve until standard input ends, as it does when the parent is gone."""
    logging.disable()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(app(), ws="none", log_level="critical", access_log=False)
        server = uvicorn.Server(config)

        def stop_with_parent() -> None:
            sys.stdin.read()
            server.should_exit = True

        threading.Thread(target=stop_with_parent, daemon=True).start()
        print(listener.getsockname()[1], flush=True)
        server.run(sockets=[listener])


if __name__ == "__main__":
    main()
