"""Rows on the generator: a capture of a hundred tools, generated and checked."""

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.captures import NO_DATA, generated, write_recipe
from benchmarks.commands import EVALSIM, PYTHON, in_turn, seconds
from benchmarks.table import OURS, NotMeasured, Row, Target
from support.data import captures

TOOLS = 100
GENERATE, CHECK = f"generate, {TOOLS} tools", f"generate --check, {TOOLS} tools, nothing changed"
BARE, TYPER = "bare datamodel-code-generator", 'python -c "import typer"'
EMPTY = "an empty typer command"
EMPTY_PROGRAM = Path(__file__).parent / "peers" / "empty_command.py"
BARE_PROGRAM = Path(__file__).with_name("bare_generator.py")


def generation_rows(folder: Path, rounds: int, *, quick: bool) -> Iterator[Row | NotMeasured]:
    """What `generate` takes beside its engine, and `--check` beside the start of a command."""
    if not captures():
        yield NotMeasured(GENERATE, NO_DATA)
        yield NotMeasured(CHECK, NO_DATA)
        return
    bare = write_recipe(folder / "hundred", fakes=1, tools_each=TOOLS)
    capture = next(bare.glob("fakes/mcp/*/tools.json"))
    measured = {
        OURS: partial(_generate_anew, bare, folder / "anew"),
        BARE: partial(seconds, [*PYTHON, str(BARE_PROGRAM), str(capture)], folder),
    }
    yield Row(
        GENERATE,
        "s",
        in_turn(measured, 1 if quick else rounds, warm=not quick),
        [Target(2.5, False, BARE)],
    )
    made = generated(bare)
    checks = {
        OURS: partial(seconds, [*EVALSIM, "generate", "--check"], made),
        TYPER: partial(seconds, [*PYTHON, "-c", "import typer"], folder),
        EMPTY: partial(seconds, [*PYTHON, str(EMPTY_PROGRAM)], folder),
    }
    taken = in_turn(checks, rounds)
    yield Row(CHECK, "s", taken, [Target(3, False, TYPER), Target(0.5, at_least=False)])


def _generate_anew(bare: Path, folder: Path) -> float:
    """Generate a copy of a Recipe that has never been generated."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(bare, folder)
    return seconds([*EVALSIM, "generate"], folder)
