"""Claims about what a case changed in its fakes."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from evalsim.evals.base_session import BaseSession
from evalsim.evals.invalid import EvalError, InvalidMeasurement
from evalsim.verify import ABSENT, Change, Verdict, judge


def verdict_of(session: BaseSession) -> Verdict:
    """What the case changed so far; invalid where a fake failed, or its journal does not fit."""
    services = session.services
    if services is None:
        raise EvalError("The suite has no fakes, so there is nothing that could change.")
    now = session.now()
    if now.problem is not None:
        return Verdict(reasons=(now.problem,))
    manifests = {fake_id: fake.manifest.document for fake_id, fake in services.fakes.items()}
    faults = [fault.as_json() for fault in services.faults]
    return judge(now.states, manifests, now.calls, faults)


def changes_of(session: BaseSession) -> tuple[Change, ...]:
    """The changes, those that were undone again included; raises `InvalidMeasurement`."""
    __tracebackhide__ = True
    verdict = verdict_of(session)
    if verdict.outcome == "invalid":
        raise InvalidMeasurement(verdict.reasons)
    return (*verdict.changes, *verdict.undone)


def expect_no_changes(session: BaseSession) -> None:
    """The case changed nothing in its fakes, not even for a while."""
    __tracebackhide__ = True
    if found := changes_of(session):
        raise AssertionError(f"Changed, though nothing should have been:\n{_told(found)}")


def expect_only_changes(session: BaseSession, *wanted: str) -> None:
    """The case changed each of these places, and no other one.

    A place is written `fake.entity`, `fake.entity.record.field` and so on, of which each part may
    hold `*`, and covers all that lies below it. A word before it says how it changed: `added`,
    `removed` or `set`. `2 added attio.tasks` is exactly two such changes.
    """
    __tracebackhide__ = True
    found = changes_of(session)
    patterns = [Pattern.read(text) for text in wanted]
    left = [change for change in found if not any(p.covers(change) for p in patterns)]
    problems = [f"changed besides: {change.fake}: {change}" for change in left]
    for pattern in patterns:
        times = sum(pattern.covers(change) for change in found)
        if times == 0 or pattern.times not in (None, times):
            problems.append(f"{pattern.text}: {times or 'no'} such changes")
    if problems:
        told = "\n".join(f"  {problem}" for problem in problems)
        raise AssertionError(f"The changes are not those expected:\n{told}\nAll:\n{_told(found)}")


_WANTED = re.compile(r"(?:(\d+) )?(?:(added|removed|set|reordered) )?(\S+)")


@dataclass(frozen=True, slots=True)
class Pattern:
    """Which changes a text of `expect_only_changes` means."""

    text: str
    times: int | None
    verb: str | None
    steps: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> "Pattern":
        """Raises `EvalError` for what names no place."""
        found = _WANTED.fullmatch(text)
        if found is None or "." not in found[3]:
            raise EvalError(
                f"{text!r} names no place of a fake's state: write fake.entity, or more of it, "
                "as in 'added attio.notes' or 'set attio.records.*.values.stage'."
            )
        times = int(found[1]) if found[1] else None
        return cls(text, times, found[2], tuple(found[3].split(".")))

    def covers(self, change: Change) -> bool:
        """Whether a change is at the place or below it, and of the kind."""
        if self.verb is not None and self.verb != verb_of(change):
            return False
        place = ".".join((change.fake, *map(str, change.path))).split(".")
        return len(place) >= len(self.steps) and all(map(fnmatchcase, place, self.steps))


def verb_of(change: Change) -> str:
    """How a place changed: `added`, `removed`, `set` or `reordered`."""
    if change.reordered:
        return "reordered"
    if change.before is ABSENT:
        return "added"
    return "removed" if change.after is ABSENT else "set"


def _told(changes: Iterable[Change]) -> str:
    return "\n".join(f"  {change.fake}: {change}" for change in changes) or "  nothing"
