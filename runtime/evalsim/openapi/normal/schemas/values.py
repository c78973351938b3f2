"""Whether the values a schema gives fit the schema, as far as its type and enum say."""

from collections.abc import Callable
from math import isfinite

from evalsim.openapi.normal.notes import Notes, Place, below
from evalsim.openapi.normal.schemas.keywords import numeric
from evalsim.types import Json, JsonObject, is_array


def _is_number(value: Json) -> bool:
    if isinstance(value, float):
        return isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


_IS: dict[str, Callable[[Json], bool]] = {
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: _is_number(value) and value == int(value),
    "null": lambda value: value is None,
    "number": _is_number,
    "object": lambda value: isinstance(value, dict),
    "string": lambda value: isinstance(value, str),
}


def fit_values(schema: JsonObject, notes: Notes, at: Place) -> None:
    """Mend or drop the enum, default and example of a schema that is ours to change."""
    types = schema.get("type")
    names: list[str] = types if is_array(types) else [types] if isinstance(types, str) else []
    if "enum" in schema and names:
        _fit_enum(schema, names, notes, at)
    if "default" in schema:
        _fit_default(schema, names, notes, at)
    if "example" in schema and not _allowed(schema["example"], names, schema):
        notes.add(below(at, "example"), "An example that its own schema refuses: left out.")
        del schema["example"]


def unfit(schema: JsonObject) -> bool:
    """Whether `fit_values` would find anything to do."""
    types = schema.get("type")
    names: list[str] = types if is_array(types) else [types] if isinstance(types, str) else []
    enum = schema.get("enum")
    if enum is not None and names and not any(_typed(item, names) for item in enum):
        return True
    if "default" in schema and not _allowed(schema["default"], names, schema):
        return True
    return "example" in schema and not _allowed(schema["example"], names, schema)


def _fit_enum(schema: JsonObject, names: list[str], notes: Notes, at: Place) -> None:
    enum = schema["enum"]
    if any(_typed(item, names) for item in enum):
        return
    meant = [_as_meant(item, names) for item in enum]
    if all(item is not None for item in meant):
        notes.add(below(at, "enum"), "An enum of another type than its schema: read as that type.")
        schema["enum"] = [item[0] for item in meant if item is not None]
    else:
        notes.add(below(at, "enum"), "An enum none of whose values its type allows: left out.")
        del schema["enum"]


def _fit_default(schema: JsonObject, names: list[str], notes: Notes, at: Place) -> None:
    value = schema["default"]
    if _allowed(value, names, schema):
        return
    meant = _as_meant(value, names)
    if meant is not None and _allowed(meant[0], names, schema):
        notes.add(below(at, "default"), "A default of another type than its schema: read as that.")
        schema["default"] = meant[0]
    else:
        notes.add(below(at, "default"), "A default that its own schema refuses: left out.")
        del schema["default"]


def _allowed(value: Json, names: list[str], schema: JsonObject) -> bool:
    if names and not _typed(value, names):
        return False
    enum = schema.get("enum")
    return not is_array(enum) or value in enum


def _typed(value: Json, names: list[str]) -> bool:
    return any(_IS[name](value) for name in names if name in _IS)


def _as_meant(value: Json, names: list[str]) -> tuple[Json] | None:
    """The scalar that `value` was meant to be, in a tuple of one; None when no type here fits."""
    for name in names:
        if name in ("integer", "number") and isinstance(value, str):
            found = numeric(value.strip())
            if found is not None and _IS[name](found):
                return (found,)
        elif name == "boolean" and isinstance(value, str) and value.lower() in ("true", "false"):
            return (value.lower() == "true",)
        elif name == "string" and isinstance(value, bool):
            return (str(value).lower(),)
        elif name == "string" and isinstance(value, int | float):
            return (str(value),)
    return None
