"""The pytest plugin: fixtures that serve a Recipe's fakes, and the recording of a run.

A project that asks for none of its fixtures sees nothing of it, and nothing heavy is imported.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from evalsim.stubs.plugin import harness, new_harness, pytest_runtest_makereport
from evalsim.testing.session import RunRecordings

if TYPE_CHECKING:
    from evalsim.hosting.services import Services
    from evalsim.recipe.loader import LoadedRecipe
    from evalsim.types import JsonObject

__all__ = ["harness", "new_harness", "pytest_runtest_makereport"]  # pytest finds them here
pytest_plugins = ["evalsim.evals.plugin"]
_RUN = pytest.StashKey[RunRecordings]()
_PARTS = "evalsim_parts"


def run_recordings(config: pytest.Config) -> RunRecordings | None:
    """The recordings of the run that `config` is of; None where the plugin is switched off."""
    return config.stash.get(_RUN, None)


def item_of(request: pytest.FixtureRequest) -> pytest.Item:
    """The test that asks for a fixture; not every pytest says what a request's node is."""
    return cast("pytest.Item", request.node)  # pyright: ignore[reportUnknownMemberType]


@pytest.fixture(scope="module")
def fakes(request: pytest.FixtureRequest) -> "LoadedRecipe":
    """The fakes of the Recipe that the test module lies in."""
    from evalsim.recipe.loader import load_fakes  # noqa: PLC0415  only for tests of fakes

    return load_fakes(request.path.parent)


@pytest.fixture
def scenario(request: pytest.FixtureRequest) -> str | None:
    """The scenario a test runs in: its `scenario` mark's, else the world's own default."""
    mark = item_of(request).get_closest_marker("scenario")
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
    return pytestconfig.stash[_RUN].part(Path(fakes_recording).resolve())


@pytest.fixture
def services(
    fakes: "LoadedRecipe",
    scenario: str | None,
    fakes_clock: datetime | str | None,
    fakes_record: Path | None,
) -> "Iterator[Services]":
    """The fakes, served in a fresh world; the test fails when one of them was at fault."""
    from evalsim.hosting.start import start_services  # noqa: PLC0415  only for tests of fakes
    from evalsim.testing.faults import raise_faults  # noqa: PLC0415

    with start_services(fakes, None, scenario, fakes_clock, record=fakes_record) as running:
        yield running
    raise_faults(running.faults)


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark, and say where this process of the run records."""
    config.addinivalue_line("markers", "scenario(name): the scenario that `services` serves.")
    config.addinivalue_line("markers", "harness(...): the options of the fixture `harness`.")
    given: dict[str, str] = getattr(config, "workerinput", {})
    recordings = RunRecordings(config, given.get("workerid", "main"), given.get(_PARTS))
    if any(config.getoption(option, False) for option in ("lf", "stepwise")):
        recordings.mark_partial()
    config.stash[_RUN] = recordings


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Judge what the run recorded after the tests that record."""
    items.sort(key=_reads_recording)


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Note that the run leaves tests out."""
    if items:
        items[0].config.stash[_RUN].mark_partial()


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Put the recordings of a run that came to its end in place of the committed ones."""
    ended = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    stopped = not ended or bool(session.shouldfail or session.shouldstop)
    recordings = session.config.stash[_RUN]
    recordings.finish(stopped)
    for check in () if recordings.is_shared else recordings.deferred():
        report = _judged(check, recordings)
        session.config.hook.pytest_runtest_logreport(report=report)
        if report.failed and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
    recordings.close()


def _reads_recording(item: pytest.Item) -> bool:
    callspec: Any = getattr(item, "callspec", None)
    check = None if callspec is None else callspec.params.get("check")
    return getattr(check, "reads_recording", False) is True


def _judged(check: "JsonObject", recordings: RunRecordings) -> pytest.TestReport:
    """The report of a check that was left for the end, on the recording as it then is."""
    from evalsim.checks.items import judge_deferred  # noqa: PLC0415  only for tests of fakes

    outcome = judge_deferred(check)
    recordings.remarks += outcome.told_remarks
    return pytest.TestReport(
        check["nodeid"],
        tuple(check["location"]),
        {},
        "passed" if outcome.passed else "failed",
        None if outcome.passed else "\n".join(outcome.faults),
        "call",
    )


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Tell what was noticed of fakes and recordings, which fails nothing."""
    for remark in config.stash[_RUN].remarks:
        terminalreporter.write_line(remark)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of pytest-xdist where all of them record."""
    node.workerinput[_PARTS] = str(node.config.stash[_RUN].folder)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object | None) -> None:
    """A worker that crashed took its tests with it."""
    if error is not None:
        node.config.stash[_RUN].mark_partial()
