"""The entries of a cassette, found for calls: each once, the most specific first, then in order."""

import json
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from evalsim.errors import did_you_mean
from evalsim.stubs.cassette.entry import Entry
from evalsim.stubs.values import shown
from evalsim.types import Json, is_array, is_object

_COMPARED = 100
"""So many entries are compared to say which is nearest to a call that was missed."""


@dataclass(slots=True)
class _Named:
    """The places of the entries of one kind and name that are left: by input, and by rule."""

    exact: dict[str, deque[int]] = field(default_factory=dict[str, deque[int]])
    loose: dict[int, None] = field(default_factory=dict[int, None])


class Replay:
    """Entries that answer calls. Not safe by itself."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = tuple(entries)
        self.used: set[int] = set()
        self._named: dict[tuple[str, str], _Named] = {}
        self.reset()

    def reset(self) -> None:
        """Make every entry usable again."""
        self.used = set()
        self._named = {}
        rows = sorted(enumerate(self.entries), key=lambda row: (row[1].looseness, row[0]))
        for place, entry in rows:
            named = self._named.setdefault((entry.kind, entry.name), _Named())
            if not entry.rule:
                named.exact.setdefault(canonical(entry.input), deque()).append(place)
            if entry.rule or entry.has_wildcards:
                named.loose[place] = None

    def take(self, kind: str, name: str, live: Json) -> Entry | None:
        """The entry that answers a call, used up; None where none is left that fits."""
        named = self._named.get((kind, name))
        if named is None:
            return None
        place = self._exact(named, live)
        if place is None:
            place = next((p for p in named.loose if self.entries[p].fits(live)), None)
        if place is None:
            return None
        named.loose.pop(place, None)
        self.used.add(place)
        return self.entries[place]

    def nearest(self, kind: str, name: str, live: Json) -> str:
        """The entry left that is closest to a call, and where it differs."""
        rows = [(e.differences(live), e) for e in self._left(kind, name)]
        if rows:
            missed, entry = min(rows, key=lambda row: len(row[0]))
            return f"nearest is {entry.number}, {'; '.join(map(str, missed[:3]))}"
        if (kind, name) in self._named:
            return "all its entries are used up"
        other = [e.kind for e in self.entries if e.name == name]
        if other:
            return f"it has no such entry; {name!r} is there as {other[0]}"
        return f"it has no such entry{did_you_mean(name, [e.name for e in self.entries])}"

    def _exact(self, named: _Named, live: Json) -> int | None:
        try:
            places = named.exact.get(canonical(live))
        except (TypeError, ValueError, RecursionError):
            return None  # a value that is no JSON fits no recorded input
        while places:
            place = places.popleft()
            if place not in self.used:
                return place
        return None

    def _left(self, kind: str, name: str) -> Iterator[Entry]:
        same = (
            entry
            for place, entry in enumerate(self.entries)
            if place not in self.used and (entry.kind, entry.name) == (kind, name)
        )
        return (entry for _, entry in zip(range(_COMPARED), same, strict=False))


def canonical(value: Json) -> str:
    """A text that equal JSON values share: 1 is 1.0, keys have no order."""
    return json.dumps(_numbers(value), sort_keys=True, allow_nan=False)


def _numbers(value: Json) -> Any:
    if is_object(value):
        return {key: _numbers(item) for key, item in value.items()}
    if is_array(value):
        return [_numbers(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def told(kind: str, name: str, value: Any, near: str) -> str:
    """A call that was missed, in words."""
    return f"{kind} {name} {shown(value)} ({near})"
