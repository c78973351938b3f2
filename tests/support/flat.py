"""What a *flat* schema is, and questions to one.

A flat schema has no $ref, no combinator and no boolean form. It differs from JSON Schema where
two values must live side by side: `pattern`, `format`, `multipleOf` and `contains` are lists;
`type` is always a list, `const` is an `enum` of one, and `tricky` says that a value drawn from the
flat schema must still be judged by the schema it came from.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from typing import Any

from evalsim.types import Json

Flat = dict[str, Any]
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
INT_FORMATS = {"int32": (-(2**31), 2**31 - 1), "int64": (-(2**63), 2**63 - 1)}


def same(left: Json, right: Json) -> bool:
    """JSON equality: 1 equals 1.0, true differs from 1, key order is free."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    alike = type(left) is type(right) or _numbers(left, right)
    return alike and left == right


def _numbers(left: Json, right: Json) -> bool:
    return isinstance(left, int | float) and isinstance(right, int | float)


def both(left: Json, right: Json) -> Json:
    """A schema that asks for both."""
    if left is True or left == {}:
        return right
    if right is True or right == {} or left is right:
        return left
    if left is False or right is False:
        return False
    return {"allOf": [left, right]}


def is_a(value: Json, kinds: list[str]) -> bool:
    """Whether the value has one of the JSON Schema types."""
    match value:
        case None:
            return "null" in kinds
        case bool():
            return "boolean" in kinds
        case int():
            return "number" in kinds or "integer" in kinds
        case float():
            return "number" in kinds or ("integer" in kinds and value.is_integer())
        case str():
            return "string" in kinds
        case list():
            return "array" in kinds
    return "object" in kinds


def bounds(flat: Flat) -> tuple[Any, Any]:
    """The lowest and highest number the schema speaks of, exclusive ends included."""
    lows = [flat[key] for key in ("minimum", "exclusiveMinimum") if key in flat]
    highs = [flat[key] for key in ("maximum", "exclusiveMaximum") if key in flat]
    for name in flat.get("format", []):
        if name in INT_FORMATS:
            lows.append(INT_FORMATS[name][0])
            highs.append(INT_FORMATS[name][1])
    return max(lows, default=None), min(highs, default=None)


def common_multiple(steps: list[Any]) -> Fraction:
    """The smallest number that every step divides."""
    fractions = [Fraction(str(step)) for step in steps]
    top = reduce(math.lcm, (fraction.numerator for fraction in fractions), 1)
    bottom = reduce(math.gcd, (fraction.denominator for fraction in fractions), 0)
    return Fraction(top, bottom or 1)


def item_schema(flat: Flat, index: int) -> Json:
    """What a flat schema asks of the item at `index`."""
    prefix = flat.get("prefixItems", [])
    return prefix[index] if index < len(prefix) else flat.get("items", True)


def key_schema(flat: Flat, name: str, matches: Callable[[str, str], bool]) -> Json:
    """What a flat schema asks of the value under `name`."""
    properties, patterns = flat.get("properties", {}), flat.get("patternProperties", {})
    found = [properties[name]] if name in properties else []
    found += [schema for pattern, schema in patterns.items() if matches(pattern, name)]
    if not found:
        return flat.get("additionalProperties", True)
    return found[0] if len(found) == 1 else {"allOf": found}


def as_schema(flat: Flat) -> dict[str, Json]:
    """A flat schema written as JSON Schema again."""
    listed = ("pattern", "format", "multipleOf")
    own = {key: value for key, value in flat.items() if key not in (*listed, "contains", "tricky")}
    parts: list[Json] = [{key: value} for key in listed for value in flat.get(key, [])]
    for schema, least, most in flat.get("contains", []):
        limit = {} if most is None else {"maxContains": most}
        parts.append({"contains": schema, "minContains": least, **limit})
    return {**own, "allOf": parts} if parts else own
