"""A judge of schemas as Swagger 2.0 and OpenAPI 3.0 mean them, written from their text alone."""

from collections.abc import Mapping

from evalsim.types import Json, is_array, is_object

_IS = {
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: _is_number(value) and value == int(value),
    "null": lambda value: value is None,
    "number": lambda value: _is_number(value),  # noqa: PLW0108  it is defined below
    "object": lambda value: isinstance(value, dict),
    "string": lambda value: isinstance(value, str),
}


def accepts(schema: Json, value: Json, named: Mapping[str, Json], hops: int = 0) -> bool:
    """Whether the schema accepts the value; `named` are the schemas that references name.

    Beside a reference nothing counts but `nullable`, and `nullable` always lets null in. A
    reference that only leads on to itself accepts anything.
    """
    if isinstance(schema, bool):
        return schema
    if value is None and schema.get("nullable") is True:
        return True
    if "$ref" in schema:
        target = named.get(schema["$ref"].rpartition("/")[2])
        if target is None or hops > 50:
            return True
        return accepts(target, value, named, hops + 1)
    return all(
        rule(schema, value, named)
        for rule in (_scalars, _numbers, _texts, _lists, _objects, _combinations)
    )


def _scalars(schema: Json, value: Json, _: Mapping[str, Json]) -> bool:
    types = schema.get("type", [])
    names = types if is_array(types) else [types]
    if names and not any(_IS[name](value) for name in names):
        return False
    return "enum" not in schema or any(_same(value, item) for item in schema["enum"])


def _numbers(schema: Json, value: Json, _: Mapping[str, Json]) -> bool:
    if not _is_number(value):
        return True
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and (value <= low if schema.get("exclusiveMinimum") else value < low):
        return False
    if high is None:
        return True
    return bool(value < high if schema.get("exclusiveMaximum") else value <= high)


def _texts(schema: Json, value: Json, _: Mapping[str, Json]) -> bool:
    if not isinstance(value, str):
        return True
    return schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value))


def _lists(schema: Json, value: Json, named: Mapping[str, Json]) -> bool:
    if not is_array(value):
        return True
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        return False
    items = schema.get("items", True)
    rest = schema.get("additionalItems", True) if is_array(items) else items
    first = items if is_array(items) else []
    pairs = [*zip(first, value, strict=False), *((rest, item) for item in value[len(first) :])]
    return all(accepts(inner, item, named) for inner, item in pairs)


def _objects(schema: Json, value: Json, named: Mapping[str, Json]) -> bool:
    if not is_object(value):
        return True
    known, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
    held = all(accepts(known.get(name, rest), item, named) for name, item in value.items())
    return held and all(name in value for name in schema.get("required", []))


def _combinations(schema: Json, value: Json, named: Mapping[str, Json]) -> bool:
    verdicts = {
        keyword: [accepts(inner, value, named) for inner in schema[keyword]]
        for keyword in ("allOf", "anyOf", "oneOf")
        if keyword in schema
    }
    if "not" in schema and accepts(schema["not"], value, named):
        return False
    return (
        all(verdicts.get("allOf", [True]))
        and any(verdicts.get("anyOf", [True]))
        and sum(verdicts.get("oneOf", [True])) == 1
    )


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(one: Json, other: Json) -> bool:
    return type(one) is type(other) and bool(one == other)
