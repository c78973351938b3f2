"""A watchdog for a handler that never returns, and so keeps every other call waiting."""

import asyncio
import faulthandler
import os
import sys
import threading
from collections.abc import Callable

STUCK = 70
"""The exit status of a process that the watchdog ends."""


def end_process(report: str) -> None:
    """Say what hangs and where, and end the process, which nothing else can do any more."""
    sys.stderr.write(f"{report}\n")
    sys.stderr.flush()
    faulthandler.dump_traceback(sys.stderr)
    os._exit(STUCK)


class Watchdog:
    """Notices that the event loop has not turned for some seconds, from a thread of its own."""

    def __init__(self, seconds: float, act: Callable[[str], None] = end_process) -> None:
        self._seconds = seconds
        self._act = act
        self._beats = 0
        self._stopped = threading.Event()

    def start(self) -> None:
        """Watch the running loop, from its own thread."""
        loop = asyncio.get_running_loop()
        self._beat(loop)
        threading.Thread(target=self._watch, daemon=True).start()

    def stop(self) -> None:
        """Watch no more."""
        self._stopped.set()

    def _beat(self, loop: asyncio.AbstractEventLoop) -> None:
        self._beats += 1
        if not self._stopped.is_set():
            loop.call_later(self._interval, self._beat, loop)

    @property
    def _interval(self) -> float:
        return self._seconds / 10

    def _watch(self) -> None:
        seen, missed = 0, 0
        # Beats are counted, not timed: a process that was suspended missed none
        while not self._stopped.wait(self._interval):
            missed = missed + 1 if self._beats == seen else 0
            seen = self._beats
            if missed > 10:
                self._act(
                    f"evalsim: a handler has not returned for {self._seconds:g} s, and no other "
                    "call can be answered until it does, so this process ends. It is at:"
                )
                return
