"""Rows on calls: how many a second, how late the slowest, and the memory they leave."""

import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from benchmarks.load import Burst, Loaded, all_up, run_rounds
from benchmarks.setup import TRIAL, TYPESCRIPT, Setup
from benchmarks.table import NotMeasured, Row, Target
from benchmarks.workload import Era

ERAS: Final[Sequence[Era]] = ("2025", "2026")
MEMORY_LIMIT: Final = 60
Figures: TypeAlias = dict[str, list[float]]


def call_rows(setup: Setup, rounds: int, *, quick: bool) -> Iterator[Row | NotMeasured]:
    """The rows that come of load on all servers at once; the quick ones are of fewer peers."""
    servers = [setup.evalsim, setup.trial, *setup.typescript, setup.python]
    if quick:
        servers = [one for one in servers if one is not setup.python and not one.has_sessions]
    with all_up(servers) as loaded:
        without_trial = [one for one in loaded if one.name != TRIAL]
        bursts = {Burst(era, "text"): loaded for era in ERAS}
        bursts |= {Burst(era, "structured"): loaded for era in ERAS}
        bursts |= {Burst(era, "text", 32): without_trial for era in ERAS}
        bursts |= {Burst("2026", "list"): without_trial}
        run_rounds(bursts, rounds)
        for era in ERAS:
            yield _rates(loaded, Burst(era, "text"), f"call, 1 KB text, {era}", 5, 0.7)
        for era in ERAS:
            work = f"call, 50 KB structured, {era}"
            yield _rates(loaded, Burst(era, "structured"), work, 3)
        for era in ERAS:
            yield _latencies(loaded, Burst(era, "text", 32), f"call, 1 KB text, {era}, 32 at once")
        yield _rates(loaded, Burst("2026", "list"), "tools/list, 2026 (prepared bytes)")
        yield _memory(loaded)
    if setup.no_typescript:
        yield NotMeasured("all of these by the TypeScript SDK", setup.no_typescript)


def _rates(
    loaded: Sequence[Loaded],
    burst: Burst,
    work: str,
    of_typescript: float | None = None,
    of_trial: float | None = None,
) -> Row:
    figures = {one.name: one.rates(burst) for one in loaded if burst in one.taken}
    compared = _with_one_shape(figures, best=max)
    bounds = {TRIAL: of_trial}
    bounds |= {name: of_typescript for name in compared if name.startswith(TYPESCRIPT)}
    targets = [
        Target(bound, against=name)
        for name, bound in sorted(bounds.items())
        if bound is not None and name in compared
    ]
    return Row(work, "/s", compared, targets)


def _latencies(loaded: Sequence[Loaded], burst: Burst, work: str) -> Row:
    figures = {one.name: one.p99s(burst) for one in loaded if burst in one.taken}
    compared = _with_one_shape(figures, best=min)
    shapes = [name for name in compared if name.startswith(TYPESCRIPT)]
    return Row(work, "ms p99", compared, [Target(1, False, name) for name in shapes])


def _memory(loaded: Sequence[Loaded]) -> Row:
    figures = {one.name: [one.running.memory()] for one in loaded}
    return Row("memory after that load", "MB", figures, [Target(MEMORY_LIMIT, at_least=False)])


def _with_one_shape(figures: Figures, best: Callable[..., str]) -> Figures:
    """The figures with only the best of the shapes that the TypeScript SDK's server has."""
    shapes = [name for name in figures if name.startswith(TYPESCRIPT)]
    kept = best(shapes, key=lambda name: statistics.median(figures[name]), default=None)
    return {name: taken for name, taken in figures.items() if name == kept or name not in shapes}
