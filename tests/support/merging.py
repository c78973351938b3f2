"""A schema's own keywords as a flat schema, and two flat schemas as one that asks for both."""

import math
from collections.abc import Callable, Iterator
from typing import Any

from evalsim.types import Json
from support.flat import TYPES, Flat, both, bounds, is_a, same
from support.impossible import Impossible

COPIED = (
    "type", "enum", "properties", "patternProperties", "additionalProperties", "propertyNames",
    "required", "minProperties", "maxProperties", "prefixItems", "items", "minItems", "maxItems",
    "uniqueItems", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "dependentRequired",
)  # fmt: skip
SIZES = (
    ("string", "minLength", "maxLength"),
    ("array", "minItems", "maxItems"),
    ("object", "minProperties", "maxProperties"),
)
LISTED = ("pattern", "format", "multipleOf")
TRICKY = ("unevaluatedProperties", "unevaluatedItems", "$dynamicRef", "$recursiveRef")


def plain(schema: dict[str, Json]) -> Flat:
    """The flat form of a schema's own keywords, its references and combinators aside."""
    flat: Flat = {key: schema[key] for key in COPIED if key in schema}
    flat.update(
        {key: [schema[key]] for key in LISTED if isinstance(schema.get(key), str | int | float)}
    )
    if isinstance(flat.get("type"), str):
        flat["type"] = [flat["type"]]
    if "const" in schema:
        flat["enum"] = [schema["const"]]
    if "contains" in schema:
        least, most = schema.get("minContains", 1), schema.get("maxContains")
        flat["contains"] = [(schema["contains"], int(least), most)]
        flat["tricky"] = True
    _tuple_items(flat, schema)
    _old_bounds(flat)
    _split_dependencies(flat, schema.get("dependencies"))
    if flat.get("enum") == []:
        raise Impossible("its enum is empty")
    settle(flat)
    if schema.get("nullable") is True and "type" in flat and "null" not in flat["type"]:
        flat["nullable"] = True
    if any(key in schema for key in TRICKY):
        flat["tricky"] = True
    return flat


def _tuple_items(flat: Flat, schema: dict[str, Json]) -> None:
    """The old spelling of positional items, `items: [...]` and `additionalItems`."""
    if isinstance(flat.get("items"), list):
        flat["prefixItems"] = flat.pop("items")
        if "additionalItems" in schema:
            flat["items"] = schema["additionalItems"]


def _old_bounds(flat: Flat) -> None:
    """Draft-04 writes exclusive bounds as a flag beside the bound."""
    for flag, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(flat.get(flag), bool) and flat.pop(flag) and bound in flat:
            flat[flag] = flat.pop(bound)


def _split_dependencies(flat: Flat, dependencies: Json) -> None:
    if isinstance(dependencies, dict):
        names = {key: value for key, value in dependencies.items() if isinstance(value, list)}
        flat["dependentRequired"] = {**flat.get("dependentRequired", {}), **names}


def meet(left: Flat, right: Flat) -> Flat:
    """One flat schema that asks for both; raises Impossible when no value can do that."""
    if not left or not right:
        return left or right
    met: Flat = {**left, **right}
    for key in left:
        if key in right and key in MEET:
            met[key] = MEET[key](left[key], right[key])
    if not (left.get("nullable") and right.get("nullable")):
        met.pop("nullable", None)
    if "properties" in met or "patternProperties" in met:
        _meet_objects(met, left, right)
    if "prefixItems" in met:
        met["prefixItems"] = _meet_prefixes(left, right)
    settle(met)
    return met


def settle(flat: Flat) -> None:
    """Drop the types that the rest of a flat schema rules out, and the enum values of no type.

    Raises Impossible when nothing is left.
    """
    for kinds, reason in _ruled_out(flat):
        left = [kind for kind in flat.get("type", TYPES) if kind not in kinds]
        if not left:
            raise Impossible(reason)
        flat["type"] = left
    if "enum" in flat and "type" in flat:
        kept = [value for value in flat["enum"] if is_a(value, flat["type"])]
        if not kept:
            raise Impossible(f"no value of its enum is {' or '.join(flat['type'])}")
        flat["enum"] = kept


def _ruled_out(flat: Flat) -> Iterator[tuple[tuple[str, ...], str]]:
    for kind, low, high in SIZES:
        if flat.get(low, 0) > flat.get(high, math.inf):
            yield (kind,), f"{low} {flat[low]} is above {high} {flat[high]}"
    low, high = bounds(flat)
    if low is not None and high is not None and low > high:
        yield ("integer", "number"), f"no number is both at least {low} and at most {high}"
    properties = flat.get("properties", {})
    for name in flat.get("required", []):
        if properties.get(name) is False:
            yield ("object",), f"it requires {name!r}, which nothing may be"


def _types(left: list[str], right: list[str]) -> list[str]:
    met = [kind for kind in left if kind in right or (kind == "integer" and "number" in right)]
    met += [kind for kind in right if kind == "integer" and "number" in left and kind not in met]
    if not met:
        raise Impossible(f"no value is both {' or '.join(left)} and {' or '.join(right)}")
    return met


def _enums(left: list[Json], right: list[Json]) -> list[Json]:
    met = [value for value in left if any(same(value, other) for other in right)]
    if not met:
        raise Impossible("two enums have no value in common")
    return met


def _multiples(left: list[Any], right: list[Any]) -> list[Any]:
    return left + right


def _each(left: dict[str, Json], right: dict[str, Json]) -> dict[str, Json]:
    met = {**left, **right}
    met.update({key: both(left[key], right[key]) for key in left if key in right})
    return met


def _names(left: list[str], right: list[str]) -> list[str]:
    return [*left, *(name for name in right if name not in left)]


def _dependents(left: dict[str, list[str]], right: dict[str, list[str]]) -> dict[str, list[str]]:
    return {key: _names(left.get(key, []), right.get(key, [])) for key in {**left, **right}}


MEET: dict[str, Callable[[Any, Any], Any]] = {
    "type": _types,
    "enum": _enums,
    "required": _names,
    "properties": _each,
    "patternProperties": _each,
    "dependentRequired": _dependents,
    "additionalProperties": both,
    "propertyNames": both,
    "items": both,
    "contains": _multiples,
    **dict.fromkeys(LISTED, _multiples),
    **dict.fromkeys(("minProperties", "minItems", "minLength", "minimum", "exclusiveMinimum"), max),
    **dict.fromkeys(("maxProperties", "maxItems", "maxLength", "maximum", "exclusiveMaximum"), min),
    "uniqueItems": lambda left, right: bool(left or right),
}


def _meet_objects(met: Flat, left: Flat, right: Flat) -> None:
    """A side that says what its unnamed keys may be says it of the other side's named ones too."""
    properties = dict(met.get("properties", {}))
    for one, other in ((left, right), (right, left)):
        rest = one.get("additionalProperties", True)
        if rest is True or rest == {}:
            continue
        if one.get("patternProperties") or other.get("patternProperties"):
            met["tricky"] = True
            continue
        for name in other.get("properties", {}):
            if name not in one.get("properties", {}):
                properties[name] = both(properties[name], rest)
    met["properties"] = properties


def _meet_prefixes(left: Flat, right: Flat) -> list[Json]:
    one, other = left.get("prefixItems", []), right.get("prefixItems", [])
    return [
        both(
            one[index] if index < len(one) else left.get("items", True),
            other[index] if index < len(other) else right.get("items", True),
        )
        for index in range(max(len(one), len(other)))
    ]
