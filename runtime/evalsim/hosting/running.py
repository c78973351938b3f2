"""Running a handler: awaited where it is async, ended in time, its failures told from refusals."""

import asyncio
import inspect
import logging
import traceback
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

from evalsim.errors import EvalsimError, Refusal
from evalsim.recipe.places import raised_at, waiting_at
from evalsim.world.faults import Fault, FaultKind

CLEANUP = 1.0
"""Seconds a cancelled handler has to end, before it is ended whatever it does."""

log = logging.getLogger("evalsim")


class Failed(Exception):
    """The fake could not carry a call out; what it holds is for the fake's author alone.

    `where` is the line of the Recipe's own code that it came from, if it came from one.
    """

    def __init__(self, kind: FaultKind, message: str, trace: str = "", where: str = "") -> None:
        self.kind: FaultKind = kind
        self.traceback = trace
        self.where = where
        super().__init__(message)

    @classmethod
    def of(cls, kind: FaultKind, error: BaseException) -> "Failed":
        """The failure that an exception is, even one that cannot say what it is."""
        own = isinstance(error, EvalsimError)
        said = str(error) if own else "".join(traceback.format_exception_only(error)).strip()
        return cls(kind, said, "".join(traceback.format_exception(error)), raised_at(error))

    def fault(self, fake: str, name: str, number: int, handler: str = "") -> Fault:
        """The fault of a call; `handler` is where its handler is defined, to blame if none else."""
        where = self.where or handler
        return Fault(self.kind, fake, name, number, str(self), self.traceback, where=where)


async def run_handler(function: Callable[..., Any], given: list[Any], timeout: float) -> Any:
    """What a handler returns.

    Raises the `Refusal` it raises, and `Failed` for whatever else it raises and when an async one
    takes longer than `timeout`.
    """
    try:
        value = _called(function, given)
        return await _in_time(value, timeout) if inspect.isawaitable(value) else value
    except (Refusal, Failed, GeneratorExit):
        raise
    except BaseException as error:
        if _is_call_cancelled():
            raise
        raise Failed.of("exception", error) from error


def _called(function: Callable[..., Any], given: list[Any]) -> Any:
    try:
        return function(*given)
    except GeneratorExit as error:  # only where something is awaited does it come from elsewhere
        raise Failed.of("exception", error) from error


async def _in_time(value: Awaitable[Any], timeout: float) -> Any:
    # In a task of its own, for a handler may go on after it was cancelled
    handling = _contained(value)
    task = asyncio.ensure_future(handling)
    try:
        done, _ = await asyncio.wait({task}, timeout=timeout)
    except asyncio.CancelledError:
        await _end(task, handling)
        raise
    if done:
        return task.result()
    where = waiting_at(handling)
    await _end(task, handling)
    late = f"the handler took longer than {timeout:g} s and was cancelled"
    raise Failed("timeout", late, where=where)


async def _contained(value: Awaitable[Any]) -> Any:
    """What is awaited; what ends a loop when a task raises it would end all services with it."""
    try:
        return await value
    except (SystemExit, KeyboardInterrupt) as error:
        raise Failed.of("exception", error) from error


async def _end(task: asyncio.Task[Any], handling: Coroutine[Any, Any, Any]) -> None:
    """Cancel a handler, and close it where it goes on all the same."""
    task.cancel()
    await asyncio.wait({task}, timeout=CLEANUP)
    if not task.done():
        at = waiting_at(handling)
        log.warning("A handler ignores being cancelled, and is ended while it waits at %s.", at)
        with suppress(BaseException):  # whatever it says to that
            handling.close()
        task.cancel()
        await asyncio.wait({task}, timeout=CLEANUP)
    if task.done() and not task.cancelled():
        task.exception()  # seen, so that asyncio does not report it


def _is_call_cancelled() -> bool:
    """Whether the call itself is being cancelled, as when the services close."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
