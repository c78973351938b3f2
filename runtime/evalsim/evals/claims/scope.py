"""What a claim or a reader is about: a turn, several, a session, or the calls themselves."""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from evalsim.evals.base_session import BaseSession
from evalsim.evals.invalid import EvalError
from evalsim.evals.tools import ToolCall
from evalsim.evals.turn import Turn

Scope: TypeAlias = "Turn | BaseSession | Iterable[Turn] | Iterable[ToolCall]"
Tool: TypeAlias = "str | Callable[..., Any] | type | Any"
"""A tool by its name, or anything that has one: a function, or an object with `name`."""


def turns_of(scope: Scope) -> list[Turn]:
    """The turns of a scope; none of bare calls."""
    if isinstance(scope, Turn):
        return [scope]
    if isinstance(scope, BaseSession):
        return list(scope.all_turns)
    return [item for item in scope if isinstance(item, Turn)]


def calls_of(scope: Scope) -> list[ToolCall]:
    """The tool calls of a scope, in order."""
    if isinstance(scope, Turn | BaseSession):
        return [call for turn in turns_of(scope) for call in turn.tool_calls]
    items: list[Turn | ToolCall] = list(scope)
    found: list[ToolCall] = []
    for item in items:
        found += item.tool_calls if isinstance(item, Turn) else [item]
    return found


def name_of(tool: Tool) -> str:
    """The name of a tool; raises `EvalError` for what has none."""
    if isinstance(tool, str):
        return tool
    name = getattr(tool, "name", None) or getattr(tool, "__name__", None)
    if not isinstance(name, str):
        raise EvalError(f"{tool!r} is no tool: give its name, its function or an object with one.")
    return name
