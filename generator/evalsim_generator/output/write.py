"""Replacing files whole, so that no reader and no crash meets half of one."""

import errno
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from evalsim.errors import RecipeError

STAGED = ".evalsim-new"
"""How the name of a file ends that is about to take another's place."""


def write_all(files: Mapping[Path, bytes]) -> None:
    """Write every file, or none: all are written beside their place first, then moved into it.

    What a run that was killed left behind is removed. Raises `RecipeError` when a file cannot be
    written, with the tree as it was.
    """
    staged: dict[Path, Path] = {}
    made: list[Path] = []
    try:
        for path in map(Path.resolve, files):
            for folder in _make_folder(path.parent):
                made.append(folder)
            _remove_leftovers(path)
        for path, data in files.items():
            staged[path.resolve()] = _stage(path.resolve(), data)
        for path, temporary in staged.items():
            temporary.replace(path)
    except OSError as error:
        for temporary in staged.values():
            temporary.unlink(missing_ok=True)
        for folder in reversed(made):
            folder.rmdir()
        raise RecipeError(
            f"{_blamed(error, files)}: cannot be written ({error.strerror or error}), and nothing "
            "was changed. Make it writable and run again."
        ) from error


def _blamed(error: OSError, files: Mapping[Path, bytes]) -> Path:
    where = Path(error.filename or next(iter(files)))
    return where.parent if where.name.endswith(STAGED) else where


def _make_folder(folder: Path) -> Iterator[Path]:
    """Make a folder and those above it; gives each that was not there, outermost first."""
    if not folder.is_dir():
        yield from _make_folder(folder.parent)
        folder.mkdir()
        yield folder


def _remove_leftovers(path: Path) -> None:
    for leftover in path.parent.glob(f".{path.name}.*{STAGED}"):
        leftover.unlink()


def _stage(path: Path, data: bytes) -> Path:
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    descriptor, name = tempfile.mkstemp(STAGED, f".{path.name}.", path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
    except BaseException:
        temporary.unlink()
        raise
    return temporary
