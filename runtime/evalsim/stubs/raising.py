"""The assertions in their raising form: `expect(harness).called("search")`."""

from collections.abc import Iterable
from typing import Any

from evalsim.stubs import assertions
from evalsim.stubs.assertions import Calls, ExpectedLike
from evalsim.stubs.errors import StubError
from evalsim.stubs.harness import Harness


class Expect:
    """Raises AssertionError with the message of whatever does not hold."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def exact_trajectory(self, expected: Iterable[ExpectedLike]) -> None:
        """See `assertions.exact_trajectory`."""
        __tracebackhide__ = True
        assertions.exact_trajectory(self._calls, expected).require()

    def subsequence(self, expected: Iterable[ExpectedLike]) -> None:
        """See `assertions.subsequence`."""
        __tracebackhide__ = True
        assertions.subsequence(self._calls, expected).require()

    def any_order(self, expected: Iterable[ExpectedLike]) -> None:
        """See `assertions.any_order`."""
        __tracebackhide__ = True
        assertions.any_order(self._calls, expected).require()

    def called(self, name: str) -> None:
        """See `assertions.called`."""
        __tracebackhide__ = True
        assertions.called(self._calls, name).require()

    def not_called(self, name: str) -> None:
        """See `assertions.not_called`."""
        __tracebackhide__ = True
        assertions.not_called(self._calls, name).require()

    def called_with(self, name: str, input: Any) -> None:
        """See `assertions.called_with`."""
        __tracebackhide__ = True
        assertions.called_with(self._calls, name, input).require()

    def call_count(
        self, name: str, exactly: int | None = None, *, least: int = 0, most: int | None = None
    ) -> None:
        """See `assertions.call_count`."""
        __tracebackhide__ = True
        assertions.call_count(self._calls, name, exactly, least=least, most=most).require()

    def no_unhandled(self) -> None:
        """See `assertions.no_unhandled`."""
        __tracebackhide__ = True
        assertions.no_unhandled(self._calls).require()

    def no_passthrough(self) -> None:
        """See `assertions.no_passthrough`."""
        __tracebackhide__ = True
        assertions.no_passthrough(self._calls).require()

    def no_exhausted(self) -> None:
        """See `assertions.no_exhausted`."""
        __tracebackhide__ = True
        assertions.no_exhausted(self._harness).require()

    def all_consumed(self) -> None:
        """See `assertions.all_consumed`."""
        __tracebackhide__ = True
        assertions.all_consumed(self._harness).require()

    def all_stubs_used(self) -> None:
        """See `assertions.all_stubs_used`."""
        __tracebackhide__ = True
        assertions.all_stubs_used(self._harness).require()

    def outputs_fit_schemas(self, tools: object = None) -> None:
        """See `assertions.outputs_fit_schemas`."""
        __tracebackhide__ = True
        assertions.outputs_fit_schemas(self._calls, tools).require()

    def cassette_fully_used(self) -> None:
        """See `assertions.cassette_fully_used`."""
        __tracebackhide__ = True
        assertions.cassette_fully_used(self._harness).require()

    @property
    def _harness(self) -> Harness:
        if not isinstance(self._calls, Harness):
            raise StubError("This is asked of a harness, and a trajectory was given.")
        return self._calls


def expect(calls: Calls) -> Expect:
    """What is expected of a harness or a trajectory, in the raising form."""
    return Expect(calls)
