"""One writer for a cassette at a time, also among processes."""

import os
import threading
from dataclasses import dataclass
from pathlib import Path

from evalsim.stubs.errors import CassetteError


@dataclass(frozen=True, slots=True)
class Owned:
    """A claim to record to a file; a process that dies leaves `mark` behind, with its number."""

    mark: Path

    def release(self) -> None:
        """Give the claim up."""
        self.mark.unlink(missing_ok=True)


def own(path: Path) -> Owned:
    """Claim a file for recording; raises `CassetteError` while another harness records to it."""
    mark = path.with_name(f".{path.name}.recording")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _drop_if_dead(mark)
        is_ours = _put(mark, str(os.getpid()))
    except OSError as error:
        raise CassetteError(f"{path} cannot be recorded: {error.strerror}.") from error
    if not is_ours:
        told = f"{path} is being recorded by another harness"
        raise CassetteError(f"{told}: give each its own file, or share one harness.")
    return Owned(mark)


def _put(mark: Path, text: str) -> bool:
    """Make a file with its content at once, that nobody reads empty; False if there is one."""
    beside = mark.with_name(f"{mark.name}.{text}.{threading.get_ident()}")
    beside.write_text(text, "utf-8")
    try:
        mark.hardlink_to(beside)
    except FileExistsError:
        return False
    finally:
        beside.unlink()
    return True


def _drop_if_dead(mark: Path) -> None:
    if os.name == "nt":  # there, asking after a process ends it
        return
    try:
        os.kill(int(mark.read_text("utf-8")), 0)
    except (FileNotFoundError, PermissionError):
        return
    except (ValueError, ProcessLookupError):
        mark.unlink(missing_ok=True)
