"""From what a handler returns to the result its caller reads, held to the tool's contract."""

import orjson

from evalsim.contract.answer import Answer
from evalsim.contract.contract import PreparedTool
from evalsim.contract.decode import decode
from evalsim.contract.encode import content_result, encode, reply_of, text_result
from evalsim.contract.plain import EncodeError, to_plain
from evalsim.contract.reply import Content, Text
from evalsim.hosting.held import Unheld, held
from evalsim.types import Json

_SHOWN = 2_000


class Breach(Exception):
    """An answer outside the tool's contract; `told` is what the official SDK would say of it."""

    def __init__(self, tool: str, reason: str, told: str | None = None) -> None:
        self.told = told or f"Invalid structured content for tool {tool}: {reason}"
        super().__init__(f"the answer breaks the contract: {reason}"[:_SHOWN])


def answer_call(tool: PreparedTool, value: object) -> bytes:
    """The CallToolResult of what a handler returned, as JSON bytes.

    Raises `Breach` when it is not the answer that the tool declares.
    """
    try:
        reply = reply_of(tool.answer, value)
        if isinstance(reply, Text):
            return _text(tool, reply)
        if isinstance(reply, Content):
            return _content(tool, reply)
        return encode(tool.answer, _held(tool, value))
    except EncodeError as error:
        told = f"Invalid structured content for tool {tool.name}"
        raise Breach(tool.name, str(error), told) from error


def _held(tool: PreparedTool, value: object) -> object:
    """The value that the tool's gate accepts, as JSON that is written already."""
    if tool.answers is None:
        return value
    try:
        return orjson.Fragment(held(tool.answers, value).data)
    except Unheld as error:
        raise Breach(tool.name, str(error)) from error


def _text(tool: PreparedTool, reply: Text) -> bytes:
    """A text the handler wrote itself: an error, or a success that must read as declared."""
    if not reply.is_error:
        _check_text(tool, reply.value)
    return text_result(reply.value, reply.is_error)


def _content(tool: PreparedTool, reply: Content) -> bytes:
    result = content_result(reply)
    answer = tool.answer
    if reply.is_error or answer is None or tool.answers is None:
        return result
    if answer.structured:
        if reply.structured is None:
            raise _unstructured(tool)
        _check(tool, to_plain(reply.structured))
    else:
        texts = [block.get("text", "") for block in reply.blocks if block.get("type") == "text"]
        if len(texts) != len(reply.blocks) or len(texts) != 1:
            raise Breach(tool.name, f"a {answer.format} answer is one text")
        _check_text(tool, texts[0])
    return result


def _check_text(tool: PreparedTool, text: str) -> None:
    answer = tool.answer
    if answer is None or tool.answers is None:
        return
    if answer.structured:
        raise _unstructured(tool)
    _check(tool, _decoded(tool, answer, text))


def _check(tool: PreparedTool, value: Json) -> None:
    refusal = tool.answers.refusal(value) if tool.answers is not None else None
    if refusal is not None:
        raise Breach(tool.name, refusal)


def _decoded(tool: PreparedTool, answer: Answer, text: str) -> Json:
    try:
        return decode(answer, text)
    except ValueError as error:
        raise Breach(tool.name, f"the text is not {answer.format}: {error}") from error


def _unstructured(tool: PreparedTool) -> Breach:
    told = f"Tool {tool.name} has an output schema but no structured content was provided"
    return Breach(tool.name, "the tool states an outputSchema, and the answer is text", told)
