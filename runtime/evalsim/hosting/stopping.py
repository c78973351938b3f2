"""Being told to stop by SIGINT and SIGTERM: once to end what runs, twice to end the process."""

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from evalsim.hosting.loop import GRACE
from evalsim.hosting.watchdog import STUCK
from evalsim.recipe.places import running_at, waiting_at

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stopping_on_signals(close: Callable[[], None]) -> Generator[None]:
    """Call `close` on the first signal and say what it waits for; the second ends the process.

    Python runs this between two steps of whatever blocks the loop, so no synchronous handler keeps
    it waiting. The files being kept are whole at any moment, so the process may end at any.
    """

    def stop(_number: int, frame: FrameType | None) -> None:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        # Not through sys.stderr: this may have come in the middle of a write to it
        os.write(2, f"{_last_words(frame)} Ctrl+C again ends it at once.\n".encode())
        close()

    before = {number: signal.signal(number, stop) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _last_words(frame: FrameType | None) -> str:
    if at := running_at(frame):
        return f"Stopping when the handler at {at} returns, for it blocks everything else."
    waiting = sorted({at for task in _tasks() if (at := waiting_at(task.get_coro()))})
    if not waiting:
        return "Stopping."
    return f"Stopping; waiting {2 * GRACE:g} s at most for the handlers at {', '.join(waiting)}."


def _tasks() -> set[asyncio.Task[Any]]:
    try:
        return asyncio.all_tasks()
    except RuntimeError:  # the loop has ended already
        return set()


def end_with(threads: Collection[threading.Thread]) -> None:
    """End the process if a thread that is not among these keeps it from ending by itself."""
    deadline = time.monotonic() + GRACE
    for thread in threading.enumerate():
        if thread in threads or thread.daemon:
            continue
        thread.join(max(0.0, deadline - time.monotonic()))
        if thread.is_alive():
            sys.stderr.write(
                f"The thread {thread.name!r}, which a handler started, does not end: the process "
                "ends without it.\n"
            )
            sys.stderr.flush()
            os._exit(STUCK)
