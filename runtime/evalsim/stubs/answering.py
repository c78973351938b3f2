"""What a step answers a call, and what of it is a stream."""

import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterable, Iterator
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


@contextmanager
def inside(core: Core, call: Open) -> Generator[None]:
    token = CURRENT.set((core.family, call.id))
    try:
        yield
    finally:
        CURRENT.reset(token)


def answered(core: Core, call: Open, step: Step) -> Any:
    if step.delay:
        core.clock.sleep(step.delay)
    answer = outcome(call, step)
    if inspect.isawaitable(answer):
        if inspect.iscoroutine(answer):
            answer.close()
        raise StubError("The result of a stub is async, and the tool is called in sync code.")
    return answer


async def wait(core: Core, step: Step) -> None:
    if step.delay:
        await core.clock.sleep_async(step.delay)


def outcome(call: Open, step: Step) -> Any:
    if step.error is not None and step.fails(call.turn):
        raise step.fresh_error()
    if callable(step.result):
        return step.result(copied(call.input))
    return copied(step.result)


def is_stream(answer: object) -> TypeGuard[Iterable[Any]]:
    return isinstance(answer, GeneratorType | Chunks)


def is_async_stream(answer: object) -> TypeGuard[AsyncIterator[Any]]:
    return isinstance(answer, AsyncGeneratorType)


def chunks_of(answer: Any) -> Iterator[Any]:
    return iter(answer if is_stream(answer) else (answer,))


async def async_chunks(answer: Any) -> AsyncGenerator[Any]:
    if inspect.isawaitable(answer):
        answer = await answer
    if is_async_stream(answer):
        async for chunk in answer:
            yield chunk
        return
    for chunk in chunks_of(answer):
        yield chunk
