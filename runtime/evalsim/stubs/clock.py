"""Time for delays and records: a fake one that costs none, and the real one."""

import threading
import time
from typing import Protocol


class Clock(Protocol):
    """What a harness asks of time, in seconds."""

    def now(self) -> float:
        """The moment it is."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let time pass in a sync call."""
        ...

    async def sleep_async(self, seconds: float) -> None:
        """Let time pass in an async call."""
        ...


class FakeClock:
    """Starts at `start` and moves by what calls sleep; concurrent async sleeps end in due order."""

    def __init__(self, start: float = 0) -> None:
        self._now = float(start)
        self._waiting: list[float] = []
        self._lock = threading.Lock()

    def now(self) -> float:
        """The moment it is."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Move on at once."""
        self._reach(self._now + seconds)

    async def sleep_async(self, seconds: float) -> None:
        """Move on once nothing that sleeps is due before."""
        import asyncio  # noqa: PLC0415  takes longer to load than the rest of a harness

        due = self._now + seconds
        self._waiting.append(due)
        try:
            await asyncio.sleep(0)
            while min(self._waiting) < due:
                await asyncio.sleep(0)
        finally:
            self._waiting.remove(due)
        self._reach(due)

    def _reach(self, moment: float) -> None:
        with self._lock:
            self._now = max(self._now, moment)


class SystemClock:
    """The time of the machine; delays take as long as they say."""

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)

    async def sleep_async(self, seconds: float) -> None:
        """Wait without holding up the loop."""
        import asyncio  # noqa: PLC0415

        await asyncio.sleep(seconds)
