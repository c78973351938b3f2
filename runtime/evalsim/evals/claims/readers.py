"""Reading what a session did: one thing that must be there, or all that is."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar, overload

from pydantic import TypeAdapter, ValidationError

from evalsim.evals.claims.scope import Scope, Tool, calls_of, name_of, turns_of
from evalsim.evals.claims.telling import describe_call, describe_calls, describe_turn
from evalsim.evals.events import CustomEmitted, Event, events_of
from evalsim.evals.tools import ToolCall, called
from evalsim.evals.turn import Turn
from evalsim.types import Json

T = TypeVar("T")


def tool_names(scope: Scope) -> list[str]:
    """The names of the tools called, in order."""
    return [call.name for call in calls_of(scope)]


def calls_to(scope: Scope, tool: Tool) -> list[ToolCall]:
    """The calls of one tool, in order; none is an empty list."""
    return called(calls_of(scope), name_of(tool))


@overload
def tool_args(scope: Scope, tool: Tool, type: type[T]) -> list[T]: ...
@overload
def tool_args(scope: Scope, tool: Tool, type: None = None) -> list[Any]: ...
def tool_args(scope: Scope, tool: Tool, type: Any = None) -> list[Any]:
    """The arguments of every call of a tool; read as `type`, AssertionError where they are not."""
    __tracebackhide__ = True
    calls = calls_to(scope, tool)
    return [_read(call.args, type, call, "arguments") for call in calls]


@overload
def tool_results(scope: Scope, tool: Tool, type: type[T]) -> list[T]: ...
@overload
def tool_results(scope: Scope, tool: Tool, type: None = None) -> list[Any]: ...
def tool_results(scope: Scope, tool: Tool, type: Any = None) -> list[Any]:
    """The results of every call of a tool; AssertionError for a call that was never completed."""
    __tracebackhide__ = True
    found: list[Any] = []
    for place, call in enumerate(calls_to(scope, tool), start=1):
        if not call.completed:
            raise AssertionError(
                f"Call {place} of {name_of(tool)} was never completed: {describe_call(call)}"
            )
        found.append(_read(call.result, type, call, "result"))
    return found


@overload
def tool_result(scope: Scope, tool: Tool, type: type[T]) -> T: ...
@overload
def tool_result(scope: Scope, tool: Tool, type: None = None) -> Any: ...
def tool_result(scope: Scope, tool: Tool, type: Any = None) -> Any:
    """The result of the one call of a tool; AssertionError where there are none or several."""
    __tracebackhide__ = True
    results = tool_results(scope, tool, type)
    if len(results) != 1:
        raise AssertionError(
            f"{name_of(tool)} was called {len(results)} times, not once. {happened(scope)}"
        )
    return results[0]


@overload
def last_tool_result(scope: Scope, tool: Tool, type: type[T]) -> T: ...
@overload
def last_tool_result(scope: Scope, tool: Tool, type: None = None) -> Any: ...
def last_tool_result(scope: Scope, tool: Tool, type: Any = None) -> Any:
    """The result of the last call of a tool; AssertionError where there is none."""
    __tracebackhide__ = True
    results = tool_results(scope, tool, type)
    if not results:
        raise AssertionError(f"{name_of(tool)} was not called. {happened(scope)}")
    return results[-1]


def turn_calling(turns: Scope, tool: Tool, where: Callable[[ToolCall], bool] | None = None) -> Turn:
    """The first turn that called a tool, with a call that `where` holds of; else AssertionError."""
    __tracebackhide__ = True
    name, seen = name_of(tool), 0
    for turn in turns_of(turns):
        for call in called(turn.tool_calls, name):
            if where is None or where(call):
                return turn
            seen += 1
    if seen:
        told = f"{name} was called {seen} times, but never as asked for"
    else:
        told = f"No turn called {name}"
    raise AssertionError(f"{told}. {happened(turns)}")


def said_in(scope: Scope) -> list[str]:
    """What the agent said in each turn, silent ones left out."""
    return [turn.text for turn in turns_of(scope) if turn.text]


def errors_in(scope: Scope) -> list[str]:
    """The errors of all turns: the agent's own, and tools that failed."""
    return [error for turn in turns_of(scope) for error in turn.errors]


def custom_events(scope: Scope, name: str | None = None) -> list[CustomEmitted]:
    """What the agent gave `io.emit`, under one name or any."""
    events: list[Event] = [event for turn in turns_of(scope) for event in turn.events]
    return [e for e in events_of(events, CustomEmitted) if name is None or e.name == name]


@overload
def last_state(scope: Scope, name: str, type: type[T]) -> T: ...
@overload
def last_state(scope: Scope, name: str, type: None = None) -> Any: ...
def last_state(scope: Scope, name: str, type: Any = None) -> Any:
    """The data of the last event the agent emitted under a name; AssertionError for none."""
    __tracebackhide__ = True
    events = custom_events(scope, name)
    if not events:
        raise AssertionError(f"The agent never emitted {name!r}. {happened(scope)}")
    return (
        events[-1].data if type is None else TypeAdapter[Any](type).validate_python(events[-1].data)
    )


def happened(scope: Scope) -> str:
    """What was called and said instead."""
    turns = turns_of(scope)
    if not turns:
        return f"What was called: {describe_calls(calls_of(scope))}."
    return "What happened:\n" + "\n".join(f"  {describe_turn(turn)}" for turn in turns)


def _read(value: Json, type: Any, call: ToolCall, what: str) -> Any:
    __tracebackhide__ = True
    if type is None:
        return value
    try:
        return TypeAdapter[Any](type).validate_python(value, by_alias=True, by_name=True)
    except ValidationError as error:
        name = getattr(type, "__name__", type)
        raise AssertionError(
            f"The {what} of {describe_call(call)} are not a {name}: " + "; ".join(_problems(error))
        ) from error


def _problems(error: ValidationError) -> Iterable[str]:
    for problem in error.errors(include_url=False, include_context=False)[:5]:
        place = ".".join(str(step) for step in problem["loc"]) or "the whole"
        yield f"{place}: {problem['msg']}"
