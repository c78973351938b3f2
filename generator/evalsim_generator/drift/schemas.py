"""How two JSON Schemas differ, keyword by keyword."""

from collections.abc import Callable, Iterator
from typing import Final

from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.drift import keywords
from evalsim_generator.drift.spots import Spot, changed, is_same
from evalsim_generator.drift.table import MISSING, Difference, Kind
from evalsim_generator.handwritten.paths import EACH, VALUES

_DEEPEST: Final = 60
_ALTERNATIVES: Final = ("anyOf", "oneOf")
_DEFINITIONS: Final = ("$defs", "definitions")
_RULES: Final = (
    *("not", "if", "then", "else", "dependencies", "dependentRequired", "dependentSchemas"),
    *("patternProperties", "propertyNames", "contains", "unevaluatedProperties", "prefixItems"),
    *("unevaluatedItems", "additionalItems", "$ref", "$dynamicRef", "$recursiveRef", "$id", "id"),
    *("$anchor", "$dynamicAnchor", "$vocabulary", "discriminator", "allOf", "items", "properties"),
)
"""What may refuse an instance and is not compared more closely."""


def schema_differences(old: Json, new: Json, spot: Spot) -> Iterator[Difference]:
    """Every difference between two schemas, outer ones first; nothing when they are one value."""
    if is_same(old, new):
        return
    if not is_object(old) or not is_object(new) or spot.depth > _DEEPEST:
        yield spot.told(Kind.RULE_CHANGED, old, new)
        return
    for compare in _COMPARISONS:
        yield from compare(old, new, spot)
    yield from _texts(old, new, spot)


def _properties(old: JsonObject, new: JsonObject, spot: Spot) -> Iterator[Difference]:
    """Properties and which of them are required: added, removed, changed."""
    before, after = _named(old, "properties"), _named(new, "properties")
    needed, needs = _required(old), _required(new)
    for name, schema in before.items():
        if name not in after:
            yield spot.property(name).told(Kind.REMOVED, schema, MISSING)
        else:
            yield from schema_differences(schema, after[name], spot.property(name))
    for name, schema in after.items():
        if name not in before:
            kind = Kind.REQUIRED_ADDED if name in needs else Kind.OPTIONAL_ADDED
            yield spot.property(name).told(kind, MISSING, schema)
    for name in sorted(needed ^ needs):
        is_new = name in needs
        if (name in after) > (name in before) or (name in before) > (name in after):
            continue  # told as added or removed
        kind = Kind.NOW_REQUIRED if is_new else Kind.NOW_OPTIONAL
        here = spot.key("required").of(spot.property(name).argument)
        yield here.told(kind, MISSING if is_new else name, name if is_new else MISSING)


def _named(schema: JsonObject, key: str) -> JsonObject:
    named = schema.get(key)
    return named if is_object(named) else {}


def _required(schema: JsonObject) -> set[str]:
    names = schema.get("required")
    return {name for name in names if isinstance(name, str)} if is_array(names) else set()


def _others(old: JsonObject, new: JsonObject, spot: Spot) -> Iterator[Difference]:
    """What `additionalProperties` says: closed, opened, or of what shape."""
    for name in changed(old, new, ("additionalProperties",)):
        before, after = old.get(name, True), new.get(name, True)
        here = spot.key(name).of(None if spot.argument is None else spot.argument + VALUES)
        if is_object(before) and is_object(after):
            yield from schema_differences(before, after, here)
        elif after is False:
            yield here.told(Kind.CLOSED, before, after)
        elif before is False:
            yield here.told(Kind.OPENED, before, after)
        elif before in (True, {}) and after in (True, {}):
            yield here.told(Kind.SPELLING_CHANGED, before, after)
        else:
            yield here.told(Kind.RULE_CHANGED, before, after)


def _items(old: JsonObject, new: JsonObject, spot: Spot) -> Iterator[Difference]:
    if is_object(old.get("items")) and is_object(new.get("items")):
        argument = None if spot.argument is None else spot.argument + EACH
        yield from schema_differences(old["items"], new["items"], spot.key("items").of(argument))


def _alternatives(old: JsonObject, new: JsonObject, spot: Spot) -> Iterator[Difference]:
    """Branches of `anyOf` and `oneOf`: equal ones are paired, then those in the same place."""
    for name in changed(old, new, _ALTERNATIVES):
        before, after = old.get(name), new.get(name)
        here = spot.key(name)
        if not is_array(before) or not is_array(after):
            kind = Kind.LIMIT_RELAXED if name not in new else Kind.RULE_CHANGED
            yield here.told(kind, old.get(name, MISSING), new.get(name, MISSING))
            continue
        lost = [(i, each) for i, each in enumerate(before) if not _has(after, each)]
        found = [(i, each) for i, each in enumerate(after) if not _has(before, each)]
        if not lost and not found:
            yield here.told(Kind.SPELLING_CHANGED, before, after)
        for (_, one), (index, other) in zip(lost, found, strict=False):
            yield from schema_differences(one, other, here.item(index))
        for index, branch in lost[len(found) :]:
            yield here.item(index).told(Kind.ALTERNATIVE_REMOVED, branch, MISSING)
        for index, branch in found[len(lost) :]:
            yield here.item(index).told(Kind.ALTERNATIVE_ADDED, MISSING, branch)


def _has(branches: list[Json], branch: Json) -> bool:
    return any(is_same(each, branch) for each in branches)


def _all_of(old: JsonObject, new: JsonObject, spot: Spot) -> Iterator[Difference]:
    before, after = old.get("allOf"), new.get("allOf")
    if is_array(before) and is_array(after) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from schema_differences(one, other, spot.key("allOf").item(index))


def _definitions(old: JsonObject, new: JsonObject, spot: Spot) -> Iterator[Difference]:
    for key in changed(old, new, _DEFINITIONS):
        before, after = _named(old, key), _named(new, key)
        here = spot.key(key).of(None)
        for name in dict.fromkeys((*before, *after)):
            if name not in after:
                yield here.key(name).told(Kind.DEFINITION_REMOVED, before[name], MISSING)
            elif name not in before:
                yield here.key(name).told(Kind.DEFINITION_ADDED, MISSING, after[name])
            else:
                yield from schema_differences(before[name], after[name], here.key(name))


def _rules(old: JsonObject, new: JsonObject, spot: Spot) -> Iterator[Difference]:
    """What cannot be judged: rules of other keywords, and shapes that were not compared above."""
    for name in changed(old, new, ("$schema", *_RULES)):
        before, after = old.get(name, MISSING), new.get(name, MISSING)
        if name == "$schema":
            yield spot.key(name).told(Kind.DRAFT_CHANGED, before, after)
        elif not _is_compared(name, before, after):
            yield spot.key(name).told(Kind.RULE_CHANGED, before, after)


def _is_compared(name: str, before: Json, after: Json) -> bool:
    if name == "properties":
        return all(value is MISSING or is_object(value) for value in (before, after))
    if name == "items":
        return is_object(before) and is_object(after)
    if name == "allOf":
        return is_array(before) and is_array(after) and len(before) == len(after)
    return False


_COMPARISONS: Final[tuple[Callable[[JsonObject, JsonObject, Spot], Iterator[Difference]], ...]] = (
    *(
        keywords.types,
        keywords.values,
        keywords.limits,
        keywords.defaults,
        _properties,
        _others,
        _items,
        _alternatives,
    ),
    *(_all_of, _definitions, _rules),
)
_JUDGED: Final = frozenset(
    (*keywords.TYPES, *keywords.VALUES, *keywords.LIMITS, *_ALTERNATIVES, *_DEFINITIONS, *_RULES)
) | {"default", "required", "additionalProperties", "$schema"}


def _texts(old: JsonObject, new: JsonObject, spot: Spot) -> Iterator[Difference]:
    """Every other keyword: titles, descriptions, examples, and what only the server knows."""
    others = tuple(name for name in dict.fromkeys((*old, *new)) if name not in _JUDGED)
    for name in changed(old, new, others):
        before, after = old.get(name, MISSING), new.get(name, MISSING)
        yield spot.key(name).told(Kind.TEXT_CHANGED, before, after)
