"""Rows on calls that are kept: recorded, or in a state file."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from benchmarks.load import Burst, Loaded, all_up, run_rounds
from benchmarks.servers import evalsim
from benchmarks.setup import Setup
from benchmarks.table import OURS, Row, Target

BURST: Final = Burst("2025", "text")
WITHOUT: Final = "without"


def keeping_rows(setup: Setup, folder: Path, rounds: int) -> Iterator[Row]:
    """What it costs to record each call, and to write 1 MB of state that each call changes."""
    recipe, large = setup.recipe, ("--scenario", "large")
    servers = [
        evalsim(recipe),
        evalsim(recipe, "--record", str(folder / "calls.jsonl")),
        evalsim(recipe, *large),
        evalsim(recipe, *large, "--state-file", str(folder / "state-kept.json")),
    ]
    with all_up(servers) as loaded:
        run_rounds({BURST: loaded}, rounds)
        yield _row("call, 1 KB text, recorded", loaded[:2], 0.5)
        yield _row("call, 1 KB text, 1 MB state file", loaded[2:], 0.1)


def _row(work: str, pair: Sequence[Loaded], bound: float) -> Row:
    without, kept = (one.rates(BURST) for one in pair)
    return Row(work, "/s", {OURS: kept, WITHOUT: without}, [Target(bound, against=WITHOUT)])
