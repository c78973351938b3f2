"""MCP servers that answer as a test says, over HTTP and as programs."""

import json
import sys
import textwrap
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.sse import SseServerTransport
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

SERVER_INFO = {"name": "notes", "version": "2.0.0", "x-build": 7}
TOOLS: list[dict[str, Any]] = [
    {
        "name": "add-note",
        "description": "Add a note.",
        "x-secret-sauce": {"kept": None},
        "inputSchema": {
            "type": "object",
            "properties": {"text": {"type": "string"}, "n": {"type": "number", "maximum": 1.0}},
            "required": ["text"],
        },
    },
    {"name": "list-notes", "inputSchema": {"type": "object"}},
]
Answer = Callable[[Request, dict[str, Any]], Awaitable[Response]]


def handshake(method: str, params: dict[str, Any], tools: Any = TOOLS) -> dict[str, Any] | None:
    """The result of a request of the handshake era; None for a method there is not."""
    if method == "initialize":
        hello = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}}
        return {**hello, "serverInfo": SERVER_INFO, "instructions": "Be brief."}
    if method == "tools/list":
        return {"tools": tools}
    return None


def result(message: dict[str, Any], value: Any) -> dict[str, Any]:
    """The JSON-RPC response with this result; None is the error for an unknown method."""
    response = {"jsonrpc": "2.0", "id": message.get("id")}
    if value is None:
        return {**response, "error": {"code": -32601, "message": "Method not found"}}
    return {**response, "result": value}


def http_app(answer: Answer | None = None, tools: Any = TOOLS) -> Starlette:
    """A server of the handshake era at /mcp; `answer` takes the place of what it answers."""

    async def usual(_request: Request, message: dict[str, Any]) -> Response:
        if "id" not in message:
            return Response(status_code=202)
        found = handshake(message["method"], message.get("params", {}), tools)
        return JSONResponse(result(message, found))

    async def endpoint(request: Request) -> Response:
        message: dict[str, Any] = {}
        with suppress(ValueError):
            message = await request.json()
        return await (answer or usual)(request, message)

    return Starlette(routes=[Route("/mcp", endpoint, methods=["POST", "GET", "DELETE"])])


PROGRAM = """
    import json, sys, time, os
    INFO, TOOLS = json.loads(sys.argv[1])
    def say(message):
        print(json.dumps(message), flush=True)
    def answer(message):
        method = message["method"]
        if method == "initialize":
            version = message["params"]["protocolVersion"]
            return {"protocolVersion": version, "capabilities": {}, "serverInfo": INFO}
        return {"tools": TOOLS} if method == "tools/list" else None
    BEFORE
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        WITH
        found = answer(message)
        failed = {"error": {"code": -32601, "message": "Method not found"}}
        body = failed if found is None else {"result": found}
        say({"jsonrpc": "2.0", "id": message["id"], **body})
"""


def program(folder: Path, *, before: str = "", each: str = "", tools: Any = TOOLS) -> str:
    """The command of a stdio server; `before` and `each` are statements it runs on the way."""
    text = textwrap.dedent(PROGRAM).replace("BEFORE", before or "pass")
    path = folder / "server.py"
    path.write_text(text.replace("WITH", each or "pass"))
    return f"{sys.executable} {path} '{json.dumps([SERVER_INFO, tools])}'"


def sse_app(server: Server[Any]) -> Starlette:
    """An SDK server at /sse, over HTTP with Server-Sent Events, the transport of 2024-11-05."""
    transport = SseServerTransport("/messages/")

    async def events(request: Request) -> Response:
        async with transport.connect_sse(request.scope, request.receive, request._send) as streams:
            await server.run(*streams, server.create_initialization_options())
        return Response()

    messages = Mount("/messages/", app=transport.handle_post_message)
    return Starlette(routes=[Route("/sse", events, methods=["GET"]), messages])
