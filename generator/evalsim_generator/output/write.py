"""Replacing files whole, so that no reader and no crash meets half of one."""

import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from evalsim.errors import RecipeError


def write_all(files: Mapping[Path, bytes]) -> None:
    """Write every file, or none: all are written beside their place first, then moved into it.

    Raises `RecipeError` when a folder cannot be written, with the tree as it was.
    """
    staged: dict[Path, Path] = {}
    try:
        for path, data in files.items():
            staged[path] = _stage(path.resolve(), data)
        for path, temporary in staged.items():
            temporary.replace(path.resolve())
    except OSError as error:
        _discard(staged.values())
        where = error.filename or next(iter(files))
        raise RecipeError(
            f"{where}: cannot be written: {error.strerror or error}; nothing was changed."
        ) from error


def _stage(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    temporary = Path(name)
    temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
    return temporary


def _discard(paths: Iterable[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
