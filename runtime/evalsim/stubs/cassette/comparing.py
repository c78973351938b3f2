"""What differs between two cassettes, entry by entry."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from evalsim.stubs.cassette.entry import Entry
from evalsim.stubs.cassette.replay import canonical
from evalsim.stubs.values import differences

_Key: TypeAlias = tuple[str, str, str]


def compared(old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[str]:
    """Each difference as a line; calls of one input are compared in order, others in any.

    `-` was only in the old one, `+` is only in the new one, `~` answers differently.
    """
    left = _by_key(old)
    added: list[Entry] = []
    for entry in new:
        if before := left.get(_key(entry)):
            yield from _changes(before.popleft(), entry)
        else:
            added.append(entry)
    gone = {id(entry) for entries in left.values() for entry in entries}
    yield from (f"- {entry}" for entry in old if id(entry) in gone)
    yield from (f"+ {entry}" for entry in added)


def _changes(before: Entry, after: Entry) -> Iterator[str]:
    sides = [{**e.outcome, "match": e.rule.as_json(), "schema": e.schema} for e in (before, after)]
    for one in differences(sides[0], sides[1], ""):
        yield f"~ {after}: {one.path}: {one.expected!r} -> {one.actual!r}"


def _by_key(entries: Sequence[Entry]) -> dict[_Key, deque[Entry]]:
    found: dict[_Key, deque[Entry]] = {}
    for entry in entries:
        found.setdefault(_key(entry), deque()).append(entry)
    return found


def _key(entry: Entry) -> _Key:
    return entry.kind, entry.name, canonical(entry.input)
