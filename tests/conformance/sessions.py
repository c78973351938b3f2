"""One scripted session, held by each official client: list, call, be refused, miss a tool, ping."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import anyio
from mcp import Client, MCPError
from mcp_types import CallToolResult, TextContent

from conformance.node import find_node
from conformance.sample import GREETING, REFUSAL, tool_names
from evalsim.types import JsonObject

GOOD, REFUSED, UNKNOWN = "test_simple_text", "test_error_handling", "no_such_tool"

LEGACY: Final = "2025-11-25"
MODERN: Final = "2026-07-28"
TYPESCRIPT: Final = "@modelcontextprotocol/client@2.4.0"
INSPECTOR: Final = "@modelcontextprotocol/inspector@2.12.0"


@dataclass(frozen=True, slots=True)
class Session:
    """What a client saw; None is what it does not say or cannot ask."""

    version: str | None
    tools: tuple[str, ...]
    good: str | None
    refused: str | None
    unknown: str | None
    ping: bool | None


EXPECTED: Final = Session(
    version=LEGACY,
    tools=tool_names(),
    good=GREETING,
    refused=REFUSAL,
    unknown=f"-32602 Tool {UNKNOWN} not found",
    ping=True,
)
EXPECTED_MODERN: Final = replace(EXPECTED, version=MODERN, ping=False)
"""The newest revision has no ping."""
EXPECTED_INSPECTOR: Final = replace(EXPECTED, version=None, unknown="tool_not_found", ping=None)
"""The Inspector looks a tool up in the list before it calls, and offers no ping."""


def python_session(url: str, mode: str) -> Session:
    """The session of the official Python client."""
    return anyio.run(_python_session, url, mode)


async def _python_session(url: str, mode: str) -> Session:
    async with Client(url, mode=mode) as client:
        listed = await client.list_tools()
        answer = await client.call_tool(GOOD, {})
        refusal = await client.call_tool(REFUSED, {})
        try:
            await client.call_tool(UNKNOWN, {})
            missing = None
        except MCPError as error:
            missing = f"{error.error.code} {error.error.message}"
        return Session(
            version=client.protocol_version,
            tools=tuple(tool.name for tool in listed.tools),
            good=None if answer.is_error else _text(answer),
            refused=_text(refusal) if refusal.is_error else None,
            unknown=missing,
            ping=await _answers_ping(client),
        )


async def _answers_ping(client: Client) -> bool:
    try:
        await client.session.send_ping()
    except MCPError:
        return False
    return True


def _text(result: CallToolResult) -> str:
    return "".join(block.text for block in result.content if isinstance(block, TextContent))


def typescript_session(url: str, mode: str) -> Session:
    """The session of the official TypeScript client; RuntimeError when it cannot be held."""
    node, program = find_node(), Path(__file__).with_name("session.mjs")
    requests = json.dumps({"good": GOOD, "refused": REFUSED, "unknown": UNKNOWN})
    run = node.run(str(program), str(node.install(TYPESCRIPT)), url, mode, requests)
    if run.returncode != 0:
        raise RuntimeError(run.stderr)
    seen: JsonObject = json.loads(run.stdout)
    seen["tools"] = tuple(seen["tools"])
    return Session(**seen)


def inspector_session(url: str, era: str) -> Session:
    """The session of the Inspector's command line, one run a request."""
    node = find_node()
    launcher = node.install(INSPECTOR) / INSPECTOR.rpartition("@")[0] / "clients/launcher/build"
    with TemporaryDirectory() as folder:

        def ask(*request: str) -> list[JsonObject]:
            options = ("--transport", "http", "--protocol-era", era, "--format", "json")
            run = node.run(
                str(launcher / "index.js"), "--cli", url, *options, "--method", *request,
                env={"MCP_CATALOG_PATH": str(Path(folder) / "catalog.json")},
            )  # fmt: skip
            return [json.loads(line) for line in (run.stdout + run.stderr).splitlines()]

        return _inspector_session(ask)


def _inspector_session(ask: Callable[..., list[JsonObject]]) -> Session:
    call = ("tools/call", "--tool-name")
    tools = ask("tools/list")[0]["result"]["tools"]
    answer = ask(*call, GOOD)[0]["result"]
    refusal = ask(*call, REFUSED)[0]["result"]
    missing = ask(*call, UNKNOWN)[0]["error"]
    return Session(
        version=None,
        tools=tuple(tool["name"] for tool in tools),
        good=None if answer.get("isError") else answer["content"][0]["text"],
        refused=refusal["content"][0]["text"] if refusal.get("isError") else None,
        unknown=missing["code"],
        ping=None,
    )


@dataclass(frozen=True, slots=True)
class OfficialClient:
    """A client in one of its modes, and the session it is to see."""

    name: str
    session: Callable[[str, str], Session]
    mode: str
    expected: Session

    def __str__(self) -> str:
        return f"{self.name}-{self.mode}"


PYTHON_CLIENTS: Final = (
    OfficialClient("python", python_session, "auto", EXPECTED_MODERN),
    OfficialClient("python", python_session, "legacy", EXPECTED),
    OfficialClient("python", python_session, MODERN, EXPECTED_MODERN),
)
NODE_CLIENTS: Final = (
    OfficialClient("typescript", typescript_session, "auto", EXPECTED_MODERN),
    OfficialClient("typescript", typescript_session, "legacy", EXPECTED),
    OfficialClient("typescript", typescript_session, MODERN, EXPECTED_MODERN),
    OfficialClient("inspector", inspector_session, "legacy", EXPECTED_INSPECTOR),
    OfficialClient("inspector", inspector_session, "modern", EXPECTED_INSPECTOR),
)
