"""The `evalsim` command as a user runs it."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from evalsim.__main__ import main

_CAN_BREAK_MODES = (1, 2)  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH
_DROP = 24  # PR_CAPBSET_DROP


@dataclass(frozen=True, slots=True)
class Ran:
    """How the command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of its output."""
        return self.out.splitlines()


Run = Callable[..., Ran]


@pytest.fixture
def evalsim(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `evalsim` with arguments in a folder, in this process."""

    def run(*arguments: str, cwd: Path) -> Ran:
        monkeypatch.chdir(cwd)
        monkeypatch.setattr(sys, "argv", ["evalsim", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return Ran(int(ended.value.code or 0), said.out, said.err)

    return run


def run_as_anyone(*arguments: str, cwd: Path, **environment: str) -> Ran:
    """Run `evalsim` in a child whom file modes bind, whoever runs the tests."""
    done = subprocess.run(
        [sys.executable, "-m", "evalsim", *arguments],
        cwd=cwd,
        env={**os.environ, **environment},
        preexec_fn=_be_bound_by_modes if sys.platform == "linux" and os.geteuid() == 0 else None,
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def _be_bound_by_modes() -> None:
    for capability in _CAN_BREAK_MODES:
        ctypes.CDLL(None).prctl(_DROP, capability, 0, 0, 0)
