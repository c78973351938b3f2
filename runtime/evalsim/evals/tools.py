"""The tool calls of a turn, seen in the model's traffic, by fakes and elsewhere, as one list."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from evalsim.types import Json
from evalsim.verify.differences import same
from evalsim.verify.names import tool_names

ToolSource: TypeAlias = Literal["model", "mcp", "api", "stubs", "agent", "spans"]
"""Who saw a call: the model that asked for it, a fake, `evalsim.stubs`, or the agent."""


class Missing:
    """Stands for a result that never came."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool, as whoever saw it told; `sources` are all of them.

    `result` is MISSING where the call was never completed. `server` is the id of the fake that
    answered. `started` and `ended` are seconds since the session opened, None where not known.
    """

    name: str
    args: Json
    sources: tuple[ToolSource, ...]
    result: Json | Missing = MISSING
    is_error: bool = False
    call_id: str | None = None
    server: str | None = None
    started: float | None = None
    ended: float | None = None

    @property
    def source(self) -> ToolSource:
        """The first that saw it."""
        return self.sources[0]

    @property
    def completed(self) -> bool:
        """Whether it was answered."""
        return self.result is not MISSING

    @property
    def duration(self) -> float | None:
        """Seconds it took, where both ends are known."""
        return None if self.started is None or self.ended is None else self.ended - self.started


def merge(*lists: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """The calls of several sources as one list, in the order they began.

    Two that share a call id are one call. A call without an id is the first one of another source
    that has its name (or the name a client gives it) and its arguments, and was not matched yet.
    """
    merged: list[ToolCall] = []
    for calls in lists:
        known = len(merged)
        free = list(range(known))
        for call in calls:
            place = next((i for i in free if _is_same(merged[i], call)), None)
            if place is None:
                merged.append(call)
            else:
                free.remove(place)
                merged[place] = _joined(merged[place], call)
    return tuple(sorted(merged, key=_start))


def _start(call: ToolCall) -> float:
    return call.started if call.started is not None else float("inf")


def _is_same(one: ToolCall, other: ToolCall) -> bool:
    if one.call_id is not None and other.call_id is not None:
        return one.call_id == other.call_id
    return _same_name(one, other) and same(one.args, other.args)


def _same_name(one: ToolCall, other: ToolCall) -> bool:
    return bool(names_of(one) & names_of(other))


def names_of(call: ToolCall) -> frozenset[str]:
    """Every name a call may be known by: its own, and those that clients give a fake's tool."""
    plain = {call.name, _folded(call.name)}
    if call.server is None:
        return frozenset(plain)
    joined = {f"{call.server}{mark}{call.name}" for mark in ("__", "_", ".", "-", "/")}
    return frozenset({*plain, *joined, *map(_folded, joined), *tool_names(call.server, call.name)})


def _folded(name: str) -> str:
    """A tool's name as a function in Python would have it."""
    return re.sub(r"[^A-Za-z0-9_]", "_", name).lower()


def _joined(one: ToolCall, other: ToolCall) -> ToolCall:
    """What two sources tell of one call; of the result, what the tool itself answered."""
    told = other if other.completed else one
    return replace(
        one,
        sources=tuple(dict.fromkeys((*one.sources, *other.sources))),
        result=told.result,
        is_error=one.is_error or other.is_error,
        call_id=one.call_id if one.call_id is not None else other.call_id,
        server=one.server if one.server is not None else other.server,
        ended=told.ended if told.ended is not None else one.ended,
    )


def called(calls: Iterable[ToolCall], name: str) -> list[ToolCall]:
    """The calls that a name means: a tool's own name, or one that a client gives it."""
    wanted = {name, _folded(name)}
    return [call for call in calls if call.name == name or wanted & names_of(call)]
