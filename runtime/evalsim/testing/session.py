"""The recordings of one pytest run: a part for each process, put together when all are done."""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from evalsim.types import JsonObject

_TARGET = "target"
_PARTIAL = "partial"
_DEFERRED = "deferred.jsonl"


class RunRecordings:
    """Where the processes of a run record: each in a file of its own, in one folder.

    A run is partial when it leaves tests out: then what it records is no whole recording.
    """

    def __init__(self, config: pytest.Config, worker: str = "main", shared: str | None = None):
        """`worker` names this process, `shared` is the folder its controller gave it."""
        self._config, self._worker = config, worker
        self.is_shared = shared is not None
        """Whether other processes record beside this one."""
        self._folder = Path(shared) if shared is not None else None
        self._partial = False
        self.remarks: list[str] = []
        """What is told at the end of the run, and fails nothing."""

    @property
    def folder(self) -> Path:
        """The folder of all parts, made when it is first asked for."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="evalsim-"))
        return self._folder

    def part(self, file: Path) -> Path:
        """Where this process records the calls that `file` will hold."""
        part = self._part_in(self.folder, file)
        part.parent.mkdir(exist_ok=True)
        (part.parent / _TARGET).write_text(str(file), "utf-8")
        return part

    def current(self, file: Path) -> Path:
        """The recording to judge: this run's own where it has all of it, else the kept one."""
        if self._folder is None or self.is_shared or self.is_partial(file):
            return file
        part = self._part_in(self._folder, file)
        return part if part.exists() else file

    def mark_partial(self) -> None:
        """Say that the run leaves tests out, and let the controller know."""
        self._partial = True
        if self.is_shared:
            (self.folder / _PARTIAL).touch()

    def is_partial(self, file: Path) -> bool:
        """Whether the run leaves out tests that record to `file`."""
        told = self._folder is not None and (self._folder / _PARTIAL).exists()
        return self._partial or told or not any(map(file.is_relative_to, self._places()))

    def defer(self, check: "JsonObject") -> None:
        """Leave a check that reads the whole recording for the controller."""
        with (self.folder / f"{self._worker}.{_DEFERRED}").open("a", encoding="utf-8") as file:
            file.write(json.dumps(check) + "\n")

    def deferred(self) -> "Iterator[JsonObject]":
        """The checks that workers left for the end, once each is done."""
        for path in sorted(self._folder.glob(f"*.{_DEFERRED}")) if self._folder else ():
            yield from map(json.loads, path.read_text("utf-8").splitlines())

    def finish(self, stopped: bool) -> None:
        """Once all processes are done, replace what a whole run recorded."""
        if self._folder is None or self.is_shared:
            return
        for target in self._folder.glob(f"*/{_TARGET}"):
            file = Path(target.read_text("utf-8"))
            if stopped or self.is_partial(file):
                left = f"{file}: left as it was, for only some of its tests ran."
                self.remarks.append(left)
            else:
                _keep(file, target.parent)

    def close(self) -> None:
        """Remove all parts, once nothing reads them any more."""
        if self._folder is not None and not self.is_shared:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _part_in(self, folder: Path, file: Path) -> Path:
        return folder / hashlib.sha256(os.fsencode(file)).hexdigest()[:16] / f"{self._worker}.jsonl"

    def _places(self) -> Iterator[Path]:
        """The folders that pytest was asked to run whole."""
        base = self._config.invocation_params.dir
        for argument in self._config.args:
            path = (base / argument).resolve()
            if path.is_dir():
                yield path


def _keep(file: Path, parts: Path) -> None:
    from evalsim.testing.recordings import keep  # noqa: PLC0415  most runs record nothing

    keep(file, parts.glob("*.jsonl"))
