"""Record lines made of what was observed: the shape of real calls, and nothing that was in them."""

from collections.abc import Iterator
from typing import Any

import orjson

from evalsim.contract.answer import Answer
from evalsim.contract.encode import encode, text_result
from evalsim.contract.masked import HIDDEN
from evalsim.contract.observed import MASKED
from evalsim.types import Json, JsonObject, is_object

_TEXTS = {
    "date-time": "2000-01-01T00:00:00Z",
    "date": "2000-01-01",
    "uuid": "00000000-0000-0000-0000-000000000000",
    "uri": "https://example.test/",
    "email": "someone@example.test",
}
_SCALARS: dict[str, Json] = {"boolean": False, "integer": 0, "null": None, "number": 0.5}
_ORDER = ("object", "array", "string", "number", "integer", "boolean", "null")


def example_lines(id_: str, document: JsonObject) -> Iterator[str]:
    """A record line for each way a tool, operation or request was answered, in order of name."""
    for name, entry in document.get("tools", {}).items():
        args = instance_of(entry.get("arguments", {"type": "object"}))
        for seen in (entry, *entry.get("operations", {}).values()):
            if "answer" in seen:
                yield _tool_line(id_, name, args, _result(seen["answer"]))
        for error in entry.get("errors", []):
            yield _tool_line(id_, name, args, _error(error))
    for name, entry in document.get("operations", {}).items():
        for status, seen in entry["responses"].items():
            response = {"status": _status(status), "body": _body(seen["answer"])}
            yield _line(
                {
                    "server": id_,
                    "operation": name,
                    "request": instance_of(entry["arguments"]),
                    "response": response,
                }
            )


def instance_of(schema: Json) -> Json:
    """A value of an observed schema, made of placeholders."""
    types: Json = schema.get("type", []) if is_object(schema) else []
    kind = next((t for t in _ORDER if t == types or t in types), None)
    if kind == "object":
        return _object(schema)
    if kind == "array":
        return [instance_of(schema["items"])] if "items" in schema else []
    if kind == "string":
        return _TEXTS.get(schema.get("format", ""), HIDDEN)
    return _SCALARS.get(kind or "null")


def _object(schema: JsonObject) -> JsonObject:
    found = {name: instance_of(item) for name, item in schema.get("properties", {}).items()}
    return {**found, HIDDEN: instance_of(schema[MASKED])} if MASKED in schema else found


def _result(answer: JsonObject) -> Any:
    value = instance_of(answer.get("schema", {}))
    declared = Answer(
        answer["format"] if answer["format"] != "mixed" else "text",
        prefix=_one(answer, "prefix", "prefixes"),
        suffix=_one(answer, "suffix", "suffixes"),
        indent=answer.get("indent"),
        structured=answer.get("structured", False),
    )
    if declared.format == "content":
        return orjson.Fragment(b'{"content":[]}')
    if declared.format == "text":
        return _written(text_result(declared.prefix + HIDDEN))
    return _written(encode(declared, value))


def _written(result: bytes) -> orjson.Fragment:
    """A result as it is; orjson takes bytes themselves alone, and no subclass of theirs."""
    return orjson.Fragment(bytes(result))


def _one(answer: JsonObject, one: str, several: str) -> str:
    text = answer[several][0] if several in answer else answer.get(one, "")
    assert isinstance(text, str)
    return text


def _error(error: JsonObject) -> Any:
    if "code" in error:
        return {"error": {"code": error["code"], "message": error["message"]}}
    return _written(text_result(error["message"], is_error=True))


def _body(answer: JsonObject) -> Json:
    return instance_of(answer["schema"]) if answer["format"] == "json" else HIDDEN


def _status(status: str) -> int:
    return int(status) if status.isdigit() else 200


def _tool_line(id_: str, tool: str, args: Json, result: Any) -> str:
    return _line({"server": id_, "tool": tool, "args": args, "result": result})


def _line(value: JsonObject) -> str:
    return orjson.dumps(value).decode()
