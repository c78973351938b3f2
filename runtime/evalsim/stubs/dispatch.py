"""Running one call through the core: in sync code, in async code, and as a stream."""

import inspect
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Generator,
    Iterable,
    Iterator,
)
from contextlib import contextmanager
from dataclasses import dataclass
from types import AsyncGeneratorType, GeneratorType
from typing import Any, TypeAlias, TypeGuard

from evalsim.stubs.core import CURRENT, Core, Open
from evalsim.stubs.errors import StubError
from evalsim.stubs.steps import Step
from evalsim.stubs.values import copied

IsError: TypeAlias = Callable[[Any], bool]
"""Whether an answer tells that the tool failed, where it does so without raising."""


@dataclass(frozen=True, slots=True)
class Chunks:
    """The answer of a streaming tool, chunk by chunk, and the `error` that broke it off, if any."""

    items: tuple[Any, ...]
    error: BaseException | None = None

    def __init__(self, items: Any, error: BaseException | None = None) -> None:
        object.__setattr__(self, "items", tuple(items))
        object.__setattr__(self, "error", error)

    def __iter__(self) -> Iterator[Any]:
        """The chunks, then the error."""
        yield from map(copied, self.items)
        if self.error is not None:
            raise Step(error=self.error).fresh_error()


def run(
    core: Core,
    kind: str,
    name: str,
    value: Any,
    original: Callable[[], Any],
    is_error: IsError | None = None,
) -> Any:
    """The answer to a sync call; raises what the stub, the tool or the policy raises."""
    call = core.begin(kind, name, value)
    token = CURRENT.set((core.family, call.id))
    try:
        answer = original() if call.step is None else _answered(core, call, call.step)
        if _is_stream(answer):
            return _drained(core, call, iter(answer))
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
) -> Any:
    """The answer to an async call; `original` may also answer at once."""
    call = core.begin(kind, name, value)
    token = CURRENT.set((core.family, call.id))
    try:
        if call.step is None:
            answer = original()
        else:
            await _wait(core, call.step)
            answer = _outcome(call, call.step)
        if inspect.isawaitable(answer):
            answer = await answer
        if isinstance(answer, AsyncGeneratorType | Chunks):
            return _drained_async(core, call, _async_chunks(answer))
        if _is_stream(answer):
            return _drained(core, call, iter(answer))
        call.tool_error = is_error is not None and is_error(answer)
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
    try:
        with _inside(core, call):
            source = original() if call.step is None else _chunks(_answered(core, call, call.step))
    except BaseException as error:
        core.end(call, error=error)
        raise
    yield from _drained(core, call, source)


async def stream_async(
    core: Core, kind: str, name: str, value: Any, original: Callable[[], AsyncIterator[Any]]
) -> AsyncIterator[Any]:
    """The chunks of an async streaming call."""
    call = core.begin(kind, name, value)
    try:
        with _inside(core, call):
            if call.step is None:
                source = original()
            else:
                await _wait(core, call.step)
                source = _async_chunks(_outcome(call, call.step))
    except BaseException as error:
        core.end(call, error=error)
        raise
    chunks = _drained_async(core, call, source)
    try:
        async for chunk in chunks:
            yield chunk
    finally:
        await chunks.aclose()


def _drained(core: Core, call: Open, source: Iterator[Any]) -> Generator[Any]:
    done = object()
    with _streamed(core, call) as chunks:
        try:
            while True:
                with _inside(core, call):
                    chunk = next(source, done)
                if chunk is done:
                    return
                chunks.append(copied(chunk))
                yield chunk
        finally:
            if isinstance(source, Generator):
                source.close()


async def _drained_async(core: Core, call: Open, source: AsyncIterator[Any]) -> AsyncGenerator[Any]:
    with _streamed(core, call) as chunks:
        try:
            while True:
                with _inside(core, call):
                    try:
                        chunk = await anext(source)
                    except StopAsyncIteration:
                        return
                chunks.append(copied(chunk))
                yield chunk
        finally:
            if isinstance(source, AsyncGenerator):
                await source.aclose()


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
        core.end(call, chunks, error)
        raise
    core.end(call, chunks)


@contextmanager
def _inside(core: Core, call: Open) -> Generator[None]:
    token = CURRENT.set((core.family, call.id))
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


def _is_stream(answer: object) -> TypeGuard[Iterable[Any]]:
    return isinstance(answer, GeneratorType | Chunks)


def _is_async_stream(answer: object) -> TypeGuard[AsyncIterator[Any]]:
    return isinstance(answer, AsyncGeneratorType)


def _chunks(answer: Any) -> Iterator[Any]:
    return iter(answer if _is_stream(answer) else (answer,))


async def _async_chunks(answer: Any) -> AsyncGenerator[Any]:
    if inspect.isawaitable(answer):
        answer = await answer
    if _is_async_stream(answer):
        async for chunk in answer:
            yield chunk
        return
    for chunk in _chunks(answer):
        yield chunk
