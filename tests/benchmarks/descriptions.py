"""Rows on large descriptions: reading one and trimming it, beside a bare parse of its JSON."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.table import NotMeasured, Row, Target
from support.data import PROJECT

NO_DATA: Final = "no shared test data here (EVALSIM_TEST_DATA)"
PARSE: Final = "orjson.loads"
ALLOWED: Final = "3 × orjson.loads + 2 s"
MEGABYTES: Final = 1200
_DESCRIPTIONS: Final = {
    "msgraph-v1.0": (
        *("GET /me/messages", "POST /me/messages"),
        "POST /me/messages/{message-id}/microsoft.graph.send",
    ),
    "github-api.github.com": (
        *("GET /repos/{owner}/{repo}/issues", "POST /repos/{owner}/{repo}/issues"),
        "GET /repos/{owner}/{repo}/pulls/{pull_number}",
    ),
}
_BARE: Final = """
import sys, time, orjson
start = time.perf_counter()
orjson.loads(open(sys.argv[1], "rb").read())
print(time.perf_counter() - start)
"""
_TRIM: Final = """
import json, resource, sys, time
from evalsim_generator.openapi.capture import capture, read
start = time.perf_counter()
captured = capture(read(sys.argv[1], {}, str), sys.argv[2:], {}, str)
took = time.perf_counter() - start
assert not captured.problems and captured.trimmed.operations
print(json.dumps([took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


def description_rows(rounds: int) -> Iterator[Row | NotMeasured]:
    """Each description in turn, in a process of its own each time."""
    folder = Path(os.environ.get("EVALSIM_TEST_DATA", PROJECT.parent / "shared" / "data"))
    for name, operations in _DESCRIPTIONS.items():
        path = folder / "openapi" / f"{name}.json"
        if path.is_file():
            yield from _rows(path, operations, rounds)
        else:
            yield NotMeasured(f"load and trim {name}", NO_DATA)


def _rows(path: Path, operations: tuple[str, ...], rounds: int) -> Iterator[Row]:
    parsed, took, held = list[float](), list[float](), list[float]()
    for _ in range(rounds):
        parsed.append(float(_output(_BARE, str(path))))
        seconds, megabytes = json.loads(_output(_TRIM, str(path), *operations))
        took.append(seconds)
        held.append(megabytes)
    what = f"{path.stat().st_size / 1e6:.0f} MB {path.stem.partition('-')[0]}"
    allowed = [3 * each + 2 for each in parsed]
    figures = {"evalsim": took, PARSE: parsed, ALLOWED: allowed}
    within = Target(1, at_least=False, against=ALLOWED)
    yield Row(f"load and trim {what}", "s", figures, (within,))
    most = Target(MEGABYTES, at_least=False)
    yield Row("the same, memory", "MB", {"evalsim": held}, (most,))


def _output(program: str, *arguments: str) -> str:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
