"""A context that async tests enter with `async with`, and plain ones with `with`."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from types import TracebackType
from typing import Generic, TypeVar

A = TypeVar("A")
B = TypeVar("B")


class Either(Generic[A, B]):
    """Gives an `A` in `async with` and a `B`, which needs no event loop, in `with`; entered once.

    Each form is made when it is entered, so the other one is never paid for.
    """

    def __init__(
        self,
        in_loop: Callable[[], AbstractAsyncContextManager[A]],
        blocking: Callable[[], AbstractContextManager[B]],
    ) -> None:
        self._in_loop, self._blocking = in_loop, blocking

    async def __aenter__(self) -> A:
        self._async = self._in_loop()
        return await self._async.__aenter__()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        return await self._async.__aexit__(kind, error, trace)

    def __enter__(self) -> B:
        self._sync = self._blocking()
        return self._sync.__enter__()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        return self._sync.__exit__(kind, error, trace)
