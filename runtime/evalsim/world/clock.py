"""A world's clock: where it starts, how fast it runs, and being told to advance."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from evalsim.errors import EvalsimError


def _still() -> float:
    return 0.0


@dataclass(slots=True)
class Clock:
    """A clock that stands still unless it is given a rate and something that measures seconds.

    `now` is the start, plus `rate` world seconds for each second `elapsed` has measured, plus
    what it was told to advance.
    """

    start: datetime
    rate: float = 0.0
    elapsed: Callable[[], float] = _still
    _advanced: timedelta = field(default=timedelta(), init=False)

    def __post_init__(self) -> None:
        if self.start.tzinfo is None:
            self.start = self.start.replace(tzinfo=UTC)

    @property
    def now(self) -> datetime:
        """The world's time, always with a time zone."""
        moved = timedelta(seconds=self.rate * self.elapsed()) if self.rate else timedelta()
        return self.start + self._advanced + moved

    def advance(self, by: timedelta) -> None:
        """Move the world's time on by `by`; raises ValueError when that is backwards."""
        if by < timedelta():
            raise ValueError("A world's clock does not run backwards.")
        self._advanced += by


def read_moment(text: str) -> datetime:
    """The moment an ISO 8601 text names, in UTC where it names no zone."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise EvalsimError(
            f"The clock {text!r} is not a moment in ISO 8601, like 2026-10-01T09:00:00Z."
        ) from error
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
