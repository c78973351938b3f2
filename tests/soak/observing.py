"""Observe 100,000 record lines (200 MB) of a CRM in a child, and say how fast and in what memory.

python tests/soak/observing.py --lines 100000 --toon 0.1
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.recorded import EVERYDAY_TOOLS, captured, everyday_lines, toon_lines

LINE = 2_000
"""Bytes that a line is filled up to."""


def main() -> None:
    """Print a row for the everyday mix of formats, then one for each mix asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--toon", type=float, nargs="*", default=[0, 0.05, 1])
    options = parser.parse_args()
    print(f"{'TOON':>5} {'MB':>6} {'s':>6} {'MB/s':>6} {'CPU MB/s':>9} {'peak MB':>8}")
    for share in options.toon:
        # The whole of a recording in TOON takes its time: a tenth of it tells as much
        count = options.lines if share < 0.5 else options.lines // 10
        print(row(share, count), flush=True)


def row(share: float, count: int) -> str:
    """One run over `count` lines, of which `share` are answered in TOON."""
    with tempfile.TemporaryDirectory() as folder:
        root = captured(Path(folder), EVERYDAY_TOOLS)
        path = root / "calls.jsonl"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(f"{line:<{LINE}}\n" for line in mixed(share, count))
        command = [sys.executable, "-m", "evalsim", "observe", "crm", "--from", str(path)]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL)
        taken = time.perf_counter() - start
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        size = path.stat().st_size / 1e6
    cpu = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    peak = used.ru_maxrss / 1024
    return (
        f"{share:>5.0%} {size:>6.0f} {taken:>6.1f} {size / taken:>6.1f} {size / cpu:>9.1f} "
        f"{peak:>8.0f}"
    )


def mixed(share: float, count: int) -> Iterator[str]:
    """Lines of the everyday mix and of TOON, evenly spread."""
    everyday, toon = iter(everyday_lines(count)), iter(toon_lines(count))
    owed = 0.0
    for _ in range(count):
        owed += share
        yield next(toon if owed >= 1 else everyday)
        owed -= owed >= 1


if __name__ == "__main__":
    main()
