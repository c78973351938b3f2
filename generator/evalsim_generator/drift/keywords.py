"""How two schemas differ in what they say of one value: its type, values, limits, default."""

from collections.abc import Iterator
from typing import Final

from evalsim.types import Json, JsonObject, is_array
from evalsim_generator.drift.spots import Spot, as_text, changed
from evalsim_generator.drift.table import MISSING, Difference, Kind

_UPPER: Final = (
    *("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"),
)
_LOWER: Final = (
    *("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"),
)
LIMITS: Final = (*_UPPER, *_LOWER, "multipleOf", "pattern", "format", "uniqueItems")
VALUES: Final = ("enum", "const")
TYPES: Final = ("type", "nullable")


def types(old: JsonObject, new: JsonObject, spot: Spot) -> Iterator[Difference]:
    """The types that are taken."""
    names = list(changed(old, new, TYPES))
    if not names:
        return
    before, after = _kinds(old), _kinds(new)
    if before == after:
        kind = Kind.SPELLING_CHANGED
    elif _within(before, after):
        kind = Kind.TYPE_WIDENED
    elif _within(after, before):
        kind = Kind.TYPE_NARROWED
    else:
        kind = Kind.TYPE_CHANGED
    name = names[0]
    yield spot.key(name).told(kind, old.get(name, MISSING), new.get(name, MISSING))


def _kinds(schema: JsonObject) -> frozenset[str] | None:
    """The types a schema allows; None for all."""
    types = schema.get("type")
    if types is None:
        return None
    kinds = {str(name) for name in (types if is_array(types) else [types])}
    if schema.get("nullable") is True:
        kinds.add("null")
    return frozenset(kinds)


def _within(small: frozenset[str] | None, large: frozenset[str] | None) -> bool:
    if large is None or small is None:
        return large is None
    return all(kind in large or (kind == "integer" and "number" in large) for kind in small)


def values(old: JsonObject, new: JsonObject, spot: Spot) -> Iterator[Difference]:
    """The values that are listed."""
    names = list(changed(old, new, VALUES))
    if not names:
        return
    before, after = _allowed(old), _allowed(new)
    if before == after:
        kind = Kind.SPELLING_CHANGED
    elif after is None or (before is not None and before <= after):
        kind = Kind.ENUM_WIDENED
    elif before is None or after <= before:
        kind = Kind.ENUM_NARROWED
    else:
        kind = Kind.ENUM_CHANGED
    name = names[0]
    yield spot.key(name).told(kind, old.get(name, MISSING), new.get(name, MISSING))


def _allowed(schema: JsonObject) -> frozenset[str] | None:
    """The values a schema lists, as JSON; None when it lists none."""
    if "const" in schema:
        return frozenset({as_text(schema["const"])})
    values = schema.get("enum")
    return frozenset(map(as_text, values)) if is_array(values) else None


def limits(old: JsonObject, new: JsonObject, spot: Spot) -> Iterator[Difference]:
    """What bounds or shapes a value."""
    for name in changed(old, new, LIMITS):
        before, after = old.get(name, MISSING), new.get(name, MISSING)
        yield spot.key(name).told(_limit(name, before, after), before, after)


def _limit(name: str, before: Json, after: Json) -> Kind:
    was, is_ = (value is not MISSING and value is not False for value in (before, after))
    if not was or not is_:
        absent = Kind.LIMIT_RELAXED if was else Kind.LIMIT_TIGHTENED
        return Kind.SPELLING_CHANGED if was == is_ else absent
    if name not in (*_UPPER, *_LOWER) or not (_is_number(before) and _is_number(after)):
        return Kind.LIMIT_CHANGED
    if before == after:
        return Kind.SPELLING_CHANGED
    return Kind.LIMIT_TIGHTENED if (after < before) == (name in _UPPER) else Kind.LIMIT_RELAXED


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def defaults(old: JsonObject, new: JsonObject, spot: Spot) -> Iterator[Difference]:
    """What a value is that was left out."""
    for name in changed(old, new, ("default",)):
        kind = Kind.DEFAULT_CHANGED
        if name not in old:
            kind = Kind.DEFAULT_ADDED
        elif name not in new:
            kind = Kind.DEFAULT_REMOVED
        yield spot.key(name).told(kind, old.get(name, MISSING), new.get(name, MISSING))
