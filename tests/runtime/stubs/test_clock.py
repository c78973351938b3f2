"""Delays pass on the harness's clock, in sync code and in async code."""

import asyncio
import time

import pytest

from evalsim.stubs import FakeClock, Harness, Stub, SystemClock


def test_concurrent_delays_end_in_the_order_they_are_due() -> None:
    """The shorter one ends first, whichever began first, and hours cost nothing."""
    harness = Harness([Stub("slow", result=1, delay=7200), Stub("fast", result=2, delay=3600)])
    ended: list[str] = []

    async def call(name: str) -> None:
        await harness.dispatch_async(name, {}, lambda: None)
        ended.append(name)

    async def both() -> None:
        await asyncio.gather(call("slow"), call("fast"))

    start = time.monotonic()
    asyncio.run(both())
    assert time.monotonic() - start < 10
    assert ["fast", "slow"] == ended
    assert [7200, 3600] == [call.ended for call in harness.trajectory]
    assert ["slow", "fast"] == [call.name for call in harness.trajectory]


def test_a_cancelled_delay_holds_up_nobody() -> None:
    """The call is recorded as cancelled, and later ones go on."""
    harness = Harness([Stub("slow", result=1, delay=5), Stub("long", result=2, delay=10)])

    async def run() -> int:
        slow = asyncio.create_task(harness.dispatch_async("slow", {}, lambda: None))
        long = asyncio.create_task(harness.dispatch_async("long", {}, lambda: None))
        await asyncio.sleep(0)
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow
        answer: int = await long
        return answer

    assert 2 == asyncio.run(run())
    assert isinstance(harness.trajectory[0].error, asyncio.CancelledError)


def test_streams_are_delayed_too() -> None:
    """Before their first chunk."""
    clock = FakeClock(100)
    harness = Harness([Stub("s", result="x", delay=5)], clock=clock)

    async def drain() -> list[str]:
        return [chunk async for chunk in harness.stream_async("s", {}, lambda: None)]  # type: ignore[arg-type,return-value]

    assert ["x"] == list(harness.stream("s", {}, lambda: iter(())))
    assert ["x"] == asyncio.run(drain())
    assert 110 == clock.now()


def test_the_system_clock_is_the_machines() -> None:
    """Delays take as long as they say."""
    harness = Harness([Stub("a", result=1, delay=0.01)], clock=SystemClock())
    before = time.time()
    harness.dispatch("a", {}, lambda: None)
    asyncio.run(harness.dispatch_async("a", {}, lambda: None))

    first, second = harness.trajectory
    assert before <= first.started <= second.started
    assert 0.019 <= time.time() - before
