"""What a fake says of itself beside its handlers, each in one function of its own."""

from collections.abc import Callable, Collection, Iterable
from types import ModuleType
from typing import Any, Literal, TypeAlias, TypeVar

from evalsim.api.refused import Problem

HOOK = "__evalsim_hook__"
Hook: TypeAlias = Literal["error_body", "credentials"]
F = TypeVar("F", bound=Callable[..., Any])


def error_body(function: Callable[[Problem], Any]) -> Callable[[Problem], Any]:
    """Mark the function that gives the body of every answer that is no success.

    It takes the problem and returns JSON, a model or a `Reply`.
    """
    return _marked("error_body", function)


def credentials(function: Callable[[Any], Collection[str]]) -> Callable[[Any], Collection[str]]:
    """Mark the function that lists the credentials a state lets in; without one, all are let in.

    It takes the fake's state. A Basic credential is `user:password`.
    """
    return _marked("credentials", function)


def _marked(hook: Hook, function: F) -> F:
    setattr(function, HOOK, hook)
    return function


def collect_hooks(
    fake: str, modules: Iterable[ModuleType]
) -> tuple[dict[str, Callable[..., Any]], list[str]]:
    """The marked functions of the modules by what they are for, and why any cannot be used."""
    found: dict[str, Callable[..., Any]] = {}
    problems: list[str] = []
    for module in modules:
        for value in vars(module).values():
            hook = getattr(value, HOOK, None) if callable(value) else None
            if not isinstance(hook, str):
                continue
            if found.setdefault(hook, value) is not value:
                problems.append(f"{fake}: two functions are marked @{hook}: keep one.")
    return found, problems
