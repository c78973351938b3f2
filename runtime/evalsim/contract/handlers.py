"""Marking handlers: what the generated `handler` decorator leaves on a function, and its types."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar, overload

from evalsim.contract.answer import DeclaredAnswer
from evalsim.contract.reply import Call, Content, Text
from evalsim.types import JsonLike

A = TypeVar("A")
S = TypeVar("S")
R = TypeVar("R")

Loose: TypeAlias = JsonLike | Text | Content
"""What any handler may return beside its result model."""

MARK = "__evalsim_handler__"


@dataclass(frozen=True, slots=True)
class Mark:
    """What the decorator leaves on a function: the tool it answers, and how if declared there."""

    tool: str
    answer: DeclaredAnswer[Any] | None = None


class Tool(Generic[A, S, R]):
    """The decorator of one tool's handler; it marks the function and returns it unchanged.

    The eight overloads are the shapes a handler may have: two or three parameters, sync or async,
    returning the result model alone or also plain JSON, text and content. A sync one blocks all
    other calls until it returns, which makes it atomic; what waits for something is async.
    """

    def __init__(self, tool: str, answer: DeclaredAnswer[R] | None = None) -> None:
        self._mark = Mark(tool, answer)

    @overload
    def __call__(self, function: Callable[[A, S], R], /) -> Callable[[A, S], R]: ...
    @overload
    def __call__(self, function: Callable[[A, S, Call], R], /) -> Callable[[A, S, Call], R]: ...
    @overload
    def __call__(
        self, function: Callable[[A, S], Coroutine[Any, Any, R]], /
    ) -> Callable[[A, S], Coroutine[Any, Any, R]]: ...
    @overload
    def __call__(
        self, function: Callable[[A, S, Call], Coroutine[Any, Any, R]], /
    ) -> Callable[[A, S, Call], Coroutine[Any, Any, R]]: ...
    @overload
    def __call__(self, function: Callable[[A, S], R | Loose], /) -> Callable[[A, S], R | Loose]: ...
    @overload
    def __call__(
        self, function: Callable[[A, S, Call], R | Loose], /
    ) -> Callable[[A, S, Call], R | Loose]: ...
    @overload
    def __call__(
        self, function: Callable[[A, S], Coroutine[Any, Any, R | Loose]], /
    ) -> Callable[[A, S], Coroutine[Any, Any, R | Loose]]: ...
    @overload
    def __call__(
        self, function: Callable[[A, S, Call], Coroutine[Any, Any, R | Loose]], /
    ) -> Callable[[A, S, Call], Coroutine[Any, Any, R | Loose]]: ...

    def __call__(self, function: Callable[..., Any], /) -> Callable[..., Any]:
        setattr(function, MARK, self._mark)
        return function
