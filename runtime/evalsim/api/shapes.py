"""What a schema lets a value be, as far as text has to become one: types, members, items."""

from collections.abc import Iterable, Iterator
from functools import cached_property

from evalsim.openapi.media_types import body_kind
from evalsim.openapi.references import follow
from evalsim.types import Json, JsonObject, is_array, is_object

Types = frozenset[str] | None
"""The JSON types a value may have; None is any."""

_IN_PLACE = ("allOf", "anyOf", "oneOf")
_DEPTH = 64


class Shape:
    """What one of some schemas lets a value be; refinement beyond that is the gate's."""

    def __init__(self, document: JsonObject, schemas: tuple[Json, ...]) -> None:
        self._document = document
        self._schemas = schemas
        self._members: dict[str, Shape] = {}

    @cached_property
    def types(self) -> Types:
        """The types that any of the schemas allows."""
        return _union(_types(self._document, schema, 0) for schema in self._schemas)

    def allows(self, name: str) -> bool:
        """Whether a value may be of this type."""
        return self.types is None or name in self.types

    @cached_property
    def is_list(self) -> bool:
        """Whether a value can be nothing but a list."""
        return self.types is not None and "array" in self.types and len(self.types) == 1

    @cached_property
    def is_mixed(self) -> bool:
        """Whether a text may be read as it is or as something else."""
        return self.types is not None and len(self.types) > 1 and "string" in self.types

    @cached_property
    def names(self) -> frozenset[str]:
        """The members that are described by name."""
        return frozenset(name for part in self._parts for name in _object(part, "properties"))

    @cached_property
    def is_open(self) -> bool:
        """Whether members that are not described may be there."""
        return all(part.get("additionalProperties", True) is not False for part in self._parts)

    @cached_property
    def items(self) -> "Shape":
        """What an item of a list may be."""
        found = [part["items"] for part in self._parts if "items" in part]
        found += [item for part in self._parts for item in part.get("prefixItems", ())]
        return Shape(self._document, tuple(found) or ({},))

    def member(self, name: str) -> "Shape":
        """What a member of an object may be."""
        known = self._members.get(name)
        if known is None:
            found = tuple(_said_of(self._parts, name))
            known = Shape(self._document, found or ({},))
            if name in self.names:  # what others are called is the client's to choose
                self._members[name] = known
        return known

    @cached_property
    def is_binary(self) -> bool:
        """Whether a text is bytes of a media type of its own."""
        return any(
            isinstance(kind := part.get("contentMediaType"), str)
            and "contentEncoding" not in part
            and body_kind(kind) == "bytes"
            for part in self._parts
        )

    @cached_property
    def _parts(self) -> tuple[JsonObject, ...]:
        """Every schema that may look at the value itself."""
        found: dict[int, JsonObject] = {}
        waiting = list(reversed(self._schemas))
        while waiting:
            schema = follow(self._document, waiting.pop())
            if is_object(schema) and id(schema) not in found:
                found[id(schema)] = schema
                for keyword in _IN_PLACE:
                    branches = schema.get(keyword)
                    waiting.extend(reversed(branches if is_array(branches) else ()))
        return tuple(found.values())


def _said_of(parts: Iterable[JsonObject], name: str) -> Iterator[Json]:
    """What is said of a member: by its name, else of any other."""
    rest: list[Json] = []
    found = False
    for part in parts:
        properties = _object(part, "properties")
        if name in properties:
            found = True
            yield properties[name]
        elif is_object(part.get("additionalProperties")):
            rest.append(part["additionalProperties"])
    if not found:
        yield from rest


def _types(document: JsonObject, schema: Json, depth: int) -> Types:
    schema = follow(document, schema) if depth < _DEPTH else None
    if not is_object(schema):
        return None
    types = _own_types(schema)
    for branch in _list(schema, "allOf"):
        types = _both(types, _types(document, branch, depth + 1))
    for keyword in ("anyOf", "oneOf"):
        if branches := _list(schema, keyword):
            types = _both(types, _union(_types(document, one, depth + 1) for one in branches))
    return types


def _own_types(schema: JsonObject) -> Types:
    declared = schema.get("type")
    if isinstance(declared, str):
        return frozenset((declared,))
    if is_array(declared) and declared:
        return frozenset(map(str, declared))
    values = [schema["const"]] if "const" in schema else _list(schema, "enum")
    if values:
        return frozenset(map(_type_of, values))
    if "properties" in schema:
        return frozenset(("object",))
    return frozenset(("array",)) if "items" in schema else None


def _type_of(value: Json) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, str):
        return "string"
    if isinstance(value, float):
        return "number"
    return "array" if is_array(value) else "object"


def _both(one: Types, other: Types) -> Types:
    if one is None or other is None:
        return other if one is None else one
    shared = one & other
    if ("integer" in one and "number" in other) or ("number" in one and "integer" in other):
        shared |= {"integer"}
    return shared or one


def _union(many: Iterable[Types]) -> Types:
    found: frozenset[str] = frozenset()
    for types in many:
        if types is None:
            return None
        found |= types
    return found or None


def _object(schema: JsonObject, keyword: str) -> JsonObject:
    value = schema.get(keyword)
    return value if is_object(value) else {}


def _list(schema: JsonObject, keyword: str) -> list[Json]:
    value = schema.get(keyword)
    return value if is_array(value) else []
