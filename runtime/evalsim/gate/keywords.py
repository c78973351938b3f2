"""Where a JSON Schema holds other schemas, and how a place in it is written."""

from collections.abc import Container, Iterator
from typing import TypeAlias

from evalsim.gate.values import is_array, is_object
from evalsim.types import Json, JsonObject

Step: TypeAlias = str | int

HOLDS_ONE = frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "contains",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
HOLDS_LIST = frozenset({"allOf", "anyOf", "items", "oneOf", "prefixItems"})
HOLDS_MAP = frozenset({"dependencies", "dependentSchemas", "patternProperties", "properties"})
IN_PLACE = frozenset(
    {"allOf", "anyOf", "dependencies", "dependentSchemas", "else", "if", "not", "oneOf", "then"}
)
"""Keywords whose schemas look at the same value as the schema that has them."""
REFERENCES = ("$dynamicRef", "$recursiveRef", "$ref")
"""The keywords that name another schema, in ajv's order."""
OF_PARTS = frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "items",
        "patternProperties",
        "prefixItems",
        "properties",
    }
)
"""Keywords whose schemas say what the members or items of a value are to be."""


def subschemas(
    schema: JsonObject, ignored: Container[str] = ()
) -> Iterator[tuple[tuple[Step, ...], Json]]:
    """Each schema directly inside `schema` that takes part in validation, with the steps to it.

    Definitions take part only where a reference names them, so they are not among these; nor is
    what stands under the `ignored` keywords.
    """
    for keyword, value in schema.items():
        if keyword in ignored:
            continue
        if is_array(value) and keyword in HOLDS_LIST:
            for index, item in enumerate(value):
                yield (keyword, index), item
        elif is_object(value) and keyword in HOLDS_MAP:
            for name, item in value.items():
                if isinstance(item, dict | bool):
                    yield (keyword, name), item
        elif isinstance(value, dict | bool) and keyword in HOLDS_ONE:
            yield (keyword,), value


def pointer(base: str, *steps: Step) -> str:
    """`base` extended by steps, escaped as a JSON pointer."""
    return base + "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def types_of(schema: JsonObject) -> list[str]:
    """The types a schema names, with null where OpenAPI's `nullable` adds it; empty for any."""
    declared = schema.get("type", [])
    types: list[str] = [declared] if isinstance(declared, str) else list(declared)
    if types and schema.get("nullable") is True and "null" not in types:
        types.append("null")
    return types
