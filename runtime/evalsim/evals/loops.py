"""Event loops in threads of their own: one serves, and in another one agents run."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from contextvars import Context
from typing import Any, TypeVar

from evalsim.hosting.loop import cancel, new_loop

T = TypeVar("T")


class LoopThread:
    """A thread with an event loop, from `LoopThread(name)` to `close`."""

    def __init__(self, name: str) -> None:
        self.loop = new_loop()
        self._tasks: set[asyncio.Task[Any]] = set()  # a loop alone does not keep its tasks alive
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(
        self, function: Callable[[], Coroutine[Any, Any, T]], context: Context | None = None
    ) -> "Future[T]":
        """Run a coroutine function as a task of the loop, which runs on if nobody waits for it."""
        future: Future[T] = Future()

        def start() -> None:
            if not future.set_running_or_notify_cancel():
                return
            task = self.loop.create_task(function(), context=context)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            task.add_done_callback(lambda done: _pass_on(done, future))

        self.loop.call_soon_threadsafe(start)
        return future

    def run(self, function: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run a coroutine function in the loop, and wait for it in this thread."""
        return self.submit(function).result()

    def close(self) -> None:
        """Cancel what is left, and end the thread."""
        if self._thread.is_alive():
            self.run(self._cancel_rest)
            self.loop.call_soon_threadsafe(self.loop.stop)
            self._thread.join(5)

    async def _cancel_rest(self) -> None:
        await cancel(asyncio.all_tasks() - {asyncio.current_task()})

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.close()


def _pass_on(task: "asyncio.Task[T]", future: "Future[T]") -> None:
    if task.cancelled():
        future.set_exception(asyncio.CancelledError())
    elif (error := task.exception()) is not None:
        future.set_exception(error)
    else:
        future.set_result(task.result())


async def arrive(future: "Future[T]") -> T:
    """Wait for a thread's future in whatever event loop this is."""
    __tracebackhide__ = True
    try:
        asyncio.get_running_loop()
    except RuntimeError:  # another kind of loop, which anyio knows
        import anyio.to_thread  # noqa: PLC0415

        return await anyio.to_thread.run_sync(future.result, abandon_on_cancel=True)
    waited: Awaitable[T] = asyncio.wrap_future(future)
    return await waited
