"""The tool calls of a turn, seen in the model's traffic, by fakes and elsewhere, as one list."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
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

    `name` is the one the first of them knows it by. `result` is MISSING where the call was never
    completed. `server` and `tool` are the fake that answered, and its own name for it. `started`
    and `ended` are seconds since the session opened, None where not known.
    """

    name: str
    args: Json
    sources: tuple[ToolSource, ...]
    result: Json | Missing = MISSING
    is_error: bool = False
    call_id: str | None = None
    server: str | None = None
    tool: str | None = None
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
        free = _Free(merged)
        for call in calls:
            place = free.take(call)
            if place is None:
                merged.append(call)
            else:
                merged[place] = _joined(merged[place], call)
    return tuple(sorted(merged, key=_start))


class _Free:
    """The calls that earlier sources saw, found by id or by name until they are taken."""

    def __init__(self, calls: Sequence[ToolCall]) -> None:
        self._calls = tuple(calls)
        self._places: dict[str, list[int]] = {}
        self._taken: set[int] = set()
        for place, call in enumerate(self._calls):
            for name in names_of(call):
                self._places.setdefault(name, []).append(place)
        self._by_id = {call.call_id: place for place, call in enumerate(self._calls)}

    def take(self, call: ToolCall) -> int | None:
        """The place of the call that this one is, which no other can then be."""
        places = {place for name in names_of(call) for place in self._places.get(name, ())}
        by_id = self._by_id.get(call.call_id) if call.call_id is not None else None
        ordered = [by_id] if by_id is not None else sorted(places)
        for place in ordered:
            if place not in self._taken and _is_same(self._calls[place], call):
                self._taken.add(place)
                return place
        return None


def _start(call: ToolCall) -> float:
    return call.started if call.started is not None else float("inf")


def _is_same(one: ToolCall, other: ToolCall) -> bool:
    """Whether two calls of which one may have the other's name are one call."""
    if one.call_id is not None and other.call_id is not None:
        return one.call_id == other.call_id
    return same(one.args, other.args)


def names_of(call: ToolCall) -> frozenset[str]:
    """Every name a call may be known by: its own, and those that clients give a fake's tool."""
    return _names(call.name, call.server, call.tool or call.name)


@lru_cache(maxsize=4096)
def _names(name: str, server: str | None, tool: str) -> frozenset[str]:
    plain = {name, tool, _folded(name), _folded(tool)}
    if server is None:
        return frozenset(plain)
    joined = {f"{server}{mark}{tool}" for mark in ("__", "_", ".", "-", "/")}
    given = {*joined, *tool_names(server, tool)}
    return frozenset({*plain, *given, *map(_folded, given)})


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
        tool=one.tool if one.tool is not None else other.tool,
        started=one.started if one.started is not None else other.started,
        ended=told.ended if told.ended is not None else one.ended,
    )


def called(calls: Iterable[ToolCall], name: str) -> list[ToolCall]:
    """The calls that a name means: a tool's own name, or one that a client gives it."""
    wanted = {name, _folded(name)}
    return [call for call in calls if wanted & names_of(call)]
