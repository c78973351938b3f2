"""Which files below a folder are cassettes."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from evalsim.stubs.cassette import v1
from evalsim.stubs.cassette.file import VERSION
from evalsim.stubs.errors import CassetteError

_SKIPPED = frozenset({"node_modules", "venv", "__pycache__"})
_MARKS = tuple(f'"{key}"'.encode() for key in (VERSION, v1.VERSION))


def find_cassettes(paths: Iterable[Path]) -> Iterator[Path]:
    """The files named, and the cassettes in the folders named, by path.

    Hidden folders and those of installed packages are left out. Raises `CassetteError` for a path
    that is not there.
    """
    for path in paths:
        if path.is_dir():
            yield from sorted(file for file in _json_files(path) if _is_cassette(file))
        elif path.exists():
            yield path
        else:
            raise CassetteError(f"{path} does not exist.")


def _json_files(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders[:] = [n for n in folders if n not in _SKIPPED and not n.startswith(".")]
        yield from (Path(place, name) for name in files if name.endswith(".json"))


def _is_cassette(path: Path) -> bool:
    """Whether a file says so; what is not readable is no cassette."""
    try:
        text = path.read_bytes()
    except OSError:
        return False
    return any(mark in text for mark in _MARKS)
