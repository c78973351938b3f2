"""A client of jobs that records what is started, and runs nothing."""

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from evalsim.evals.invalid import EvalError
from evalsim.evals.jobs.client import RunSnapshot, StartedJob
from evalsim.evals.jobs.names import job_name

PREFIX = "run_rec_"


@dataclass(frozen=True, slots=True)
class RecordedSignal:
    """Something a run was told."""

    run_id: str
    name: str
    data: Any = None


class RecordingJobs:
    """Records every start; a started run is then there, running, to those who look for it.

    `jobs` are the declared ones, by name: a start by function is filed under its declared name, and
    an undeclared one is refused. `runs` are there before anything starts. What would need a run to
    be really there (`stream`, `wait`) is refused by name.
    """

    def __init__(
        self,
        *,
        jobs: Mapping[str, Any] | None = None,
        runs: Iterable[RunSnapshot] = (),
        id_prefix: str = PREFIX,
    ) -> None:
        self._jobs, self._prefix = jobs, id_prefix
        self._numbers = itertools.count(1)
        self._runs: dict[str, RunSnapshot] = {}
        self.starts: list[StartedJob] = []
        """Every start, in order."""
        self.cancelled: list[str] = []
        """Every id that was cancelled, whatever came of it."""
        self.signals: list[RecordedSignal] = []
        """Everything that runs were told."""
        self.seed(*runs)

    def seed(self, *runs: RunSnapshot) -> None:
        """Add runs to be found."""
        self._runs.update({run.run_id: run for run in runs})

    def started(self, job: Any = None) -> list[StartedJob]:
        """The starts of one job, by name or function, or all of them."""
        if job is None:
            return list(self.starts)
        name = job_name(job, self._jobs)
        return [start for start in self.starts if start.job == name]

    def listing(self) -> list[str]:
        """The names of the declared jobs."""
        return list(self._jobs or ())

    async def start(
        self, job: Any, input: Any = None, *, key: str | None = None, **options: Any
    ) -> str:
        """Record a start; raises `EvalError` for a job that is not declared."""
        return self.record(job, input, key=key, **options)

    def record(self, job: Any, input: Any = None, *, key: str | None = None, **options: Any) -> str:
        """The same for code that is not async: the id of the run that would have started."""
        name = job_name(job, self._jobs)
        run_id = f"{self._prefix}{next(self._numbers)}"
        self.starts.append(StartedJob(name, input, run_id, key, options))
        self.seed(RunSnapshot(run_id, name, key=key, input=input))
        return run_id

    async def get(self, run_id: str) -> RunSnapshot | None:
        """A run by its id."""
        return self._runs.get(run_id)

    async def find(self, job: Any, key: str) -> list[RunSnapshot]:
        """The runs of a job under a key, newest first."""
        return [run for run in await self.recent(job) if run.key == key]

    async def recent(self, job: Any) -> list[RunSnapshot]:
        """The runs of a job, newest first."""
        name = job_name(job, self._jobs)
        return [run for run in reversed(self._runs.values()) if run.job == name]

    async def cancel(self, run_id: str) -> bool:
        """Record it; a known run that still ran is then cancelled."""
        self.cancelled.append(run_id)
        run = self._runs.get(run_id)
        if run is None or run.is_over:
            return False
        self._runs[run_id] = run.ended("cancelled")
        return True

    async def signal_run(self, run_id: str, name: str, data: Any = None) -> bool:
        """Record it, as delivered."""
        self.signals.append(RecordedSignal(run_id, name, data))
        return True

    async def wake_up(self, _run_id: str) -> int:
        """Wakes nothing up, for nothing sleeps."""
        return 0

    async def last_line(self, _run_id: str) -> str | None:
        """No run says anything."""
        return None

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise EvalError(
            f"RecordingJobs runs nothing, so that it has no {name!r}: make a subclass that answers "
            "it, or run the jobs with Suite(jobs={…})."
        )
