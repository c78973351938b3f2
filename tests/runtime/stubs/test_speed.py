"""What a call takes does not grow with the stubs, the entries, or the calls before it."""

import json
import time
from collections.abc import Callable
from pathlib import Path

from evalsim.stubs import Harness, Stub

SLACK = 10
"""A machine that does other things meanwhile is no fault; to walk all of them is 100 times over."""


def took(work: Callable[[], object]) -> float:
    """The least seconds of five runs."""
    runs: list[float] = []
    for _ in range(5):
        start = time.perf_counter()
        work()
        runs.append(time.perf_counter() - start)
    return min(runs)


def test_ten_thousand_stubs_cost_what_ten_do() -> None:
    """Stubs are found by name, wherever they stand, and so is that none has a name."""

    def seconds(count: int, name: str) -> float:
        harness = Harness([Stub(f"t{i}", args={"q": 1}, result=i) for i in range(count)])
        return took(lambda: [harness.dispatch(name, {"q": 1}, lambda: 0) for _ in range(500)])

    assert seconds(10_000, "t9999") < SLACK * seconds(10, "t9")
    assert seconds(10_000, "none") < SLACK * seconds(10, "none")


def test_replaying_a_long_cassette_is_linear(tmp_path: Path) -> None:
    """Each entry is found by its input, in whatever order calls come, and hidden ones too."""

    def seconds(count: int) -> float:
        token = "[REDACTED:token]"
        calls = [
            {"name": "a", "input": {"q": i, "token": token}, "output": i} for i in range(count)
        ]
        path = tmp_path / f"{count}.json"
        path.write_text(json.dumps({"evalsim_cassette": 2, "calls": calls}), "utf-8")
        harness = Harness(cassette=path, on_unhandled="error")

        def replay() -> None:
            harness.reset()
            for i in reversed(range(count)):
                assert i == harness.dispatch("a", {"q": i, "token": "live"}, lambda: None)

        return took(replay) / count

    assert seconds(4_000) < SLACK * seconds(40)
