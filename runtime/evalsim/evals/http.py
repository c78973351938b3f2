"""The least HTTP client: a POST on a connection of its own, in the running loop."""

import asyncio
import http.client
import io
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import SplitResult


def port_of(url: SplitResult) -> int:
    """The port of an http or https URL."""
    return url.port or (443 if url.scheme == "https" else 80)


async def post(url: SplitResult, body: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
    """The status and body of an answer to a POST, on a connection of its own."""
    target = (url.path or "/") + (f"?{url.query}" if url.query else "")
    sent = {
        "host": url.netloc.rpartition("@")[2],
        "content-type": "application/json",
        "content-length": str(len(body)),
        "connection": "close",
        **headers,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
    reader, writer = await asyncio.open_connection(
        url.hostname, port_of(url), ssl=url.scheme == "https" or None
    )
    try:
        writer.write(f"POST {target} HTTP/1.1\r\n{head}\r\n".encode() + body)
        await writer.drain()
        answer = http.client.HTTPResponse(cast("Any", _Received(await reader.read())))
        answer.begin()
        return answer.status, answer.read()
    finally:
        writer.close()


class _Received:
    """What was received on a connection, as what `http.client` reads of one."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def makefile(self, *_: object) -> io.BytesIO:
        return io.BytesIO(self._data)
