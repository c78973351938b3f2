"""Rows on starting: to the first answer, and with many fakes beside the import of their models."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.captures import NO_DATA, generated, write_recipe
from benchmarks.commands import PYTHON, in_turn, seconds
from benchmarks.servers import Server, evalsim, running
from benchmarks.setup import TYPESCRIPT, Setup
from benchmarks.table import OURS, NotMeasured, Row, Target
from benchmarks.workload import check
from support.data import captures

IMPORT = "import of their models"
COLD = "cold start to the first answered call"


def starting_rows(
    setup: Setup, folder: Path, rounds: int, *, quick: bool
) -> Iterator[Row | NotMeasured]:
    """Both rows; the quick one is of fewer fakes."""
    yield cold_row(setup, rounds)
    yield many_fakes_row(folder, rounds, 4 if quick else 20, 50)


def cold_row(setup: Setup, rounds: int) -> Row:
    """How long it takes from the command to the first answered call."""
    servers = [setup.evalsim, setup.trial, *setup.typescript[:1], setup.python]
    taken = in_turn({server.name: partial(first_answer, server) for server in servers}, rounds)
    targets = [Target(1, False, name) for name in taken if name.startswith(TYPESCRIPT)]
    return Row(COLD, "s", taken, targets)


def first_answer(server: Server) -> float:
    """The seconds from the start of a server to its first answer."""
    start = time.perf_counter()
    with running(server) as found:
        check(found.url, "2025", "text")
        return time.perf_counter() - start


def many_fakes_row(folder: Path, rounds: int, fakes: int, tools_each: int) -> Row | NotMeasured:
    """How long many fakes take to start, beside the bare import of their models."""
    work = f"{fakes} fakes, {fakes * tools_each:,} tools, start"
    if not captures():
        return NotMeasured(work, NO_DATA)
    recipe = generated(write_recipe(folder / "many", fakes, tools_each))
    names = [path.parent.name for path in sorted(recipe.glob("fakes/mcp/*/models.py"))]
    imports = "".join(f"import fakes.mcp.{name}.models\n" for name in names)
    measured = {
        OURS: partial(started, evalsim(recipe)),
        IMPORT: partial(seconds, [*PYTHON, "-c", imports], recipe),
    }
    targets = [Target(1.3, False, IMPORT), Target(3, at_least=False)]
    return Row(work, "s", in_turn(measured, rounds), targets)


def started(server: Server) -> float:
    """The seconds from the start of a server to when it says where it serves."""
    start = time.perf_counter()
    with running(server):
        return time.perf_counter() - start
