"""One run of a background job: what it is told, and what it did."""

import asyncio
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from evalsim.errors import EvalsimError
from evalsim.evals.agents.io import AgentIO
from evalsim.evals.jobs.client import JobStatus, RunSnapshot


class JobTimeout(EvalsimError):
    """A run did not end in time."""


@dataclass(frozen=True, slots=True)
class Slept:
    """A sleep that a job asked for, which was recorded and not waited for."""

    label: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Emitted:
    """What a job emitted under a name."""

    name: str
    data: Any = None


@dataclass(slots=True)
class JobRun:
    """A run, and all it did so far: lines `reported`, events `emitted`, and sleeps `slept`."""

    run_id: str
    job: str
    key: str | None
    input: Any
    status: JobStatus = "running"
    output: Any = None
    error: Exception | None = None
    reported: list[str] = field(default_factory=list[str])
    emitted: list[Emitted] = field(default_factory=list[Emitted])
    slept: list[Slept] = field(default_factory=list[Slept])
    steps: list[str] = field(default_factory=list[str])
    seconds: float | None = None
    signals: "asyncio.Queue[tuple[str, Any]]" = field(
        default_factory=asyncio.Queue["tuple[str, Any]"], repr=False
    )

    @property
    def is_over(self) -> bool:
        """Whether it has ended, however."""
        return self.status != "running"

    @property
    def completed(self) -> bool:
        """Whether it ended by itself, without an error."""
        return self.status == "completed"

    @property
    def snapshot(self) -> RunSnapshot:
        """The run as a client sees it."""
        error = None if self.error is None else f"{type(self.error).__name__}: {self.error}"
        return RunSnapshot(
            self.run_id, self.job, self.status, self.key, self.input, self.output, error
        )


def completed_output(run: JobRun) -> Any:
    """The output of a run that completed; raises its own error, else AssertionError."""
    if run.error is not None:
        raise run.error
    if not run.completed:
        raise AssertionError(f"The job {run.job} ({run.run_id}) is {run.status}, not completed.")
    return run.output


@dataclass(frozen=True, slots=True)
class JobContext:
    """What a job is given beside its input.

    `io` has the model, the fakes and the environment, as an agent's; `attempt` of `max_attempts` is
    only what the job is told, for a failed run is not tried again.
    """

    run: JobRun
    io: AgentIO
    attempt: int = 1
    max_attempts: int = 1

    async def sleep(self, label: str, seconds: float) -> None:
        """Note a sleep, and go on at once."""
        self.run.slept.append(Slept(label, seconds))
        await asyncio.sleep(0)

    async def step(self, name: str, function: Callable[..., Any], *given: Any) -> Any:
        """Run one named step, sync or async."""
        self.run.steps.append(name)
        answer = function(*given)
        return await answer if inspect.isawaitable(answer) else answer

    def report(self, line: str) -> None:
        """Tell people how far it is."""
        self.run.reported.append(line)

    def emit(self, name: str, data: Any = None) -> None:
        """Tell of something by a name of the job's own."""
        self.run.emitted.append(Emitted(name, data))

    async def signalled(self) -> tuple[str, Any]:
        """The next thing that the run is told, `(name, data)`; waits for it."""
        return await self.run.signals.get()
