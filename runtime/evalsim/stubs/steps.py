"""What one call of a stub does: return, raise, take its time, or fail now and then."""

import copy
import json
import random
from contextlib import suppress
from dataclasses import dataclass
from math import isfinite
from typing import Any, Never

from evalsim.stubs.errors import StubError, refuse_unknown
from evalsim.stubs.values import MISSING, copied, is_mapping

_OPTIONS = ("result", "error", "delay", "rate", "seed", "unchecked")


@dataclass(frozen=True, slots=True, init=False)
class Step:
    """One outcome: `result` (a value, or a function of the input) or `error`, after `delay`.

    With both, `rate` is the share of calls that fail, drawn from `seed`. `delay` is in seconds of
    the harness's clock. An `unchecked` result is held to no schema: it is wrong on purpose.
    """

    result: Any
    error: BaseException | type[BaseException] | None
    delay: float
    rate: float | None
    seed: int
    unchecked: bool

    def __init__(
        self,
        *,
        result: Any = MISSING,
        error: BaseException | type[BaseException] | None = None,
        delay: float = 0,
        rate: float | None = None,
        seed: int = 0,
        unchecked: bool = False,
        **unknown: Never,
    ) -> None:
        refuse_unknown("A step", unknown, _OPTIONS)
        _check(result, error, delay, rate)
        set_field = object.__setattr__
        set_field(self, "result", copied(result))
        set_field(self, "error", error)
        set_field(self, "delay", delay)
        set_field(self, "rate", rate)
        set_field(self, "seed", seed)
        set_field(self, "unchecked", unchecked)

    def fails(self, served: int) -> bool:
        """Whether the call that follows `served` others fails."""
        if self.rate is None:
            return self.error is not None
        return random.Random(f"{self.seed}:{served}").random() < self.rate

    def fresh_error(self) -> BaseException:
        """The error to raise: a new instance each time, so that none carries another's traceback.

        An exception that cannot be copied is raised itself.
        """
        if isinstance(self.error, type):
            return _instance(self.error)
        assert self.error is not None
        return renewed(self.error)


def _instance(kind: type[BaseException]) -> BaseException:
    try:
        return kind()
    except TypeError as error:
        told = f"{kind.__name__} cannot be made without arguments"
        raise StubError(f"{told}; give an instance of it as the error.") from error


def renewed(error: BaseException) -> BaseException:
    """A new exception like `error`, with its cause and no traceback; itself if none can be made."""
    fresh = _copy(error)
    fresh.__cause__, fresh.__context__ = error.__cause__, None
    fresh.__suppress_context__ = error.__suppress_context__
    return fresh.with_traceback(None)


def _copy(error: BaseException) -> BaseException:
    with suppress(Exception):
        return copy.copy(error)
    kind = type(error)
    with suppress(Exception):  # its constructor wants other arguments than it keeps
        fresh = kind.__new__(kind, *error.args)
        fresh.args = error.args
        vars(fresh).update(vars(error))
        return fresh
    return error


def _check(result: object, error: object, delay: object, rate: object) -> None:
    if result is MISSING and error is None:
        raise StubError("A step needs a result or an error.")
    if error is not None and not _is_error(error):
        raise StubError(f"error is {error!r}; it is an exception, or a class of one.")
    if result is not MISSING and error is not None and rate is None:
        raise StubError("A step has a result or an error, not both; with both, give a rate.")
    if rate is not None and (result is MISSING or error is None):
        raise StubError("A rate needs both a result and an error.")
    if not _is_number(delay) or delay < 0:  # type: ignore[operator]
        raise StubError(f"delay is {delay!r}; it is a number of seconds, 0 or more.")
    if rate is not None and not (_is_number(rate) and 0 <= rate <= 1):  # type: ignore[operator]
        raise StubError(f"rate is {rate!r}; it is a number from 0 to 1.")


def _is_error(error: object) -> bool:
    return isinstance(error, BaseException) or (
        isinstance(error, type) and issubclass(error, BaseException)
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def as_step(item: object, where: str) -> Step:
    """A step, or the mapping of its options; raises `StubError` naming `where`."""
    if isinstance(item, Step):
        return item
    if not is_mapping(item):
        raise StubError(f"{where} is {item!r}; write it as Step(result=…) or Step(error=…).")
    try:
        return Step(**item)
    except (StubError, TypeError) as error:
        raise StubError(f"{where}: {error}") from None


def timeout(after: float = 30) -> Step:
    """A call that is given up after `after` seconds, with a TimeoutError."""
    return Step(error=TimeoutError(f"timed out after {after} s"), delay=after)


def malformed(value: Any) -> Step:
    """A call that answers with half of the JSON text of `value`, as a torn connection would."""
    text = json.dumps(value)
    return Step(result=text[: len(text) // 2], unchecked=True)


def flaky(
    rate: float, seed: int, *, result: Any, error: BaseException | type[BaseException] | None = None
) -> Step:
    """A call that fails in a `rate` of cases, the same ones in every run of the same `seed`."""
    failure = ConnectionError("flaky") if error is None else error
    return Step(result=result, error=failure, rate=rate, seed=seed)
