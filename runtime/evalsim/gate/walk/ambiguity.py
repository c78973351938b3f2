"""Which defaults may stay unfilled, because more than one branch of a schema may hold."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from evalsim.gate.document import Document
from evalsim.gate.keywords import types_of
from evalsim.gate.values import identity, is_object, type_of
from evalsim.gate.walk.defaults import WALKED, declared_defaults, default_place
from evalsim.types import Json, JsonObject

_ARRAY_RULES = frozenset({"additionalItems", "anyOf", "if", "items", "oneOf", "prefixItems"})


def ambiguous_defaults(document: Document) -> tuple[str, ...]:
    """JSON pointers of the defaults that a value may be left without although it is accepted.

    Of a oneOf exactly one branch holds, so only an anyOf whose branches can hold together is
    ambiguous; and so is a default on a branch itself, for an absent value chooses no branch.
    """
    places: dict[str, None] = {}
    seen: set[tuple[int, bool]] = set()
    waiting: list[tuple[Json, bool]] = [(document.root, False)]
    while waiting:
        schema, unsure = waiting.pop()
        if not is_object(schema) or (id(schema), unsure) in seen:
            continue
        seen.add((id(schema), unsure))
        places.update(dict.fromkeys(_places(document, schema, unsure)))
        waiting.extend(reversed(list(_below(document, schema, unsure))))
    return tuple(places)


def _places(document: Document, schema: JsonObject, unsure: bool) -> Iterator[str]:
    sure = {default.name: default.place for default in declared_defaults(document, schema)}
    for name, declared in schema.get("properties", {}).items():
        if name not in sure:
            yield from _defaults_on_branches(document, declared)
        elif unsure:
            yield sure[name]


def _defaults_on_branches(document: Document, schema: Json) -> Iterator[str]:
    seen: set[int] = set()
    waiting = [schema]
    while waiting:
        for item in document.conjuncts(waiting.pop()):
            if id(item) not in seen:
                seen.add(id(item))
                if "default" in item:
                    yield default_place(document, item)
                waiting.extend([*item.get("anyOf", ()), *item.get("oneOf", ())])


def _below(document: Document, schema: JsonObject, unsure: bool) -> Iterator[tuple[Json, bool]]:
    for target in document.targets(schema).values():
        yield target.schema, unsure
    for steps, item in document.inside(schema):
        if steps[0] == "anyOf":
            others = [other for other in schema["anyOf"] if other is not item]
            yield item, unsure or any(_can_both_hold(document, item, other) for other in others)
        elif steps[0] in WALKED:
            yield item, unsure


@dataclass(slots=True)
class _Claim:
    """What a schema plainly demands of every object it accepts."""

    types: frozenset[str] = frozenset({"array", "object"})
    has_array_rules: bool = False
    """Whether it may have defaults for the items of an array."""
    required: set[str] = field(default_factory=set[str])
    known: set[str] | None = None
    """The only names it allows, where it says so."""
    fixed: dict[str, set[Hashable]] = field(default_factory=dict[str, set[Hashable]])
    """The values it allows for a member, where it lists them."""


def _can_both_hold(document: Document, one: Json, other: Json) -> bool:
    """Whether nothing plain keeps what `one` has defaults for from fitting both schemas."""
    first, second = _claim(document, one), _claim(document, other)
    shared = first.types & second.types
    if not first.has_array_rules:
        shared -= {"array"}
    if "object" not in shared or len(shared) > 1:
        return bool(shared)
    for claim, against in ((first, second), (second, first)):
        if against.known is not None and claim.required - against.known:
            return False
    return not any(
        first.fixed[name].isdisjoint(second.fixed[name])
        for name in first.required & second.required & first.fixed.keys() & second.fixed.keys()
    )


def _claim(document: Document, schema: Json) -> _Claim:
    claim = _Claim() if schema is not False else _Claim(types=frozenset())
    for item in document.conjuncts(schema):
        if types := types_of(item):
            claim.types &= set(types)
        if (values := _listed(item)) is not None:
            claim.types &= {type_of(value) for value in values}
        claim.has_array_rules |= not _ARRAY_RULES.isdisjoint(item)
        claim.required.update(item.get("required", ()))
        members = item.get("properties", {})
        if item.get("additionalProperties") is False and "patternProperties" not in item:
            claim.known = set(members)
        for name, member in members.items():
            if is_object(member) and (values := _listed(member)) is not None:
                claim.fixed[name] = {identity(value) for value in values}
    return claim


def _listed(schema: JsonObject) -> list[Json] | None:
    if "const" in schema:
        return [schema["const"]]
    return schema.get("enum")
