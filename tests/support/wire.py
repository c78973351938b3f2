"""Raw HTTP/1.1: bytes sent as they stand over a connection of their own, and what comes back."""

import json
import socket
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import parse_headers
from typing import Any, BinaryIO
from urllib.parse import urlsplit

TIMEOUT = 20.0


@dataclass(frozen=True, slots=True)
class Response:
    """A response, and its head as it came."""

    status: int
    head: str
    body: bytes

    @property
    def json(self) -> Any:
        """The body, decoded."""
        return json.loads(self.body)

    @property
    def code(self) -> int | None:
        """The code of the JSON-RPC error, if it is one."""
        code: int | None = self.json.get("error", {}).get("code") if self.body else None
        return code


@dataclass(frozen=True, slots=True)
class Connection:
    """A connection to a server, whose responses are read one after the other."""

    socket: socket.socket
    stream: BinaryIO

    def send(self, *pieces: bytes) -> None:
        """Send bytes; a server may answer, and close, before it has them all."""
        with suppress(ConnectionError):
            for piece in pieces:
                self.socket.sendall(piece)

    def read(self) -> Response | None:
        """The next response; None when the connection ends without one."""
        try:
            line = self.stream.readline()
            if not line:
                return None
            fields = parse_headers(self.stream)
            body = self.stream.read(int(fields.get("content-length", "0")))
        except ConnectionError:
            return None
        return Response(int(line.split()[1]), f"{line.decode('latin-1')}{fields}", body)


@contextmanager
def connected(url: str) -> Generator[Connection]:
    """Connect to the server of `url`."""
    address = urlsplit(url)
    with (
        socket.create_connection((address.hostname or "", address.port or 80), TIMEOUT) as opened,
        opened.makefile("rb") as stream,
    ):
        yield Connection(opened, stream)


def head(url: str, method: str = "POST", **changes: str | None) -> bytes:
    """The head of a request to `url`; a keyword sets a field (`_` for `-`), None drops it."""
    address = urlsplit(url)
    usual = {
        "host": address.netloc,
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
    }
    fields: Mapping[str, str | None] = {
        **usual,
        **{name.replace("_", "-"): value for name, value in changes.items()},
    }
    lines = [f"{name}: {value}" for name, value in fields.items() if value is not None]
    return "\r\n".join([f"{method} {address.path} HTTP/1.1", *lines, "", ""]).encode("latin-1")


def request(url: str, body: bytes, **changes: str | None) -> bytes:
    """One whole POST to `url`, its length declared."""
    return head(url, content_length=str(len(body)), **changes) + body


def message(method: str, params: Any = None, request_id: int = 1) -> bytes:
    """A JSON-RPC request."""
    document = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params or {}}
    return json.dumps(document).encode()


def call(tool: str, arguments: Any = None, request_id: int = 1) -> bytes:
    """A JSON-RPC request that calls a tool."""
    return message("tools/call", {"name": tool, "arguments": arguments or {}}, request_id)
