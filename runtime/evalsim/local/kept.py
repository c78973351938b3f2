"""The folder a local run keeps its states in: `.evalsim/local/<scenario>/` of the Recipe."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from evalsim.errors import EvalsimError
from evalsim.recipe.locate import find_recipe

DEFAULT = "_default"


@dataclass(frozen=True, slots=True)
class Kept:
    """The files of one scenario's runs."""

    folder: Path

    @property
    def state(self) -> Path:
        return self.folder / "state.json"

    @property
    def initial(self) -> Path:
        return self.folder / "initial-state.json"

    @property
    def record(self) -> Path:
        return self.folder / "calls.jsonl"

    @property
    def log(self) -> Path:
        return self.folder / "serve.log"

    def settings(self, *, resume: bool) -> dict[str, str]:
        """The sidecar's settings for these files; a fresh run starts without an earlier one's."""
        if not resume:
            for path in (self.state, self.initial, self.record):
                path.unlink(missing_ok=True)
        given = {
            "STATE_FILE": self.state,
            "INITIAL_STATE_FILE": self.initial,
            "RECORD": self.record,
        }
        if resume:
            given["RESUME_STATE_FILE"] = self.state
        return {name: str(path) for name, path in given.items()} | {"JOURNAL": "1"}


def kept_for(fakes: Path, scenario: str | None) -> Kept:
    """Where the runs of one scenario are kept; raises `EvalsimError` for a name that is a path."""
    name = DEFAULT if scenario is None else scenario
    if name in ("", ".", "..") or any(character in name for character in "/\\:\0"):
        raise EvalsimError(f"A scenario named {name!r} has no folder to be kept in.")
    root = find_recipe(fakes).root or fakes.parent
    return Kept(root / ".evalsim" / "local" / name)


@contextmanager
def locked(kept: Kept) -> Generator[None]:
    """Make the folder and hold it; raises `EvalsimError` while another run holds it."""
    try:
        kept.folder.mkdir(parents=True, exist_ok=True)
        (kept.folder.parent.parent / ".gitignore").write_text("*\n", "utf-8")
        lock = (kept.folder / ".lock").open("w")
    except OSError as error:
        raise EvalsimError(f"{kept.folder} cannot be written: {error.strerror}.") from error
    with lock:
        if not _lock(lock.fileno()):
            raise EvalsimError(
                f"Another run keeps its state in {kept.folder}: wait for it, or choose another "
                "scenario."
            )
        yield


def _lock(descriptor: int) -> bool:
    try:
        import fcntl  # noqa: PLC0415  there is none on Windows, where runs are not held apart
    except ImportError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
