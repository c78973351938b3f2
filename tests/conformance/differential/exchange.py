"""One HTTP request as bytes on a connection of its own, and what comes back."""

import json
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from typing import Any

TIMEOUT = 30.0
PATH = "/peer/mcp"


@dataclass(frozen=True, slots=True)
class Request:
    """A request to send as it stands, and the marks its generator left: what is odd about it.

    With `chunk`, the body is sent in chunks of so many bytes, and has no declared length.
    """

    method: str
    fields: tuple[tuple[str, str], ...]
    body: bytes
    marks: frozenset[str] = frozenset()
    chunk: int | None = None

    @property
    def document(self) -> Any:
        """The JSON of the body; None where it is none."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None

    @property
    def version(self) -> str | None:
        """The protocol version that its header names."""
        return dict(self.fields).get("mcp-protocol-version")

    def wire(self, port: int) -> bytes:
        """All that is sent; `PORT` in a header field reads as the server's port."""
        lines = [f"{self.method} {PATH} HTTP/1.1"]
        lines += [f"{name}: {value.replace('PORT', str(port))}" for name, value in self.fields]
        lines += [self._framing(), "connection: close", "", ""]
        return "\r\n".join(lines).encode("latin-1") + self._framed()

    def _framing(self) -> str:
        if self.chunk is not None:
            return "transfer-encoding: chunked"
        return f"content-length: {len(self.body)}"

    def _framed(self) -> bytes:
        if self.chunk is None:
            return self.body
        starts = range(0, len(self.body), self.chunk)
        parts = [self.body[start : start + self.chunk] for start in starts]
        return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in [*parts, b""])


@dataclass(frozen=True, slots=True)
class Answer:
    """A response; `body` is the JSON it holds, its text where that is no JSON, None when empty."""

    status: int
    fields: Mapping[str, str]
    body: Any

    @property
    def error(self) -> Mapping[str, Any]:
        """The JSON-RPC error; empty when there is none."""
        found = self.body.get("error") if isinstance(self.body, dict) else None
        return found if isinstance(found, dict) else {}

    @property
    def code(self) -> int | None:
        """The code of the JSON-RPC error, if it is one."""
        return self.error.get("code")

    @property
    def result(self) -> Any:
        """The JSON-RPC result, if it is one."""
        return self.body.get("result") if isinstance(self.body, dict) else None


def exchange(port: int, request: Request) -> Answer:
    """Send `request` to a loopback port; status 0 when the connection ends without a response."""
    with socket.create_connection(("127.0.0.1", port), TIMEOUT) as connection:
        # A server may answer, and close, before a large body is sent
        with suppress(ConnectionError):
            connection.sendall(request.wire(port))
        response = HTTPResponse(connection, method=request.method)
        try:
            response.begin()
            # A stream may stay open for ever
            body = b"stream" if _is_stream(response) else response.read()
        except (HTTPException, ConnectionError):
            return Answer(0, {}, None)
    fields = {name.lower(): value for name, value in response.getheaders()}
    return Answer(response.status, fields, _read(body))


def _is_stream(response: HTTPResponse) -> bool:
    return response.getheader("content-type", "").startswith("text/event-stream")


def _read(body: bytes) -> Any:
    if not body:
        return None
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return body.decode("utf-8", "replace")
