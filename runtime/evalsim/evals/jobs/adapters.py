"""Recording what code enqueues with Celery or arq, instead of handing it to a broker."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from evalsim.evals.jobs.recording import RecordingJobs


@dataclass(frozen=True, slots=True)
class RecordedResult:
    """What enqueueing gives back in place of a broker's handle: the run's id, by both names."""

    id: str

    @property
    def task_id(self) -> str:
        """As Celery calls it."""
        return self.id

    @property
    def job_id(self) -> str:
        """As arq calls it."""
        return self.id


@contextmanager
def recorded_celery(app: Any, jobs: RecordingJobs) -> Generator[RecordingJobs]:
    """Record every task that is sent by this Celery app in this context, and send none.

    A task is recorded by its name, with `{"args", "kwargs"}` as its input; `task_id` is its key.
    """

    def apply_async(
        task: Any, args: Any = None, kwargs: Any = None, task_id: str | None = None, **options: Any
    ) -> RecordedResult:
        return _recorded(jobs, task.name, args, kwargs, task_id, options)

    def send_task(
        name: str, args: Any = None, kwargs: Any = None, task_id: str | None = None, **options: Any
    ) -> RecordedResult:
        return _recorded(jobs, name, args, kwargs, task_id, options)

    sending = patch.object(app, "send_task", send_task)
    with patch.object(app.Task, "apply_async", apply_async), sending:
        yield jobs


@dataclass(frozen=True, slots=True)
class RecordedArq:
    """Stands in for arq's pool: what is enqueued is recorded, with `_job_id` as its key."""

    jobs: RecordingJobs

    async def enqueue_job(
        self, function: str, *args: Any, _job_id: str | None = None, **kwargs: Any
    ) -> RecordedResult | None:
        """Record a job; None, as arq answers, where a run of this id is under way."""
        if _job_id is not None and any(
            not run.is_over for run in await self.jobs.find(function, _job_id)
        ):
            return None
        options = {name: kwargs.pop(name) for name in [*kwargs] if name.startswith("_")}
        return _recorded(self.jobs, function, args, kwargs, _job_id, options)


def _recorded(
    jobs: RecordingJobs, name: str, args: Any, kwargs: Any, key: str | None, options: dict[str, Any]
) -> RecordedResult:
    given = {"args": list(args or ()), "kwargs": dict(kwargs or {})}
    return RecordedResult(jobs.record(name, given, key=key, **options))
