"""Running a handler: awaited where it is async, ended in time, its failures told from refusals."""

import asyncio
import inspect
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

from evalsim.contract.reply import Text
from evalsim.errors import EvalsimError, ToolError
from evalsim.world.faults import FaultKind

CLEANUP = 1.0
"""Seconds a cancelled handler has to end, before its call is answered without it."""


class Failed(Exception):
    """The fake could not carry a call out; `str()` and `traceback` are for its author alone."""

    def __init__(self, kind: FaultKind, message: str, trace: str = "") -> None:
        self.kind: FaultKind = kind
        self.traceback = trace
        super().__init__(message)

    @classmethod
    def of(cls, kind: FaultKind, error: BaseException) -> "Failed":
        """The failure that an exception is, even one that cannot say what it is."""
        own = isinstance(error, EvalsimError)
        said = str(error) if own else "".join(traceback.format_exception_only(error)).strip()
        return cls(kind, said, "".join(traceback.format_exception(error)))


async def run_handler(function: Callable[..., Any], given: list[Any], timeout: float) -> Any:
    """What a handler returns; the refusal it raises is a text like one that it returns.

    Raises `Failed` for whatever else it raises, and when an async one takes longer than `timeout`.
    """
    try:
        value = function(*given)
        return await _in_time(value, timeout) if inspect.isawaitable(value) else value
    except ToolError as error:
        return Text(error.message, is_error=True)
    except (Failed, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        if _is_call_cancelled():
            raise
        raise Failed.of("exception", error) from error


async def _in_time(value: Awaitable[Any], timeout: float) -> Any:
    # In a task of its own, for a handler may go on after it was cancelled
    task = asyncio.ensure_future(_contained(value))
    try:
        await asyncio.wait({task}, timeout=timeout)
        if task.done():
            return task.result()
    finally:
        task.cancel()
    await asyncio.wait({task}, timeout=CLEANUP)
    raise Failed("timeout", f"the handler took longer than {timeout:g} s and was cancelled")


async def _contained(value: Awaitable[Any]) -> Any:
    """What is awaited; the SystemExit of a task would end the loop, and all services with it."""
    try:
        return await value
    except SystemExit as error:
        raise Failed.of("exception", error) from error


def _is_call_cancelled() -> bool:
    """Whether the call itself is being cancelled, as when the services close."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
