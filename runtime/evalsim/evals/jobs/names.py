"""The names of jobs, by which code and evals know them."""

from collections.abc import Iterable, Mapping
from typing import Any

from evalsim.errors import did_you_mean
from evalsim.evals.invalid import EvalError


def job_name(job: Any, declared: Mapping[str, Any] | None) -> str:
    """The declared name of a job, given by name or as its function.

    Raises `EvalError` for one that is not declared. Without a declaration, a function's own name.
    """
    if declared is None:
        name = job if isinstance(job, str) else getattr(job, "__name__", None)
        if not isinstance(name, str):
            raise EvalError(f"{job!r} is no job: give its name or its function.")
        return name
    if isinstance(job, str):
        if job not in declared:
            raise EvalError(_undeclared(repr(job), job, declared))
        return job
    for name, function in declared.items():
        if function is job:
            return name
    called = getattr(job, "__name__", repr(job))
    raise EvalError(_undeclared(f"The function {called}", called, declared))


def _undeclared(told: str, name: str, declared: Iterable[str]) -> str:
    known = ", ".join(declared) or "none"
    hint = did_you_mean(name, declared)
    return f"{told} is no declared job{hint}; declared are: {known}."
