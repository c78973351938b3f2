"""Who a live server is and what tools it lists, in either era of the protocol."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from mcp import MCPError
from mcp_types import UNSUPPORTED_PROTOCOL_VERSION

from evalsim.contract.captured import TOOL_LIMIT, CapturedTool, listing_of
from evalsim.contract.document import parse_document
from evalsim.errors import DocumentError
from evalsim.protocol.versions import LEGACY, MODERN, SERVER_INFO_KEY
from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.clients.failures import Exchange, Misbehaved, failure, printable
from evalsim_generator.clients.refusals import explain
from evalsim_generator.clients.servers import HttpServer, Server, StdioServer, source_of
from evalsim_generator.clients.transports import open_sse, open_stdio, open_streamable
from evalsim_generator.clients.wire import CLIENT, Wire, connect

_ENVELOPE: Final = ("nextCursor", "resultType", "ttlMs", "cacheScope", "_meta")
"""What belongs to one answer of `tools/list`, not to the list."""
_PROBE: Final = 10.0
"""Seconds a program has for `server/discover`: some ignore what they do not know."""
_PAGES: Final = 1_000


Said: TypeAlias = tuple[JsonObject, JsonObject]
"""A `server` block and a `tools/list` result."""


@dataclass(frozen=True, slots=True)
class Introduction:
    """What a server says of itself: the manifest's `server` block, and tools.json."""

    server: JsonObject
    tools: JsonObject
    captured: tuple[CapturedTool, ...]


async def introduce(
    server: Server, wait: float, tell: Callable[[str], None] = lambda _asked: None
) -> Introduction:
    """Ask a live server who it is and for every page of its tools; no tool is called.

    `wait` is how many seconds each answer may take; `tell` is told each request before it is sent.
    Raises `ServerFailure`, or `DocumentError` for tools that could not be read back, with one
    sentence.
    """
    exchange = Exchange(tell=tell)
    try:
        return _checked(await _ask(server, exchange, wait), source_of(server))
    except DocumentError:
        raise
    except Exception as error:
        raise failure(error, server, exchange, wait, explain) from None


async def _ask(server: Server, exchange: Exchange, wait: float) -> Said:
    if isinstance(server, StdioServer):
        async with connect(open_stdio(server, exchange), exchange, wait) as wire:
            return await _introduction(wire, min(_PROBE, wait))
    async with connect(open_streamable(server, exchange, wait), exchange, wait) as wire:
        try:
            return await _introduction(wire, None)
        except MCPError as error:
            if exchange.asked != "initialize" or exchange.status not in (400, 404, 405):
                raise
            refused = error
    return await _ask_sse(server, exchange, wait, refused)


async def _ask_sse(server: HttpServer, exchange: Exchange, wait: float, refused: MCPError) -> Said:
    """Over the older transport; `refused` is raised when there is none either."""
    status, opened = exchange.status, False
    try:
        async with connect(open_sse(server, exchange, wait), exchange, wait) as wire:
            opened = True
            return await _handshake(wire)
    except Misbehaved:
        raise
    except Exception:
        if opened:
            raise
        exchange.status = status
        raise refused from None


async def _introduction(wire: Wire, probe: float | None) -> Said:
    """By `server/discover` where the server knows it, else by `initialize`."""
    found = await _discover(wire, probe)
    if found is None:
        try:
            return await _handshake(wire)
        except MCPError as error:
            if error.error.code != UNSUPPORTED_PROTOCOL_VERSION:
                raise
            # A slow program took the probe for the choice of an era, after it was given up on
            found = await _discover(wire)
            if found is None:
                raise
    meta = found.get("_meta")
    info = meta.get(SERVER_INFO_KEY) if is_object(meta) else None
    return await _introduced(wire, info, found, MODERN)


async def _discover(wire: Wire, wait: float | None = None) -> JsonObject | None:
    """The answer to `server/discover`; None from a server of the handshake era."""
    wire.version = MODERN
    try:
        found = await wire.request("server/discover", wait=wait)
    except MCPError:
        return None
    except TimeoutError:
        if wait is None:
            raise
        return None
    versions = found.get("supportedVersions")
    return found if is_array(versions) and MODERN in versions else None


async def _handshake(wire: Wire) -> Said:
    wire.version = None
    hello = {"protocolVersion": LEGACY[0], "capabilities": {}, "clientInfo": CLIENT}
    found = await wire.request("initialize", hello)
    version = found.get("protocolVersion")
    if version not in LEGACY:
        raise Misbehaved(f"speaks the protocol version {version!r}, which evalsim does not know")
    wire.version = version
    await wire.notify("notifications/initialized")
    return await _introduced(wire, found.get("serverInfo"), found, version)


async def _introduced(wire: Wire, info: Json, said: JsonObject, version: str) -> Said:
    block: JsonObject = dict(info) if is_object(info) else {}
    if "instructions" in said:
        block["instructions"] = said["instructions"]
    block["protocolVersion"] = version
    return block, await _tools(wire)


async def _tools(wire: Wire) -> JsonObject:
    """Every page of `tools/list` as one document."""
    document: JsonObject = {}
    tools: list[Json] = []
    cursors: set[Json] = set()
    cursor: Json = None
    while True:
        page = await wire.request("tools/list", {"cursor": cursor} if cursors else None)
        if not is_array(page.get("tools")):
            raise Misbehaved('answered tools/list without a "tools" list')
        document = {**page, **document}
        tools += page["tools"]
        cursor = page.get("nextCursor")
        if not cursor:
            break
        _check_paging(cursor, cursors, tools)
    kept = {key: value for key, value in document.items() if key not in _ENVELOPE}
    return {**kept, "tools": tools}


def _check_paging(cursor: Json, cursors: set[Json], tools: list[Json]) -> None:
    """Note a cursor; raises `Misbehaved` when the pages of tools would never end."""
    if not isinstance(cursor, str):
        raise Misbehaved("answered tools/list with a nextCursor that is no string")
    if cursor in cursors:
        raise Misbehaved(f"gave the same nextCursor of tools/list twice ({printable(cursor)!r})")
    cursors.add(cursor)
    if len(cursors) >= _PAGES or len(tools) > TOOL_LIMIT:
        raise Misbehaved(f"lists more than {_PAGES:,} pages or {TOOL_LIMIT:,} tools")


def _checked(said: Said, source: str) -> Introduction:
    """What was said, when evalsim can read it back from a file; else raises `DocumentError`."""
    server, tools = said
    for document in said:
        parse_document(json.dumps(document).encode(), source)
    return Introduction(server, tools, listing_of(tools, source).tools)
