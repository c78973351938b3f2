"""The worlds an eval can start from: conditions, never outcomes.

A scenario is a module that builds every fake's starting state from one clock. All of them start
from `base` and change what makes their situation.
"""

from collections.abc import Callable
from datetime import datetime

from evalsim.mcp import UnknownScenario

from . import base, blocked, busy
from .base import World

SCENARIOS: dict[str, Callable[[datetime], World]] = {
    "base": base.build,
    "blocked": blocked.build,
    "busy": busy.build,
}


def world(scenario: str = "base", *, clock: datetime) -> World:
    """Every fake's starting state, by fake id."""
    if scenario not in SCENARIOS:
        raise UnknownScenario(scenario, list(SCENARIOS))
    return SCENARIOS[scenario](clock)
