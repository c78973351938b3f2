"""What the tests of these fakes share: a moment, a recording, and each fake in a fresh world.

A test may name its world by `@pytest.mark.scenario("busy")`; it fails when a fake was at fault.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from evalsim.host import Services
from evalsim.testing import connect

from .calling import Fake

CLOCK = datetime(2026, 10, 1, 9, 0, tzinfo=UTC)
RECORDING = Path(__file__).with_name("responses.jsonl")


@pytest.fixture(scope="session")
def fakes_clock() -> datetime:
    """Where the clock of every test's world stands."""
    return CLOCK


@pytest.fixture(scope="session")
def fakes_recording() -> Path:
    """Every answer the tests received; a run of all tests replaces it."""
    return RECORDING


@pytest.fixture
def attio(services: Services) -> Iterator[Fake]:
    with connect(services, "attio") as client:
        yield Fake(client)


@pytest.fixture
def lightfield(services: Services) -> Iterator[Fake]:
    with connect(services, "lightfield-app") as client:
        yield Fake(client)
