"""Streaming calls: chunk by chunk, recorded once they are drained or left."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any

from evalsim.stubs.answering import answered, async_chunks, chunks_of, inside, outcome, wait
from evalsim.stubs.core import Core, Open
from evalsim.stubs.values import copied


def stream(
    core: Core,
    kind: str,
    name: str,
    value: Any,
    original: Callable[[], Iterator[Any]],
    call_id: str | None = None,
) -> Iterator[Any]:
    """The chunks of a streaming call, which is recorded once they are drained or left."""
    call = core.begin(kind, name, value, call_id)
    try:
        with inside(core, call):
            source = original() if call.step is None else chunks_of(answered(core, call, call.step))
    except BaseException as error:
        core.end(call, error=error)
        raise
    yield from drained(core, call, source)


async def stream_async(
    core: Core,
    kind: str,
    name: str,
    value: Any,
    original: Callable[[], AsyncIterator[Any]],
    call_id: str | None = None,
) -> AsyncIterator[Any]:
    """The chunks of an async streaming call."""
    call = core.begin(kind, name, value, call_id)
    try:
        with inside(core, call):
            if call.step is None:
                source = original()
            else:
                await wait(core, call.step)
                source = async_chunks(outcome(call, call.step))
    except BaseException as error:
        core.end(call, error=error)
        raise
    chunks = drained_async(core, call, source)
    try:
        async for chunk in chunks:
            yield chunk
    finally:
        await chunks.aclose()


def drained(core: Core, call: Open, source: Iterator[Any]) -> Generator[Any]:
    done = object()
    with _streamed(core, call) as chunks:
        try:
            while True:
                with inside(core, call):
                    chunk = next(source, done)
                if chunk is done:
                    return
                chunks.append(copied(chunk))
                yield chunk
        finally:
            if isinstance(source, Generator):
                source.close()


async def drained_async(core: Core, call: Open, source: AsyncIterator[Any]) -> AsyncGenerator[Any]:
    with _streamed(core, call) as chunks:
        try:
            while True:
                with inside(core, call):
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
