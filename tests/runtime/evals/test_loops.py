"""Loops in threads: what runs in them, who waits for it, and how they end."""

import asyncio
import contextvars
import gc
import threading
import weakref
from collections.abc import Iterator

import pytest

from evalsim.evals.loops import LoopThread


@pytest.fixture
def thread() -> Iterator[LoopThread]:
    """A loop in a thread of its own."""
    thread = LoopThread("tested")
    yield thread
    thread.close()


def test_a_task_that_only_waits_is_kept(thread: LoopThread) -> None:
    """Nothing but the loop knows what it waits for, and a loop keeps no task alive."""
    waited: list[weakref.ref[asyncio.Future[int]]] = []
    began = threading.Event()

    async def wait() -> int:
        future = asyncio.get_running_loop().create_future()
        waited.append(weakref.ref(future))
        began.set()
        return int(await future)

    waiting = thread.submit(wait)
    assert began.wait(5)
    gc.collect()

    future = waited[0]()
    assert future is not None
    thread.loop.call_soon_threadsafe(future.set_result, 1)
    assert 1 == waiting.result(5)


def test_what_is_raised_and_what_is_cancelled_reaches_who_waits(thread: LoopThread) -> None:
    """Each as what it is."""

    async def fail() -> None:
        raise LookupError("gone")

    async def stop() -> None:
        raise asyncio.CancelledError

    with pytest.raises(LookupError, match="gone"):
        thread.run(fail)
    with pytest.raises(asyncio.CancelledError):
        thread.run(stop)


def test_a_task_runs_in_its_context(thread: LoopThread) -> None:
    """One that is given, whose changes stay in it."""
    name: contextvars.ContextVar[str] = contextvars.ContextVar("name", default="none")
    context = contextvars.copy_context()
    context.run(name.set, "case")

    async def read() -> str:
        told = name.get()
        name.set("later")
        return told

    assert ["case", "later"] == [thread.submit(read, context).result() for _ in range(2)]
    assert ("none", "none") == (thread.run(read), name.get())


def test_a_loop_ends_with_what_runs_in_it() -> None:
    """What is left is cancelled, and the thread is over."""
    thread = LoopThread("ended")
    waiting = thread.submit(lambda: asyncio.sleep(60))

    thread.close()

    with pytest.raises(asyncio.CancelledError):
        waiting.result(5)
    assert "ended" not in [thread.name for thread in threading.enumerate()]
