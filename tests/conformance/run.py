"""Run the official conformance scenarios: python tests/conformance/run.py [--url URL]."""

import argparse
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from support.serving import serving

from conformance.node import Unavailable, find_node
from conformance.scenarios import SCENARIOS, SUITES, Outcome, run_scenario
from conformance.server import sample_app


def run(url: str) -> dict[tuple[str, str], Outcome]:
    """The outcome of every scenario of every suite, by scenario and suite title."""
    node = find_node()
    return {
        (scenario, suite.title): run_scenario(node, suite, scenario, url)
        for suite in SUITES
        for scenario in suite.scenarios
    }


def table(outcomes: dict[tuple[str, str], Outcome]) -> Iterator[str]:
    """The outcomes as lines: scenarios down, suites across, then what failed."""
    titles = [suite.title for suite in SUITES]
    yield "".join(f"{cell:<38}" for cell in ("scenario", *titles)).rstrip()
    for scenario in SCENARIOS:
        cells = (str(outcomes.get((scenario, title), "-")) for title in titles)
        yield "".join(f"{cell:<38}" for cell in (scenario, *cells)).rstrip()
    for (scenario, title), outcome in outcomes.items():
        yield from (f"{title}: {scenario}: {failure}" for failure in outcome.failures)


@contextmanager
def _target(url: str | None) -> Generator[str]:
    if url is not None:
        yield url
        return
    with serving(sample_app()) as base:
        yield f"{base}/mcp"


def main(arguments: list[str] | None = None) -> int:
    """Run the scenarios and print the table; 1 when a check failed, 2 without Node.js."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", help="an MCP endpoint to test, in place of the sample server")
    options = parser.parse_args(arguments)
    try:
        with _target(options.url) as url:
            outcomes = run(url)
    except Unavailable as problem:
        print(problem, file=sys.stderr)
        return 2
    print("\n".join(table(outcomes)))
    return 1 if any(outcome.failures for outcome in outcomes.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
