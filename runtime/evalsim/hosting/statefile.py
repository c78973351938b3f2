"""Files that always hold one whole JSON document: written beside, then moved into place."""

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
        self._states = dict(states)
        try:
            if not path.parent.exists():
                path.parent.mkdir(parents=True)
            self._replace()
        except OSError as error:
            raise EvalsimError(
                f"The state file {path} cannot be written: {error.strerror}. Name another file."
            ) from error

    def update(self, fake_id: str, state: bytes) -> None:
        """Put one fake's state on disk; raises OSError when the disk does not take it."""
        if self._states.get(fake_id) != state:
            self._states[fake_id] = state
            self._replace()

    def _replace(self) -> None:
        beside = self._path.with_name(f".{self._path.name}.{os.getpid()}.tmp")
        beside.write_bytes(_keyed(self._states))
        beside.replace(self._path)


def _keyed(states: Mapping[str, bytes]) -> bytes:
    pairs = (orjson.dumps(fake_id) + b":" + state for fake_id, state in states.items())
    return b"{" + b",".join(pairs) + b"}\n"
