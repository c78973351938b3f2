"""JSON values as JavaScript has them: types, numbers, equality, and the order of members."""

import re
from collections.abc import Hashable
from decimal import Decimal
from typing import TypeGuard

from evalsim.types import Json, JsonObject

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def is_object(value: Json) -> TypeGuard[JsonObject]:
    """Whether a JSON value is an object."""
    return isinstance(value, dict)


def is_array(value: Json) -> TypeGuard[list[Json]]:
    """Whether a JSON value is an array."""
    return isinstance(value, list)


def is_number(value: Json) -> TypeGuard[float]:
    """Whether a JSON value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_multiple(value: float, divisor: float) -> bool:
    """Whether binary division leaves a whole number, written without an exponent."""
    try:
        quotient = float(value) / float(divisor)
    except (OverflowError, ZeroDivisionError):
        return False
    return quotient.is_integer() and abs(quotient) < 1e21


def is_integer(value: Json) -> bool:
    """Whether a JSON value is a whole number, 1.0 being one."""
    return is_number(value) and (isinstance(value, int) or value.is_integer())


def written(number: float) -> str:
    """A number as JavaScript turns it into text: 2 for 2.0, 1e-7, 1e+21."""
    try:
        value = float(number)
    except OverflowError:
        return "Infinity" if number > 0 else "-Infinity"
    digits, _, exponent = repr(value).partition("e")
    if value == 0:
        return "0"
    if 1e-6 <= abs(value) < 1e21:
        return format(Decimal(repr(value)), "f").removesuffix(".0")
    return f"{digits.removesuffix('.0')}e{int(exponent):+d}"


def type_of(value: Json) -> str:
    """The JSON type of a value, whole numbers being of type number; Python's for no JSON."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if is_number(value):
        return "number"
    if isinstance(value, str):
        return "string"
    if isinstance(value, dict):
        return "object"
    return "array" if isinstance(value, list | tuple) else type(value).__name__


def is_type(value: Json, name: str) -> bool:
    """Whether a value is of the type that a schema names."""
    return is_integer(value) if name == "integer" else type_of(value) == name


def identity(value: Json) -> Hashable:
    """A key that two values share exactly when they are equal: 1 and 1.0 are, 1 and true not."""
    if is_object(value):
        return "object", frozenset((name, identity(item)) for name, item in value.items())
    if is_array(value):
        return "array", tuple(identity(item) for item in value)
    return type_of(value), value


def names(members: JsonObject) -> list[str]:
    """The member names of an object in JavaScript's order: those that look like indices first."""
    return sorted(members, key=lambda name: (0, int(name)) if _is_index(name) else (1, 0))


def _is_index(name: str) -> bool:
    plain = name.isascii() and name.isdecimal() and (name == "0" or name[0] != "0")
    return plain and len(name) <= 10 and int(name) < 2**32 - 1


def with_whole_characters(value: Json) -> Json:
    """A copy in which U+FFFD stands for each lone surrogate, which no UTF-8 text can hold."""
    top = [value]
    waiting: list[tuple[Json, Json]] = [(top, 0)]
    while waiting:
        holder, key = waiting.pop()
        item = holder[key]
        if isinstance(item, str):
            holder[key] = _LONE_SURROGATE.sub("\ufffd", item)
        elif is_object(item):
            holder[key] = {_LONE_SURROGATE.sub("\ufffd", name): part for name, part in item.items()}
            waiting.extend((holder[key], name) for name in holder[key])
        elif is_array(item):
            holder[key] = list(item)
            waiting.extend((holder[key], index) for index in range(len(item)))
    return top[0]
