"""The pytest plugin: fixtures that serve a Recipe's fakes, and the recording of a run.

A project that asks for none of its fixtures sees nothing of it, and nothing heavy is imported.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from evalsim.testing.session import RunRecordings

if TYPE_CHECKING:
    from evalsim.hosting.services import Services
    from evalsim.recipe.loader import LoadedRecipe

_RUN = pytest.StashKey[RunRecordings]()
_PARTS = "evalsim_parts"


def run_recordings(config: pytest.Config) -> RunRecordings:
    """The recordings of the run that `config` is of."""
    return config.stash[_RUN]


@pytest.fixture(scope="module")
def fakes(request: pytest.FixtureRequest) -> "LoadedRecipe":
    """The fakes of the Recipe that the test module lies in."""
    from evalsim.recipe.loader import load_fakes  # noqa: PLC0415  only for tests of fakes

    return load_fakes(request.path.parent)


@pytest.fixture
def scenario(request: pytest.FixtureRequest) -> str | None:
    """The scenario a test runs in: its `scenario` mark's, else the world's own default."""
    mark = request.node.get_closest_marker("scenario")
    return None if mark is None else mark.args[0]


@pytest.fixture(scope="session")
def fakes_clock() -> datetime | str | None:
    """Where the clock of every test's world stands; now, unless a conftest.py says otherwise."""
    return None


@pytest.fixture(scope="session")
def fakes_recording() -> Path | None:
    """The recording of the whole run; none, unless a conftest.py names a file."""
    return None


@pytest.fixture(scope="session")
def fakes_record(pytestconfig: pytest.Config, fakes_recording: Path | None) -> Path | None:
    """Where this process records its calls, for `start_services` and `with_fakes`."""
    if fakes_recording is None:
        return None
    return run_recordings(pytestconfig).part(Path(fakes_recording).resolve())


@pytest.fixture
def services(
    fakes: "LoadedRecipe",
    scenario: str | None,
    fakes_clock: datetime | str | None,
    fakes_record: Path | None,
) -> "Iterator[Services]":
    """The fakes, served in a fresh world; the test fails when one of them was at fault."""
    from evalsim.hosting.services import start_services  # noqa: PLC0415  only for tests of fakes
    from evalsim.testing.faults import raise_faults  # noqa: PLC0415

    with start_services(fakes, None, scenario, fakes_clock, record=fakes_record) as running:
        yield running
    raise_faults(running.faults)


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark, and say where this process of the run records."""
    config.addinivalue_line("markers", "scenario(name): the scenario that `services` serves.")
    given: dict[str, str] = getattr(config, "workerinput", {})
    recordings = RunRecordings(config, given.get("workerid", "main"), given.get(_PARTS))
    if any(config.getoption(option, False) for option in ("lf", "stepwise")):
        recordings.mark_partial()
    config.stash[_RUN] = recordings


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Note that the run leaves tests out."""
    if items:
        run_recordings(items[0].config).mark_partial()


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Put the recordings of a run that came to its end in place of the committed ones."""
    ended = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    stopped = not ended or bool(session.shouldfail or session.shouldstop)
    run_recordings(session.config).finish(stopped)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say which recordings a run of some tests left alone."""
    for file in run_recordings(config).untouched:
        terminalreporter.write_line(f"{file}: left as it was, for only some of its tests ran.")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of pytest-xdist where all of them record."""
    node.workerinput[_PARTS] = str(run_recordings(node.config).folder)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object | None) -> None:
    """A worker that crashed took its tests with it."""
    if error is not None:
        run_recordings(node.config).mark_partial()
