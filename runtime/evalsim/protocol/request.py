"""Reading an HTTP request: header fields as RFC 9110 folds them, and a bounded body."""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, TypeAlias

from evalsim.protocol.errors import REFUSED, TransportError

Scope: TypeAlias = MutableMapping[str, Any]
AsgiMessage: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[AsgiMessage]]
Send: TypeAlias = Callable[[AsgiMessage], Awaitable[None]]
Fields: TypeAlias = dict[bytes, bytes]


class ClientGone(Exception):
    """The client left before its request was complete: there is no one to answer."""


def read_fields(headers: Iterable[tuple[bytes, bytes]]) -> Fields:
    """Header fields by lower-case name; a field sent twice reads as `first, second`."""
    fields: Fields = {}
    for name, raw in headers:
        # httptools leaves the trailing blanks of a value in place
        value = raw.strip(b" \t")
        fields[name] = fields[name] + b", " + value if name in fields else value
    return fields


async def read_body(receive: Receive, fields: Fields, limit: int) -> bytes:
    """The whole body; raises TransportError (413) past `limit` bytes, ClientGone when cut off."""
    declared = fields.get(b"content-length", b"0")
    if declared.isdigit() and int(declared[:20]) > limit:
        raise _too_large(limit)
    message = await _next_part(receive)
    body: bytes = message.get("body", b"")
    if not message.get("more_body", False) and len(body) <= limit:
        return body
    parts, size = [body], len(body)
    while size <= limit and message.get("more_body", False):
        message = await _next_part(receive)
        parts.append(message.get("body", b""))
        size += len(parts[-1])
    if size > limit:
        raise _too_large(limit)
    return b"".join(parts)


def is_json(content_type: bytes) -> bool:
    """Whether a Content-Type names JSON, whatever its parameters."""
    if content_type == b"application/json":
        return True
    return content_type.partition(b";")[0].strip().lower() == b"application/json"


def accepts_json(accept: bytes) -> bool:
    """Whether an Accept field lets the answer be JSON."""
    accepted = accept.lower()
    return b"application/json" in accepted or b"*/*" in accepted or b"application/*" in accepted


async def _next_part(receive: Receive) -> AsgiMessage:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientGone
    return message


def _too_large(limit: int) -> TransportError:
    return TransportError(
        413, REFUSED, f"Payload Too Large: Request body must not exceed {limit} bytes"
    )
