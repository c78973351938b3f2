"""What a test expects of one call, and where a recorded call is not so."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Never

from evalsim.stubs.call import Call
from evalsim.stubs.errors import StubError, refuse_other, refuse_unknown
from evalsim.stubs.stub import CALL_KINDS
from evalsim.stubs.values import (
    MISSING,
    Difference,
    copied,
    differences,
    is_mapping,
    is_matcher,
    shown,
)

_OPTIONS = ("name", "kind", "input", "output", "error", "stubbed")


@dataclass(frozen=True, slots=True, init=False)
class Expected:
    """A call as a test expects it: what is given must be so, and None is given.

    `error` is an exception (its class and arguments), a class of one, or None for no error.
    """

    name: str
    kind: str | None
    input: Any
    output: Any
    error: Any
    stubbed: bool | None

    def __init__(
        self,
        name: str,
        *,
        kind: str | None = None,
        input: Any = MISSING,
        output: Any = MISSING,
        error: Any = MISSING,
        stubbed: bool | None = None,
        **unknown: Never,
    ) -> None:
        refuse_unknown(f"An expected call ({name!r})", unknown, _OPTIONS)
        if kind is not None:
            refuse_other(f"The kind of expected call {name!r}", kind, CALL_KINDS)
        if stubbed not in (None, True, False):
            raise StubError(f"stubbed of expected call {name!r} is {stubbed!r}; it is a boolean.")
        set_field = object.__setattr__
        set_field(self, "name", name)
        set_field(self, "kind", kind)
        set_field(self, "input", copied(input))
        set_field(self, "output", copied(output))
        set_field(self, "error", error)
        set_field(self, "stubbed", stubbed)

    def differences(self, call: Call) -> Iterator[Difference]:
        """Every field that was given and is not so."""
        yield from differences(self.name, call.name, "name")
        if self.kind is not None:
            yield from differences(self.kind, call.kind, "kind")
        if self.input is not MISSING:
            yield from differences(self.input, call.input, "input")
        if self.output is not MISSING:
            yield from differences(self.output, call.output, "output")
        if self.error is None and call.tool_error:
            yield Difference("error", None, call.output)
        elif self.error is not MISSING and not _same_error(self.error, call.error):
            yield Difference("error", self.error, call.error)
        if self.stubbed is not None:
            yield from differences(self.stubbed, call.stubbed, "stubbed")

    def fits(self, call: Call) -> bool:
        """Whether the call is as expected."""
        return next(self.differences(call), None) is None

    def __str__(self) -> str:
        """`search input={'q': 'x'}`."""
        given = ((name, getattr(self, name)) for name in _OPTIONS[1:])
        told = (f"{name}={shown(value)}" for name, value in given if _is_given(name, value))
        return " ".join((self.name, *told))


def _is_given(name: str, value: object) -> bool:
    return value is not (None if name in ("kind", "stubbed") else MISSING)


def _same_error(expected: Any, actual: BaseException | None) -> bool:
    if isinstance(expected, type):
        return isinstance(actual, expected)
    if is_matcher(expected):
        return bool(expected.fits(actual))
    return next(differences(expected, actual, ""), None) is None


def as_expected(item: object, where: str) -> Expected:
    """An expectation: itself, the name of a call, or the mapping of its options."""
    if isinstance(item, Expected):
        return item
    if isinstance(item, str):
        return Expected(item)
    if not is_mapping(item) or "name" not in item:
        raise StubError(f"{where} is {item!r}; write it as Expected(name, …).")
    try:
        return Expected(**item)
    except StubError as error:
        raise StubError(f"{where}: {error}") from None
