"""Hold a server to the official scenarios and clients: python tests/conformance/run.py."""

import argparse
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from conformance.node import Unavailable, find_node
from conformance.sample import serving_sample
from conformance.scenarios import SCENARIOS, SUITES, Outcome, run_scenario
from conformance.sessions import NODE_CLIENTS, PYTHON_CLIENTS


def run_scenarios(url: str) -> dict[tuple[str, str], Outcome]:
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


def hold_sessions(url: str) -> dict[str, str]:
    """Each official client's difference from the session it is to see; empty when there is none."""
    outcomes: dict[str, str] = {}
    for client in (*PYTHON_CLIENTS, *NODE_CLIENTS):
        seen = client.session(url, client.mode)
        same = seen == client.expected
        outcomes[str(client)] = "" if same else f"expected {client.expected}, saw {seen}"
    return outcomes


@contextmanager
def _target(url: str | None) -> Generator[str]:
    if url is not None:
        yield url
        return
    with serving_sample() as address:
        yield address


def main(arguments: list[str] | None = None) -> int:
    """Print what each scenario and client found; 1 when one failed, 2 without Node.js."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--url", help="an endpoint that serves the sample's tools; else one is started"
    )
    options = parser.parse_args(arguments)
    try:
        with _target(options.url) as url:
            outcomes = run_scenarios(url)
            sessions = hold_sessions(url)
    except Unavailable as problem:
        print(problem, file=sys.stderr)
        return 2
    print("\n".join(table(outcomes)))
    for client, difference in sessions.items():
        print(f"session of {client}: {difference or 'as expected'}")
    failed = any(outcome.failures for outcome in outcomes.values()) or any(sessions.values())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
