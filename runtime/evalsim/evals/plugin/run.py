"""One pytest run's evals: suites and modes, what they share, and what came of each case."""

import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from evalsim.evals.mode import ModeDecision
    from evalsim.evals.plugin.bound import BoundCase
    from evalsim.evals.policy import Policy
    from evalsim.evals.runtime import Runtime
    from evalsim.evals.suite import Suite
    from evalsim.types import JsonObject

BOUND: "pytest.StashKey[BoundCase]" = pytest.StashKey()
RUN: "pytest.StashKey[EvalRun]" = pytest.StashKey()
WORKER_KEY = "evalsim_suites"


def bound_to(item: pytest.Item) -> "BoundCase | None":
    """What makes an item a case of a suite; None for every other test."""
    return item.stash.get(BOUND, None)


def _was_repeated(result: "JsonObject") -> bool:
    """Whether a case ran more than once, and was not skipped."""
    return len(result["repeats"]) > 1 and result["outcome"] != "skipped"


def _is_mixed(result: "JsonObject") -> bool:
    """Whether the repeats of a case differ, or could not all be measured."""
    outcomes = {one["outcome"] for one in result["repeats"]}
    return len(outcomes) > 1 or bool(outcomes & {"error", "invalid"})


@dataclass(slots=True)
class SuiteRun:
    """A suite in this run: its mode, and how many of its cases that lets run."""

    suite: "Suite"
    decision: "ModeDecision"
    cases: int = 0
    skipped: dict[str, int] = field(default_factory=dict[str, int])
    remarks: list[str] = field(default_factory=list[str])

    @property
    def lines(self) -> list[str]:
        """What is announced."""
        title, mode = self.suite.title, self.decision.mode
        model = "the live model" if mode == "live" else "a script"
        left = "".join(f"; {n} skipped as {why}" for why, n in self.skipped.items())
        runs = self.cases - sum(self.skipped.values())
        return [
            f"evals of {title}: {self.decision.announcement}",
            f"evals of {title}: {runs} of {self.cases} cases run against {model}{left}",
            *self.remarks,
        ]


class Results:
    """What each case came to, told by its reports; a plugin of its own, since those name no run."""

    def __init__(self) -> None:
        self.told: list[JsonObject] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what a case came to, once all of it is reported."""
        told = getattr(report, "evalsim", None)
        if told is not None and report.when == "teardown":
            self.told.append(told)


class EvalRun:
    """The evals of one pytest process."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.suites: dict[int, SuiteRun] = {}
        self.told: list[list[str]] = []
        self.results = Results()
        self._runtime: Runtime | None = None

    @property
    def is_worker(self) -> bool:
        """Whether this is a worker of pytest-xdist."""
        return hasattr(self.config, "workerinput")

    @property
    def env(self) -> Mapping[str, str]:
        """The environment of the run, which is read here alone."""
        return os.environ

    @property
    def runtime(self) -> "Runtime":
        """The loops and the model server, started when the first case needs them."""
        if self._runtime is None:
            from evalsim.evals.runtime import Runtime  # noqa: PLC0415  it starts threads

            self._runtime = Runtime()
        return self._runtime

    def suite_run(self, suite: "Suite") -> SuiteRun:
        """A suite's place in this run, its mode decided when it is first met; raises as `mode`."""
        known = self.suites.get(id(suite))
        if known is None:
            wanted: Any = self._option("eval_mode") or "auto"
            if wanted not in ("auto", "stub", "live"):
                raise pytest.UsageError(f"eval_mode is {wanted!r}, not auto, stub or live.")
            known = SuiteRun(suite, suite.mode(self.env, wanted))
            self.suites[id(suite)] = known
        return known

    @property
    def repeats(self) -> int:
        """How often each case runs; raises `EvalError` for what is no number of times."""
        from evalsim.evals.invalid import EvalError  # noqa: PLC0415  only where there are cases

        given = self._option("eval_repeat") or self.env.get("EVALSIM_REPEAT", "").strip() or "1"
        if not given.isdecimal() or int(given) < 1:
            raise EvalError(
                f"Evals cannot be repeated {given!r} times: give --eval-repeat, EVALSIM_REPEAT or "
                "eval_repeat a whole number from 1."
            )
        return int(given)

    def policy(self, bound: "BoundCase") -> "Policy":
        """The policy of a case: the run's own, the case's, else its suite's."""
        from evalsim.evals.policy import read_policy  # noqa: PLC0415  only where there are cases

        given = self._option("eval_policy") or bound.options.policy or bound.suite.policy
        return read_policy(given)

    @property
    def artifacts(self) -> Path | None:
        """Where what is kept of each case goes."""
        given: str | None = self.config.getoption("eval_artifacts")
        return Path(given) if given else None

    def announce(self) -> None:
        """Say how each suite runs."""
        reporter: Any = self.config.pluginmanager.get_plugin("terminalreporter")
        for run in self.suites.values():
            if reporter is not None and run.cases:
                for line in run.lines:
                    reporter.write_line(line)

    def take(self, worker: Mapping[str, Any]) -> None:
        """Take what a worker knows; all of them collect the same, so that each is told once."""
        for lines in worker.get(WORKER_KEY, ()):
            if lines not in self.told:
                self.told.append(lines)

    def summarise(self, reporter: pytest.TerminalReporter) -> None:
        """Tell of the workers' suites, and of unstable cases."""
        for lines in self.told:
            for line in lines:
                reporter.write_line(line)
        repeated = [told for told in self.results.told if _was_repeated(told)]
        if not repeated:
            return
        unstable = [result for result in repeated if result["outcome"] == "unstable"]
        counts = Counter(result["outcome"] for result in repeated if _is_mixed(result))
        told = ", ".join(f"{n} {outcome}" for outcome, n in counts.items()) or "all unanimous"
        times = max(len(result["repeats"]) for result in repeated)
        reporter.section("evals")
        reporter.write_line(f"{times} repeats of {len(repeated)} cases: {told}")
        for result in unstable:
            reporter.write_line(f"UNSTABLE {result['nodeid']}: {result['passes']} passed")
            for line in str(result["first_failure"]).splitlines():
                reporter.write_line(f"    {line}")

    def finish(self) -> None:
        """Write the JSON report; a worker hands on what it knows instead."""
        if self.is_worker:
            output: dict[str, Any] = self.config.workeroutput  # type: ignore[attr-defined]
            output[WORKER_KEY] = [run.lines for run in self.suites.values() if run.cases]
            return
        given: str | None = self.config.getoption("eval_json")
        if given:
            path = Path(given)
            path.parent.mkdir(parents=True, exist_ok=True)
            suites = self.told or [run.lines for run in self.suites.values() if run.cases]
            report = {"suites": suites, "cases": self.results.told}
            path.write_text(json.dumps(report, indent=2) + "\n", "utf-8")

    def close(self) -> None:
        """End what the cases shared."""
        if self._runtime is not None:
            self._runtime.close()
            self._runtime = None

    def _option(self, name: str) -> str:
        given: str | None = self.config.getoption(name)
        return given or str(self.config.getini(name) or "")
