"""HTTP/1.1 as httptools parses it, with heads bounded and offers of other protocols passed over."""

import asyncio
from typing import Any, Final, cast

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

REFUSAL: Final = "Bad Request"
HEAD_LIMIT: Final = 65_536
"""Bytes that a request's line and fields may take before their end is seen."""


class _Joining:
    """A transport that sends what is written in one turn of the loop by one system call.

    uvicorn writes an answer's head and its body apart, and uvloop sends each at once.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._held: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Send `data` once this turn of the loop is over."""
        if not self._held:
            self._loop.call_soon(self._send)
        self._held.append(data)

    def close(self) -> None:
        """Close, once what was written is sent."""
        self._send()
        self._transport.close()

    def _send(self) -> None:
        data = b"".join(self._held)
        self._held.clear()
        if data and not self._transport.is_closing():  # as it is once the client is gone
            self._transport.write(data)

    def is_closing(self) -> bool:
        """Whether the connection is closed, or about to be."""
        return self._transport.is_closing()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class HttpProtocol(HttpToolsProtocol):
    """Refuses a head without end; passes over every offer to upgrade, and answers its request.

    Java's HTTP client offers HTTP/2 in each first request. The parser takes an offer for the end of
    the request, and uvicorn goes by that: such a request loses its body there.
    """

    _in_head = False
    _head_size = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Serve a client that connected."""
        super().connection_made(cast(asyncio.Transport, _Joining(transport)))

    def data_received(self, data: bytes) -> None:
        """Parse what a client sent."""
        self._unset_keepalive_if_required()
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as offer:
            self._pass_over(data[offer.args[0] :])
        except httptools.HttpParserError:
            self._refuse()
        if self._in_head:
            self._head_size += len(data)
            if self._head_size > HEAD_LIMIT:
                self._refuse()

    def on_message_begin(self) -> None:
        """Start to read a head."""
        super().on_message_begin()
        self._in_head, self._head_size = True, 0

    def on_headers_complete(self) -> None:
        """Start to answer, unless the request is to be read again without its offer."""
        self._in_head = False
        if not self.parser.should_upgrade():
            super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Let the whole body be read, unless the request is to be read again."""
        if not self.parser.should_upgrade():
            super().on_message_complete()

    def _pass_over(self, rest: bytes) -> None:
        """Read the request again, without its offer, and what follows its head."""
        method, version = self.parser.get_method(), self.parser.get_http_version()
        if method == b"CONNECT":
            # It has no other meaning to fall back on
            self._refuse()
            return
        kept = [(name, value) for name, value in self.headers if name != b"upgrade"]
        lines = [b"%b %b HTTP/%b" % (method, self.url, version.encode())]
        lines += [b"%b: %b" % field for field in kept]
        self.parser = httptools.HttpRequestParser(self)
        self.data_received(b"\r\n".join([*lines, b"", rest]))

    def _refuse(self) -> None:
        """Answer what is no request, and end the connection."""
        # None before the first request, which uvicorn's annotation does not say
        cycle = cast(RequestResponseCycle | None, self.cycle)
        if cycle is None or cycle.response_complete or cycle.more_body:
            self.send_400_response(REFUSAL)
        else:
            # What came before it is still being answered, and would seem to be refused
            cycle.keep_alive = False
            self.flow.pause_reading()
