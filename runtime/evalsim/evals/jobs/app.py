"""The jobs of a case for its test, in tests with an event loop and in plain ones."""

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from evalsim.evals.jobs.engine import RUN_TIMEOUT, JobEngine
from evalsim.evals.jobs.run import JobRun
from evalsim.evals.loops import arrive

if TYPE_CHECKING:
    from evalsim.evals.case import Case

T = TypeVar("T")


class BaseApp:
    """What both forms can tell."""

    def __init__(self, case: "Case", engine: JobEngine) -> None:
        self._case = case
        self.client = engine
        """What the code under test starts jobs with: a `JobClient`."""

    @property
    def runs(self) -> list[JobRun]:
        """The runs so far, in the order they started."""
        return self.client.runs

    def _run(
        self, job: Any, input: Any, key: str | None, timeout: float, options: dict[str, Any]
    ) -> Callable[[], Coroutine[Any, Any, JobRun]]:
        async def run() -> JobRun:
            run_id = await self.client.start(job, input, key=key, **options)
            return await self.client.settle(run_id, timeout)

        return run


class App(BaseApp):
    """The jobs of a case, for async tests."""

    async def run(
        self,
        job: Any,
        input: Any = None,
        *,
        key: str | None = None,
        timeout: float = RUN_TIMEOUT,
        **options: Any,
    ) -> JobRun:
        """Start a job, and wait until its run is over; see `JobEngine.start` and `settle`."""
        return await self._await(self._run(job, input, key, timeout, options))

    async def settle(self, run_id: str, timeout: float = RUN_TIMEOUT) -> JobRun:
        """Wait until a run that someone else started is over."""
        return await self._await(lambda: self.client.settle(run_id, timeout))

    async def settle_all(self, timeout: float = RUN_TIMEOUT) -> list[JobRun]:
        """Wait until all runs are over, those that start meanwhile included."""
        return await self._await(lambda: self.client.settle_all(timeout))

    async def _await(self, function: Callable[[], Coroutine[Any, Any, T]]) -> T:
        return await arrive(self._case.runtime.agents.submit(function, self._case.context))


class SyncApp(BaseApp):
    """The jobs of a case, for tests without an event loop."""

    def run(
        self,
        job: Any,
        input: Any = None,
        *,
        key: str | None = None,
        timeout: float = RUN_TIMEOUT,
        **options: Any,
    ) -> JobRun:
        """Start a job, and wait until its run is over; see `JobEngine.start` and `settle`."""
        return self._case.run_agent(self._run(job, input, key, timeout, options))

    def settle(self, run_id: str, timeout: float = RUN_TIMEOUT) -> JobRun:
        """Wait until a run that someone else started is over."""
        return self._case.run_agent(lambda: self.client.settle(run_id, timeout))

    def settle_all(self, timeout: float = RUN_TIMEOUT) -> list[JobRun]:
        """Wait until all runs are over, those that start meanwhile included."""
        return self._case.run_agent(lambda: self.client.settle_all(timeout))
