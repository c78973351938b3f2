"""Compare this host with the official SDKs: python tests/conformance/differential/run.py."""

import argparse
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from conformance.differential.generator import requests
from conformance.differential.peers import PYTHON, SERVING, TYPESCRIPT, serving_all
from conformance.differential.running import run
from conformance.node import Unavailable


def main(arguments: list[str] | None = None) -> int:
    """Print how often each difference showed; 1 when one is not listed, 2 without Node.js."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000, help="how many requests")
    parser.add_argument("--seed", type=int, default=1, help="which requests")
    parser.add_argument(
        "--peer", action="append", choices=sorted(SERVING), help="compare with this peer only"
    )
    options = parser.parse_args(arguments)
    try:
        with serving_all(tuple(options.peer or (PYTHON, TYPESCRIPT))) as ports:
            report = run(ports, requests(options.seed, options.count))
    except Unavailable as problem:
        print(problem, file=sys.stderr)
        return 2
    print(f"{report.sent} requests, seed {options.seed}")
    print(report.table())
    for label in report.never_seen:
        print(f"never seen: {label}")
    return 1 if report.unlisted else 0


if __name__ == "__main__":
    sys.exit(main())
