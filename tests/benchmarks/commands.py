"""Timing commands, each a process of its own, in turn round after round."""

import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.servers import environment
from support.sidecar import COMMAND

PYTHON: Final = [sys.executable]
EVALSIM: Final = COMMAND


def seconds(command: Sequence[str], cwd: Path) -> float:
    """The seconds a command takes; raises RuntimeError with what it said when it fails."""
    start = time.perf_counter()
    done = subprocess.run(
        command, cwd=cwd, env=environment(), capture_output=True, text=True, check=False
    )
    taken = time.perf_counter() - start
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return taken


def in_turn(
    measured: Mapping[str, Callable[[], float]], rounds: int, *, warm: bool = True
) -> dict[str, list[float]]:
    """Each figure once to warm up, then `rounds` times, one after another."""
    for measure in measured.values() if warm else ():
        measure()
    taken: dict[str, list[float]] = {name: [] for name in measured}
    for number in range(rounds):
        for name in measured if number % 2 == 0 else reversed(measured):
            taken[name].append(measured[name]())
    return taken
