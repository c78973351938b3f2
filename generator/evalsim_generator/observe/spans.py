"""Tool calls in OpenTelemetry traces, by the semantic conventions for GenAI and MCP.

Read are spans whose `gen_ai.operation.name` is `execute_tool`, or whose `mcp.method.name` is
`tools/call`, with `gen_ai.tool.name` and the opt-in attributes `gen_ai.tool.call.arguments` and
`gen_ai.tool.call.result`: structured, or as JSON text. A line is one span as an SDK writes it
(`{"name", "attributes": {…}}`), or an OTLP request (`{"resourceSpans": […]}`), or one of its spans.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import orjson

from evalsim.types import Json, JsonObject, is_array, is_object

_FAILED = (2, "2", "ERROR", "STATUS_CODE_ERROR")


@dataclass(frozen=True, slots=True)
class Span:
    """One tool call as traced; `result` is a CallToolResult, None where it was not traced."""

    tool: str | None
    arguments: Json
    result: JsonObject | None


def is_traced(line: JsonObject) -> bool:
    """Whether a line is a span, or holds spans."""
    if "tool" in line or "operation" in line:
        return False
    return "resourceSpans" in line or "attributes" in line


def tool_spans(line: JsonObject) -> Iterator[Span]:
    """The tool calls that a traced line holds."""
    for span in _spans(line):
        attributes = _attributes(span.get("attributes"))
        is_tool = attributes.get("gen_ai.operation.name") == "execute_tool"
        if is_tool or attributes.get("mcp.method.name") == "tools/call":
            yield _tool_span(attributes, _failed(span, attributes))


def _tool_span(attributes: JsonObject, failed: bool) -> Span:
    tool = attributes.get("gen_ai.tool.name")
    arguments = _parsed(attributes.get("gen_ai.tool.call.arguments"))
    result = None
    if "gen_ai.tool.call.result" in attributes:
        result = _result(attributes["gen_ai.tool.call.result"], failed)
    return Span(
        tool if isinstance(tool, str) else None, {} if arguments is None else arguments, result
    )


def _spans(line: JsonObject) -> Iterator[JsonObject]:
    if "resourceSpans" not in line:
        yield line
    for resource in _objects(line.get("resourceSpans")):
        for scope in _objects(resource.get("scopeSpans")):
            yield from _objects(scope.get("spans"))


def _objects(value: Json) -> Iterator[JsonObject]:
    yield from (item for item in (value if is_array(value) else ()) if is_object(item))


def _failed(span: JsonObject, attributes: JsonObject) -> bool:
    status = span.get("status")
    code = status.get("code", status.get("status_code")) if is_object(status) else status
    return "error.type" in attributes or code in _FAILED


def _attributes(value: Json) -> JsonObject:
    """Attributes by name: an object of an SDK, or the key-value list of OTLP."""
    if is_object(value):
        return value
    return {
        item["key"]: _any_value(item.get("value"))
        for item in _objects(value)
        if isinstance(item.get("key"), str)
    }


def _any_value(value: Json) -> Json:
    """The value of an OTLP AnyValue; 64-bit integers are text there."""
    match value:
        case {"stringValue": text}:
            return text
        case {"boolValue": bool() as truth}:
            return truth
        case {"intValue": str() | int() as number}:
            return _integer(number)
        case {"doubleValue": number}:
            return number
        case {"arrayValue": array}:
            items = array.get("values") if is_object(array) else None
            return [_any_value(item) for item in (items if is_array(items) else ())]
        case {"kvlistValue": pairs}:
            return _attributes(pairs.get("values") if is_object(pairs) else None)
        case _:
            return None


def _integer(number: str | int) -> Json:
    try:
        return int(number)
    except ValueError:
        return None


def _parsed(value: Json) -> Json:
    """An attribute's value, which may be JSON text; other text is itself."""
    if not isinstance(value, str):
        return value
    try:
        return orjson.loads(value)
    except ValueError:
        return value


def _result(value: Json, failed: bool) -> JsonObject:
    """A traced result as a CallToolResult: it may be one, or its text, or what that says."""
    parsed = _parsed(value)
    if is_object(parsed) and is_array(parsed.get("content")):
        return parsed
    text = value if isinstance(value, str) else orjson.dumps(value).decode()
    return {"content": [{"type": "text", "text": text}], "isError": failed}
