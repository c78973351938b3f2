"""Files that always hold one whole JSON document: written beside, then moved into place."""

import glob
import os
from collections.abc import Mapping
from pathlib import Path

import orjson

from evalsim.errors import EvalsimError


class StateFile:
    """A file of the fakes' states keyed by id, of which only what changed is dumped again."""

    def __init__(self, path: Path, states: Mapping[str, bytes]) -> None:
        """Writes `states`; raises `EvalsimError` when the file cannot be written."""
        self._path = path
        self._states: Mapping[str, bytes] = {}
        try:
            if not path.parent.exists():
                path.parent.mkdir(parents=True)
            for left in path.parent.glob(f".{glob.escape(path.name)}.*.tmp"):
                left.unlink()  # by a run that was killed
            self._replace(dict(states))
        except OSError as error:
            raise EvalsimError(
                f"The state file {path} cannot be written: {error.strerror}. Name another file."
            ) from error

    def update(self, fake_id: str, state: bytes) -> None:
        """Put one fake's state on disk; raises OSError when the disk does not take it."""
        if self._states.get(fake_id) != state:
            self._replace({**self._states, fake_id: state})

    def _replace(self, states: Mapping[str, bytes]) -> None:
        beside = self._path.with_name(f".{self._path.name}.{os.getpid()}.tmp")
        beside.write_bytes(_keyed(states))
        beside.replace(self._path)
        self._states = states  # only now: what the disk did not take is written with the next call


def _keyed(states: Mapping[str, bytes]) -> bytes:
    pairs = (orjson.dumps(fake_id) + b":" + state for fake_id, state in states.items())
    return b"{" + b",".join(pairs) + b"}\n"
