"""What was changed or left out of a description, each kind told once with its places counted."""

from dataclasses import dataclass
from typing import Any, TypeAlias

from evalsim.errors import DocumentError
from evalsim.openapi.normal.pointers import pointer_of

Place: TypeAlias = tuple[Any, str, int]
"""Where a value stands: the place around it (None at the root), its key, its depth."""

ROOT: Place = (None, "", 0)
MAX_DEPTH = 240
"""Levels of JSON; nothing deeper can be written back, for orjson stops at 255."""
MAX_KINDS = 500
"""Kinds of notes; a hostile description could think of more than anyone reads."""


def below(at: Place, *keys: str) -> Place:
    """The place reached from `at` by the keys."""
    for key in keys:
        at = (at, key, at[2] + 1)
    return at


def check_depth(at: Place) -> None:
    """Raise DocumentError for a place too deep to read."""
    if at[2] > MAX_DEPTH:
        beginning = written(at)[:120]
        raise DocumentError(
            f"The description is nested deeper than {MAX_DEPTH} levels, at #{beginning}…"
        )


def written(at: Place) -> str:
    """The JSON pointer of a place."""
    keys: list[str] = []
    here: Any = at
    while here[0] is not None:
        keys.append(here[1])
        here = here[0]
    return pointer_of(reversed(keys))


@dataclass(frozen=True, slots=True)
class Note:
    """One kind of change that reading made to a description, or a part it had to leave out."""

    where: str
    """The JSON pointer of the first place, in the description as it was given."""
    what: str
    """What was wrong or different, and what was made of it."""
    times: int = 1
    """In how many places."""

    def __str__(self) -> str:
        more = f" (and {self.times - 1:,} more)" if self.times > 1 else ""
        return f"#{self.where}: {self.what}{more}"


class Notes:
    """Gathers notes while a description is read."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._times: dict[str, int] = {}
        self._moved: dict[str, str] = {}

    def add(self, at: Place, what: str) -> None:
        """Note `what` at a place; the same words at another place only count."""
        if what not in self._first:
            if len(self._first) >= MAX_KINDS:
                what = "More kinds of trouble than are told."
            self._first.setdefault(what, self._original(written(at)))
        self._times[what] = self._times.get(what, 0) + 1

    def moved(self, now: str, was: str) -> None:
        """What stands at pointer `now` while it is read stood at `was` in the description."""
        self._moved[now] = was

    def found(self) -> tuple[Note, ...]:
        """The notes so far, in the order in which their kinds were first met."""
        return tuple(Note(where, what, self._times[what]) for what, where in self._first.items())

    def _original(self, pointer: str) -> str:
        start = pointer
        while start and start not in self._moved:
            start = start.rpartition("/")[0]
        return self._moved[start] + pointer[len(start) :] if start else pointer
