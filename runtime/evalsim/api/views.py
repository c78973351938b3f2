"""The schemas of a description as gates need them: one for requests, one for answers."""

from collections.abc import Iterator
from enum import Enum
from typing import TypeGuard

from evalsim.gate.keywords import HOLDS_LIST, HOLDS_MAP, HOLDS_ONE
from evalsim.openapi.references import component_name, follow
from evalsim.types import Json, JsonObject, is_array, is_object

_SAID_ONLY = frozenset(
    {"description", "title", "example", "examples", "externalDocs", "xml", "deprecated", "$comment"}
)
_MOST_SUBTYPES = 100
"""Subtypes a base tells apart; what maps more was not trimmed, and would bring all of itself in."""


class View(Enum):
    """What a schema is read for, named by the mark of members that have no place in it."""

    REQUEST = "readOnly"
    ANSWER = "writeOnly"


class Schemas:
    """The schemas of one document, in both views; what is made is kept and shared."""

    def __init__(self, document: JsonObject, closed: frozenset[View]) -> None:
        """In a `closed` view, members with no place in it are refused, else only not needed."""
        self._document = document
        self._closed = closed
        found = document.get("components")
        schemas = found.get("schemas") if is_object(found) else None
        self._components: JsonObject = schemas if is_object(schemas) else {}
        self._made: dict[tuple[View, str], Json] = {}
        self._named: dict[tuple[View, str], tuple[str, ...]] = {}

    def bundle(self, schema: Json, view: View) -> Json:
        """The schema with all the components it needs, as one document of JSON Schema 2020-12."""
        made = _Copy(self._document, view, view in self._closed, self._components)
        root = made.copy(schema)
        needed: JsonObject = {}
        waiting = list(made.named)
        while waiting:
            name = waiting.pop()
            if name not in needed:
                needed[name] = self._component(view, name)
                waiting.extend(self._named[view, name])
        if not is_object(root) or not needed:
            return root
        return {**root, "components": {"schemas": needed}}

    def _component(self, view: View, name: str) -> Json:
        key = (view, name)
        if key not in self._made:
            made = _Copy(self._document, view, view in self._closed, self._components)
            own = name.removesuffix(_OWN) if name not in self._components else name
            dispatches = own == name
            self._made[key] = made.copy(self._components.get(own, True), dispatches=dispatches)
            self._named[key] = tuple(made.named)
        return self._made[key]


_OWN = "~own"
"""Ends the name of a base as its subtypes have it, which does not tell them apart again."""


class _Copy:
    """A copy of one schema for a view, and the components that it names."""

    def __init__(
        self, document: JsonObject, view: View, closed: bool, components: JsonObject
    ) -> None:
        self.named: dict[str, None] = {}
        self._document = document
        self._mark = view.value
        self._view = view
        self._closed = closed
        self._components = components

    def copy(self, schema: Json, *, dispatches: bool = True, within: bool = False) -> Json:
        """The schema in the view; `within` says that it stands in the allOf of another."""
        if not is_object(schema):
            return schema
        made: JsonObject = {}
        for keyword, value in schema.items():
            if keyword in _SAID_ONLY or keyword.startswith("x-"):
                continue
            made[keyword] = self._keyword(keyword, value)
        if "$ref" in made:
            made["$ref"] = self._reference(made["$ref"], own=within)
        hidden = self._hidden(schema)
        if hidden:
            self._hide(made, hidden)
        if dispatches and is_object(schema.get("discriminator")):
            self._dispatch(made, schema, schema["discriminator"])
        made.pop("discriminator", None)
        return made

    def _keyword(self, keyword: str, value: Json) -> Json:
        if is_array(value) and keyword in HOLDS_LIST:
            return [self.copy(item, within=keyword == "allOf") for item in value]
        if is_object(value) and keyword in HOLDS_MAP:
            return {name: self.copy(item) for name, item in value.items()}
        if is_object(value) and keyword in HOLDS_ONE:
            return self.copy(value)
        return value

    def _reference(self, ref: Json, *, own: bool) -> Json:
        named = component_name(ref) if isinstance(ref, str) else None
        if named is None:
            return ref
        name = named[1]
        if own and self._is_base(name):
            name += _OWN
        return self._to(name)

    def _to(self, name: str) -> str:
        self.named[name] = None
        # Percent signs stand for themselves in a pointer, and for an octet in the URI it is in
        spelt = name.replace("~", "~0").replace("/", "~1").replace("%", "%25")
        return f"#/components/schemas/{spelt}"

    def _is_base(self, name: str) -> bool:
        schema = self._components.get(name)
        return is_object(schema) and bool(self._subtypes(schema))

    def _hidden(self, schema: JsonObject) -> frozenset[str]:
        """The members that have no place in the view, of all that `required` here may name."""
        if "required" not in schema and not (self._closed and "properties" in schema):
            return frozenset()
        return frozenset(
            name
            for part in _conjuncts(self._document, schema)
            for name, member in _members(part)
            if self._is_marked(member)
        )

    def _is_marked(self, member: Json) -> bool:
        return any(part.get(self._mark) is True for part in _conjuncts(self._document, member))

    def _hide(self, made: JsonObject, hidden: frozenset[str]) -> None:
        required = made.get("required")
        if is_array(required):
            made["required"] = [name for name in required if name not in hidden]
        properties = made.get("properties")
        if self._closed and is_object(properties):
            kept = {name: False if name in hidden else item for name, item in properties.items()}
            made["properties"] = kept

    def _dispatch(self, made: JsonObject, schema: JsonObject, discriminator: JsonObject) -> None:
        """Hold a value to the schema that its discriminator names."""
        member = discriminator.get("propertyName")
        if not isinstance(member, str):
            return
        branches = schema.get("oneOf") or schema.get("anyOf")
        choices = (
            self._choices(branches, discriminator)
            if is_array(branches)
            else [
                (value, self._to(f"{name}{_OWN}" if self._is_base(name) else name))
                for value, name in self._subtypes(schema)
            ]
        )
        tests = [
            {
                "if": {"properties": {member: {"const": value}}, "required": [member]},
                "then": {"$ref": ref},
            }
            for value, ref in choices
        ]
        if tests:
            others = made.get("allOf")
            made["allOf"] = [*(others if is_array(others) else []), *tests]

    def _choices(
        self, branches: list[Json], discriminator: JsonObject
    ) -> Iterator[tuple[str, str]]:
        mapped = dict(_mapping(discriminator))
        for branch in branches:
            ref = branch.get("$ref") if is_object(branch) else None
            named = component_name(ref) if isinstance(ref, str) else None
            if named is not None:
                values = [value for value, name in mapped.items() if name == named[1]]
                for value in values or [named[1]]:
                    yield value, self._to(named[1])

    def _subtypes(self, schema: JsonObject) -> list[tuple[str, str]]:
        """What a base without alternatives maps its discriminator to, as value and component."""
        discriminator = schema.get("discriminator")
        if not is_object(discriminator) or "oneOf" in schema or "anyOf" in schema:
            return []
        mapped = [
            (value, name)
            for value, name in _mapping(discriminator)
            if name in self._components and self._components[name] is not schema
        ]
        return mapped if len(mapped) <= _MOST_SUBTYPES else []


def _mapping(discriminator: JsonObject) -> Iterator[tuple[str, str]]:
    mapping = discriminator.get("mapping")
    for value, target in mapping.items() if is_object(mapping) else ():
        if isinstance(target, str):
            named = component_name(target)
            yield value, named[1] if named is not None else target


def _conjuncts(document: JsonObject, schema: Json) -> Iterator[JsonObject]:
    """The schema and all that hold wherever it does."""
    seen: set[int] = set()
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if _is_new(part, seen):
            yield part
            if "$ref" in part:
                waiting.append(follow(document, {"$ref": part["$ref"]}))
            branches = part.get("allOf")
            waiting.extend(branches if is_array(branches) else ())


def _is_new(part: Json, seen: set[int]) -> TypeGuard[JsonObject]:
    if not is_object(part) or id(part) in seen:
        return False
    seen.add(id(part))
    return True


def _members(schema: JsonObject) -> Iterator[tuple[str, Json]]:
    properties = schema.get("properties")
    yield from properties.items() if is_object(properties) else ()
