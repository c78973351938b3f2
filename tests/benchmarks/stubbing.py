"""Rows on stubs: a stubbed call beside a bare `unittest.mock.Mock`, and beside many stubs."""

import gc
import time
from collections.abc import Callable, Iterator
from typing import Any, Final
from unittest.mock import Mock

from benchmarks.commands import in_turn
from benchmarks.table import OURS, Row, Target
from evalsim.stubs import Harness, Stub

CALLS: Final = 20_000
MANY: Final = 10_000
INPUT: Final = {"city": "Paris"}
OUTPUT: Final = {"tempC": 21}
MOCK: Final = "unittest.mock.Mock"
TEN: Final = "10 stubs"


def stubbing_rows(rounds: int) -> Iterator[Row]:
    """What a stubbed sync call takes, and what it takes among ten thousand stubs."""
    mock = Mock(return_value=OUTPUT)
    harness = Harness([Stub("get_weather", args=INPUT, result=OUTPUT)])
    stubbed = {
        OURS: lambda: _microseconds(lambda: harness.dispatch("get_weather", INPUT, _gone), harness),
        MOCK: lambda: _microseconds(lambda: mock(INPUT), mock),
    }
    yield Row("stubbed sync call", "µs", in_turn(stubbed, rounds), [Target(2, False, MOCK)])

    many, few = (Harness(_named(count)) for count in (MANY, 10))
    name = f"tool_{MANY - 1}"
    among = {
        OURS: lambda: _microseconds(lambda: many.dispatch(name, INPUT, _gone), many),
        TEN: lambda: _microseconds(lambda: few.dispatch("tool_9", INPUT, _gone), few),
    }
    work = f"the same among {MANY:,} stubs"
    yield Row(work, "µs", in_turn(among, rounds), [Target(1.2, False, TEN)])


def _named(count: int) -> list[Stub]:
    return [Stub(f"tool_{i}", args=INPUT, result=OUTPUT) for i in range(count)]


def _gone() -> Any:
    raise AssertionError("the real tool ran")


def _microseconds(call: Callable[[], object], recorder: Any) -> float:
    """What one call takes, the records of the round before forgotten."""
    recorder.reset_mock() if isinstance(recorder, Mock) else recorder.reset()
    gc.collect()
    start = time.perf_counter()
    for _ in range(CALLS):
        call()
    return (time.perf_counter() - start) / CALLS * 1e6
