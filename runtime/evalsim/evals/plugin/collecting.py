"""Finding the cases among the tests, and what their mode leaves of them."""

import inspect
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from evalsim.errors import EvalsimError
from evalsim.evals.invalid import EvalError
from evalsim.evals.options import CaseOptions
from evalsim.evals.plugin.bound import BoundCase
from evalsim.evals.plugin.run import BOUND, EvalRun, SuiteRun, bound_to
from evalsim.evals.suite import CASE_MARK, MARK, Suite


def bind(run: EvalRun, report: pytest.CollectReport) -> None:
    """Bind each case that was collected; where one cannot run, nothing of its file does."""
    try:
        for item in report.result:
            if isinstance(item, pytest.Function):
                _bind(run, item)
    except EvalsimError as error:
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid}: {error}"
        report.result = []


def _bind(run: EvalRun, item: pytest.Function) -> None:
    marks = list(item.iter_markers(CASE_MARK))
    given: dict[str, Any] = {}
    for mark in marks:
        if mark.args:
            raise EvalError(f"{item.name}: the options of a case have names: {mark.args!r}.")
        given = {**mark.kwargs, **given}
    suite = given.pop("suite", None) or _marked(item)
    if suite is None:
        if marks:
            raise EvalError(f"{item.name}: a case of no suite: set pytestmark = suite.mark.")
        return
    scenario = item.get_closest_marker("scenario")
    if scenario is not None and "scenario" not in given:
        given["scenario"] = scenario.args[0]
    known = run.suite_run(suite)
    known.cases += 1
    options = CaseOptions.of(given)
    item.stash[BOUND] = BoundCase(item.nodeid, suite, options, known.decision, run)
    _ = run.repeats, run.policy(item.stash[BOUND])  # what cannot be read fails the file


def _marked(item: pytest.Function) -> Suite | None:
    mark = item.get_closest_marker(MARK)
    if mark is None:
        return None
    if len(mark.args) != 1 or not isinstance(mark.args[0], Suite):
        raise EvalError(
            f"{item.name}: the mark evalsim takes a Suite: set pytestmark = suite.mark."
        )
    return mark.args[0]


def skip_other_modes(run: EvalRun, items: list[pytest.Item]) -> None:
    """Skip cases of the other mode, and add a failing item for each suite left without a case."""
    left: dict[int, list[pytest.Item]] = {}
    runs: set[int] = set()
    for item in items:
        bound = bound_to(item)
        if bound is None:
            continue
        key, reason = id(bound.suite), bound.skip_reason
        left.setdefault(key, []).append(item)
        if reason is not None:
            short, told = reason
            skipped = run.suites[key].skipped
            skipped[short] = skipped.get(short, 0) + 1
            item.add_marker(pytest.mark.skip(reason=told))
        elif not _is_skipped(item):
            runs.add(key)
    for key, cases in left.items():
        if key not in runs:
            items.extend(_no_cases(run, run.suites[key], cases))


def _is_skipped(item: pytest.Item) -> bool:
    """Whether a mark of the author's own skips the case whatever the mode is."""
    return item.get_closest_marker("skip") is not None


def _no_cases(run: EvalRun, suite: SuiteRun, cases: Sequence[pytest.Item]) -> Iterator[pytest.Item]:
    """The item that fails for a suite whose cases are all skipped, unless they were picked."""
    why = ", ".join(f"{n} {reason}" for reason, n in suite.skipped.items()) or "by their own marks"
    remedy = (
        "set the credentials that a live run needs, or take live=True from a case that a script "
        "can satisfy"
        if suite.decision.mode == "stub"
        else "take scripted=True from a case that a live model can satisfy"
    )
    mode = suite.decision
    told = (
        f"The suite {suite.suite.title} ran no cases: all {len(cases)} were skipped ({why}) in "
        f"this {mode.mode} run ({mode.reason}). To have it measure something, {remedy}."
    )
    if any("::" in str(argument) for argument in run.config.args):
        suite.remarks.append(told)  # a warning could be an error, and end the run
        return
    parent = cases[0].getparent(pytest.Module)
    assert parent is not None
    make: Any = getattr(NoCases, "from_parent")  # noqa: B009  its types are not known
    yield make(parent, name=f"{suite.suite.title} ran no cases", told=told)


class NoCases(pytest.Item):
    """Fails for a suite of which nothing ran."""

    def __init__(self, *, told: str, **given: Any) -> None:
        super().__init__(**given)  # pyright: ignore[reportUnknownMemberType]  see above
        self.told = told

    def runtest(self) -> None:
        """Fail."""
        pytest.fail(self.told, pytrace=False)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Where the suite's module is."""
        return self.path, None, self.name


def is_async(function: Any) -> bool:
    """Whether a test has to be awaited."""
    return inspect.iscoroutinefunction(inspect.unwrap(function))
