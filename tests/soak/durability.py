"""Kill `evalsim serve` under load many times, and say what was on disk each time.

python tests/soak/durability.py --kills 200
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.killing import Left, kill_under_load

RUNS = 10
"""Kills in one folder, so that its state does not grow without end."""


def main() -> None:
    """Raises AssertionError at the first thing that was lost or torn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    left: list[Left] = []
    while len(left) < options.kills:
        with tempfile.TemporaryDirectory() as folder:
            kills = min(RUNS, options.kills - len(left))
            runs = list(kill_under_load(Path(folder), kills, options.seed + len(left)))
        left += runs
        print(f"{len(left):4} kills, {runs[-1].lines} whole lines in the last folder", flush=True)
    print(
        f"{len(left)} kills, {sum(run.answered for run in left)} answered calls: none was missing "
        "from the state or from the record, no line was torn, every state parsed"
    )


if __name__ == "__main__":
    main()
