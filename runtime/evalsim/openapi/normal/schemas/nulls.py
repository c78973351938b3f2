"""`nullable`, in the words of 2020-12: null is one more thing that the schema accepts."""

from evalsim.types import Json, JsonObject, is_array

COMPOSING = frozenset(
    {"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "const"}
)
"""Keywords that judge null too, whatever `type` says."""
_OUTSIDE = frozenset(
    {
        "title", "description", "default", "example", "examples", "deprecated", "readOnly",
        "writeOnly", "externalDocs", "xml", "$comment",
    }
)  # fmt: skip
"""Annotations: of the whole, not of what may be null."""
_NULL: JsonObject = {"type": "null"}


def with_null(schema: JsonObject) -> JsonObject:
    """The schema, which accepts null beside what it accepts.

    3.0.3 says that `nullable` needs a `type` beside it; every description that writes it beside a
    reference or an allOf means null all the same, and so do the answers of its API.
    """
    composing = {key for key in schema if key in COMPOSING}
    if not composing:
        return _with_null_type(schema)
    if composing == {"anyOf"} and "type" not in schema and "enum" not in schema:
        branches = schema["anyOf"]
        if is_array(branches):
            more = branches if _NULL in branches else [*branches, dict(_NULL)]
            return {**schema, "anyOf": more}
    outside = {key: item for key, item in schema.items() if _is_outside(key)}
    inside = {key: item for key, item in schema.items() if not _is_outside(key)}
    return {**outside, "anyOf": [inside, dict(_NULL)]}


def _is_outside(key: str) -> bool:
    return key in _OUTSIDE or key.startswith("x-")


def _with_null_type(schema: JsonObject) -> JsonObject:
    changed: JsonObject = dict(schema)
    types = schema.get("type")
    if types is not None:
        names: list[Json] = types if is_array(types) else [types]
        changed["type"] = names if "null" in names else [*names, "null"]
    enum = schema.get("enum")
    if is_array(enum) and None not in enum:
        changed["enum"] = [*enum, None]
    return changed
