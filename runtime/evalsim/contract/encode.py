"""Writing a handler's value as the CallToolResult that its tool's answer declares."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import orjson

from evalsim.contract.answer import Answer
from evalsim.contract.plain import EncodeError, to_json
from evalsim.contract.reply import Content, Text
from evalsim.contract.toon import write_toon
from evalsim.types import BareResult, Json, JsonObject, is_object

_BLOCK_FIELDS = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
    "resource": (),
}


def encode(answer: Answer | None, value: object) -> bytes:
    """The CallToolResult of a successful call, as JSON bytes.

    Without a declared answer a string is sent as text and anything else as compact JSON. Raises
    `EncodeError` for a value that the answer's format cannot carry.
    """
    if answer is not None and answer.structured:
        return structured_result(to_json(value))
    return text_result(_text(answer, value))


def text_result(text: object, is_error: bool = False) -> bytes:
    """The CallToolResult of one text; raises `EncodeError` for no text, or half a character."""
    if not isinstance(text, str):
        raise EncodeError(f"a text is a string, not {type(text).__name__}")
    flag = b',"isError":true' if is_error else b""
    try:
        written = orjson.dumps(text)
    except orjson.JSONEncodeError:
        written = to_json(text)  # which says what is amiss
    return BareResult(b'{"content":[{"type":"text","text":%b}]%b}' % (written, flag))


def structured_result(data: bytes) -> bytes:
    """The CallToolResult of structured content: the JSON itself, and again as its text item."""
    text = orjson.dumps(data.decode())
    start = b'{"content":[{"type":"text","text":'
    return BareResult(b"".join((start, text, b'}],"structuredContent":', data, b"}")))


def content_result(reply: Content) -> bytes:
    """The CallToolResult of content blocks; raises `EncodeError` for one the protocol has not."""
    if fault := _blocks_fault(reply.blocks):
        raise EncodeError(fault)
    result: JsonObject = {"content": list(reply.blocks)}
    if reply.structured is not None:
        result["structuredContent"] = reply.structured
    if reply.is_error:
        result["isError"] = True
    if reply.meta is not None:
        result["_meta"] = reply.meta
    return to_json(result)


def reply_of(answer: Answer | None, value: object) -> Text | Content | None:
    """`value` as the reply it is, where a handler wrote its own; None for a value to encode."""
    if isinstance(value, Text | Content):
        return value
    if answer is not None and answer.format == "content":
        return Content(cast("Sequence[JsonObject]", value))
    return None


def _text(answer: Answer | None, value: object) -> str:
    if answer is None:
        return value if isinstance(value, str) else to_json(value).decode()
    return _WRITERS[answer.format](answer, value)


def _json(answer: Answer, value: object) -> str:
    return to_json(value, answer.indent).decode()


def _prefixed(answer: Answer, value: object) -> str:
    return answer.prefix + _json(answer, value) + answer.suffix


def _toon(_answer: Answer, value: object) -> str:
    return write_toon(value)


def _plain(_answer: Answer, value: object) -> str:
    if not isinstance(value, str):
        raise EncodeError(f"a text answer is a string, not {type(value).__name__}")
    return value


_WRITERS: dict[str, Callable[[Answer, Any], str]] = {
    "json": _json,
    "prefixed_json": _prefixed,
    "toon": _toon,
    "text": _plain,
}


def _blocks_fault(blocks: Json) -> str | None:
    if not isinstance(blocks, list | tuple):
        return f"content is a list of blocks, not {type(blocks).__name__}"
    faults = (_block_fault(block) for block in cast("Sequence[Json]", blocks))
    found = ((index, fault) for index, fault in enumerate(faults) if fault is not None)
    return next((f"content[{index}] {fault}" for index, fault in found), None)


def _block_fault(block: Json) -> str | None:
    kind = block.get("type") if is_object(block) else None
    if not is_object(block) or not isinstance(kind, str) or kind not in _BLOCK_FIELDS:
        return f"has the type {kind!r}, none of {', '.join(_BLOCK_FIELDS)}"
    if kind == "resource" and not is_object(block.get("resource")):
        return "is a resource without its resource"
    missing = [name for name in _BLOCK_FIELDS[kind] if not isinstance(block.get(name), str)]
    return f"is of type {kind!r} and has no {missing[0]}" if missing else None
