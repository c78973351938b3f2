"""Running a case several times, each in a fresh world, and reporting it once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import pytest
from _pytest.runner import runtestprotocol

from evalsim.evals.plugin.bound import BoundCase
from evalsim.evals.policy import Outcome, Policy, Summary, judge_repeats, pass_all, pass_at

if TYPE_CHECKING:
    from evalsim.types import JsonObject

FAILURE = 4000
"""Characters of a failure that are kept for the end of the run."""


@dataclass(frozen=True, slots=True)
class Try:
    """One run of a case: its reports, and what they come to."""

    outcome: Outcome
    reports: list[pytest.TestReport]
    reasons: tuple[str, ...]
    transcript: str
    judges: tuple[tuple[bool, bool], ...] = ()
    """Of each judgement, whether all was met, and whether it was scripted."""

    @property
    def failed(self) -> pytest.TestReport | None:
        """The report that says what went wrong."""
        return next((report for report in self.reports if report.failed), None)

    def as_json(self) -> "JsonObject":
        """The try as a JSON object."""
        told: JsonObject = {
            "outcome": self.outcome,
            "seconds": round(sum(report.duration for report in self.reports), 4),
        }
        if self.reasons:
            told["reasons"] = list(self.reasons)
        if (report := self.failed) is not None:
            told["failure"] = report.longreprtext[-FAILURE:]
        if self.judges:
            told["judges"] = [{"passed": met, "scripted": stub} for met, stub in self.judges]
        if self.transcript:
            told["transcript"] = self.transcript
        return told


def run_case(item: pytest.Item, nextitem: pytest.Item | None, bound: BoundCase) -> None:
    """Run a case as often as asked, and report it once."""
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    repeats = bound.options.repeat or bound.run.repeats
    own = list(item.user_properties)
    tries: list[Try] = []
    number = 0
    while number < repeats:
        # One that is skipped is run once more, as the last, for only that ends what siblings share
        number = repeats if tries and tries[-1].outcome == "skipped" else number + 1
        item.user_properties[:] = own
        item._report_sections.clear()  # pyright: ignore[reportPrivateUsage]  else each has them all
        bound.begin(number)
        # Up to the last, only what is the test's own is torn down: as if its sibling came next
        after = nextitem if number == repeats else cast("pytest.Item", item.parent)
        tries.append(_outcome(runtestprotocol(item, log=False, nextitem=after), bound))
    for report in _reports(tries, bound, bound.run.policy(bound)):
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)


def _outcome(reports: list[pytest.TestReport], bound: BoundCase) -> Try:
    """What one try came to: without a verdict on the agent where anything made it invalid."""
    by_phase = {report.when: report for report in reports}
    call = by_phase.get("call")
    broken = [r for r in reports if r.failed and r.when != "call"]
    outcome: Outcome
    if bound.invalid:
        outcome = "invalid"
    elif broken:
        outcome = "error"
    elif call is None or call.skipped:
        outcome = "skipped"
    else:
        outcome = "passed" if call.passed else "failed"
    reasons = tuple(dict.fromkeys(bound.invalid))
    judged = () if bound.session is None else bound.session.judgements
    judges = tuple((one.passed, one.scripted) for one in judged)
    return Try(outcome, reports, reasons, bound.transcript, judges)


def _reports(tries: Sequence[Try], bound: BoundCase, policy: Policy) -> list[pytest.TestReport]:
    """The reports of a case: those of the try that tells most, with what all came to."""
    outcomes: list[Outcome] = [one.outcome for one in tries]
    scripted = bound.decision.mode == "stub"
    summary = judge_repeats(outcomes, policy, scripted=scripted)
    chosen = next(
        (one for one in tries if one.outcome == ("passed" if summary == "unstable" else summary)),
        tries[-1],
    )
    told = _told(tries, bound, policy, summary)
    reports = _invalid(chosen) if summary == "invalid" else chosen.reports
    for report in reports:
        vars(report)["evalsim"] = told  # which pytest-xdist sends to the controller as it is
        report.user_properties = [*report.user_properties, *_properties(told)]
        if len(tries) > 1 and summary == "failed" and report.failed:
            passes = f"{told['passes']} repeats passed; this is the first that did not."
            report.sections.append(("evals", passes))
            if scripted and "passed" in outcomes:
                why = (
                    "A script cannot disagree with itself: what differs is the agent or its world."
                )
                report.sections.append(("evals", why))
    return reports


def _invalid(one: Try) -> list[pytest.TestReport]:
    """The reports of a try that measured nothing: an error, and neither a pass nor a failure."""
    told = one.failed or next((r for r in one.reports if r.when == "call"), one.reports[0])
    if not told.failed:
        reasons = "\n".join(f"  - {reason}" for reason in one.reasons)
        told.outcome = "failed"
        told.longrepr = f"This measured nothing of the agent:\n{reasons}\n{one.transcript}"
    told.when = "setup"  # what fails there, every reader of reports takes for an error
    ended = pytest.TestReport(told.nodeid, told.location, told.keywords, "passed", None, "teardown")
    return [told, ended]


def _told(tries: Sequence[Try], bound: BoundCase, policy: Policy, summary: Summary) -> "JsonObject":
    """What a case came to, as JSON."""
    outcomes: list[Outcome] = [one.outcome for one in tries]
    measured = [outcome for outcome in outcomes if outcome in ("passed", "failed")]
    first = next((one.failed for one in tries if one.outcome == "failed"), None)
    counts = range(1, len(measured) + 1)
    return {
        "nodeid": bound.nodeid,
        "suite": bound.suite.title,
        "mode": bound.decision.mode,
        "outcome": summary,
        "policy": policy.name,
        "passes": f"{measured.count('passed')} of {len(measured)}",
        "repeats": [one.as_json() for one in tries],
        "pass@k": {str(k): pass_at(k, outcomes) for k in counts},
        "pass^k": {str(k): pass_all(k, outcomes) for k in counts},
        "first_failure": None if first is None else first.longreprtext[-FAILURE:],
    }


def _properties(told: "JsonObject") -> list[tuple[str, object]]:
    """What JUnit and other readers of properties are told."""
    named: list[tuple[str, object]] = [
        ("evalsim.outcome", told["outcome"]),
        ("evalsim.mode", told["mode"]),
    ]
    repeats: list[Any] = told["repeats"]
    if any(judge["scripted"] for one in repeats for judge in one.get("judges", ())):
        named.append(("evalsim.judge", "scripted"))
    if len(repeats) > 1:
        named.append(("evalsim.passes", told["passes"]))
        named += [(f"evalsim.repeat.{n}", one["outcome"]) for n, one in enumerate(repeats, 1)]
    return named
