"""Numbers as JavaScript has them: one binary type, written its own way."""

from decimal import Decimal
from typing import Any, TypeGuard


def is_number(value: Any) -> TypeGuard[float]:
    """Whether a JSON value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_multiple(value: float, divisor: float) -> bool:
    """Whether binary division leaves a whole number, written without an exponent."""
    try:
        quotient = float(value) / float(divisor)
    except (OverflowError, ZeroDivisionError):
        return False
    return quotient.is_integer() and abs(quotient) < 1e21


def is_integer(value: Any) -> bool:
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
    if 1e-7 <= abs(value) < 1e21:
        return format(Decimal(repr(value)), "f").removesuffix(".0")
    return f"{digits.removesuffix('.0')}e{int(exponent):+d}"
