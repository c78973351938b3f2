"""Expected values that fit more than one: anything, a pattern, a number nearby, a part."""

import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from evalsim.stubs.errors import StubError
from evalsim.stubs.values import fits


@dataclass(frozen=True, slots=True)
class Anything:
    """Fits every value; written as `ANY`."""

    def fits(self, value: object) -> bool:  # noqa: ARG002  the shape of every matcher
        """Always."""
        return True

    def __repr__(self) -> str:
        return "ANY"


ANY = Anything()


@dataclass(frozen=True, slots=True)
class Regex:
    """Fits a text in which `pattern` is found."""

    pattern: str
    _compiled: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "_compiled", re.compile(self.pattern))
        except (re.error, TypeError) as error:
            raise StubError(f"Regex({self.pattern!r}) is no regular expression: {error}.") from None

    def fits(self, value: object) -> bool:
        """Whether it is a text that holds the pattern."""
        return isinstance(value, str) and self._compiled.search(value) is not None


@dataclass(frozen=True, slots=True)
class Approx:
    """Fits a number within `rel` (a share) or `abs` of `number`."""

    number: float
    rel: float = 1e-6
    abs: float = 1e-12

    def fits(self, value: object) -> bool:
        """Whether it is a number close enough."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return math.isclose(self.number, value, rel_tol=self.rel, abs_tol=self.abs)


@dataclass(frozen=True, slots=True)
class Satisfies:
    """Fits a value for which `predicate` answers true."""

    predicate: Callable[[Any], object]

    def __post_init__(self) -> None:
        check_function("Satisfies: predicate", self.predicate)

    def fits(self, value: object) -> bool:
        """What the predicate says; what it raises is raised."""
        return judged(self.predicate, value)


@dataclass(frozen=True, slots=True)
class Partial:
    """Fits a value that has at least these members, at every depth."""

    members: Mapping[str, Any] | list[Any]

    def fits(self, value: object) -> bool:
        """Whether the value is a superset; lists keep their length."""
        return fits(self.members, value, subset=True)


def check_function(where: str, function: object) -> None:
    """Raises `StubError` for what is not callable, or is async: what it answered would be true."""
    if not callable(function):
        raise StubError(f"{where} is {function!r}; it is a function.")
    if inspect.iscoroutinefunction(function):
        raise StubError(f"{where} is async; it is a plain function.")


def judged(predicate: Callable[[Any], object], value: object) -> bool:
    """What a predicate says of a value; raises `StubError` when it answers with an awaitable."""
    answer = predicate(value)
    if inspect.isawaitable(answer):
        if inspect.iscoroutine(answer):
            answer.close()
        raise StubError("a predicate answered with an awaitable; make it a plain function.")
    return bool(answer)
