"""Stubs as a user writes them, every call typed; it is checked and never run."""

# pyright: strict

from collections.abc import AsyncIterator
from typing import Any

from evalsim.stubs import (
    ANY,
    Call,
    Chunks,
    Expected,
    FakeClock,
    Harness,
    Partial,
    Step,
    Stub,
    concat,
    define_stubs,
    expect,
    flaky,
    merge,
    stubs_from_schemas,
    timeout,
    validate_stubs,
)
from evalsim.stubs.assertions import called, exact_trajectory


def dear(input: Any) -> bool:
    """A predicate."""
    return bool(input["cents"] > 100)


def hidden(entry: Any) -> Any:
    """What hides a secret."""
    return entry


SUITE = define_stubs([Stub("a", args={"q": ANY}, result=1), {"name": "b", "result": Chunks([1])}])
ONE = define_stubs(Stub("c", match=dear, error=TimeoutError("x")))


async def tool() -> int:
    """A tool."""
    return 1


async def chunks() -> AsyncIterator[int]:
    """A streaming tool."""
    yield 1


async def main() -> None:
    """What a test does."""
    harness = Harness([*SUITE, *ONE], on_unhandled="warn", clock=FakeClock(3))
    value = await harness.dispatch_async("a", {"q": 1}, tool)
    async for chunk in harness.stream_async("s", None, chunks):
        print(chunk, value)
    with Harness(cassette="x.json", mode="once", redact=[hidden]) as other:
        other.dispatch("a", {}, lambda: 3, kind="skill", call_id="x")
    calls: tuple[Call, ...] = merge(harness, other)
    expect(concat(calls, harness.trajectory)).exact_trajectory(
        ["a", Expected("b", input=Partial({"q": 1})), {"name": "c"}]
    )
    assert called(harness, "a") and exact_trajectory(harness, []).ok
    Stub(
        "x",
        sequence=[flaky(0.5, 1, result=2), timeout(), {"result": 3}, Step(error=KeyError)],
        on_exhausted="passthrough",
    )
    validate_stubs(stubs_from_schemas({"t": {"type": "object"}}), [main])
