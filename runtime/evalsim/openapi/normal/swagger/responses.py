"""Responses of 2.0: one schema for all that an operation produces."""

from evalsim.openapi.normal.notes import Place, below
from evalsim.openapi.normal.styles import OF_A_SCHEMA
from evalsim.openapi.normal.swagger.parameters import without_collections
from evalsim.openapi.normal.swagger.source import JSON, OCTETS, Source
from evalsim.types import Json, JsonObject, is_object


def response(source: Source, value: Json, produces: list[str] | None, at: Place) -> Json:
    """A response with its schema and examples by media type."""
    if not is_object(value) or "$ref" in value:
        return value
    made = {
        key: item for key, item in value.items() if key not in ("schema", "examples", "headers")
    }
    if "headers" in value:
        made["headers"] = _headers(source, value["headers"], below(at, "headers"))
    examples = value.get("examples")
    if "examples" in value and not is_object(examples):
        source.notes.add(below(at, "examples"), "`examples` is no object: left out.")
    by_type: JsonObject = examples if is_object(examples) else {}
    if "schema" in value:
        made["content"] = _content(source, value["schema"], by_type, produces, at)
    elif by_type:
        made["content"] = {name: {"example": item} for name, item in by_type.items()}
    return made


def _content(
    source: Source, schema: Json, examples: JsonObject, produces: list[str] | None, at: Place
) -> JsonObject:
    names = produces
    if names is None:
        typed = [name for name in examples if "/" in name]
        names = typed or [OCTETS if _is_file(schema) else JSON]
    content: JsonObject = {}
    for name in names:
        content[name] = {"schema": schema}
        if name in examples:
            content[name]["example"] = examples[name]
        source.moved(at, below(at, "schema"), "content", name, "schema")
    for name in examples:
        if name not in content:
            said = "An example in a media type that is not produced: left out."
            source.notes.add(below(at, "examples", name), said)
    return content


def _is_file(schema: Json) -> bool:
    return is_object(schema) and schema.get("type") == "file"


def _headers(source: Source, value: Json, at: Place) -> Json:
    if not is_object(value):
        return value
    return {name: _header(source, item, below(at, name)) for name, item in value.items()}


def _header(source: Source, value: Json, at: Place) -> Json:
    """A header, its type in a schema; lists are written with commas in either version."""
    if not is_object(value) or "$ref" in value or "schema" in value:
        return value
    schema = {key: item for key, item in value.items() if key in OF_A_SCHEMA}
    rest = {
        key: item
        for key, item in value.items()
        if key not in OF_A_SCHEMA and key != "collectionFormat"
    }
    return {**rest, "schema": without_collections(source, schema, at)}
