"""What tools take and answer, read from wherever that is said, as JSON Schemas."""

import inspect
from collections.abc import Iterable, Mapping
from typing import Any, cast, get_type_hints

from evalsim.stubs.errors import StubError, refuse_other
from evalsim.stubs.stub import CALL_KINDS
from evalsim.stubs.tool import ToolSchema, ToolSchemas
from evalsim.stubs.values import class_of, is_mapping
from evalsim.types import Json

_INPUT = ("inputSchema", "input_schema", "parameters", "params_json_schema", "args_schema")
_OUTPUT = ("outputSchema", "output_schema")
_UNTYPED = (inspect.Signature.empty, None)


def read_tools(source: object) -> ToolSchemas:
    """The tools of a source, by kind and name; raises `StubError` for what says nothing of a tool.

    A source is a `tools/list` result, a list of tools, or a mapping of names to tools. A tool is a
    definition as MCP or OpenAI have it, a `ToolSchema`, an SDK's tool object or a function; in a
    mapping also the JSON Schema or the type of what it answers.
    """
    if is_mapping(source) and isinstance(source.get("tools"), list | tuple):
        source = source["tools"]
    if is_mapping(source):
        read = [_named(str(name), item) for name, item in source.items()]
    elif hasattr(source, "__iter__") and not isinstance(source, str | bytes):
        items = cast("Iterable[object]", source)
        read = [_tool(item, f"tools[{i}]") for i, item in enumerate(items)]
    else:
        raise StubError(
            f"tools is {source!r}; it is a list of tools, or a mapping of names to them."
        )
    return {(tool.kind, tool.name): tool for tool in read}


def _named(name: str, item: Any) -> ToolSchema:
    if is_mapping(item) and not any(key in item for key in (*_INPUT, *_OUTPUT, "function")):
        return ToolSchema(name, None, dict(item))
    if is_mapping(item):
        return _tool({**item, "name": name}, f"tools[{name!r}]")
    if inspect.isroutine(item) or (hasattr(item, "name") and not isinstance(item, type)):
        tool = _tool(item, f"tools[{name!r}]")
        return ToolSchema(name, tool.input_schema, tool.output_schema, tool.kind)
    return ToolSchema(name, None, _type_schema(item, f"tools[{name!r}]"))


def _tool(item: Any, where: str) -> ToolSchema:
    if isinstance(item, ToolSchema):
        return item
    if is_mapping(item):
        return _definition(item, where)
    if inspect.isroutine(item):
        return _function(item, where)
    name: object = getattr(item, "name", None)
    if not isinstance(name, str):
        raise StubError(f"{where} is {item!r}, which says nothing of a tool.")
    members = {key: getattr(item, key) for key in (*_INPUT, *_OUTPUT) if hasattr(item, key)}
    return _definition({"name": name, **members}, where)


def _definition(item: Mapping[Any, Any], where: str) -> ToolSchema:
    inner: object = item.get("function")
    if item.get("type") == "function" and is_mapping(inner):
        item = inner
    name = item.get("name")
    if not isinstance(name, str) or not name:
        raise StubError(f"{where} has no name.")
    kind = item.get("kind", "tool")
    refuse_other(f"{where}: kind", kind, CALL_KINDS)
    given, answered = (
        next((item[key] for key in keys if item.get(key) is not None), None)
        for keys in (_INPUT, _OUTPUT)
    )
    return ToolSchema(name, _schema(given, where), _schema(answered, where), kind)


def _schema(said: Any, where: str) -> Json:
    """A schema, or that of a type that stands in its place."""
    if said is None or isinstance(said, bool):
        return said
    return dict(said) if is_mapping(said) else _type_schema(said, where)


def _type_schema(kind: Any, where: str) -> Json:
    from pydantic import TypeAdapter  # noqa: PLC0415  takes long, and few ask for it

    try:
        return TypeAdapter(kind).json_schema(by_alias=True, mode="serialization")
    except Exception as error:
        told = f"{where}: {kind!r} cannot be described as JSON Schema"
        raise StubError(f"{told} ({_first_line(error)}); give its schema.") from error


def _function(function: Any, where: str) -> ToolSchema:
    """The schemas of a function's parameters and of what it returns."""
    from pydantic import ConfigDict, create_model  # noqa: PLC0415

    try:
        hints = get_type_hints(function, include_extras=True)
        fields: dict[str, Any] = {
            name: (hints.get(name, Any), ... if part.default is part.empty else part.default)
            for name, part in inspect.signature(function).parameters.items()
            if part.kind not in (part.VAR_POSITIONAL, part.VAR_KEYWORD)
        }
        config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)
        model = create_model(function.__name__, __config__=config, **fields)
        taken = model.model_json_schema(by_alias=True)
    except Exception as error:
        told = f"{where}: {function.__name__}() cannot be described as JSON Schema"
        raise StubError(f"{told} ({_first_line(error)}); give its schema.") from error
    returned = hints.get("return", inspect.Signature.empty)
    answered = None if _is_stream(function) or returned in _UNTYPED else returned
    schema = None if answered is None else _type_schema(answered, where)
    return ToolSchema(function.__name__, taken, schema)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__


def _is_stream(function: object) -> bool:
    return inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function)


def plain(value: Any) -> Json:
    """An output as the JSON that a schema is about; raises `StubError` for what is no JSON.

    Of an MCP result that is its structured content.
    """
    for name in ("structured_content", "structuredContent"):
        if (held := getattr(value, name, None)) is not None:
            return held
    if class_of(value) in (str, int, bool, type(None)):
        return value
    from pydantic_core import to_jsonable_python  # noqa: PLC0415

    try:
        return to_jsonable_python(value, by_alias=True)
    except Exception as error:
        raise StubError(f"{value!r} is no JSON ({error}).") from error
