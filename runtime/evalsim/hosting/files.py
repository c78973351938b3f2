"""The files a run is told to keep, which must not be one another."""

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

from evalsim.errors import EvalsimError


def check_apart(files: Mapping[str, Path | None]) -> None:
    """Raises `EvalsimError` when two of the files, by the name of their option, are the same."""
    named = [(name, path) for name, path in files.items() if path is not None]
    for (one, path), (other, same) in combinations(named, 2):
        if path.resolve() == same.resolve():
            raise EvalsimError(f"{one} and {other} are both {path}: give each a file of its own.")
