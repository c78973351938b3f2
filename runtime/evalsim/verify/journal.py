"""What a journal says of a run: which call made each difference, and what was undone in it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim.verify.differences import ABSENT, PLACES, Call, Change, Step, differences, same
from evalsim.verify.evidence import Calls, Manifests, VerifyError, name_of, written
from evalsim.verify.words import where

Key: TypeAlias = tuple[Step | None, ...]


def read_steps(calls: Calls, manifests: Manifests) -> list[Change]:
    """What each journalled call changed of the entities that tools write, in order.

    Raises `VerifyError` for a line whose `changes` are none.
    """
    entities = written(manifests)
    return [
        step
        for number, line in enumerate(calls, start=1)
        for step in _steps_of(line, Call(number, str(name_of(line))))
        if step.path[0] in entities.get(step.fake, ())
    ]


def with_calls(found: list[Change], steps: list[Change]) -> list[Change]:
    """The differences, each with the last call that set its place, or else one within it."""
    at, within = dict[Key, Call | None](), dict[Key, Call | None]()
    for step in steps:
        at[_key(step)] = step.call
        within.update(dict.fromkeys(_holders(step), step.call))
    named: list[Change] = []
    for change in found:
        setting = [call for key in (*_holders(change), _key(change)) if (call := at.get(key))]
        last = max(setting, key=lambda call: call.number, default=None)
        named.append(replace(change, call=last or within.get((change.fake, *change.path))))
    return named


def undone(steps: list[Change]) -> list[Change]:
    """The steps whose place a later call set again, or did away with; each with that call."""
    later, found = dict[Key, Call | None](), list[Change]()
    for step in reversed(steps):
        setting = [call for key in (*_holders(step), _key(step)) if (call := later.get(key))]
        if setting:
            first = min(setting, key=lambda call: call.number)
            found.append(replace(step, undone_by=first))
        later[_key(step)] = step.call
    return found[::-1]


def contradictions(found: list[Change], steps: list[Change]) -> Iterator[str]:
    """Where the steps do not lead from the initial states to the final ones.

    A place is held to its first and last step, unless a place around it was set as well: that one
    is held to the same, and what it was set to in between is not known.
    """
    ends = {_key(change): change for change in found}
    around = {key for change in found for key in _holders(change)}
    last = {_key(step): step for step in steps}
    first = {_key(step): step for step in reversed(steps)}
    deeper = {key for step in steps for key in _holders(step)}
    for change in found:
        if change.call is None:
            yield f"{change.fake}: no call of the record {change}: is it the whole record?"
    for key, step in last.items():
        is_told_around = any(holder in last or holder in ends for holder in _holders(step))
        if step.reordered or is_told_around or (key in around and key not in ends):
            continue
        start = first[key].before
        before, after = (ends[key].before, ends[key].after) if key in ends else (start, start)
        alike = _is_as_present if key in deeper else same
        if not (alike(before, start) and alike(after, step.after)):
            yield f"{step.fake}: {step}, and the states are not so: are they of the whole record?"


def _is_as_present(one: Json, other: Json) -> bool:
    return (one is ABSENT) == (other is ABSENT)


def _steps_of(line: Mapping[str, Json], call: Call) -> Iterator[Change]:
    """What one line says that its call changed, as deep as the two sides differ."""
    fake, entries = str(line.get("server")), line.get("changes", [])
    if not is_array(entries):
        raise VerifyError(f"The journal of {call} is no list of changes.")
    for entry in entries:
        named = entry if is_object(entry) else {}
        path = [named[place] for place in PLACES if place in named]
        if "entity" not in named or not all(isinstance(step, str | int) for step in path):
            raise VerifyError(f"The journal of {call} holds what is no change.")
        yield from (replace(change, call=call) for change in _changes_of(fake, tuple(path), named))


def _changes_of(fake: str, path: tuple[Step, ...], entry: JsonObject) -> Iterator[Change]:
    place = ""
    for depth, step in enumerate(path):
        place = where(place, depth, step, listed=False)
    before, after = entry.get("before", ABSENT), entry.get("after", ABSENT)
    if entry.get("reordered") is True:
        return iter([Change(fake, path, place, before, after, reordered=True)])
    return differences(fake, before, after, path, place)


def _key(change: Change) -> Key:
    """What tells one place from another; the order of an array's records has a place of its own."""
    return (change.fake, *change.path, None) if change.reordered else (change.fake, *change.path)


def _holders(change: Change) -> list[Key]:
    """The places that a change's place lies within."""
    key = _key(change)
    return [key[:length] for length in range(2, len(key))]
