"""Values that cross a tool's boundary: copies of them, and where two of them differ."""

import copy
import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any, Final, Protocol, TypeGuard, runtime_checkable


class Missing(Enum):
    """The type of MISSING."""

    MISSING = "missing"

    def __repr__(self) -> str:
        return "nothing"


MISSING: Final = Missing.MISSING
"""Stands for a value that was not given; None is a value."""

_PLAIN = frozenset({str, int, float, bool, type(None)})


@runtime_checkable
class Matcher(Protocol):
    """An expected value that decides by itself what fits it."""

    def fits(self, value: object) -> bool:
        """Whether `value` is what is expected."""
        ...


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where a value is not what was expected; `path` reads like `input.user.id`."""

    path: str
    expected: object
    actual: object

    def __str__(self) -> str:
        return f"{self.path}: expected {shown(self.expected)}, was {shown(self.actual)}"


def shown(value: object, limit: int = 200) -> str:
    """A value for reading, cut to `limit` characters."""
    try:
        text = repr(value)
    except Exception:  # a message must come out whatever the value does
        text = f"<{type(value).__name__}>"
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def copied(value: object) -> Any:
    """A copy that shares no part that can change.

    What has no equality of its own (a connection, a function), or cannot be copied, is kept itself:
    taking a copy never fails.
    """
    try:
        return _copied(value)
    except RecursionError:  # it holds itself, or is deeper than the stack; all of it is copied anew
        return _deep(value)


def _copied(value: object) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    return _COPIERS[kind](value) if kind in _COPIERS else _deep(value)


def _deep(value: Any) -> Any:
    compares = getattr(value.__class__, "__eq__", None) is not object.__eq__
    if not compares or isinstance(value, BaseException) or is_matcher(value):
        return value
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


_COPIERS: Mapping[type, Callable[[Any], Any]] = {
    dict: lambda value: {key: _copied(item) for key, item in value.items()},
    list: lambda value: [_copied(item) for item in value],
    tuple: lambda value: tuple(_copied(item) for item in value),
}


def is_matcher(value: object) -> bool:
    """Whether an expected value decides by itself; a class never does."""
    return not isinstance(value, type) and isinstance(value, Matcher)


def fits(expected: object, actual: object, *, subset: bool = False) -> bool:
    """Whether `actual` is as `expected`; with `subset`, mappings may have more keys.

    1 is 1.0 and not true, NaN is NaN, a tuple is a list, keys have no order.
    """
    try:
        verdict = _plainly(expected, actual, subset)
    except RecursionError:
        verdict = None
    if verdict is None:
        verdict = next(differences(expected, actual, "", subset=subset), None) is None
    return verdict


def _plainly(expected: Any, actual: Any, subset: bool) -> bool | None:
    """Whether plain JSON fits, found without naming places; None where more is to be looked at."""
    kind, other = class_of(expected), class_of(actual)
    if kind in _PLAIN:
        return _same_scalar(expected, actual)
    if kind is dict and other is dict:
        return _plain_members(expected, actual, subset)
    if kind is list and other in (list, tuple):
        if len(expected) != len(actual):
            return False
        return _all(_plainly(one, other, subset) for one, other in zip(expected, actual))  # noqa: B905  of one length
    return None


def _plain_members(expected: dict[Any, Any], actual: dict[Any, Any], subset: bool) -> bool | None:
    if len(expected) != len(actual) and (not subset or len(expected) > len(actual)):
        return False
    whole: bool | None = True
    for key, item in expected.items():
        if type(key) is not str:
            return None
        if key not in actual:
            return False
        part = _plainly(item, actual[key], subset)
        if part is False:
            return False
        whole = whole and part
    return whole


def _all(parts: Iterator[bool | None]) -> bool | None:
    """False once a part is, None where one is not known, else True."""
    whole: bool | None = True
    for part in parts:
        if part is False:
            return False
        whole = whole and part
    return whole


def differences(
    expected: Any, actual: Any, path: str, *, subset: bool = False
) -> Iterator[Difference]:
    """Every place where `actual` is not as `expected`, named from `path` on."""
    return _Comparison(subset, set()).differences(expected, actual, path)


@dataclass(frozen=True, slots=True)
class _Comparison:
    """One comparison; the pairs it is inside of end the walk of values that hold themselves."""

    subset: bool
    inside: set[tuple[int, int]]

    def differences(self, expected: Any, actual: Any, path: str) -> Iterator[Difference]:
        if type(expected) in _PLAIN:
            if not _same_scalar(expected, actual):
                yield Difference(path, expected, actual)
        elif is_matcher(expected):
            if not expected.fits(actual):
                yield Difference(path, expected, actual)
        elif (pair := (id(expected), id(actual))) not in self.inside:
            self.inside.add(pair)
            yield from self._parts(expected, actual, path)
            self.inside.discard(pair)

    def _parts(self, expected: Any, actual: Any, path: str) -> Iterator[Difference]:
        if is_mapping(expected) and is_mapping(actual):
            yield from self._members(expected, actual, path)
        elif is_sequence(expected) and is_sequence(actual):
            if len(expected) != len(actual):
                yield Difference(f"{path} (its length)", len(expected), len(actual))
            for place, (one, other) in enumerate(zip(expected, actual, strict=False)):
                yield from self.differences(one, other, f"{path}[{place}]")
        elif is_set(expected) and is_set(actual):
            if not _same_set(expected, actual):
                yield Difference(path, expected, actual)
        elif (members := members_of(expected)) is not None and type(expected) is type(actual):
            yield from self._members(members, members_of(actual) or {}, path)
        elif not _equal(expected, actual):
            yield Difference(path, expected, actual)

    def _members(
        self, expected: Mapping[Any, Any], actual: Mapping[Any, Any], path: str
    ) -> Iterator[Difference]:
        present = {_typed(key): item for key, item in actual.items()}
        for key, item in expected.items():
            place = f"{path}.{key}" if path else str(key)
            if _typed(key) in present:
                yield from self.differences(item, present.pop(_typed(key)), place)
            else:
                yield Difference(place, item, MISSING)
        for (_, key), item in () if self.subset else present.items():
            yield Difference(f"{path}.{key}" if path else str(key), MISSING, item)


def _typed(key: object) -> tuple[Any, Any]:
    """A key of a mapping or a set, by which 1 is not true; a text is one whatever its class."""
    if isinstance(key, str):
        return str, key
    number = isinstance(key, int | float) and not isinstance(key, bool)
    return (float if number else class_of(key)), key


def _same_set(expected: Set[Any], actual: Set[Any]) -> bool:
    if len(expected) != len(actual):
        return False
    if all(type(item) in _PLAIN for item in (*expected, *actual)):
        return set(map(_typed, expected)) == set(map(_typed, actual))
    return all(any(fits(one, other) for other in actual) for one in expected)


def class_of(value: object) -> type[Any]:
    """The class of a value, whatever was narrowed of it before."""
    return type(value)


def is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Whether a value is a mapping."""
    return isinstance(value, Mapping)


def is_sequence(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether a value is what JSON has as an array."""
    return isinstance(value, list | tuple)


def is_set(value: object) -> TypeGuard[Set[Any]]:
    """Whether a value is a set."""
    return isinstance(value, Set)


def members_of(value: Any) -> dict[str, Any] | None:
    """The fields of a dataclass, a Pydantic model or an exception; None for all else."""
    if isinstance(value, type):
        return None
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, BaseException):
        return {"args": value.args}
    declared: object = getattr(class_of(value), "model_fields", None)
    if is_mapping(declared):
        extra: Mapping[str, Any] = getattr(value, "model_extra", None) or {}
        return {**{name: getattr(value, name) for name in declared}, **extra}
    return None


def _same_scalar(expected: Any, actual: Any) -> bool:
    if expected is actual:
        return True
    if isinstance(expected, bool) or isinstance(actual, bool):
        return False
    if isinstance(expected, float) and math.isnan(expected):
        return isinstance(actual, float) and math.isnan(actual)
    if isinstance(expected, int | float):
        return isinstance(actual, int | float) and expected == actual
    return isinstance(actual, type(expected)) and expected == actual


def _equal(expected: Any, actual: Any) -> bool:
    try:
        same = type(expected) is type(actual) or not isinstance(expected, str | bytes)
        return expected is actual or (same and bool(expected == actual))
    except Exception:  # an equality that raises, or answers with an array, decides nothing
        return False
