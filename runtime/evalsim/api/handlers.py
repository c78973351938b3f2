"""Marking the handlers of operations: the decorator that generated code returns, and its types."""

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, Generic, TypeAlias, TypeVar, overload

from evalsim.api.reply import ApiCall, File, Reply
from evalsim.contract.handlers import MARK, Mark
from evalsim.types import JsonLike

Q = TypeVar("Q")
S = TypeVar("S")
R = TypeVar("R")

Loose: TypeAlias = JsonLike | Reply | File | bytes | Iterator[Any] | AsyncIterator[Any]
"""What any handler may return beside its response model; what it yields is streamed."""


class Operation(Generic[Q, S, R]):
    """The decorator of one operation's handler; it marks the function and returns it unchanged.

    The eight overloads are the shapes a handler may have: two or three parameters, sync or async,
    returning the response model alone or also plain JSON, a reply, bytes or a stream. A sync one
    blocks all other calls until it returns, which makes it atomic; what waits is async.
    """

    def __init__(self, operation: str) -> None:
        self._mark = Mark(operation)

    @overload
    def __call__(self, function: Callable[[Q, S], R], /) -> Callable[[Q, S], R]: ...
    @overload
    def __call__(
        self, function: Callable[[Q, S, ApiCall], R], /
    ) -> Callable[[Q, S, ApiCall], R]: ...
    @overload
    def __call__(
        self, function: Callable[[Q, S], Coroutine[Any, Any, R]], /
    ) -> Callable[[Q, S], Coroutine[Any, Any, R]]: ...
    @overload
    def __call__(
        self, function: Callable[[Q, S, ApiCall], Coroutine[Any, Any, R]], /
    ) -> Callable[[Q, S, ApiCall], Coroutine[Any, Any, R]]: ...
    @overload
    def __call__(self, function: Callable[[Q, S], R | Loose], /) -> Callable[[Q, S], R | Loose]: ...
    @overload
    def __call__(
        self, function: Callable[[Q, S, ApiCall], R | Loose], /
    ) -> Callable[[Q, S, ApiCall], R | Loose]: ...
    @overload
    def __call__(
        self, function: Callable[[Q, S], Coroutine[Any, Any, R | Loose]], /
    ) -> Callable[[Q, S], Coroutine[Any, Any, R | Loose]]: ...
    @overload
    def __call__(
        self, function: Callable[[Q, S, ApiCall], Coroutine[Any, Any, R | Loose]], /
    ) -> Callable[[Q, S, ApiCall], Coroutine[Any, Any, R | Loose]]: ...

    def __call__(self, function: Callable[..., Any], /) -> Callable[..., Any]:
        setattr(function, MARK, self._mark)
        return function
