"""Running one call through the core, in sync code and in async code."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from evalsim.stubs.answering import (
    Chunks,
    IsError,
    answered,
    async_chunks,
    is_async_stream,
    is_stream,
    outcome,
    wait,
)
from evalsim.stubs.core import CURRENT, Core
from evalsim.stubs.streaming import drained, drained_async


def run(
    core: Core,
    kind: str,
    name: str,
    value: Any,
    original: Callable[[], Any],
    is_error: IsError | None = None,
    call_id: str | None = None,
) -> Any:
    """The answer to a sync call; raises what the stub, the tool or the policy raises."""
    call = core.begin(kind, name, value, call_id)
    token = CURRENT.set((core.family, call.id))
    try:
        answer = original() if call.step is None else answered(core, call, call.step)
        if is_stream(answer):
            return drained(core, call, iter(answer))
        call.tool_error = is_error is not None and is_error(answer)
    except BaseException as error:
        core.end(call, error=error)
        raise
    finally:
        CURRENT.reset(token)
    core.end(call, answer)
    return answer


async def run_async(
    core: Core,
    kind: str,
    name: str,
    value: Any,
    original: Callable[[], Awaitable[Any] | Any],
    is_error: IsError | None = None,
    call_id: str | None = None,
) -> Any:
    """The answer to an async call; `original` may also answer at once."""
    call = core.begin(kind, name, value, call_id)
    token = CURRENT.set((core.family, call.id))
    try:
        if call.step is None:
            answer = original()
        else:
            await wait(core, call.step)
            answer = outcome(call, call.step)
        if inspect.isawaitable(answer):
            answer = await answer
        if is_async_stream(answer) or isinstance(answer, Chunks):
            return drained_async(core, call, async_chunks(answer))
        if is_stream(answer):
            return drained(core, call, iter(answer))
        call.tool_error = is_error is not None and is_error(answer)
    except BaseException as error:
        core.end(call, error=error)
        raise
    finally:
        CURRENT.reset(token)
    core.end(call, answer)
    return answer
