"""When a cassette is replayed and when it is recorded; continuous integration only replays."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from evalsim.stubs.errors import CassetteError, refuse_other

Mode: TypeAlias = Literal["none", "once", "new", "replace"]
"""`none` replays; `once` records where there is no file; `new` replays, and records what is
missing; `replace` records all anew."""
MODES: tuple[Mode, ...] = ("none", "once", "new", "replace")
RECORD = "EVALSIM_STUBS_RECORD"
FORCE = "EVALSIM_STUBS_RECORD_IN_CI"
_BOOLEANS = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("", "0", "false", "no", "off"), False),
}


def settled_mode(mode: Mode | None, path: Path, environ: Mapping[str, str]) -> Mode:
    """The mode to use: `replace` when the environment says to record, else the one given.

    Raises `CassetteError` where that would record under CI without being forced.
    """
    if mode is not None:
        refuse_other("mode", mode, MODES)
    wanted: Mode = "replace" if is_on(RECORD, environ) else mode or "none"
    writes = wanted in ("new", "replace") or (wanted == "once" and not path.exists())
    if writes and is_on("CI", environ) and not is_on(FORCE, environ):
        told = f"{path} would be recorded (mode {wanted}) in continuous integration"
        raise CassetteError(f"{told}: record it where you work and commit it, or set {FORCE}=1.")
    return wanted


def is_on(name: str, environ: Mapping[str, str]) -> bool:
    """A variable as a boolean; raises `CassetteError` for what is none."""
    value = environ.get(name, "").strip().lower()
    if value not in _BOOLEANS:
        if name == "CI":
            return True
        raise CassetteError(f"{name} is {value!r}; it is 1 or 0, true or false.")
    return _BOOLEANS[value]
