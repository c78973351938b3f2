"""What a test says of the calls: each assertion holds or says what is wrong, under any runner."""

import unittest
from collections.abc import Callable
from typing import Any

import pytest

from evalsim.stubs import (
    ANY,
    Approx,
    Expected,
    Harness,
    Partial,
    Regex,
    Satisfies,
    Step,
    Stub,
    StubError,
    concat,
    expect,
)
from evalsim.stubs.assertions import (
    any_order,
    call_count,
    called,
    called_with,
    exact_trajectory,
    no_exhausted,
    no_passthrough,
    no_unhandled,
    not_called,
)
from evalsim.stubs.result import Result


def run(*names: str, stubs: Any = ()) -> Harness:
    """A harness that saw calls of these names, with their places as inputs."""
    harness = Harness(stubs)
    for place, name in enumerate(names):
        harness.dispatch(name, {"n": place}, lambda: "real")
    return harness


HELD: list[tuple[str, Callable[[Harness], Result], bool, str]] = [
    ("called", lambda h: called(h, "a"), True, "'a' was called."),
    ("called", lambda h: called(h, "z"), False, "'z' was never called; called were: a, b."),
    ("not called", lambda h: not_called(h, "z"), True, "'z' was never called."),
    ("not called", lambda h: not_called(h, "b"), False, "'b' was called\n  2. b {'n': 1} ->"),
    ("count", lambda h: call_count(h, "a", 2), True, "expected 2 calls, 2 made"),
    ("count", lambda h: call_count(h, "a", 0), False, "expected 0 calls, 2 made\n  1. a"),
    ("count", lambda h: call_count(h, "a", least=3), False, "expected 3 to any calls, 2 made"),
    ("count", lambda h: call_count(h, "a", most=1), False, "expected 0 to 1 calls, 2 made"),
    ("with", lambda h: called_with(h, "a", {"n": 2}), True, "was called with"),
    ("with", lambda h: called_with(h, "a", {"n": 5}), False, "input.n: expected 5, was 0"),
    ("with", lambda h: called_with(h, "z", {}), False, "'z' was never called."),
    ("any", lambda h: any_order(h, ["b", "a", "a"]), True, "as expected"),
    ("any", lambda h: any_order(h, ["b", "a"]), False, "not expected: 3. a"),
    ("any", lambda h: any_order(h, ["b", "a", "c"]), False, "not called: c"),
    ("unhandled", no_unhandled, False, "3 calls met no answer:\n  1. a"),
    ("passthrough", no_passthrough, False, "3 calls ran the real tool:\n  1. a"),
]


@pytest.mark.parametrize(("what", "judged", "ok", "said"), HELD)
def test_each_holds_or_says_why_not(
    what: str, judged: Callable[[Harness], Result], ok: bool, said: str
) -> None:
    """The message is about what was found, whichever way it went."""
    result = judged(run("a", "b", "a"))

    assert ok == result.ok == bool(result)
    assert said in result.message
    if ok:
        result.require()
    else:
        with pytest.raises(AssertionError, match=result.message[:9]):
            result.require()


def test_all_was_stubbed() -> None:
    """With every call answered, nothing was unhandled and no tool ran; a sequence may run dry."""
    repeating = Stub("a", sequence=[Step(result=1)], on_exhausted="repeat_last")
    harness = run("a", "a", stubs=[repeating, Stub("b", result=1)])

    expect(harness).no_unhandled()
    expect(harness).no_passthrough()
    assert "tool a: 1 steps" in no_exhausted(harness).message
    with pytest.raises(AssertionError, match="Unused stubs:\n  tool b"):
        expect(harness).all_stubs_used()


def test_any_order_finds_the_one_assignment() -> None:
    """A loose expectation leaves a call for the one expectation that needs it."""
    harness = run("a", "a")
    loose, exact = Expected("a"), Expected("a", input={"n": 0})

    assert any_order(harness, [loose, exact])
    assert not any_order(harness, [exact, exact])


@pytest.mark.parametrize(
    ("matcher", "fitting", "other"),
    [
        (ANY, None, ...),
        (Regex(r"^a.c$"), "abc", "abd"),
        (Approx(0.3), 0.1 + 0.2, 0.31),
        (Approx(100, rel=0.1), 109, True),
        (Satisfies(lambda v: v > 2), 3, 2),
        (Partial({"u": {"id": 1}}), {"u": {"id": 1, "x": 2}, "y": 3}, {"u": {}}),
        (Partial([{"id": 1}]), [{"id": 1, "x": 2}], [{"id": 1}, {}]),
    ],
)
def test_matchers_stand_for_values(matcher: Any, fitting: Any, other: Any) -> None:
    """In a stub's arguments, and in what is expected of a call."""
    harness = Harness([Stub("a", args={"deep": [matcher]}, result="hit")])
    assert "hit" == harness.dispatch("a", {"deep": [fitting]}, lambda: "real")
    assert exact_trajectory(harness, [Expected("a", input={"deep": [matcher]})])
    if other is not ...:
        assert "real" == harness.dispatch("a", {"deep": [other]}, lambda: "real")


def test_matchers_and_expectations_are_checked_when_they_are_written() -> None:
    """A pattern that is none, and an expectation that says nothing."""
    with pytest.raises(StubError, match="no regular expression"):
        Regex("(")
    for wrong in (3, {"input": 1}):
        with pytest.raises(StubError, match=r"expected\[0\]"):
            exact_trajectory([], [wrong])  # type: ignore[list-item]
    with pytest.raises(StubError, match="is made of calls"):
        concat([3])  # type: ignore[list-item]


def test_other_runners_need_nothing_of_pytest() -> None:
    """A unittest case fails by the message, as by any AssertionError."""

    class Case(unittest.TestCase):
        def test_it(self) -> None:
            expect(run("a")).not_called("a")

    outcome = unittest.TestResult()
    Case("test_it").run(outcome)
    ((_, told),) = outcome.failures
    assert "AssertionError: 'a' was called" in told
