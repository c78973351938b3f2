"""Call a fake a million times, then have 2,000 clients vanish, and say what its process holds.

python tests/soak/long_run.py --calls 1000000
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.watched import Held, load, vanish, watched

ROUNDS = 20


def main() -> None:
    """Print a row for each twentieth of the calls, then what the clients left."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1_000_000)
    parser.add_argument("--clients", type=int, default=2_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, watched(Path(folder)) as services:
        first = services.held()
        print(f"{'calls':>10} {'calls/s':>8} {'p50 ms':>7} {'p99 ms':>7}  held")
        print(f"{0:>10} {'':>8} {'':>7} {'':>7}  {row(first)}", flush=True)
        share = options.calls // ROUNDS
        for number in range(1, ROUNDS + 1):
            start = time.perf_counter()
            taken = load(services.url, share)
            rate = len(taken) / (time.perf_counter() - start)
            p50, p99 = (1000 * taken[int(len(taken) * part)] for part in (0.5, 0.99))
            held = row(services.settled(first))
            print(f"{number * share:>10} {rate:>8.0f} {p50:>7.2f} {p99:>7.2f}  {held}", flush=True)
        vanish(services.url, options.clients)
        print(f"{options.clients} clients vanished: {row(services.settled(first))}")


def row(held: Held) -> str:
    """What is held, for people."""
    return (
        f"{held.memory / 2**20:.1f} MB, {held.descriptors} descriptors, {held.tasks} tasks, "
        f"{held.faults} faults"
    )


if __name__ == "__main__":
    main()
