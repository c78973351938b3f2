"""From what a handler returns to the answer its caller reads, held to the description."""

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from types import NoneType
from typing import Any, TypeGuard

import orjson
from pydantic import BaseModel

from evalsim.api.prepared import PreparedOperation
from evalsim.api.reply import File, Reply
from evalsim.contract.plain import EncodeError
from evalsim.gate.gate import Gate
from evalsim.hosting.held import Unheld, held
from evalsim.openapi.bodies import MediaType, Response
from evalsim.openapi.media_types import BodyKind, body_kind, choose_media, parse_media
from evalsim.types import is_object

_SHOWN = 2_000
_PLAIN: tuple[type[Any], ...] = (dict, BaseModel, list)
"""What is answered as JSON wherever JSON alone is described."""


class Breach(Exception):
    """An answer outside the description."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the answer breaks the contract: {reason}"[:_SHOWN])


@dataclass(slots=True)
class ApiAnswer:
    """An answer; `items` is what is still to be streamed, as the handler yields it."""

    status: int
    body: bytes = b""
    media_type: str | None = None
    headers: dict[str, str] = field(default_factory=dict[str, str])
    items: "Iterator[Any] | AsyncIterator[Any] | None" = None
    gate: Gate | None = None
    refused: str | None = None


def answer_of(prepared: PreparedOperation, value: object, accept: str) -> ApiAnswer:
    """The answer that a handler's value is, at the operation's success status unless it says.

    Raises `Breach` when it is not what the description says.
    """
    usual = prepared.usual_answer
    if usual is not None and isinstance(value, _PLAIN):
        return ApiAnswer(usual.status, written(value, usual.gate), usual.media_type)
    reply = value if isinstance(value, Reply) else Reply(value)
    status, response = prepared.operation.success
    if reply.status is not None:
        status, response = reply.status, prepared.operation.response(reply.status)
    if response is None and prepared.operation.responses and status < 400:
        raise Breach(f"the status {status} is not described")
    return described_answer(prepared, reply, status, response, accept)


def described_answer(
    prepared: PreparedOperation,
    reply: Reply,
    status: int,
    response: Response | None,
    accept: str,
) -> ApiAnswer:
    """A reply with its status, held to what is described of that status where anything is."""
    headers = {name.lower(): value for name, value in (reply.headers or {}).items()}
    own_type = headers.pop("content-type", None)
    answer = _body(prepared, reply.body, response, own_type, accept)
    answer.status, answer.headers = status, headers
    if response is not None:
        _check_headers(response, headers)
    if status in (204, 304) and answer.body:
        raise Breach(f"an answer of status {status} has no body")
    return answer


def media_for(
    content: Mapping[str, MediaType], value: object, own_type: str | None, accept: str
) -> str | None:
    """The described media type that a value is answered in; None where none is described for it.

    Of those that the value can be written in, it is the one the client wants most.
    """
    if own_type is not None:
        sent = parse_media(own_type)
        return next((name for name in content if parse_media(name).covers(sent)), None)
    fitting = [name for name in content if _can_write(value, name)]
    return choose_media(fitting, accept) or next(iter(fitting), None)


def _can_write(value: object, name: str) -> bool:
    kind = body_kind(name)
    if is_stream(value):
        return True
    if isinstance(value, File) and value.content_type is not None:
        return parse_media(name).covers(parse_media(value.content_type))
    if isinstance(value, bytes | File):
        return kind != "json" or "*" in name
    return kind == "json" or (isinstance(value, str) and kind == "text")


def is_stream(value: object) -> "TypeGuard[Iterator[Any] | AsyncIterator[Any]]":
    """Whether a handler's value is still to be asked for what it yields."""
    # Most values are one of these, and to ask an abstract class takes ten times as long
    if isinstance(value, dict | BaseModel | str | list | bytes | NoneType):
        return False
    return isinstance(value, Iterator | AsyncIterator)


def _body(
    prepared: PreparedOperation,
    value: object,
    response: Response | None,
    own_type: str | None,
    accept: str,
) -> ApiAnswer:
    if response is None:  # nothing is described, so nothing is held to it
        return _undescribed(value, own_type)
    if not response.content:
        if value is not None:
            raise Breach(f"an answer of status {response.status} is described without a body")
        return ApiAnswer(200)
    name = media_for(response.content, value, own_type, accept)
    if name is None:
        listed = ", ".join(response.content)
        raise Breach(f"{_shown(value, own_type)} is no answer of {listed}")
    gate = prepared.answer_gate(response, name)
    media_type = own_type or _concrete(name, value)
    kind = body_kind(media_type)
    if is_stream(value):
        return ApiAnswer(200, media_type=_stream_type(name), items=value, gate=gate)
    return ApiAnswer(200, _encoded(value, kind, gate), media_type)


def _undescribed(value: object, own_type: str | None) -> ApiAnswer:
    if value is None:
        return ApiAnswer(200)
    if is_stream(value):
        return ApiAnswer(200, media_type=own_type or "text/event-stream", items=value)
    default = "application/octet-stream" if isinstance(value, bytes | File) else "application/json"
    media_type = own_type or (value.content_type if isinstance(value, File) else None) or default
    return ApiAnswer(200, _encoded(value, body_kind(media_type), None), media_type)


def _encoded(value: object, kind: BodyKind, gate: Gate | None) -> bytes:
    if isinstance(value, File):
        value = value.data
    if kind == "json":
        return written(orjson.loads(value) if isinstance(value, bytes) else value, gate)
    if isinstance(value, bytes):
        return value
    if not isinstance(value, str):
        raise Breach(f"{type(value).__name__} is neither text nor bytes")
    if gate is not None and kind == "text" and not gate.accepts(value) and _is_of_text(gate):
        raise Breach(gate.refusal(value) or "it is refused")
    return value.encode()


def _is_of_text(gate: Gate) -> bool:
    """Whether a schema speaks of the text itself, not of what XML says."""
    return is_object(gate.schema) and gate.schema.get("type") == "string"


def written(value: object, gate: Gate | None) -> bytes:
    """A value as JSON that the gate accepts; raises `Breach`."""
    try:
        return held(gate, value).data
    except (Unheld, EncodeError) as error:
        raise Breach(str(error)) from error


def _concrete(name: str, value: object) -> str:
    """The media type that a described one, which may be a range, is answered as."""
    if isinstance(value, File) and value.content_type is not None:
        return value.content_type
    if "*" not in name:
        return name
    if isinstance(value, bytes | File):
        return "application/octet-stream"
    return "application/json" if body_kind(name) == "json" else "text/plain"


def _stream_type(name: str) -> str:
    return "application/octet-stream" if "*" in name else name


def _check_headers(response: Response, headers: Mapping[str, str]) -> None:
    for name, header in response.headers.items():
        if header.required and name.lower() not in headers:
            raise Breach(f"the header {name} is required and is not there")


def _shown(value: object, own_type: str | None) -> str:
    return own_type if own_type is not None else type(value).__name__
