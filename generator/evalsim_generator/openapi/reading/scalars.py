"""What the plain words of YAML 1.2 mean."""

import re

from evalsim.types import Json

_CONSTANTS: dict[str, Json] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_INTEGER = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o(?P<octal>[0-7]+)|0x(?P<hex>[0-9a-fA-F]+)")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NUMERIC = frozenset("+-.0123456789")
_WIDE = 19
"""Digits that surely fit in 64 bits are fewer."""


def plain_value(text: str) -> Json:
    """The value of a word without quotes, by the core schema: yes, no, on and dates are text.

    Raises ValueError for a number that no double can hold; `.inf` and `.nan`, which JSON does not
    have, are text. A whole number beyond 64 bits is a double, as it is in JSON.
    """
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if not text or text[0] not in _NUMERIC:
        return text
    if _INTEGER.fullmatch(text):
        return _whole(text)
    based = _BASED.fullmatch(text)
    if based:
        digits, base = (based["octal"], 8) if based["octal"] else (based["hex"], 16)
        return _within(int(digits, base)) if len(digits) < 300 else text
    if _FLOAT.fullmatch(text):
        return _finite(text)
    return text


def _whole(text: str) -> Json:
    if len(text) < _WIDE:
        return int(text)
    return _within(int(text)) if len(text) < 400 else _finite(text)


def _within(number: int) -> Json:
    return number if -(2**63) <= number < 2**64 else _finite(str(number))


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"the number {text[:40]} is larger than a double can hold")
    return number
