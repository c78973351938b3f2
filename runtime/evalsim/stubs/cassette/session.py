"""One harness's use of a cassette: what it replays, what it misses, what it records."""

import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalsim.stubs.call import Call
from evalsim.stubs.cassette.coding import encode
from evalsim.stubs.cassette.entry import Entry, Rule, recorded_entry
from evalsim.stubs.cassette.file import read_cassette, write_cassette
from evalsim.stubs.cassette.mode import Mode, settled_mode
from evalsim.stubs.cassette.owning import Owned, own
from evalsim.stubs.cassette.redaction import Redaction
from evalsim.stubs.errors import CassetteError, CassetteWarning, StubError
from evalsim.stubs.steps import Step
from evalsim.stubs.values import shown
from evalsim.types import Json


@dataclass(frozen=True, slots=True)
class CassetteState:
    """How a cassette was used: `calls` are (kind, name) of all entries, the rest is in words.

    It is not `loaded` where there is no file or all is recorded anew.
    """

    path: Path
    loaded: bool
    calls: tuple[tuple[str, str], ...] = ()
    matched: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()


class CassetteSession:
    """Replays `entries`, each once, and keeps what is recorded until it is saved."""

    def __init__(
        self, path: Path, mode: Mode, entries: list[Entry] | None, redaction: Redaction
    ) -> None:
        replays = mode != "replace" and entries is not None
        self._path, self._mode, self._redaction = path, mode, redaction
        self._old = entries or []
        self._entries = self._old if replays else []
        self._loaded = replays
        self._used: set[int] = set()
        self._missed: list[str] = []
        self._earlier: list[Call] = []
        self._recorded: list[Call] = []
        self.records = mode in ("new", "replace") or (mode == "once" and entries is None)
        self._owned: Owned | None = own(path) if self.records else None

    def take(self, kind: str, name: str, value: Any) -> Step | None:
        """The answer of the most specific entry left that fits, the first of equals."""
        if not self._loaded:
            return None
        live = self._live(value)
        fitting = [
            (entry.rule.looseness, place)
            for place, entry in self._left(kind, name)
            if not entry.differences(live)
        ]
        if not fitting:
            return None
        _, place = min(fitting)
        self._used.add(place)
        return self._entries[place].step()

    def nearest(self, kind: str, name: str, value: Any) -> str:
        """The entry closest to a call, and where it differs."""
        if not self._loaded:
            return f"no cassette is loaded from {self._path}"
        live, same = self._live(value), self._left(kind, name)
        rows = [(entry.differences(live), entry) for _, entry in same]
        if not rows:
            used = any((entry.kind, entry.name) == (kind, name) for entry in self._entries)
            why = "all its entries are used up" if used else "it has no such entry"
            return f"{self._path}: {why}"
        missed, entry = min(rows, key=lambda row: len(row[0]))
        return f"{self._path}: nearest is {entry.number}, {'; '.join(map(str, missed[:3]))}"

    def add(self, call: Call) -> None:
        """Keep a call for saving."""
        self._recorded.append(call)

    def miss(self, kind: str, name: str, value: Any) -> None:
        """Note a call that neither this nor anything else could answer."""
        if self._loaded and not self.records:
            self._missed.append(f"{kind} {name} {shown(value)} ({self.nearest(kind, name, value)})")

    def reset(self) -> None:
        """Make every entry usable again; later recorded calls come behind those so far."""
        self._used, self._missed = set(), []
        self._earlier, self._recorded = self._calls(), []

    def state(self) -> CassetteState:
        """How it was used."""
        return CassetteState(
            self._path,
            self._loaded,
            tuple((entry.kind, entry.name) for entry in self._entries),
            tuple(str(self._entries[place]) for place in sorted(self._used)),
            tuple(self._missed),
            tuple(str(e) for i, e in enumerate(self._entries) if i not in self._used),
        )

    def save(self) -> None:
        """Write what was recorded so far, in the order calls began; nothing where nothing was.

        Raises `CassetteError` and leaves the file when a value cannot be kept or a secret is left.
        """
        if not (calls := self._calls()):
            return
        new = [
            recorded_entry(call, f"calls[{i}]", self._redaction, None)
            for i, call in enumerate(calls)
        ]
        kept = list(self._old)
        ruled = [entry.with_rule(self._kept_rule(entry, kept)) for entry in new]
        write_cassette(self._path, [*self._entries, *ruled])

    def close(self) -> None:
        """Let others record to the file."""
        if self._owned is not None:
            self._owned.release()
            self._owned = None

    def _calls(self) -> list[Call]:
        """All that was recorded, in the order it began: ids are numbers, with those of parents."""
        began = sorted(self._recorded, key=lambda call: [int(n) for n in call.id.split("/")])
        return [*self._earlier, *began]

    def _kept_rule(self, entry: Entry, old: list[Entry]) -> Rule:
        """The hand-written rule of the old entry that the new one takes the place of."""
        for place, before in enumerate(old):
            same = (before.kind, before.name) == (entry.kind, entry.name)
            if same and not before.differences(entry.input):
                return old.pop(place).rule
        return Rule()

    def _left(self, kind: str, name: str) -> list[tuple[int, Entry]]:
        return [
            (place, entry)
            for place, entry in enumerate(self._entries)
            if place not in self._used and (entry.kind, entry.name) == (kind, name)
        ]

    def _live(self, value: Any) -> Json:
        try:
            return self._redaction.value(encode(value, "input"))
        except CassetteError:
            return value  # fits no recorded input, and says so where it differs


def open_cassette(
    path: Path, mode: Mode | None, redact: Redaction | Callable[[Any], Any] | None, *, sealed: bool
) -> CassetteSession:
    """A cassette as a harness uses it; raises `CassetteError` for one that cannot be used."""
    settled = settled_mode(mode, path, os.environ)
    if redact is not None and not isinstance(redact, Redaction) and not callable(redact):
        raise StubError(f"redact is {redact!r}; it is a Redaction or a function of an entry.")
    redaction = redact if isinstance(redact, Redaction) else Redaction(extra=redact)
    entries = read_cassette(path) if path.exists() else None
    session = CassetteSession(path, settled, entries, redaction)
    if session.records and sealed:
        told = f"{path} is recorded: calls run the real tools, though on_unhandled is 'error'."
        warnings.warn(told, CassetteWarning, stacklevel=4)
    elif entries is None and settled == "none":
        told = f"{path} does not exist, so nothing is replayed; record it with mode='once'."
        warnings.warn(told, CassetteWarning, stacklevel=4)
    return session
