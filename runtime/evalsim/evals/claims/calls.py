"""Claims about what an agent called, refused and said."""

import re
from collections.abc import Mapping
from typing import Any

from evalsim.evals.claims.readers import calls_to, happened
from evalsim.evals.claims.scope import Scope, Tool, calls_of, name_of
from evalsim.evals.claims.telling import describe_call, describe_calls, describe_turn, shown
from evalsim.evals.events import AgentSaid, events_of
from evalsim.evals.tools import ToolCall
from evalsim.evals.turn import Turn
from evalsim.types import Json, is_object
from evalsim.verify.differences import same

REFUSAL = "Not available yet: this conversation is at {stage}."
"""The sentence that a tool of another stage refuses with."""


def expect_called(
    scope: Scope, *tools: Tool, args: Mapping[str, Json] | None = None, times: int | None = None
) -> None:
    """Every one of the tools was called; AssertionError says what was called and said instead.

    `args` are arguments that one call must have, among others; `times` is how many such calls
    there are exactly.
    """
    __tracebackhide__ = True
    for tool in tools:
        name = name_of(tool)
        calls = calls_to(scope, tool)
        fitting = calls if args is None else [call for call in calls if _has(call.args, args)]
        enough = bool(fitting) if times is None else len(fitting) == times
        if enough:
            continue
        if not calls:
            told = f"{name} was not called"
        elif not fitting:
            told = f"{name} was called, but never with {shown(dict(args or {}))}"
        else:
            told = f"{name} was called {len(fitting)} times, not {times}"
        raise AssertionError(f"{told}. {happened(scope)}")


def expect_not_called(scope: Scope, *tools: Tool) -> None:
    """None of the tools was called; with no tool named, none at all."""
    __tracebackhide__ = True
    calls = [call for tool in tools for call in calls_to(scope, tool)]
    found = calls if tools else calls_of(scope)
    if found:
        raise AssertionError(f"Called, though it should not have been: {describe_calls(found)}.")


def expect_tool_before_speech(turn: Turn) -> None:
    """The first tool call comes before the first thing said in a turn."""
    __tracebackhide__ = True
    said = events_of(turn.events, AgentSaid)
    started = [call.started for call in turn.tool_calls if call.started is not None]
    if not started:
        raise AssertionError(f"No tool was called: {describe_turn(turn)}")
    if not said:
        raise AssertionError(f"Nothing was said: {describe_turn(turn)}")
    if said[0].at < min(started):
        first = min(turn.tool_calls, key=lambda c: c.started if c.started is not None else 1e9)
        raise AssertionError(
            f"The agent said {said[0].text!r} before it called {describe_call(first)}."
        )


def refusal_pattern(stage: str | None = None, template: str = REFUSAL) -> re.Pattern[str]:
    """A pattern of the sentence that a tool called in the wrong stage refuses with.

    It reads the sentence itself and, with its quotes escaped, as part of JSON. `template` has
    `{stage}` where the stage stands; without a `stage`, any will do.
    """
    before, _, after = template.partition("{stage}")
    quote = r'\\*["\']?'
    name = r"[^\"'\\]+?" if stage is None else re.escape(stage)
    return re.compile(f"{_escapable(before)}{quote}{name}{quote}{_escapable(after)}")


def expect_refused(scope: Scope, tool: Tool, stage: str | None = None) -> ToolCall:
    """The first call of a tool that was refused: by a tool error, an HTTP 4xx or `{"error"}`.

    With a `stage`, the refusal is the sentence of `refusal_pattern(stage)`.
    """
    __tracebackhide__ = True
    calls = calls_to(scope, tool)
    if not calls:
        raise AssertionError(f"{name_of(tool)} was not called. {happened(scope)}")
    refused = [call for call in calls if is_refusal(call)]
    if not refused:
        told = describe_calls(calls)
        raise AssertionError(f"{name_of(tool)} was not refused: {told}")
    if stage is None:
        return refused[0]
    pattern = refusal_pattern(stage)
    named = (call for call in refused if pattern.search(shown(call.result, 100_000)))
    found = next(named, None)
    if found is None:
        told = describe_calls(refused)
        raise AssertionError(f"{name_of(tool)} was refused, but not at {stage!r}: {told}")
    return found


def is_refusal(call: ToolCall) -> bool:
    """Whether a call was answered with a refusal."""
    result: Any = call.result
    if call.is_error:
        return True
    if is_object(result) and result.get("error"):
        return True
    return isinstance(result, str) and refusal_pattern().search(result) is not None


def _has(args: Json, wanted: Json) -> bool:
    """Whether arguments have everything that is wanted; objects may hold more."""
    if is_object(wanted) and is_object(args):
        return all(key in args and _has(args[key], item) for key, item in wanted.items())
    return same(args, wanted)


def _escapable(text: str) -> str:
    return re.escape(text).replace('"', r'\\*"')
