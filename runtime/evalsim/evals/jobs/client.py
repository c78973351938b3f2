"""What code that starts background jobs needs of them, and how a run looks."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeAlias

from evalsim.types import Json

JobStatus: TypeAlias = Literal["running", "completed", "failed", "cancelled"]
STARTED = "2026-01-01T00:00:00Z"
"""When a run without a time of its own started."""


@dataclass(frozen=True, slots=True)
class RunSnapshot:
    """One run as it stands: which job, under which `key`, and what came of it."""

    run_id: str
    job: str
    status: JobStatus = "running"
    key: str | None = None
    input: Any = None
    output: Any = None
    error: str | None = None
    started_at: str = STARTED

    @property
    def is_over(self) -> bool:
        """Whether it has ended, however."""
        return self.status != "running"

    def ended(self, status: JobStatus) -> "RunSnapshot":
        """The same run with another status."""
        return replace(self, status=status)


def run_snapshot(
    job: str,
    *,
    run_id: str = "run_seeded",
    status: JobStatus = "running",
    key: str | None = None,
    input: Json = None,
    output: Json = None,
    error: str | None = None,
    started_at: str = STARTED,
) -> RunSnapshot:
    """A run to seed a `RecordingJobs` with: running, and of a fixed day, unless told otherwise."""
    return RunSnapshot(run_id, job, status, key, input, output, error, started_at)


@dataclass(frozen=True, slots=True)
class StartedJob:
    """One start of a job, as it was asked for; `input` is not validated."""

    job: str
    input: Any
    run_id: str
    key: str | None = None
    options: dict[str, Any] = field(default_factory=dict[str, Any])


class JobClient(Protocol):
    """Starts jobs and asks after their runs; newest first where there are several."""

    async def start(self, job: Any, input: Any = None, *, key: str | None = None) -> str:
        """Start a job, and give the id of its run."""
        ...

    async def get(self, run_id: str) -> RunSnapshot | None:
        """A run by its id."""
        ...

    async def find(self, job: Any, key: str) -> list[RunSnapshot]:
        """The runs of a job under a key."""
        ...

    async def recent(self, job: Any) -> list[RunSnapshot]:
        """The runs of a job."""
        ...

    async def cancel(self, run_id: str) -> bool:
        """Cancel a run; whether it was one that still ran."""
        ...

    async def signal_run(self, run_id: str, name: str, data: Any = None) -> bool:
        """Tell a run of something; whether it was told."""
        ...
