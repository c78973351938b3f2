"""A service that is given work and asked for it later: submit, poll, and what can go wrong."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, cast

from evalsim.evals.services.request import Answer, Failure, Reply, Request
from evalsim.evals.services.routes import read_route
from evalsim.types import Json, JsonObject

Leg: TypeAlias = Literal["upload", "submit", "poll", "direct", "other"]
_LEGS: tuple[Leg, ...] = ("upload", "submit", "poll", "direct")


@dataclass(frozen=True, slots=True)
class JobApiCall:
    """A request that reached the service, the leg it was for, and the job it was about."""

    leg: Leg
    request: Request
    job_id: str | None = None


@dataclass(slots=True)
class _Job:
    polls: int = 0
    done: JsonObject | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobApiFields:
    """The names a service has for the parts of a job, and for its states."""

    id: str = "id"
    status: str = "status"
    output: str = "output"
    error: str = "error"
    pending: str = "processing"
    done: str = "completed"
    failed: str = "error"


@dataclass(slots=True, kw_only=True)
class AsyncJobApi:
    """Stands in for a service of jobs, at routes as `POST /jobs` and `GET /jobs/{id}`.

    - `outputs`: what jobs come to: one value, or a list of which each completed answer takes the
      next and the last repeats. A job that is asked for again answers the same.
    - `pending_polls`: how often each job is still at work when it is asked for.
    - `job_error`: the job fails, with an answer of 200: terminal, and nothing to try again.
    - `failure`: a leg, or every one, answers with an HTTP error.
    - `upload`, `direct`: routes that take a file, and that answer at once; `uploaded` is the
      former's answer.
    - `refuses`: why an output is none when it is asked for later, None where it is one.
    - `extra`: what else a finished job says.
    - `otherwise`: answers what is not for any leg; without it that is a 404 naming the address.

    `calls` has every request that arrived, in order.
    """

    submit: str = "POST /jobs"
    poll: str = "GET /jobs/{id}"
    upload: str | None = None
    direct: str | None = None
    outputs: Json | Sequence[Json] = None
    pending_polls: int = 0
    job_error: str | None = None
    failure: Failure | None = None
    uploaded: Json = None
    id_prefix: str = "job_"
    fields: JobApiFields = field(default_factory=JobApiFields)
    refuses: Callable[[Json], str | None] = lambda _: None
    extra: Mapping[str, Json] = field(default_factory=dict[str, Json])
    otherwise: Callable[[Request], Answer] | None = None
    calls: list[JobApiCall] = field(default_factory=list[JobApiCall])
    _jobs: dict[str, _Job] = field(default_factory=dict[str, _Job])
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))
    _taken: int = 0

    def answer(self, request: Request) -> Answer:
        """The reply of the leg that a request is for."""
        leg, job_id = self._leg(request)
        if leg == "submit" and (self.failure is None or self.failure.at("submit") is None):
            job_id = f"{self.id_prefix}{next(self._numbers)}"
            self._jobs[job_id] = _Job()
        self.calls.append(JobApiCall(leg, request, job_id))
        if leg == "other":
            return None if self.otherwise is None else self.otherwise(request)
        refused = None if self.failure is None else self.failure.at(leg)
        return refused if refused is not None else self._reply(leg, job_id)

    def of(self, leg: Leg) -> list[JobApiCall]:
        """The calls of one leg."""
        return [call for call in self.calls if call.leg == leg]

    def _leg(self, request: Request) -> tuple[Leg, str | None]:
        routes = {"upload": self.upload, "submit": self.submit, "poll": self.poll}
        for leg in _LEGS:
            route = self.direct if leg == "direct" else routes[leg]
            parts = None if route is None else read_route(route).match(request)
            if parts is not None:
                return leg, parts.get("id")
        return "other", None

    def _reply(self, leg: Leg, job_id: str | None) -> Reply:
        if leg == "upload":
            return Reply(json=self.uploaded)
        if leg == "direct":
            return Reply(json={self.fields.output: self._next_output(), **self.extra})
        names = self.fields
        if leg == "submit":
            return Reply(json={names.id: job_id, names.status: names.pending})
        job = self._jobs.get(job_id or "")
        if job is None:
            return Reply(404, {names.error: f"There is no job {job_id}."})
        job.polls += 1
        if job.polls <= self.pending_polls:
            return Reply(json={names.id: job_id, names.status: names.pending})
        if job.done is None:
            job.done = {names.id: job_id, **self._finished()}
        return Reply(json=job.done)

    def _finished(self) -> JsonObject:
        """What a job is once it is over."""
        names = self.fields
        if self.job_error is not None:
            return {names.status: names.failed, names.error: self.job_error}
        output = self._next_output()
        if (why := self.refuses(output)) is not None:
            return {names.status: names.failed, names.error: why}
        return {names.status: names.done, names.output: output, **self.extra}

    def _next_output(self) -> Any:
        given: Any = self.outputs
        if not isinstance(given, list | tuple):
            return given
        outputs = cast("Sequence[Any]", given)
        output = outputs[min(self._taken, len(outputs) - 1)]
        self._taken += 1
        return output
