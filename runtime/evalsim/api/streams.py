"""What a handler yields, encoded piece by piece: server-sent events, JSON lines, plain chunks."""

import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

from evalsim.api.answers import ApiAnswer, Breach, written
from evalsim.api.reply import Event, File
from evalsim.gate.gate import Gate
from evalsim.hosting.running import Failed, run_handler
from evalsim.openapi.media_types import body_kind, parse_media
from evalsim.types import is_object

_END = object()
_LINE_END = re.compile(r"\r\n|\r|\n")
_LINES = frozenset({"application/x-ndjson", "application/jsonl", "application/json-seq"})


async def pieces_of(answer: ApiAnswer, timeout: float) -> AsyncIterator[bytes]:
    """The pieces of a streamed answer; the first is had before this returns.

    Each item may take `timeout` seconds. Raises what the handler raises before its first item, as
    it raises it in a plain answer.
    """
    items, media_type = answer.items, answer.media_type or ""
    assert items is not None
    first = await _next(items, timeout)
    gate = _item_gate(answer.gate)

    async def pieces() -> AsyncIterator[bytes]:
        item = first
        while item is not _END:
            yield _piece(item, media_type, gate)
            item = await _next(items, timeout)

    return pieces()


async def _next(items: "Iterator[Any] | AsyncIterator[Any]", timeout: float) -> Any:
    if isinstance(items, AsyncIterator):
        return await run_handler(_awaited, [items], timeout)
    return await run_handler(next, [items, _END], timeout)


async def _awaited(items: AsyncIterator[Any]) -> Any:
    return await anext(items, _END)


def _piece(item: Any, media_type: str, gate: Gate | None) -> bytes:
    """One item as it is sent; raises `Breach` for one that is not as described."""
    if isinstance(item, bytes):
        return item
    if isinstance(item, File):
        return item.data
    essence = parse_media(media_type).essence
    try:
        if essence == "text/event-stream":
            return _event(item if isinstance(item, Event) else Event(item), gate)
        if isinstance(item, str):
            return item.encode()
        line = written(item, gate)
        return line + b"\n" if essence in _LINES or body_kind(media_type) != "json" else line
    except Breach:
        raise
    except Exception as error:  # what the fake's own models do when they are written
        raise Failed.of("answer", error) from error


def _event(event: Event, gate: Gate | None) -> bytes:
    data = event.data
    text = data if isinstance(data, str) else written(data, gate).decode()
    lines = [f"event: {_line(event.event)}"] if event.event is not None else []
    lines += [f"id: {_line(event.id)}"] if event.id is not None else []
    lines += [f"retry: {event.retry}"] if event.retry is not None else []
    lines += [f"data: {line}" for line in _LINE_END.split(text)]
    return ("\n".join(lines) + "\n\n").encode()


def _line(text: str) -> str:
    return text.replace("\n", " ").replace("\r", " ")


def _item_gate(gate: Gate | None) -> Gate | None:
    """The gate of one item: a stream's own schema, unless that is of a text or a whole list."""
    schema = gate.schema if gate is not None else None
    if not is_object(schema) or schema.get("type") in ("string", "array"):
        return None
    return gate
