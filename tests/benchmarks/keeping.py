"""Rows on calls that are kept: recorded, or in a state file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.load import Burst, all_up, run_rounds
from benchmarks.servers import evalsim
from benchmarks.setup import Setup
from benchmarks.table import Row, Target

BURST: Final = Burst("2025", "text")
WITHOUT: Final = "without"
SCENARIO: Final = {name: ("--scenario", name) for name in ("texts", "records")}
STATE_FILE: Final = ("--state-file", "kept-state.json")


def keeping_rows(setup: Setup, folder: Path, rounds: int) -> Iterator[Row]:
    """What it costs to record each call, and to write 1 MB of state that each call changes."""
    kept = [
        ("call, 1 KB text, recorded", (), ("--record", "calls.jsonl"), 0.5),
        ("the same, 1 MB state file of 450 texts", SCENARIO["texts"], STATE_FILE, 0.1),
        ("the same, 1 MB state file of 5,000 records", SCENARIO["records"], STATE_FILE, None),
    ]
    for work, world, (option, name), bound in kept:
        servers = [
            evalsim(setup.recipe, *world, option, str(folder / name)),
            evalsim(setup.recipe, *world, name=WITHOUT),
        ]
        with all_up(servers) as loaded:
            run_rounds({BURST: loaded}, rounds)
            figures = {one.name: one.rates(BURST) for one in loaded}
        targets = [] if bound is None else [Target(bound, against=WITHOUT)]
        yield Row(work, "/s", figures, targets)
