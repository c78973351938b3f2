"""One harness's use of a cassette: what it replays, what it misses, what it records."""

import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from evalsim.stubs.call import Call
from evalsim.stubs.cassette.coding import encode
from evalsim.stubs.cassette.entry import Entry, Rule, recorded_entries
from evalsim.stubs.cassette.file import read_cassette, write_cassette
from evalsim.stubs.cassette.mode import Mode, settled_mode
from evalsim.stubs.cassette.owning import Owned, own
from evalsim.stubs.cassette.redaction import Redaction, redaction_of
from evalsim.stubs.cassette.replay import Replay, told
from evalsim.stubs.cassette.usage import tell_usage
from evalsim.stubs.errors import CassetteError, CassetteWarning
from evalsim.stubs.steps import Step
from evalsim.stubs.tool import ToolSchemas
from evalsim.types import Json

Redact: TypeAlias = Redaction | Callable[[Any], Any]
"""What hides secrets: a Redaction, or a function that gets each entry and returns it."""


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
        self._path, self._redaction = path, redaction
        self._old = entries or []
        self._loaded = mode != "replace" and entries is not None
        self._replay = Replay(self._old if self._loaded else ())
        self._ever_used: set[int] = set()
        self._missed: list[str] = []
        self._earlier: list[Call] = []
        self._recorded: list[Call] = []
        self.records = mode in ("new", "replace") or (mode == "once" and entries is None)
        self.rewrites = mode == "replace"
        self._owned: Owned | None = own(path) if self.records else None

    def take(self, kind: str, name: str, value: Any) -> Step | None:
        """The answer of the most specific entry left that fits, the first of equals."""
        if not self._loaded:
            return None
        entry = self._replay.take(kind, name, self._live(kind, name, value))
        return None if entry is None else entry.step()

    def nearest(self, kind: str, name: str, value: Any) -> str:
        """The entry closest to a call, and where it differs."""
        if not self._loaded:
            return f"no cassette is loaded from {self._path}"
        live = self._live(kind, name, value)
        return f"{self._path}: {self._replay.nearest(kind, name, live)}"

    def add(self, call: Call) -> None:
        """Keep a call for saving."""
        self._recorded.append(call)

    def miss(self, kind: str, name: str, value: Any) -> None:
        """Note a call that neither this nor anything else could answer."""
        if self._loaded and not self.records:
            self._missed.append(told(kind, name, value, self.nearest(kind, name, value)))

    def reset(self) -> None:
        """Make every entry usable again; later recorded calls come behind those so far."""
        self._ever_used |= self._replay.used
        self._replay.reset()
        self._missed = []
        self._earlier, self._recorded = self._calls(), []

    def state(self) -> CassetteState:
        """How it was used."""
        entries, used = self._replay.entries, self._replay.used
        return CassetteState(
            self._path,
            self._loaded,
            tuple((entry.kind, entry.name) for entry in entries),
            tuple(str(entries[place]) for place in sorted(used)),
            tuple(self._missed),
            tuple(str(entry) for place, entry in enumerate(entries) if place not in used),
        )

    def save(self, tools: ToolSchemas) -> None:
        """Write what was recorded so far, in the order calls began; nothing where nothing was.

        Raises `CassetteError` and leaves the file when a value cannot be kept or a secret is left.
        """
        if not (calls := self._calls()):
            return
        where = f"{self._path} is not written: "
        new = recorded_entries(calls, where, self._redaction, tools)
        kept = list(self._old)
        ruled = [entry.with_rule(_kept_rule(entry, kept)) for entry in new]
        write_cassette(self._path, [*self._replay.entries, *ruled])

    def close(self) -> None:
        """Let others record to the file, and tell which entries were used where that is asked."""
        if self._loaded and not self._calls():
            tell_usage(self._path, self._ever_used | self._replay.used, os.environ)
        if self._owned is not None:
            self._owned.release()
            self._owned = None

    def _calls(self) -> list[Call]:
        """All that was recorded, in the order it began: ids are numbers, with those of parents."""
        began = sorted(self._recorded, key=lambda call: [int(n) for n in call.id.split("/")])
        return [*self._earlier, *began]

    def _live(self, kind: str, name: str, value: Any) -> Json:
        try:
            return self._redaction.live(kind, name, encode(value, "input"))
        except CassetteError:
            return value  # fits no recorded input, and says so where it differs


def _kept_rule(entry: Entry, old: list[Entry]) -> Rule:
    """The hand-written rule of the old entry that the new one takes the place of."""
    for place, before in enumerate(old):
        same = (before.kind, before.name) == (entry.kind, entry.name)
        if same and before.fits(entry.input):
            return old.pop(place).rule
    return Rule()


def open_cassette(
    path: Path, mode: Mode | None, redact: Redact | Sequence[Redact] | None, *, sealed: bool
) -> CassetteSession:
    """A cassette as a harness uses it; raises `CassetteError` for one that cannot be used."""
    settled = settled_mode(mode, path, os.environ)
    redaction = redaction_of(redact)
    entries = read_cassette(path) if path.exists() else None
    session = CassetteSession(path, settled, entries, redaction)
    if session.records and sealed:
        said = f"{path} is recorded: calls run the real tools, though on_unhandled is 'error'."
        warnings.warn(said, CassetteWarning, stacklevel=4)
    elif entries is None and settled == "none":
        said = f"{path} does not exist, so nothing is replayed; record it with mode='once'."
        warnings.warn(said, CassetteWarning, stacklevel=4)
    return session
