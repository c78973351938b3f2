"""The calls that a recorded line holds, whichever way they were recorded."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from evalsim.types import Json, JsonObject, is_object
from evalsim_generator.observe.spans import Span, is_traced, tool_spans


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool: what was sent, and the CallToolResult (or `{"error": …}`) that came back.

    `server` is None where the recording does not say; `result` is None where it was not recorded.
    """

    server: str | None
    tool: str
    args: JsonObject
    result: JsonObject | None


@dataclass(frozen=True, slots=True)
class ApiCall:
    """A request to an API's operation, and its response."""

    server: str | None
    operation: str
    request: JsonObject
    response: JsonObject


Call: TypeAlias = ToolCall | ApiCall


class NotACall(ValueError):
    """A line that is JSON and records nothing; `str()` says why."""


def calls_of(line: Json) -> Iterator[Call]:
    """The calls in one recorded line; none for a span of something else.

    Raises `NotACall` for what is neither a record line nor spans.
    """
    if not is_object(line):
        raise NotACall("it is no object")
    if is_traced(line):
        yield from (_traced_call(span) for span in tool_spans(line))
    elif "tool" in line:
        yield _tool_call(line)
    elif "operation" in line:
        yield _api_call(line)
    else:
        raise NotACall("it is neither a record line nor a span")


def _tool_call(line: JsonObject) -> ToolCall:
    tool, args, result = line["tool"], line.get("args"), line.get("result")
    if not isinstance(tool, str):
        raise NotACall("its tool is no text")
    if args is not None and not is_object(args):
        raise NotACall("its args are no object")
    if not is_object(result):
        raise NotACall("it has no result")
    return ToolCall(_server(line), tool, args or {}, result)


def _api_call(line: JsonObject) -> ApiCall:
    operation, request, response = line["operation"], line.get("request"), line.get("response")
    if not isinstance(operation, str):
        raise NotACall("its operation is no text")
    if not is_object(request) or not is_object(response):
        raise NotACall("it has no request and response")
    return ApiCall(_server(line), operation, request, response)


def _server(line: JsonObject) -> str | None:
    server = line.get("server")
    if server is not None and not isinstance(server, str):
        raise NotACall("its server is no text")
    return server


def _traced_call(span: Span) -> ToolCall:
    if span.tool is None:
        raise NotACall("its span of a tool call has no gen_ai.tool.name")
    if not is_object(span.arguments):
        raise NotACall("the arguments of its span are no object")
    return ToolCall(None, span.tool, span.arguments, span.result)
