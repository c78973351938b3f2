"""How the operations of two trimmed descriptions differ."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.drift.spots import is_same
from evalsim_generator.drift.table import MISSING, Kind, Side
from evalsim_generator.openapi.drift import parts
from evalsim_generator.openapi.drift.parts import Place
from evalsim_generator.openapi.drift.table import ApiKind, Change
from evalsim_generator.openapi.trimming.anatomy import COMPONENTS, references
from evalsim_generator.openapi.trimming.catalogue import Listed, operations_of

_SIDES: Final[tuple[Side, ...]] = ("arguments", "answer")
_HEAD: Final = ("info", "externalDocs", "tags")


def changes(old: JsonObject, new: JsonObject) -> list[Change]:
    """Every change between two descriptions in normal form, trimmed alike, by operation.

    Operations that were removed come first, then those of the new description in its order.
    """
    return list(_Comparison(old, new).changes())


class _Comparison:
    def __init__(self, old: JsonObject, new: JsonObject) -> None:
        self._old, self._new = old, new
        self._schemas: dict[tuple[str, Side], list[Change]] = {}
        self._reached: dict[str, frozenset[str]] = {}

    def changes(self) -> Iterator[Change]:
        if is_same(self._old, self._new):
            return
        before = {each.key: each for each in operations_of(self._old)}
        after = {each.key: each for each in operations_of(self._new)}
        found = False
        for key, one in before.items():
            if key not in after:
                yield self._place(one, "arguments", "").told(
                    ApiKind.OPERATION_REMOVED, key, MISSING
                )
                found = True
        for key, other in after.items():
            if key not in before:
                yield self._place(other, "arguments", "").told(
                    ApiKind.OPERATION_ADDED, MISSING, key
                )
                found = True
                continue
            for change in self._operation(before[key], other):
                yield change
                found = True
        for change in self._head():
            yield change
            found = True
        if not found:
            yield _of_all("", Kind.SPELLING_CHANGED, MISSING, MISSING)

    def _place(self, listed: Listed, side: Side, path: str) -> Place:
        name = listed.operation_id or listed.key
        return Place(listed.key, name, side, path, self._old, self._new)

    def _operation(self, one: Listed, other: Listed) -> Iterator[Change]:
        key = "webhooks" if one.is_webhook else "paths"
        old_item, new_item = self._old[key][one.path], self._new[key][other.path]
        for method in dict.fromkeys((*one.methods, *other.methods)):
            old, new = old_item.get(method), new_item.get(method)
            if is_object(old) and is_object(new):
                yield from self._method(one, (old_item, old), (new_item, new))
            else:
                kind = ApiKind.OPERATION_ADDED if old is None else ApiKind.OPERATION_REMOVED
                yield self._place(one, "arguments", method).told(kind, MISSING, MISSING)

    def _method(
        self,
        listed: Listed,
        old: tuple[JsonObject, JsonObject],
        new: tuple[JsonObject, JsonObject],
    ) -> Iterator[Change]:
        (old_item, one), (new_item, other) = old, new
        # a webhook is sent by the fake: what a request is to it is an answer to everyone else
        asked: Side = "answer" if listed.is_webhook else "arguments"
        told: Side = "arguments" if listed.is_webhook else "answer"
        here = self._place(listed, asked, "")
        yield from self._about(one, other, here)
        yield from self._needs(old, new, here)
        yield from parts.parameters(
            [*old_item.get("parameters", ()), *one.get("parameters", ())],
            [*new_item.get("parameters", ()), *other.get("parameters", ())],
            replace(here, path="parameters"),
        )
        body = replace(here, path="body")
        before, after = one.get("requestBody", MISSING), other.get("requestBody", MISSING)
        yield from parts.body(before, after, body)
        answers = replace(here, side=told, path="responses")
        yield from parts.responses(one.get("responses", {}), other.get("responses", {}), answers)
        shared = {"parameters": old_item.get("parameters", [])}
        yield from self._in_schemas(here, [shared, {**one, "responses": {}}], asked)
        yield from self._in_schemas(here, [{"responses": one.get("responses", {})}], told)

    def _about(self, old: JsonObject, new: JsonObject, place: Place) -> Iterator[Change]:
        before, after = old.get("operationId", MISSING), new.get("operationId", MISSING)
        if before != after:
            yield place.key("operationId").told(ApiKind.ID_CHANGED, before, after)
        yield from parts.words(old, new, place, ("tags",))
        for key, kind in (("callbacks", ApiKind.CALLBACK_CHANGED),):
            one, other = old.get(key, MISSING), new.get(key, MISSING)
            if not is_same(one, other):
                yield place.key(key).told(kind, one, other)

    def _needs(
        self,
        old: tuple[JsonObject, JsonObject],
        new: tuple[JsonObject, JsonObject],
        place: Place,
    ) -> Iterator[Change]:
        """Where it is served, and with which credentials."""
        was, is_ = _security(self._old, old[1]), _security(self._new, new[1])
        if not is_same(was, is_):
            yield place.key("security").told(ApiKind.SECURITY_CHANGED, was[0], is_[0])
        one, other = _servers(self._old, *old), _servers(self._new, *new)
        if not is_same(one, other):
            yield place.key("servers").told(ApiKind.SERVERS_CHANGED, one, other)

    def _in_schemas(self, place: Place, side_of: list[JsonObject], side: Side) -> Iterator[Change]:
        """The changes in the component schemas that one side of an operation reaches."""
        start = [found for each in side_of for found in references("operation", each)]
        for name in sorted(self._closure(start)):
            for change in self._in_schema(name, side):
                yield replace(change, operation=place.operation, name=place.name)

    def _in_schema(self, name: str, side: Side) -> list[Change]:
        if (name, side) not in self._schemas:
            before, after = (self._component(d, "schemas", name) for d in (self._old, self._new))
            place = Place("", "", side, "schemas", self._old, self._new).key(name)
            both = before is not None and after is not None
            self._schemas[name, side] = list(place.of_schemas(before, after)) if both else []
        return self._schemas[name, side]

    def _closure(self, start: list[tuple[str, str]]) -> set[str]:
        """The component schemas that references of the old description lead to."""
        seen: set[tuple[str, str]] = set()
        waiting = list(start)
        while waiting:
            key = waiting.pop()
            if key not in seen:
                seen.add(key)
                waiting += self._references_in(*key)
        return {name for kind, name in seen if kind == "schemas"}

    def _references_in(self, kind: str, name: str) -> list[tuple[str, str]]:
        node = self._component(self._old, kind, name)
        return list(references(COMPONENTS[kind], node)) if node is not None else []

    def _component(self, document: JsonObject, kind: str, name: str) -> Json:
        return document.get("components", {}).get(kind, {}).get(name)

    def _head(self) -> Iterator[Change]:
        for key in _HEAD:
            before, after = self._old.get(key, MISSING), self._new.get(key, MISSING)
            if not is_same(before, after):
                yield _of_all(key, ApiKind.WORDS_CHANGED, before, after)


def _of_all(path: str, kind: Kind | ApiKind, before: object, after: object) -> Change:
    return Change("", "", path, kind, "arguments", before, after)


def _security(document: JsonObject, operation: JsonObject) -> tuple[Json, JsonObject]:
    """What a request needs, and how each scheme that is named works."""
    needs = operation.get("security", document.get("security", []))
    schemes: JsonObject = document.get("components", {}).get("securitySchemes", {})
    named = {name for need in (needs if is_array(needs) else ()) for name in need}
    told = {
        name: {key: item for key, item in schemes[name].items() if key != "description"}
        for name in sorted(named)
        if name in schemes
    }
    return needs, told


def _servers(document: JsonObject, item: JsonObject, operation: JsonObject) -> Json:
    """The addresses of an operation, without what is said of them."""
    shared = item.get("servers", document.get("servers"))
    servers: list[JsonObject] = operation.get("servers", shared) or []
    return [
        {key: value for key, value in server.items() if key in ("url", "variables")}
        for server in servers
    ]
