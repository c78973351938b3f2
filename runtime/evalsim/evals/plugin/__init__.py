"""The pytest half of evals: hooks and fixtures; nothing else of evals is imported until a case is.

The hooks here only act on tests that a suite marks, so that a project without one sees none of it.
"""

from collections.abc import Generator
from typing import Any

import pytest

from evalsim.evals.plugin.fixtures import (
    eval_app,
    eval_mode,
    files,
    jobs,
    judge,
    model_server,
    network,
    session,
    simulate,
)
from evalsim.evals.plugin.run import RUN, EvalRun, bound_to

__all__ = [
    "eval_app",
    "eval_mode",
    "files",
    "jobs",
    "judge",
    "model_server",
    "network",
    "session",
    "simulate",
]  # pytest finds them


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of runs of evals, on the command line and in the ini file."""
    group = parser.getgroup("evalsim", "evals of agents")
    modes = ("auto", "stub", "live")
    told = "run evals live where credentials are set (auto), scripted (stub), or live or not at all"
    group.addoption("--eval-mode", choices=modes, help=told)
    group.addoption(
        "--eval-repeat", metavar="N", help="run each eval N times, in a fresh world each"
    )
    told = "which repeats have to pass: any (default), all, or a rate as in rate>=0.8"
    group.addoption("--eval-policy", metavar="POLICY", help=told)
    group.addoption("--eval-json", metavar="FILE", help="write what each eval came to")
    told = "keep each eval's states, calls and transcript there"
    group.addoption("--eval-artifacts", metavar="FOLDER", help=told)
    for name in ("eval_mode", "eval_repeat", "eval_policy"):
        parser.addini(name, f"the default of --{name.replace('_', '-')}")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marks."""
    config.addinivalue_line("markers", "evalsim(suite): a case of this suite; see `suite.mark`.")
    config.addinivalue_line("markers", "eval_case(...): the options of a case; see `suite.case`.")
    config.stash[RUN] = EvalRun(config)
    config.pluginmanager.register(config.stash[RUN].results, "evalsim-evals-results")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Bind the cases that were collected to their suites; one that cannot run fails its file."""
    report = yield
    if report.passed and any(map(_may_be_case, report.result)):
        from evalsim.evals.plugin.collecting import bind  # noqa: PLC0415  only where there are cases

        bind(collector.config.stash[RUN], report)
    return report


def _may_be_case(node: object) -> bool:
    if not isinstance(node, pytest.Function):
        return False
    return any(node.get_closest_marker(name) is not None for name in ("evalsim", "eval_case"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what its mode leaves out, and add a failing item for a suite that is left with none."""
    run = config.stash[RUN]
    if run.suites:
        from evalsim.evals.plugin.collecting import skip_other_modes  # noqa: PLC0415  see above

        skip_other_modes(run, items)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Announce each suite's mode, once, before any case runs."""
    run = session.config.stash[RUN]
    if run.suites and not run.is_worker:
        run.announce()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a case as often as asked, and report it once."""
    bound = bound_to(item)
    if bound is None:
        return None
    from evalsim.evals.plugin.repeating import run_case  # noqa: PLC0415  see above

    run_case(item, nextitem, bound)
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an async case, unless another plugin is to run it."""
    if bound_to(pyfuncitem) is None:
        return None
    from evalsim.evals.plugin.calling import call_async  # noqa: PLC0415  see above

    return call_async(pyfuncitem)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the transcript to what is said of a case that failed, before its session is closed."""
    bound = bound_to(item)
    if bound is not None and call.excinfo is not None:
        bound.note_failure(call.excinfo.value)
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: object) -> tuple[str, str, object] | None:
    """Show a case that passed at times as unstable."""
    told: Any = getattr(report, "evalsim", None)
    if told is None or getattr(report, "when", None) != "call" or told["outcome"] != "unstable":
        return None
    return "unstable", "U", ("UNSTABLE", {"yellow": True})


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Tell of cases that are unstable, and, where workers ran them, of the suites' modes."""
    config.stash[RUN].summarise(terminalreporter)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the JSON report, and hand on what a worker knows."""
    session.config.stash[RUN].finish()


def pytest_unconfigure(config: pytest.Config) -> None:
    """End what the cases shared."""
    run = config.stash.get(RUN, None)
    if run is not None:
        run.close()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object | None) -> None:
    """Take what a worker of pytest-xdist knows of its suites."""
    if error is None:
        node.config.stash[RUN].take(getattr(node, "workeroutput", {}))
