"""What the tests of these fakes share: the Recipe, a world of one's own, and each fake in it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from evalsim.host import LoadedRecipe, Services, load_fakes, start_services

from .calling import Fake

CLOCK = datetime(2026, 10, 1, 9, 0, tzinfo=UTC)


@pytest.fixture(scope="session")
def fakes() -> LoadedRecipe:
    """Every fake of this Recipe, loaded once."""
    return load_fakes(Path(__file__).resolve().parents[1])


@pytest.fixture
def scenario() -> str:
    """The world a test runs in, unless `in_scenario` names another."""
    return "base"


@pytest.fixture
def services(fakes: LoadedRecipe, scenario: str) -> Iterator[Services]:
    """The fakes served in a fresh world; a test fails when one of them was at fault."""
    with start_services(fakes, scenario=scenario, clock=CLOCK) as running:
        yield running
        assert not running.faults


@pytest.fixture
def attio(services: Services) -> Fake:
    return Fake(services.url("attio"))


@pytest.fixture
def lightfield(services: Services) -> Fake:
    return Fake(services.url("lightfield-app"))
