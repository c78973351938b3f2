"""States put on disk once for all calls that wait for it."""

import asyncio
import time
from dataclasses import dataclass

from evalsim.hosting.statefile import StateFile
from evalsim.world.world import World

GATHERING = 0.1
"""How long calls are gathered for one write, as a part of what the last write took."""


class StateWriter:
    """Writes a world's states to their file, a fake's once for all its calls that end meanwhile.

    Dumping a state takes as long as the state is large, whatever a call changed in it. The pause in
    which calls are gathered is too short to be felt beside that.
    """

    def __init__(self, world: World, file: StateFile) -> None:
        self._world = world
        self._file = file
        self._batches: dict[str, list[_Waiting]] = {}
        self._last_took = 0.0

    async def keep(self, fake_id: str, *, reads: bool) -> None:
        """Return once the fake's state as it is now, or a later one, is on disk.

        Raises `StateError` when it cannot be dumped, OSError when the disk does not take it, for
        each call that waited: those that are said only to read are told last.
        """
        loop = asyncio.get_running_loop()
        if fake_id not in self._batches:
            self._batches[fake_id] = []
            loop.call_later(self._last_took * GATHERING, self._write, fake_id)
        waiting = _Waiting(reads, loop.create_future())
        self._batches[fake_id].append(waiting)
        await waiting.written

    def put(self, fake_id: str, state: bytes) -> None:
        """Put a state that is dumped already on disk; raises OSError."""
        self._file.update(fake_id, state)

    def _write(self, fake_id: str) -> None:
        start = time.perf_counter()
        try:
            self._file.update(fake_id, self._world.dump(fake_id))
            problem = None
        except Exception as error:
            problem = error
        self._last_took = time.perf_counter() - start
        batch = self._batches.pop(fake_id)
        for waiting in sorted(batch, key=lambda waiting: waiting.reads and problem is not None):
            waiting.end(problem)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A call that waits, and whether it is said only to read."""

    reads: bool
    written: "asyncio.Future[None]"

    def end(self, problem: Exception | None) -> None:
        """Let the call go on, unless it was cancelled."""
        if self.written.done():
            return
        if problem is None:
            self.written.set_result(None)
        else:
            self.written.set_exception(problem)
