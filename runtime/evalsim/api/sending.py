"""Sending an answer: whole, or piece by piece as its handler makes it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, replace

from evalsim.api.answers import ApiAnswer, Breach
from evalsim.api.links import Links
from evalsim.api.request import ApiRequest
from evalsim.errors import Refusal
from evalsim.hosting.keeping import Begun, KeptCalls
from evalsim.hosting.outcome import Outcome
from evalsim.hosting.running import Failed
from evalsim.openapi.media_types import body_kind
from evalsim.protocol.request import Receive, Send

_NO_BODY = frozenset({204, 304})
_KEPT = 1024 * 1024
"""Bytes of a stream that the record holds."""


@dataclass(frozen=True, slots=True)
class Sending:
    """Where an answer goes, and what leads its links back."""

    links: Links
    request: ApiRequest
    receive: Receive
    send: Send


async def send_whole(to: Sending, answer: ApiAnswer) -> None:
    """Send an answer that is all there."""
    body = b"" if answer.status in _NO_BODY else answer.body
    if body and answer.media_type is not None and body_kind(answer.media_type) == "json":
        body = to.links.out(body, to.request.address)
    headers = _headers(to, answer)
    if answer.status not in _NO_BODY:
        headers.append((b"content-length", b"%d" % len(body)))
    await to.send({"type": "http.response.start", "status": answer.status, "headers": headers})
    is_bare = to.request.method == "HEAD"
    await to.send({"type": "http.response.body", "body": b"" if is_bare else body})


async def send_plain(send: Send, status: int, text: str) -> None:
    """Send a status and a text, which no fake has said."""
    data = text.encode("utf-8", "replace")
    headers = [(b"content-type", b"text/plain"), (b"content-length", b"%d" % len(data))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": data})


async def send_stream(
    to: Sending,
    kept: KeptCalls[ApiRequest, ApiAnswer],
    name: str,
    begun: Begun,
    outcome: Outcome[ApiAnswer],
) -> bool:
    """Send what a handler yields, and keep the call before the end of it is sent.

    Returns whether it went without a fault. What fails on the way cuts the answer off, which its
    client can tell. A client that leaves ends the handler.
    """
    answer = outcome.result
    pieces = answer.items
    assert isinstance(pieces, AsyncIterator)
    body: list[bytes] = []
    start = {
        "type": "http.response.start",
        "status": answer.status,
        "headers": _headers(to, answer),
    }
    leaving = asyncio.ensure_future(_left(to))
    try:
        await to.send(start)
        async for piece in pieces:
            if leaving.done():
                break
            if sum(map(len, body)) < _KEPT:
                body.append(piece)
            if to.request.method != "HEAD":
                sent = to.links.out(piece, to.request.address)
                await to.send({"type": "http.response.body", "body": sent, "more_body": True})
            await asyncio.sleep(0)  # others are answered between two pieces
    except (Failed, Breach, Refusal) as error:
        failed = error if isinstance(error, Failed) else Failed("answer", str(error))
        outcome = kept.calls.failed(name, begun.number, failed, kept.calls.where(name))
    finally:
        leaving.cancel()
        with suppress(Exception):
            await pieces.aclose()  # type: ignore[attr-defined]
    whole = replace(answer, body=b"".join(body), items=None)
    await kept.finish(name, begun, replace(outcome, result=whole))
    if outcome.fault is None:
        await to.send({"type": "http.response.body", "body": b""})
    return outcome.fault is None


async def _left(to: Sending) -> None:
    """Return when the client is gone."""
    while (await to.receive())["type"] != "http.disconnect":
        pass


def _headers(to: Sending, answer: ApiAnswer) -> list[tuple[bytes, bytes]]:
    """The header fields of an answer, with its links led back to the client's address."""
    headers: list[tuple[bytes, bytes]] = []
    if answer.media_type is not None and (answer.body or answer.items is not None):
        headers.append((b"content-type", _field(answer.media_type)))
    for name, value in answer.headers.items():
        lead = to.links.out_field(str(value), name, to.request.address)
        headers.append((_field(name), _field(lead)))
    return headers


def _field(text: str) -> bytes:
    """A header's text, on one line whatever it holds."""
    return text.encode("utf-8", "replace").replace(b"\r", b" ").replace(b"\n", b" ")
