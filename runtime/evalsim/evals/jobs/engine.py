"""Running background jobs in an eval: each is a task, and no sleep of theirs is waited for."""

import asyncio
import inspect
import itertools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from evalsim.evals.agents.io import AgentIO
from evalsim.evals.invalid import EvalError
from evalsim.evals.jobs.client import RunSnapshot
from evalsim.evals.jobs.names import job_name
from evalsim.evals.jobs.run import JobContext, JobRun, JobTimeout

Jobs: TypeAlias = Mapping[str, Callable[..., Any]]
"""Functions of a `JobContext` and an input, sync or async, by the names they are declared under."""
RUN_TIMEOUT = 300.0
"""Seconds that a run may take."""


@dataclass(slots=True)
class Running:
    """A run while it runs, and after."""

    run: JobRun
    task: "asyncio.Task[None]"


class JobEngine:
    """Runs the declared jobs of one case as tasks of the agents' loop; a `JobClient` as well."""

    def __init__(self, jobs: Jobs, started: Callable[[str, str, Any], object]) -> None:
        self.jobs = jobs
        self.io: AgentIO | None = None
        self._told = started
        self._numbers = itertools.count(1)
        self._runs: dict[str, Running] = {}

    @property
    def runs(self) -> list[JobRun]:
        """The runs so far, in the order they started."""
        return [running.run for running in self._runs.values()]

    def listing(self) -> list[str]:
        """The names of the declared jobs."""
        return list(self.jobs)

    async def start(
        self,
        job: Any,
        input: Any = None,
        *,
        key: str | None = None,
        attempt: int = 1,
        max_attempts: int = 1,
        **_: Any,
    ) -> str:
        """Start a job as a task; raises `EvalError` for one that is not declared."""
        name = job_name(job, self.jobs)
        run_id = f"run_{next(self._numbers)}"
        run = JobRun(run_id, name, key, input)
        assert self.io is not None
        context = JobContext(run, self.io, attempt, max_attempts)
        task = asyncio.create_task(_run(self.jobs[name], context), name=f"job {name} ({run_id})")
        self._runs[run_id] = Running(run, task)
        self._told(name, run_id, input)
        return run_id

    async def settle(self, run_id: str, timeout: float = RUN_TIMEOUT) -> JobRun:
        """A run once it is over; raises `EvalError` for an unknown one, and `JobTimeout`."""
        running = self._runs.get(run_id)
        if running is None:
            raise EvalError(f"No run has the id {run_id!r}; {len(self._runs)} were started.")
        done, _ = await asyncio.wait({running.task}, timeout=timeout)
        if not done:
            run = running.run
            raise JobTimeout(
                f"The job {run.job} ({run_id}) did not end within {timeout:g} s; it has slept "
                f"{len(run.slept)} times and reported {run.reported[-3:]!r} last."
            )
        return running.run

    async def settle_all(self, timeout: float = RUN_TIMEOUT) -> list[JobRun]:
        """All runs once they are over, also those that start meanwhile; `timeout` is of each."""
        settled: set[str] = set()
        while waiting := [run_id for run_id in self._runs if run_id not in settled]:
            for run_id in waiting:
                await self.settle(run_id, timeout)
                settled.add(run_id)
        return self.runs

    async def get(self, run_id: str) -> RunSnapshot | None:
        """A run by its id."""
        running = self._runs.get(run_id)
        return None if running is None else running.run.snapshot

    async def find(self, job: Any, key: str) -> list[RunSnapshot]:
        """The runs of a job under a key, newest first."""
        return [run for run in await self.recent(job) if run.key == key]

    async def recent(self, job: Any) -> list[RunSnapshot]:
        """The runs of a job, newest first."""
        name = job_name(job, self.jobs)
        return [run.snapshot for run in reversed(self.runs) if run.job == name]

    async def cancel(self, run_id: str) -> bool:
        """Cancel a run; whether it was one that still ran."""
        running = self._runs.get(run_id)
        return running is not None and running.task.cancel()

    async def signal_run(self, run_id: str, name: str, data: Any = None) -> bool:
        """Tell a run of something that it can wait for; whether it still runs."""
        running = self._runs.get(run_id)
        if running is None or running.run.is_over:
            return False
        running.run.signals.put_nowait((name, data))
        return True


async def _run(function: Callable[..., Any], context: JobContext) -> None:
    run = context.run
    began = time.monotonic()
    try:
        answer = function(context, run.input)
        run.output = await answer if inspect.isawaitable(answer) else answer
        run.status = "completed"
    except asyncio.CancelledError:
        run.status = "cancelled"
    except Exception as error:
        run.status, run.error = "failed", error
    run.seconds = time.monotonic() - began
