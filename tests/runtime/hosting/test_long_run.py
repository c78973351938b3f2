"""What a long run leaves in the process: nothing."""

import sys
from pathlib import Path

import pytest

from support.watched import load, vanish, watched

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")


def test_calls_leave_nothing_in_the_process(tmp_path: Path) -> None:
    """After 20,000 calls of all kinds memory, descriptors and tasks are as after the first."""
    with watched(tmp_path) as services:
        load(services.url, 4_000)
        before = services.settled(services.held())
        load(services.url, 16_000)
        after = services.settled(before)

    assert (after.descriptors, after.tasks) == (before.descriptors, before.tasks)
    assert after.memory - before.memory < 2 * 1024 * 1024
    assert after.faults == 0


def test_clients_that_vanish_leave_nothing(tmp_path: Path) -> None:
    """2,000 of them connect, call and are gone, in the middle of a request or of the answer."""
    with watched(tmp_path) as services:
        load(services.url, 40)
        before = services.settled(services.held())
        vanish(services.url, 2_000)
        after = services.settled(before)
        taken = load(services.url, 40)

    assert (after.descriptors, after.tasks) == (before.descriptors, before.tasks)
    assert after.faults == 0
    assert len(taken) == 40
    assert "Traceback" not in services.log.read_text()
