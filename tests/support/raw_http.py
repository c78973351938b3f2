"""An HTTP server whose every answer is bytes that a test wrote, right or wrong."""

import json
import socketserver
import ssl
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Thread
from typing import Any

Reply = Callable[[dict[str, Any]], bytes]


@contextmanager
def raw_http(reply: Reply, tls: ssl.SSLContext | None = None) -> Generator[str]:
    """Serve on a free loopback port; each answer ends its connection. Yields the base URL."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            if self.rfile.peek(1)[:1] == b"\x16":  # the start of TLS, which is not spoken here
                return
            length = 0
            while (line := self.rfile.readline()) not in (b"\r\n", b""):
                name, _, value = line.lower().partition(b":")
                length = int(value) if name == b"content-length" else length
            if line == b"\r\n":
                body = self.rfile.read(length)
                self.wfile.write(reply(json.loads(body) if body else {}))

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        thread = Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"http{'s' if tls else ''}://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def response(
    body: bytes, *, kind: str = "application/json", status: str = "200 OK", length: int = -1
) -> bytes:
    """A response whose Content-Length may be a lie."""
    size = len(body) if length < 0 else length
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {size}\r\n"
    return f"{head}Connection: close\r\n\r\n".encode() + body
