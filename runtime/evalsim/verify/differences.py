"""The differences of two states: which field of which record of which entity changed, and how."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim.verify.words import shown, where

Step: TypeAlias = str | int
ABSENT: Json = object()
"""Stands for the value of a place that is not there."""
PLACES = ("entity", "record", "field")
"""The steps to a place that a line of a journal names."""
ID_KEYS = ("id", "_id", "uid", "uuid", "key")


@dataclass(frozen=True, slots=True)
class Call:
    """One recorded call: its place in the record, from 1, and its tool's or operation's name."""

    number: int
    name: str

    def __str__(self) -> str:
        return f"{shown(self.name)} (call {self.number})"


@dataclass(frozen=True, slots=True)
class Change:
    """One place of a fake's state where two moments differ.

    `path` leads there: the entity, the record (its id, else its position), the field and what lies
    below; `where` is the same for reading. `before` and `after` are ABSENT where there was nothing;
    of an array whose records only changed places, `reordered`, they are the records' keys. `call`
    made the change, as far as a journal tells, and `undone_by` is the call that did away with it.
    """

    fake: str
    path: tuple[Step, ...]
    where: str
    before: Json = ABSENT
    after: Json = ABSENT
    reordered: bool = False
    call: Call | None = None
    undone_by: Call | None = None

    def __str__(self) -> str:
        """`update-deal (call 7) set deals[acme].stage lead -> won`."""
        verb = "added" if self.before is ABSENT else "removed" if self.after is ABSENT else "set"
        sides = [shown(side) for side in (self.before, self.after) if side is not ABSENT]
        told = f"{'reordered' if self.reordered else verb} {self.where} {' -> '.join(sides)}"
        told = f"{self.call} {told}" if self.call else told
        return f"{told}, undone by {self.undone_by}" if self.undone_by else told

    @property
    def sides(self) -> JsonObject:
        """The two sides as JSON; one that is ABSENT is left out."""
        sides = {"before": self.before, "after": self.after}
        known = {side: value for side, value in sides.items() if value is not ABSENT}
        return {"reordered": True, **known} if self.reordered else known

    def as_json(self) -> JsonObject:
        """The change as a JSON object."""
        calls = {"call": self.call, "undone_by": self.undone_by}
        told = {by: {"number": c.number, "name": c.name} for by, c in calls.items() if c}
        place = {"fake": self.fake, "path": list(self.path), "where": self.where}
        return {**place, **self.sides, **told}


def state_changes(before: Json, after: Json) -> list[JsonObject]:
    """The differences of one fake's two states, as a line of a journal has them under `changes`.

    Each is `{"entity", "record", "field", "before", "after"}`, less the keys that do not apply:
    `field` of a record that came, went or is no object, `before` or `after` where there was
    nothing. Where the records of an array only changed places, `reordered` is true.
    """
    found = differences("", before, after, (), "", deepest=len(PLACES))
    return [{**dict(zip(PLACES, change.path, strict=False)), **change.sides} for change in found]


def same(one: Json, other: Json) -> bool:
    """Whether two JSON values are equal: 1 is 1.0 and not true, and keys have no order."""
    if is_object(one) and is_object(other):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if is_array(one) and is_array(other):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return bool(one == other)


def differences(
    fake: str, before: Json, after: Json, path: tuple[Step, ...], place: str, deepest: int = 1_000
) -> Iterator[Change]:
    """The differences of two values at one place, as deep as they go."""
    old, new = _members(before, len(path)), _members(after, len(path))
    if old is None or new is None or type(before) is not type(after) or len(path) >= deepest:
        if not same(before, after):
            yield Change(fake, path, place, before, after)
        return
    for key in dict.fromkeys((*old, *new)):
        one, other = old.get(key, ABSENT), new.get(key, ABSENT)
        if not same(one, other):  # most are, and words for their places would take the time
            there = where(place, len(path), key, is_array(before))
            yield from differences(fake, one, other, (*path, key), there, deepest)
    kept, moved = [key for key in old if key in new], [key for key in new if key in old]
    if is_array(before) and kept != moved:
        yield Change(fake, path, place, kept, moved, reordered=True)


def _members(value: Json, depth: int) -> Mapping[Any, Json] | None:
    """What lies in a value by its key, or None for one that changes as a whole.

    The value alone decides, so that the steps of a run and its two ends agree on every place.
    """
    if is_object(value):
        return value
    if not is_array(value) or (depth > 1 and not all(map(is_object, value))):
        return None
    ids = [_id_of(item) for item in value]
    times = Counter(ids)
    keys = [place if key is None or times[key] > 1 else key for place, key in enumerate(ids)]
    return dict(zip(keys if len(set(keys)) == len(keys) else range(len(keys)), value, strict=True))


def _id_of(item: Json) -> Step | None:
    ids = [item.get(key) for key in ID_KEYS] if is_object(item) else []
    return next((found for found in ids if type(found) in (str, int)), None)
