"""The row on memory with every real capture served at once, and what most of it is."""

import subprocess
import sys
from pathlib import Path
from typing import Final

from benchmarks.captures import NO_DATA
from benchmarks.servers import evalsim, running
from benchmarks.table import OURS, NotMeasured, Row
from support.data import captures
from support.recipes import capture_recipe, generate_recipe

PROGRAM: Final = Path(__file__).with_name("memory_steps.py")


def everything_row(folder: Path) -> Row | NotMeasured:
    """The memory of one process that serves them all, beside what its parts take."""
    paths = captures()
    work = f"memory, all {len(paths)} captures served"
    if not paths:
        return NotMeasured(work, NO_DATA)
    recipe = capture_recipe(folder / "everything", paths)
    generate_recipe(recipe)
    with running(evalsim(recipe)) as found:
        served = found.memory()
    command = [sys.executable, str(PROGRAM), str(recipe)]
    steps = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    note = "; ".join([*steps.splitlines(), "the rest is models, handlers and states"])
    return Row(work, "MB", {OURS: [served]}, note=note)
