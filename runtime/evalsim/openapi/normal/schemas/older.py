"""Keywords that older drafts wrote otherwise, in the words of 2020-12."""

from evalsim.openapi.normal.notes import Notes, Place, below
from evalsim.types import JsonObject, is_array, is_object

OLDER = frozenset(
    {
        "additionalItems",
        "dependencies",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "items",
        "properties",
        "type",
    }
)
"""Keywords that may have to be said otherwise."""
_BINARY = "application/octet-stream"


def as_newer(notes: Notes, given: JsonObject, now: JsonObject, at: Place) -> JsonObject:
    """The schema `now`, made of `given`, without older ways of writing."""
    changed: JsonObject | None = None
    if type(now.get("exclusiveMinimum")) is bool or type(now.get("exclusiveMaximum")) is bool:
        changed = dict(now)
        _limits(changed, notes, at)
    if now.get("format") == "binary" or _is_file(now.get("type")):
        changed = changed or dict(now)
        _bytes(changed)
    if is_array(now.get("items")) or "additionalItems" in now:
        changed = changed or dict(now)
        _tuples(changed)
    if "dependencies" in now:
        changed = changed or dict(now)
        _dependencies(changed)
    flagged = _flagged(given.get("properties"))
    if flagged:
        changed = changed or dict(now)
        listed = changed.get("required", [])
        changed["required"] = list(dict.fromkeys([*listed, *flagged]))
    return now if changed is None else changed


def _limits(schema: JsonObject, notes: Notes, at: Place) -> None:
    """A flag beside a limit says that the limit itself is out; alone it says nothing."""
    for flag, limit in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if type(schema.get(flag)) is bool:
            if not schema.pop(flag):
                continue
            if limit in schema:
                schema[flag] = schema.pop(limit)
            else:
                notes.add(below(at, flag), f"`{flag}` without `{limit}`: left out.")


def _is_file(types: object) -> bool:
    return types == "file" or (isinstance(types, list) and "file" in types)


def _bytes(schema: JsonObject) -> None:
    """Bytes are text of a media type of their own."""
    if _is_file(schema.get("type")):
        schema["type"] = "string"
    if schema.get("format") == "binary":
        del schema["format"]
    if "contentEncoding" not in schema:
        schema.setdefault("contentMediaType", _BINARY)


def _tuples(schema: JsonObject) -> None:
    """Schemas by position, and one for the rest."""
    rest = schema.pop("additionalItems", None)
    if is_array(schema.get("items")):
        schema.setdefault("prefixItems", schema.pop("items"))
        if rest is not None:
            schema["items"] = rest


def _dependencies(schema: JsonObject) -> None:
    names: JsonObject = dict(schema.get("dependentRequired") or {})
    schemas: JsonObject = dict(schema.get("dependentSchemas") or {})
    for name, needed in schema.pop("dependencies").items():
        (names if is_array(needed) else schemas).setdefault(name, needed)
    if names:
        schema["dependentRequired"] = names
    if schemas:
        schema["dependentSchemas"] = schemas


def _flagged(properties: object) -> list[str]:
    """Names of properties that say of themselves that they are required, as draft 3 did."""
    if not is_object(properties):
        return []
    return [
        name
        for name, inner in properties.items()
        if is_object(inner) and inner.get("required") is True
    ]
