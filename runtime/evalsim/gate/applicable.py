"""Which schemas hold for one value, and which for its members and items."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from evalsim.gate.document import Document
from evalsim.gate.values import is_array, is_object
from evalsim.types import Json, JsonObject

Fits: TypeAlias = Callable[[Json, Json], bool]
"""Whether a schema accepts a value."""

Choose: TypeAlias = Callable[[Sequence[Json], Json], Sequence[Json]]
"""Of the alternatives in an anyOf or oneOf, those taken to hold for a value."""


_DEPENDENCIES = ("dependentSchemas", "dependencies")


def applicable(
    document: Document, schemas: Sequence[Json], value: Json, fits: Fits, choose: Choose
) -> list[JsonObject]:
    """`schemas` and all that they bring in for the same value, each once, in their order."""
    found: dict[int, JsonObject] = {}
    waiting = list(reversed(schemas))
    while waiting:
        schema = waiting.pop()
        if is_object(schema) and id(schema) not in found:
            found[id(schema)] = schema
            waiting.extend(reversed(list(_brought_in(document, schema, value, fits, choose))))
    return list(found.values())


def _brought_in(
    document: Document, schema: JsonObject, value: Json, fits: Fits, choose: Choose
) -> Iterator[Json]:
    for target in document.targets(schema).values():
        yield target.schema
    yield from schema.get("allOf", ())
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            yield from choose(schema[keyword], value)
    if "if" in schema:
        if fits(schema["if"], value):
            yield schema["if"]
            yield schema.get("then", True)
        else:
            yield schema.get("else", True)
    for keyword in _DEPENDENCIES:
        if keyword in schema and keyword not in document.dialect.ignored and is_object(value):
            yield from (needed for name, needed in schema[keyword].items() if name in value)


class Parts:
    """The schemas that one schema has for the parts of a value."""

    def __init__(self, document: Document, matches: Callable[[str, str], bool]) -> None:
        self._tuple = "prefixItems" if document.dialect.has_prefix_items else "items"
        self._rest = "items" if document.dialect.has_prefix_items else "additionalItems"
        self._matches = matches

    def of(self, schema: JsonObject, step: str | int) -> list[Json]:
        """What `schema` says of the member or item at `step`; empty when it says nothing."""
        return self.of_member(schema, step) if isinstance(step, str) else self.of_item(schema, step)

    def of_member(self, schema: JsonObject, name: str) -> list[Json]:
        """What `schema` says of the member `name`; empty when it says nothing."""
        said: list[Json] = []
        if name in schema.get("properties", {}):
            said.append(schema["properties"][name])
        for pattern, item in schema.get("patternProperties", {}).items():
            if self._matches(pattern, name):
                said.append(item)
        if not said and "additionalProperties" in schema:
            said.append(schema["additionalProperties"])
        return said

    def of_item(self, schema: JsonObject, index: int) -> list[Json]:
        """What `schema` says of the item at `index`; empty when it says nothing."""
        tuple_schemas = schema.get(self._tuple)
        if not is_array(tuple_schemas):
            return [schema["items"]] if "items" in schema else []
        if index < len(tuple_schemas):
            return [tuple_schemas[index]]
        return [schema[self._rest]] if self._rest in schema else []
