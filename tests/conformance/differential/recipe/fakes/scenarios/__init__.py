"""The worlds an eval can start from: yours to write, scaffolded once.

A scenario sets conditions, never outcomes: each is a function that builds every fake's starting
state from one clock, in a module of its own.
"""

from collections.abc import Callable
from datetime import datetime

from evalsim.mcp import UnknownScenario

from . import base

World = dict[str, object]

SCENARIOS: dict[str, Callable[[datetime], World]] = {
    "base": base.build,
}


def world(scenario: str = "base", *, clock: datetime) -> World:
    """Every fake's starting state, by fake id."""
    if scenario not in SCENARIOS:
        raise UnknownScenario(scenario, list(SCENARIOS))
    return SCENARIOS[scenario](clock)
