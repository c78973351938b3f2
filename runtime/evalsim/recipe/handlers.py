"""The handlers a fake's modules define: the marks the decorator left, and how each is called."""

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from evalsim.contract.handlers import MARK, Mark
from evalsim.recipe.places import defined_at

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, slots=True)
class Handler:
    """One marked function; `takes_call` when it has a third parameter."""

    mark: Mark
    function: Callable[..., Any]
    takes_call: bool
    where: str


def collect_handlers(
    modules: Iterable[ModuleType], names: Mapping[str, str] | None = None
) -> tuple[dict[str, Handler], list[str]]:
    """The handlers of the modules by tool or operation, and what is wrong with any of them.

    `names` are those of operations by what else they may be marked with. A function that one module
    imports from another is one handler.
    """
    handlers: dict[str, Handler] = {}
    problems: list[str] = []
    for function, mark in _marked(modules):
        handler = Handler(mark, function, len(_positional(function)) > 2, defined_at(function))
        first = handlers.setdefault((names or {}).get(mark.tool, mark.tool), handler)
        problem = _signature_problem(function, "args" if names is None else "request")
        if first is not handler:
            what = "tool" if names is None else "operation"
            problem = f"{first.where} already handles this {what}"
        if problem is not None:
            problems.append(f"{handler.where}: the handler of {mark.tool!r}: {problem}.")
    return handlers, problems


def _marked(modules: Iterable[ModuleType]) -> Iterator[tuple[Callable[..., Any], Mark]]:
    seen: set[int] = set()
    for module in modules:
        for value in vars(module).values():
            # Looked up statically: a user's object may answer any attribute with something
            mark = inspect.getattr_static(value, MARK, None)
            if isinstance(mark, Mark) and callable(value) and id(value) not in seen:
                seen.add(id(value))
                yield value, mark


def _signature_problem(function: Callable[..., Any], first: str) -> str | None:
    parameters = _parameters(function)
    if parameters is None:
        return "its parameters cannot be seen"
    positional = _positional(function)
    needed = [p for p in parameters if p.default is p.empty and p.kind in _POSITIONAL]
    if len(positional) < 2 and any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return (
            "it is wrapped by a decorator that hides its parameters: "
            "put @functools.wraps(function) on the wrapper"
        )
    keywords = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
    if len(positional) < 2 or len(needed) > 3 or keywords:
        shown = ", ".join(p.name for p in parameters)
        return f"it takes ({shown}), not ({first}, state) or ({first}, state, call)"
    return None


def _positional(function: Callable[..., Any]) -> list[inspect.Parameter]:
    return [p for p in _parameters(function) or () if p.kind in _POSITIONAL]


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter] | None:
    """The parameters, without ever evaluating an annotation (its name may not exist)."""
    try:
        if sys.version_info >= (3, 14):
            from annotationlib import Format  # noqa: PLC0415

            signature = inspect.signature(function, annotation_format=Format.STRING)
        else:
            signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    return list(signature.parameters.values())
