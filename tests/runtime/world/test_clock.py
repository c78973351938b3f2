"""A world's clock."""

from datetime import UTC, datetime, timedelta

import pytest

from evalsim.errors import EvalsimError
from evalsim.world.clock import Clock, read_moment

START = datetime(2026, 10, 1, 9, tzinfo=UTC)


def test_a_clock_stands_still_until_it_is_told_to_advance() -> None:
    """Nothing but the world's own order moves its time."""
    clock = Clock(START)
    assert clock.now == START

    clock.advance(timedelta(days=2))
    clock.advance(timedelta(hours=1))

    assert START + timedelta(days=2, hours=1) == clock.now


def test_a_rate_moves_it_by_measured_seconds() -> None:
    """A clock with a rate runs that many world seconds for each one measured."""
    measured = [0.0]
    clock = Clock(START, rate=60, elapsed=lambda: measured[0])

    measured[0] = 2.5

    assert START + timedelta(seconds=150) == clock.now


def test_time_does_not_run_backwards() -> None:
    """A world never sees an earlier moment."""
    with pytest.raises(ValueError, match="backwards"):
        Clock(START).advance(timedelta(seconds=-1))


def test_a_moment_without_a_zone_is_utc() -> None:
    """Handlers compare moments, so each has a zone."""
    assert read_moment("2026-10-01T09:00:00") == START
    assert read_moment("2026-10-01T11:00:00+02:00") == START
    assert Clock(datetime(2026, 10, 1, 9)).now == START


def test_what_is_no_moment_is_said() -> None:
    """The error shows what a moment looks like."""
    with pytest.raises(EvalsimError, match=r"'tomorrow' is not a moment .* 2026-10-01T09:00:00Z"):
        read_moment("tomorrow")
