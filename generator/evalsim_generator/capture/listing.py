"""What of a captured tool keeps clients from listing it, and every tool beside it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from evalsim.types import Json, JsonObject, is_array, is_object

Clients: TypeAlias = Literal[
    "every official client",
    "a client of the protocol 2025-11-25 or earlier",
    "the official TypeScript client",
]

_FIELDS = {
    "title": str,
    "description": str,
    "icons": list,
    "annotations": dict,
    "execution": dict,
    "_meta": dict,
}
_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_KINDS = {str: "a string", list: "a list", dict: "an object", bool: "true or false"}


@dataclass(frozen=True, slots=True)
class Unlistable:
    """A field that `clients` do not accept; they then refuse the whole `tools/list`."""

    clients: Clients
    field: str
    what: str


def unlistable(tool: JsonObject) -> Iterator[Unlistable]:
    """What is wrong with a captured entry of `tools/list` for some clients."""
    yield from _input_faults(tool)
    yield from _output_faults(tool)
    for name, kind in _FIELDS.items():
        yield from _misfit(name, tool, name, kind)
    annotations = tool.get("annotations")
    if is_object(annotations):
        for name in _HINTS:
            yield from _misfit(f"annotations.{name}", annotations, name, bool)
    icons = tool.get("icons")
    for index, icon in enumerate(icons if is_array(icons) else ()):
        if not is_object(icon) or not isinstance(icon.get("src"), str):
            yield Unlistable("every official client", f"icons[{index}]", "has no src")


def _input_faults(tool: JsonObject) -> Iterator[Unlistable]:
    schema = tool.get("inputSchema")
    if "inputSchema" not in tool:
        yield Unlistable("every official client", "inputSchema", "is missing")
    elif not is_object(schema):
        yield Unlistable("every official client", "inputSchema", "is not an object")
    elif schema.get("type") != "object":
        yield Unlistable("every official client", "inputSchema", _type(schema))
    else:
        yield from _property_faults("inputSchema", schema)


def _output_faults(tool: JsonObject) -> Iterator[Unlistable]:
    schema = tool.get("outputSchema", {"type": "object"})
    if schema is None:
        yield Unlistable("the official TypeScript client", "outputSchema", "is null")
    elif not is_object(schema):
        yield Unlistable("every official client", "outputSchema", "is not an object")
    elif schema.get("type") != "object":
        clients: Clients = "a client of the protocol 2025-11-25 or earlier"
        yield Unlistable(clients, "outputSchema", _type(schema))
    else:
        yield from _property_faults("outputSchema", schema)


def _type(schema: JsonObject) -> str:
    return f"has the type {schema['type']!r}, not 'object'" if "type" in schema else "has no type"


def _property_faults(field: str, schema: JsonObject) -> Iterator[Unlistable]:
    properties = schema.get("properties")
    for name, value in properties.items() if is_object(properties) else ():
        if isinstance(value, bool):
            what = f"has the property {name!r} with a schema that is {str(value).lower()}"
            yield Unlistable("the official TypeScript client", field, what)


def _misfit(field: str, holder: JsonObject, key: str, kind: type) -> Iterator[Unlistable]:
    value: Json = holder.get(key, kind())
    if value is None:
        yield Unlistable("the official TypeScript client", field, "is null")
    elif not isinstance(value, kind):
        clients: Clients = (
            "the official TypeScript client" if kind is bool else "every official client"
        )
        yield Unlistable(clients, field, f"is not {_KINDS[kind]}")
