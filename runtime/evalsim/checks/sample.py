"""A value that a schema accepts, made of the least it asks for, where one is easily found."""

from evalsim.gate.document import Document
from evalsim.gate.keywords import types_of
from evalsim.types import Json, JsonObject, is_array

_DEPTH = 8
_OPTIONAL_DEPTH = 3
_FORMATS = {
    "date": "2026-10-01",
    "date-time": "2026-10-01T09:00:00Z",
    "time": "09:00:00Z",
    "duration": "P1D",
    "email": "someone@example.test",
    "hostname": "example.test",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.test/",
    "uri-reference": "/",
    "url": "https://example.test/",
    "uuid": "00000000-0000-4000-8000-000000000000",
}


def sample(document: Document, schema: Json, depth: int = 0, *, optional: bool = False) -> Json:
    """A value for `schema`; often accepted by it, which only its gate can tell.

    Objects have the members they must have, with `optional` all that are declared.
    """
    parts = list(document.conjuncts(schema))
    for part in parts:
        for keyword in ("anyOf", "oneOf"):
            if is_array(part.get(keyword)) and part[keyword] and depth < _DEPTH:
                parts += document.conjuncts(part[keyword][0])
    merged: JsonObject = {}
    for part in parts:
        merged = {**part, **merged}
    for keyword in ("const", "default"):
        if keyword in merged:
            return merged[keyword]
    for keyword in ("enum", "examples"):
        if is_array(merged.get(keyword)) and merged[keyword]:
            return merged[keyword][0]
    types = types_of(merged)
    kind = next(iter(types), "object" if "properties" in merged else "string")
    if kind == "object":
        return _object(document, parts, depth, optional)
    if kind == "array":
        count = merged.get("minItems", 0) if depth < _DEPTH else 0
        item = merged.get("items", True)
        return [sample(document, item, depth + 1, optional=optional)] * min(int(count), 10)
    return _scalar(kind, merged)


def _object(document: Document, parts: list[JsonObject], depth: int, optional: bool) -> JsonObject:
    names = {name: True for part in parts for name in part.get("required", ())}
    if optional and depth < _OPTIONAL_DEPTH:
        names |= {name: True for part in parts for name in part.get("properties", ())}
    found: JsonObject = {}
    for name in names if depth < _DEPTH else ():
        schemas = (part["properties"] for part in parts if name in part.get("properties", {}))
        schema = next(schemas, {name: True})[name]
        found[name] = sample(document, schema, depth + 1, optional=optional)
    return found


def _scalar(kind: str, schema: JsonObject) -> Json:
    if kind == "string":
        text = _FORMATS.get(schema.get("format", ""), "text")
        return text.ljust(schema.get("minLength", 0), "x")[: schema.get("maxLength")]
    if kind in ("integer", "number"):
        bounds = ("minimum", "exclusiveMinimum", "maximum")
        least: Json = next((schema[bound] for bound in bounds if bound in schema), 1)
        step: Json = schema.get("multipleOf", 1)
        return step * -(-least // step) + (step if "exclusiveMinimum" in schema else 0)
    return {"boolean": True, "null": None}.get(kind)
