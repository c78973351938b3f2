"""A pass-through HTTP proxy: requests go to the live server, its answers come back as they are."""

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Final

import httpx2
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from evalsim.protocol.guard import Guard
from evalsim.protocol.request import read_fields
from evalsim_generator.clients.failures import Exchange, failure
from evalsim_generator.clients.servers import HttpServer
from evalsim_generator.record.taps import Tap
from evalsim_generator.redaction.names import is_secret_name

CONNECT: Final = 30.0
"""Seconds to reach the live server; how long it takes to answer is between it and the client."""
_HOP: Final = frozenset(
    {
        *(b"connection", b"keep-alive", b"proxy-connection", b"te", b"trailer"),
        *(b"transfer-encoding", b"upgrade", b"proxy-authenticate", b"proxy-authorization"),
    }
)
"""Header fields that speak of one connection alone."""
_ROTATING: Final = (b"cookie", b"mcp-session-id")
"""Secrets that change so often that remembering them would crowd out the others."""
_OURS: Final = _HOP | {b"host", b"content-length", b"accept-encoding", b"expect"}

Choose = Callable[[httpx2.Response], Tap | None]
"""Chooses what listens to an answer, if anything does."""
Hear = Callable[[Request, bytes], Choose]
"""Hears a request and its body before they are sent on."""


class Proxy:
    """The ASGI app in front of one live server.

    A request keeps its path, and goes to the server's origin with the server's own headers and
    query added. Answers are asked for uncompressed, so that what passes can be read.
    """

    def __init__(
        self,
        server: HttpServer,
        client: httpx2.AsyncClient,
        guard: Guard,
        hear: Hear,
        learn: Callable[[list[str]], None],
    ) -> None:
        self._server = server
        self._address = httpx2.URL(server.url)
        self._client = client
        self._guard = guard
        self._hear = hear
        self._learn = learn

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        try:
            response = await self._answer(request)
        except ClientDisconnect:
            return
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        fields = read_fields(request.scope["headers"])
        if refusal := self._guard.refusal(fields):
            return PlainTextResponse(refusal, 403)
        body = await request.body()
        self._learn(_secrets(fields))
        choose = self._hear(request, body)
        try:
            answer = await self._client.send(
                self._forwarded(request, body), stream=True, follow_redirects=False
            )
        except httpx2.HTTPError as error:
            told = failure(error, self._server, Exchange(request.url.path), CONNECT)
            return PlainTextResponse(f"{told}\n", 502)
        response = StreamingResponse(_relay(answer, choose(answer)), answer.status_code)
        response.raw_headers = [
            (name, value) for name, value in answer.headers.raw if name.lower() not in _HOP
        ]
        return response

    def _forwarded(self, request: Request, body: bytes) -> httpx2.Request:
        own = httpx2.Headers({**self._server.headers, "accept-encoding": "identity"})
        replaced = _OURS | {name.lower() for name, _ in own.raw}
        passed = [
            (name, value) for name, value in request.headers.raw if name.lower() not in replaced
        ]
        has_body = body or b"content-length" in dict(request.headers.raw)
        return httpx2.Request(
            request.method,
            self._target(request),
            headers=[*passed, *own.raw],
            content=body if has_body else None,
        )

    def _target(self, request: Request) -> httpx2.URL:
        """The address at the live server; at its own path, its query comes first."""
        path: bytes = request.scope["raw_path"].partition(b"?")[0]
        query: bytes = request.scope["query_string"]
        if path == self._address.raw_path.partition(b"?")[0]:
            query = b"&".join(filter(None, (self._address.query, query)))
        return self._address.copy_with(raw_path=path + (b"?" + query if query else b""))


async def _relay(answer: httpx2.Response, tap: Tap | None) -> AsyncIterator[bytes]:
    """The bytes of an answer; the client has none of a call's answer before it is recorded."""
    held = b""
    async with aclosing(answer):
        async for chunk in answer.aiter_raw():
            if tap is not None:
                tap.feed(chunk)
            if tap is None or not tap.whole:
                yield chunk
                continue
            if held:
                yield held
            held = chunk
        if tap is not None:
            tap.end()
        if held:
            yield held


def _secrets(fields: dict[bytes, bytes]) -> list[str]:
    """The values of header fields that hold secrets, and what follows their scheme."""
    values = [
        value.decode("latin-1")
        for name, value in fields.items()
        if is_secret_name(name.decode("latin-1")) and name not in _ROTATING
    ]
    return [*values, *(value.partition(" ")[2] for value in values)]
