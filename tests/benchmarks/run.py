"""Measure evalsim beside its peers: python tests/benchmarks/run.py [--quick]."""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from benchmarks.apis import api_rows
from benchmarks.calls import call_rows
from benchmarks.descriptions import description_rows
from benchmarks.evals import eval_rows
from benchmarks.generation import generation_rows
from benchmarks.keeping import keeping_rows
from benchmarks.load import install_wrk, missing_programs
from benchmarks.memory import everything_row
from benchmarks.setup import node, set_up
from benchmarks.starting import starting_rows
from benchmarks.stubbing import stubbing_rows
from benchmarks.table import NotMeasured, Row, Verdict, markdown

GROUPS = (
    "calls",
    "keeping",
    "starting",
    "memory",
    "generation",
    "stubs",
    "evals",
    "openapi",
    "apis",
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured, and how often."""

    groups: Collection[str]
    rounds: int
    quick: bool


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 when a figure is below half of its target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the gate of CI: fewer rounds, rows")
    parser.add_argument("--rounds", type=int, help="5 when left out, 2 when quick")
    parser.add_argument("--only", choices=GROUPS, action="append", help="these rows only")
    parser.add_argument("--install", action="store_true", help="install wrk where apt-get can")
    options = parser.parse_args(arguments)
    if options.install:
        install_wrk()
    rounds = options.rounds or (2 if options.quick else 5)
    plan = Plan(options.only or GROUPS, rounds, options.quick)
    with tempfile.TemporaryDirectory() as folder:
        rows = list(measured(plan, Path(folder)))
    print(f"{machine()}\n\n{markdown(rows)}")
    failed = [row for row in rows if isinstance(row, Row) and Verdict.FAILED in row.verdicts()]
    for row in failed:
        print(f"{row.work}: below half of its target", file=sys.stderr)
    return 1 if failed else 0


def measured(plan: Plan, folder: Path) -> Iterator[Row | NotMeasured]:
    """The rows of each group, as they are measured."""
    setup = cache(lambda: set_up(folder))
    groups: dict[str, Callable[[], Iterable[Row | NotMeasured]]] = {
        "calls": lambda: call_rows(setup(), plan.rounds, quick=plan.quick),
        "keeping": lambda: keeping_rows(setup(), folder, plan.rounds),
        "starting": lambda: starting_rows(setup(), folder, plan.rounds, quick=plan.quick),
        "memory": lambda: () if plan.quick else (everything_row(folder),),
        "generation": lambda: generation_rows(folder, plan.rounds, quick=plan.quick),
        "stubs": lambda: stubbing_rows(plan.rounds),
        "evals": lambda: eval_rows(plan.rounds),
        "openapi": lambda: description_rows(plan.rounds),
        "apis": lambda: api_rows(folder, plan.rounds),
    }
    no_load = missing_programs()
    for name in GROUPS:
        if name not in plan.groups:
            continue
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        if name in ("calls", "keeping", "apis") and no_load:
            yield NotMeasured(f"all rows on {name}", no_load)
        else:
            yield from groups[name]()


def machine() -> str:
    """What this was measured on."""
    version = subprocess.run([node(), "--version"], capture_output=True, text=True, check=False)
    head = ["git", "rev-parse", "--short", "HEAD"]
    here = Path(__file__).parent
    commit = subprocess.run(head, cwd=here, capture_output=True, text=True, check=False)
    kind = f"{os.cpu_count()}-core {platform.system()} {platform.machine()}"
    python, javascript = platform.python_version(), version.stdout.strip() or "absent"
    return f"commit {commit.stdout.strip()}, {kind}, Python {python}, Node.js {javascript}"


if __name__ == "__main__":
    sys.exit(main())
