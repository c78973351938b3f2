"""Writing a state once for all the calls that wait for it."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, cast

import pytest

from evalsim.hosting.batches import StateWriter
from evalsim.hosting.statefile import StateFile
from evalsim.world.state import StateError
from evalsim.world.world import World


class Disk:
    """A world and a state file in one, which counts what is done to them."""

    def __init__(self, dump: Callable[[], bytes]) -> None:
        self.dumped = self.written = 0
        self._dump = dump

    def dump(self, _fake_id: str) -> bytes:
        self.dumped += 1
        return self._dump()

    def update(self, _fake_id: str, _state: bytes) -> None:
        self.written += 1

    def writer(self) -> StateWriter:
        return StateWriter(cast("World", self), cast("StateFile", self))


def in_loop(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """A test that runs in a loop of its own."""

    @wraps(test)
    def run() -> None:
        asyncio.run(test())

    return run


@in_loop
async def test_calls_that_end_together_share_one_write() -> None:
    """However many wait, the state is dumped once; the next call's is dumped anew."""
    disk = Disk(lambda: b"{}")
    writer = disk.writer()

    await asyncio.gather(*(writer.keep("crm", reads=False) for _ in range(8)))
    await writer.keep("crm", reads=False)

    assert (disk.dumped, disk.written) == (2, 2)


@in_loop
async def test_all_are_told_when_there_is_no_state_to_write_and_those_that_read_last() -> None:
    """So that the first to be told, which is blamed, is one that can have spoiled the state."""

    def fail() -> bytes:
        raise StateError("crm: it cannot be")

    writer, told = Disk(fail).writer(), list[str]()

    async def call(name: str, reads: bool) -> None:
        with pytest.raises(StateError):
            await writer.keep("crm", reads=reads)
        told.append(name)

    await asyncio.gather(call("look", True), call("add", False), call("see", True))

    assert told == ["add", "look", "see"]


@in_loop
async def test_a_call_that_is_cancelled_leaves_the_others_their_write() -> None:
    """Its client is gone; theirs wait on."""
    writer = Disk(lambda: b"{}").writer()
    calls = [asyncio.create_task(writer.keep("crm", reads=False)) for _ in range(2)]
    await asyncio.sleep(0)
    calls[0].cancel()

    await asyncio.wait_for(calls[1], 5)

    assert calls[0].cancelled() or calls[0].cancelling()
