"""Running one call through the core: in sync code, in async code, and as a stream."""

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from evalsim.stubs.core import CURRENT, Core, Open
from evalsim.stubs.errors import StubError
from evalsim.stubs.steps import Step
from evalsim.stubs.values import copied


@dataclass(frozen=True, slots=True)
class Chunks:
    """The answer of a streaming tool, chunk by chunk."""

    items: tuple[Any, ...]

    def __init__(self, items: Any) -> None:
        object.__setattr__(self, "items", tuple(items))


def run(core: Core, kind: str, name: str, value: Any, original: Callable[[], Any]) -> Any:
    """The answer to a sync call; raises what the stub, the tool or the policy raises."""
    call = core.begin(kind, name, value)
    token = CURRENT.set(call.id)
    try:
        answer = original() if call.step is None else _answered(core, call, call.step)
    except BaseException as error:
        core.end(call, error=error)
        raise
    finally:
        CURRENT.reset(token)
    core.end(call, answer)
    return answer


async def run_async(
    core: Core, kind: str, name: str, value: Any, original: Callable[[], Awaitable[Any] | Any]
) -> Any:
    """The answer to an async call; `original` may also answer at once."""
    call = core.begin(kind, name, value)
    token = CURRENT.set(call.id)
    try:
        if call.step is None:
            answer = original()
        else:
            await _wait(core, call.step)
            answer = _outcome(call, call.step)
        if inspect.isawaitable(answer):
            answer = await answer
    except BaseException as error:
        core.end(call, error=error)
        raise
    finally:
        CURRENT.reset(token)
    core.end(call, answer)
    return answer


def stream(
    core: Core, kind: str, name: str, value: Any, original: Callable[[], Iterator[Any]]
) -> Iterator[Any]:
    """The chunks of a streaming call, which is recorded once they are drained or left."""
    call = core.begin(kind, name, value)
    with _streamed(core, call) as chunks:
        with _inside(call):
            source = original() if call.step is None else _chunks(_answered(core, call, call.step))
        done = object()
        while True:
            with _inside(call):
                chunk = next(source, done)
            if chunk is done:
                return
            chunks.append(copied(chunk))
            yield chunk


async def stream_async(
    core: Core, kind: str, name: str, value: Any, original: Callable[[], AsyncIterator[Any]]
) -> AsyncIterator[Any]:
    """The chunks of an async streaming call."""
    call = core.begin(kind, name, value)
    with _streamed(core, call) as chunks:
        with _inside(call):
            if call.step is None:
                source = original()
            else:
                await _wait(core, call.step)
                source = _async_chunks(_outcome(call, call.step))
        while True:
            with _inside(call):
                try:
                    chunk = await anext(source)
                except StopAsyncIteration:
                    return
            chunks.append(copied(chunk))
            yield chunk


@contextmanager
def _streamed(core: Core, call: Open) -> Generator[list[Any]]:
    """Ends the call with the chunks that were handed out, also where the reader left early."""
    chunks: list[Any] = []
    call.streamed = True
    try:
        yield chunks
    except GeneratorExit:
        core.end(call, chunks)
        raise
    except BaseException as error:
        core.end(call, error=error)
        raise
    core.end(call, chunks)


@contextmanager
def _inside(call: Open) -> Generator[None]:
    token = CURRENT.set(call.id)
    try:
        yield
    finally:
        CURRENT.reset(token)


def _answered(core: Core, call: Open, step: Step) -> Any:
    if step.delay:
        core.clock.sleep(step.delay)
    answer = _outcome(call, step)
    if inspect.isawaitable(answer):
        if inspect.iscoroutine(answer):
            answer.close()
        raise StubError("The result of a stub is async, and the tool is called in sync code.")
    return answer


async def _wait(core: Core, step: Step) -> None:
    if step.delay:
        await core.clock.sleep_async(step.delay)


def _outcome(call: Open, step: Step) -> Any:
    if step.error is not None and step.fails(call.turn):
        raise step.fresh_error()
    if callable(step.result):
        return step.result(copied(call.input))
    return copied(step.result)


def _chunks(answer: Any) -> Iterator[Any]:
    return iter(answer.items if isinstance(answer, Chunks) else (answer,))


async def _async_chunks(answer: Any) -> AsyncIterator[Any]:
    if inspect.isawaitable(answer):
        answer = await answer
    for chunk in _chunks(answer):
        yield chunk
