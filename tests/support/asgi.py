"""Calling an ASGI app without a server, one HTTP request at a time."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Scope

from evalsim.types import Json

LOOPBACK = "127.0.0.1:7353"


@dataclass(frozen=True, slots=True)
class Answer:
    """A response as it was sent."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Json:
        """The body, decoded."""
        return json.loads(self.body)


def request_scope(method: str, headers: Sequence[tuple[str, str]], path: str = "/") -> Scope:
    """The scope of an HTTP request with these header fields, in this order."""
    raw = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers]
    return {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": raw,
    }


def exchange(app: ASGIApp, scope: Scope, parts: Sequence[bytes], *, leave: bool = False) -> Answer:
    """Send a body in parts, and disconnect before the last one when `leave` is set.

    Raises AssertionError when the app sends anything but one whole response; with `leave` it may
    send nothing, which reads as status 0.
    """
    incoming: list[Message] = [
        {"type": "http.request", "body": part, "more_body": leave or index + 1 < len(parts)}
        for index, part in enumerate(parts)
    ]
    incoming.append({"type": "http.disconnect"})
    sent: list[Message] = []

    async def receive() -> Message:
        return incoming.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    async def call() -> None:
        await app(scope, receive, send)

    asyncio.run(call())
    if leave and not sent:
        return Answer(0, {}, b"")
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], headers, sent[1]["body"])
