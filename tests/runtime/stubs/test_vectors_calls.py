"""The acceptance vectors 1 to 13 (stubs and sequences) and 26 to 30 (assertions, merging)."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from evalsim.stubs import (
    Harness,
    SealBroken,
    SequenceExhausted,
    Step,
    Stub,
    UnhandledCall,
    UnhandledCallWarning,
    expect,
    merge,
)
from evalsim.stubs.assertions import (
    all_consumed,
    called_with,
    exact_trajectory,
    subsequence,
)


class Failure(Exception):
    """What a stubbed tool raises."""


def real() -> str:
    """The real tool."""
    return "real"


def call(harness: Harness, name: str, input: Any = None, **options: Any) -> Any:
    """Call a tool whose real answer is "real"."""
    return harness.dispatch(name, input, real, **options)


def test_vector_1_the_first_stub_that_fits_answers_and_all_else_is_real() -> None:
    """Arguments come first, then the name; another tool runs."""
    harness = Harness([Stub("a", args={"q": 1}, result="A"), Stub("a", result="B")])

    assert ["A", "B", "real"] == [
        call(harness, "a", {"q": 1}),
        call(harness, "a", {"q": 2}),
        call(harness, "b"),
    ]
    assert [True, True, False] == [made.stubbed for made in harness.trajectory]


def test_vector_2_a_predicate_wins_over_args() -> None:
    """With both, only the predicate decides."""
    harness = Harness([Stub("a", args={"q": 1}, match=lambda i: i["q"] > 5, result="hit")])

    assert ["real", "hit"] == [call(harness, "a", {"q": 1}), call(harness, "a", {"q": 9})]


def test_vector_3_args_are_equal_as_json_is() -> None:
    """Order and the kind of number do not matter, one key more does."""
    harness = Harness([Stub("a", args={"x": 1, "y": 2}, result="hit")])

    assert "hit" == call(harness, "a", {"y": 2, "x": 1})
    assert "real" == call(harness, "a", {"x": 1, "y": 2, "z": 3})
    assert "hit" == call(harness, "a", {"x": 1.0, "y": 2})


def test_vector_4_none_is_a_value_and_any_kind_is_said() -> None:
    """Args None fit None alone; no kind means tools, `any` every kind, `skill` skills."""
    harness = Harness([Stub("a", args=None, result="hit")])
    assert ["hit", "real"] == [call(harness, "a", None), call(harness, "a", {})]

    kinds = ("tool", "skill", "subagent")
    for kind, answered in {"tool": ["tool"], "any": [*kinds], "skill": ["skill"]}.items():
        harness = Harness([Stub("a", kind=kind, result="hit")])
        assert answered == [k for k in kinds if call(harness, "a", kind=k) == "hit"]


def test_vector_5_what_a_function_raises_is_seen_and_recorded() -> None:
    """The caller gets the very exception, and the record has no output."""
    failure = Failure("x")

    def fail(_: Any) -> None:
        raise failure

    harness = Harness([Stub("a", result=fail)])
    with pytest.raises(Failure) as raised:
        call(harness, "a")

    assert failure is raised.value
    expect(harness).exact_trajectory([{"name": "a", "error": failure, "stubbed": True}])
    assert "nothing" == repr(harness.trajectory[0].output)


def test_vector_6_a_result_is_never_shared() -> None:
    """What the caller does to an answer changes neither the next nor the record."""
    harness = Harness([Stub("a", result={"l": []})])
    call(harness, "a")["l"].append(1)

    assert {"l": []} == call(harness, "a")
    assert {"l": []} == harness.trajectory[0].output


def test_vector_7_the_seal_blocks_and_is_remembered() -> None:
    """The tool does not run, the call is recorded as blocked, and closing raises again."""
    ran: list[int] = []
    harness = Harness(on_unhandled="error")
    with pytest.raises(UnhandledCall, match="zzz"):
        harness.dispatch("zzz", {}, lambda: ran.append(1))

    assert not ran
    assert issubclass(UnhandledCall, AssertionError)
    (made,) = harness.trajectory
    assert ("blocked", False, True) == (made.source, made.stubbed, made.failed)
    assert "[blocked]" in str(made)
    with pytest.raises(SealBroken, match="zzz"):
        harness.close()


def test_vector_8_warn_tells_the_count_once() -> None:
    """Three unhandled calls are three records and one warning that counts them."""
    harness = Harness(on_unhandled="warn")
    for _ in range(3):
        call(harness, "a")

    assert 3 == len(harness.trajectory)
    with pytest.warns(UnhandledCallWarning, match=r"3 call\(s\).*a \(3\)") as warned:
        harness.close()
    assert 1 == len(warned)


def two_steps(**options: Any) -> Harness:
    """A tool that fails once, then answers 1."""
    steps = [Step(error=Failure("e")), Step(result=1)]
    return Harness([Stub("a", sequence=steps, **options)], on_unhandled="error")


def outcomes(harness: Harness, count: int) -> list[Any]:
    """What so many calls give, an exception by its class."""

    def one() -> Any:
        try:
            return call(harness, "a")
        except Exception as error:
            return type(error)

    return [one() for _ in range(count)]


def test_vector_9_a_sequence_runs_dry() -> None:
    """After the last step the call fails, as a stubbed one, and the state says exhausted."""
    harness = two_steps()

    assert [Failure, 1, SequenceExhausted] == outcomes(harness, 3)
    assert harness.trajectory[2].stubbed
    (state,) = harness.sequence_state()
    assert (2, 2, True) == (state.length, state.consumed, state.exhausted)


def test_vector_10_all_consumed_is_not_exhausted() -> None:
    """A sequence that was used to its end is consumed; one step less is not."""
    harness = two_steps()
    outcomes(harness, 1)
    assert not all_consumed(harness)
    outcomes(harness, 1)
    (state,) = harness.sequence_state()

    assert (2, False) == (state.consumed, state.exhausted)
    assert all_consumed(harness)


def test_vector_11_what_follows_the_last_step() -> None:
    """The last step again, or the real tool whatever the policy."""
    repeating = two_steps(on_exhausted="repeat_last")
    assert [Failure, 1, 1, 1] == outcomes(repeating, 4)
    assert repeating.sequence_state()[0].exhausted

    passing = two_steps(on_exhausted="passthrough")
    assert [Failure, 1, "real"] == outcomes(passing, 3)
    assert not passing.trajectory[2].stubbed
    passing.close()


def test_vector_12_every_step_goes_to_one_call() -> None:
    """Concurrent calls get steps in the order they began; of threads none shares a step."""

    async def gather() -> list[Any]:
        harness = Harness([Stub("a", sequence=[Step(result=1), Step(result=2)])])
        return await asyncio.gather(*(harness.dispatch_async("a", None, real) for _ in range(2)))

    assert [1, 2] == asyncio.run(gather())

    steps = [Step(result=i) for i in range(160_000)]
    harness = Harness([Stub("a", sequence=steps)])
    with ThreadPoolExecutor(16) as pool:
        runs = pool.map(lambda _: [call(harness, "a") for _ in range(10_000)], range(16))
        served = [result for run in runs for result in run]
    assert list(range(160_000)) == sorted(served)


def test_vector_13_reset_begins_anew() -> None:
    """Calls and cursors are gone, the stubs stay."""
    harness = two_steps()
    outcomes(harness, 2)
    harness.reset()

    assert () == harness.trajectory
    assert 0 == harness.sequence_state()[0].consumed
    assert [Failure, 1] == outcomes(harness, 2)


def made(*names: str) -> Harness:
    """A harness that saw calls of these names."""
    harness = Harness()
    for name in names:
        call(harness, name, {"n": 1})
    return harness


def test_vector_26_an_exact_trajectory_says_where_it_differs() -> None:
    """Both counts where lengths differ; the index and the field where a call does."""
    assert exact_trajectory([], [])
    assert all(count in exact_trajectory(made("a"), ["a", "b"]).message for count in ("2", "1"))

    wrong = exact_trajectory(made("a", "b"), ["a", {"name": "b", "input": {"n": 2}}])
    assert not wrong.ok
    assert "index 1 differs: input.n: expected 2, was 1" in wrong.message


def test_vector_27_a_subsequence_is_in_order() -> None:
    """What is not found in order is named; gaps are fine."""
    missed = subsequence(made("a", "b"), ["b", "a"])
    assert not missed
    assert "Not found in order: a" in missed.message
    assert subsequence(made("a", "b", "a"), ["b", "a"])


@pytest.mark.parametrize(
    ("input", "partial", "ok"),
    [
        ({"u": {"id": 1, "n": 2}, "z": 0}, {"u": {"id": 1}}, True),
        ({"l": [1, 2]}, {"l": [1]}, False),
        ("text", {}, False),
        ({}, {"k": None}, False),
    ],
)
def test_vector_28_called_with_is_a_deep_subset(input: Any, partial: Any, ok: bool) -> None:
    """Objects may have more, lists not; nothing is a subset of a text; a null must be there."""
    harness = Harness()
    call(harness, "a", input)

    assert ok == called_with(harness, "a", partial).ok


def test_vector_29_none_means_none() -> None:
    """An expected None is compared: with an output, and with an error."""
    harness = Harness([Stub("a", result=5), Stub("b", error=Failure("x"))])
    outcomes(harness, 1)
    with pytest.raises(Failure):
        call(harness, "b")

    first, second = harness.trajectory
    assert not exact_trajectory([first], [{"name": "a", "output": None}])
    assert not exact_trajectory([second], [{"name": "b", "error": None}])
    assert exact_trajectory([first], [{"name": "a", "output": 5, "error": None}])


def test_vector_30_merging_is_by_order_given() -> None:
    """One harness's calls come before the next one's, and only harnesses are merged."""
    second, first = made("b"), made("a")

    assert ["a", "b"] == [made_call.name for made_call in merge(first, second)]
    with pytest.raises(TypeError, match="none"):
        merge(first, first.trajectory)  # type: ignore[arg-type]
