"""The official SDK's transports, watched for what they would keep to themselves."""

import logging
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import httpx2
from mcp.client.sse import sse_client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import McpHttpClientFactory

from evalsim.contract.document import SIZE_LIMIT
from evalsim_generator.clients.failures import Exchange, Misbehaved
from evalsim_generator.clients.servers import HttpServer, StdioServer

logging.getLogger("mcp").addHandler(logging.NullHandler())  # else its tracebacks reach the user

Streams: TypeAlias = tuple[Any, Any]
"""What comes from the server and what goes to it; the SDK gives their types no public name."""
_TAIL = 2_000


@asynccontextmanager
async def open_stdio(server: StdioServer, exchange: Exchange) -> AsyncGenerator[Streams]:
    """Start the program and speak over its standard input and output; it ends with the context."""
    program, *arguments = server.command
    parameters = StdioServerParameters(
        command=program, args=arguments, env=dict(server.environment) or None
    )
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as stderr:
        try:
            async with stdio_client(parameters, errlog=stderr) as streams:
                yield streams
        finally:
            stderr.seek(0)
            lines = stderr.read()[-_TAIL:].split("\n")
            exchange.said = next((line for line in reversed(lines) if line.strip()), "")


@asynccontextmanager
async def open_streamable(
    server: HttpServer, exchange: Exchange, wait: float
) -> AsyncGenerator[Streams]:
    """Speak Streamable HTTP."""
    async with (
        _client_of(exchange)(dict(server.headers), httpx2.Timeout(wait)) as client,
        streamable_http_client(
            server.url, http_client=client, max_sse_event_size=SIZE_LIMIT
        ) as streams,
    ):
        yield streams


@asynccontextmanager
async def open_sse(server: HttpServer, exchange: Exchange, wait: float) -> AsyncGenerator[Streams]:
    """Speak HTTP with Server-Sent Events, the transport of 2024-11-05."""
    async with sse_client(
        server.url,
        headers=dict(server.headers),
        timeout=wait,
        sse_read_timeout=wait,
        httpx_client_factory=_client_of(exchange),
    ) as streams:
        yield streams


def _client_of(exchange: Exchange) -> McpHttpClientFactory:
    """What makes HTTP clients whose every answer is watched."""

    async def watch(response: httpx2.Response) -> None:
        _watch(response, exchange)

    def client(
        headers: dict[str, str] | None = None,
        timeout: httpx2.Timeout | None = None,
        auth: httpx2.Auth | None = None,
    ) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            headers={"accept-encoding": "identity", **(headers or {})},
            timeout=timeout,
            auth=auth,
            event_hooks={"response": [watch]},
        )

    return client


def _watch(response: httpx2.Response, exchange: Exchange) -> None:
    """Note an answer; raises `Misbehaved` for one that no other way of asking would change."""
    if response.request.method == "DELETE":
        return
    exchange.status = response.status_code
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if response.status_code in (401, 403):
        raise Misbehaved(_unauthorized(response))
    if response.is_success and kind == "text/html":
        raise Misbehaved(
            "answered with a web page, so it is not an MCP endpoint: "
            "check the address, which often ends in /mcp or /sse"
        )
    if response.headers.get("content-encoding", "identity") != "identity":
        raise Misbehaved("compressed its answer, which it was not asked to do")
    response.stream = _Bounded(response.stream)


def _unauthorized(response: httpx2.Response) -> str:
    challenge = response.headers.get("www-authenticate")
    hint = f" (WWW-Authenticate: {challenge})" if challenge else ""
    return (
        f"answered HTTP {response.status_code} {response.reason_phrase}{hint}: pass a credential "
        'it takes, as --header "Authorization: Bearer ..."'
    )


class _Bounded(httpx2.AsyncByteStream):
    """A body that ends in an error once it is longer than any document that is read."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if size > SIZE_LIMIT:
                raise Misbehaved(f"sent an answer of more than {SIZE_LIMIT:,} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
