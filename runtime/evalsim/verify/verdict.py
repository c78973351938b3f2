"""The verdict on a run: what it changed, or why that cannot be told."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from evalsim.types import Json, JsonObject
from evalsim.verify.differences import ABSENT, Change, differences, same
from evalsim.verify.evidence import (
    ENDS,
    Calls,
    Manifests,
    States,
    VerifyError,
    load_manifests,
    read_object,
    read_record,
    state_of,
    written,
)
from evalsim.verify.faults import fault_told, spoilt
from evalsim.verify.journal import contradictions, read_steps, undone, with_calls
from evalsim.verify.words import shown


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a run came to.

    `changes` are the differences of its two ends, `undone` what it changed and did away with again
    (where a journal tells). With any `reasons` the run proves nothing, whatever the others say.
    """

    changes: tuple[Change, ...] = ()
    undone: tuple[Change, ...] = ()
    reasons: tuple[str, ...] = ()

    @property
    def outcome(self) -> Literal["unchanged", "changed", "invalid"]:
        """The verdict in one word."""
        if self.reasons:
            return "invalid"
        return "changed" if self.changes or self.undone else "unchanged"

    @property
    def exit_code(self) -> int:
        """0 for a run that changed nothing, 1 for one that did, 3 for one that proves nothing."""
        return {"unchanged": 0, "changed": 1, "invalid": 3}[self.outcome]

    def __str__(self) -> str:
        """The outcome, then each reason, and each change under its fake."""
        lines = [self.outcome, *(f"  {reason}" for reason in self.reasons)]
        told = (*self.changes, *self.undone)
        for fake in dict.fromkeys(change.fake for change in told):
            lines += [f"{fake}:", *(f"  {change}" for change in told if change.fake == fake)]
        return "\n".join(lines)

    def as_json(self) -> JsonObject:
        """The verdict as a JSON object."""
        told = {"changes": self.changes, "undone": self.undone}
        lists = {name: [change.as_json() for change in found] for name, found in told.items()}
        return {"outcome": self.outcome, "reasons": list(self.reasons), **lists}


def changed_entities(states: States, manifests: Manifests) -> list[str]:
    """`["attio.deals", …]`: every entity some tool writes whose final JSON is not its initial one.

    In the order of the manifests and of what their tools write. A change undone within the run is
    not seen. Raises `VerifyError` for no manifests, and for a fake without a state.
    """
    pairs = _pairs(states, manifests)
    return [f"{fake}.{name}" for fake, name, before, after in pairs if not same(before, after)]


def changes(states: States, manifests: Manifests, calls: Calls = ()) -> list[Change]:
    """The differences of those entities, each with its place and, by a journal, its call.

    The records of an array are told by their `id` (or `_id`, `uid`, `uuid`, `key`) where it is one
    of their own, else by their position. Raises as `changed_entities` does.
    """
    return with_calls(_differences(states, manifests), read_steps(calls, manifests))


def judge(
    states: States,
    manifests: Manifests,
    calls: Calls | None = None,
    faults: Iterable[Mapping[str, Json]] = (),
) -> Verdict:
    """What a run changed, or why that cannot be told.

    `calls` are all lines of its record; those of a journal (`journal=True`) name the call behind
    each change. The run is invalid by any of the `faults` (`fault.as_json()` of `services.faults`),
    a recorded fault or a behaviour that a fake does not have, a fake without a state, an entity
    that no state holds, and a journal that does not lead from one state to the other. Raises
    `VerifyError` for no manifests, and for a journal that is none.
    """
    lines = list(calls or ())
    missing = list(_missing(states, manifests))
    failures = [reason for number, line in enumerate(lines, 1) for reason in spoilt(number, line)]
    reasons = [*missing, *map(fault_told, faults), *failures]
    if missing:
        return Verdict(reasons=tuple(reasons))
    steps = read_steps(lines, manifests)
    found = with_calls(_differences(states, manifests), steps)
    journalled = ["changes" in line for line in lines]
    if any(journalled) and not all(journalled):
        reasons.append("Some recorded calls say what they changed, and others do not.")
    elif calls is not None and all(journalled):
        reasons += contradictions(found, steps)
    return Verdict(tuple(found), tuple(undone(steps)), tuple(dict.fromkeys(reasons)))


def judge_files(
    initial: Path,
    final: Path,
    manifests: Path,
    records: Sequence[Path] = (),
    fakes: Collection[str] | None = None,
) -> Verdict:
    """The same from files: two state files, a folder of manifests, the records of the run in order.

    `fakes` are the ids to judge; all of them when None. Whatever is missing or unreadable makes the
    run invalid; nothing is raised.
    """
    try:
        states = {"initial": read_object(initial), "final": read_object(final)}
        known = load_manifests(manifests)
        chosen = known if fakes is None else {fake: known[fake] for fake in known if fake in fakes}
        calls = [call for record in records for call in read_record(record)]
        verdict = judge(states, chosen, calls if records else None)
    except VerifyError as error:
        return Verdict(reasons=(str(error),))
    except RecursionError:
        return Verdict(reasons=(f"{initial}, {final}: nested too deep to be compared.",))
    needed = {fake for state in states.values() for fake in state} if fakes is None else set(fakes)
    lost = tuple(f"{fake} has no manifest in {manifests}." for fake in sorted(needed - set(known)))
    return replace(verdict, reasons=lost + verdict.reasons)


def _pairs(states: States, manifests: Manifests) -> Iterator[tuple[str, str, Json, Json]]:
    """Each written entity at both ends: the fake, the entity, before, after."""
    for fake, entities in written(manifests).items():
        before, after = (state_of(states, end, fake) for end in ENDS)
        for name in entities:
            yield fake, name, before.get(name, ABSENT), after.get(name, ABSENT)


def _differences(states: States, manifests: Manifests) -> list[Change]:
    return [
        change
        for fake, name, before, after in _pairs(states, manifests)
        for change in differences(fake, before, after, (name,), shown(name))
    ]


def _missing(states: States, manifests: Manifests) -> Iterator[str]:
    """What has to be there before two states can be compared."""
    for fake, entities in written(manifests).items():
        try:
            both = [state_of(states, end, fake) for end in ENDS]
        except VerifyError as error:
            yield str(error)
            continue
        for name in entities:
            if not any(name in state for state in both):
                yield f"{fake}: no state holds {name!r}, which its manifest says that tools write."
