"""A session as text, for the message of a case that failed."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from evalsim.evals.base_session import BaseSession
from evalsim.evals.claims.telling import cut, describe_call
from evalsim.evals.events import CustomEmitted, ReplyCancelled, events_of
from evalsim.evals.turn import Turn

LINES = 40
"""Lines of a transcript that are shown: its last ones."""
REFUSED = 5
"""Refused requests that are shown."""


def transcript_of(session: BaseSession, network: Any = None) -> str:
    """Who said what, with the tool calls of each turn under it, and the requests refused."""
    lines = list(_lines(session))
    refused = _refused(session.network if network is None else network)
    lines = [*lines, *refused] or ["nothing was said"]
    left = len(lines) - LINES
    shown = lines if left <= 0 else [f"… {left} lines before …", *lines[-LINES:]]
    return "\n".join(map(cut, shown))


def _lines(session: BaseSession) -> Iterator[str]:
    if session.greeting:
        yield f"Agent: {session.greeting}"
    for turn in session.all_turns:
        yield from _of_turn(turn)
    if session.refused is not None:
        yield f"(the agent refused the session: {session.refused})"
    elif session.ended:
        yield "(the agent ended the session)"


def _of_turn(turn: Turn) -> Iterator[str]:
    yield f"User: {turn.said}"
    for call in turn.tool_calls:
        yield f"  {describe_call(call)}"
    for event in events_of(turn.events, CustomEmitted):
        yield f"  ({event.name})"
    if turn.text:
        yield f"Agent: {turn.text}"
    for cancelled in events_of(turn.events, ReplyCancelled):
        yield f"  (the turn was cut off: {cancelled.reason})"


def _refused(network: Any) -> list[str]:
    """The requests that a network refused, each once, with how often."""
    if network is None:
        return []
    times = Counter(map(str, network.refused()))
    lines = [f"refused: {told}" + (f" x{n}" if n > 1 else "") for told, n in times.items()]
    left = len(lines) - REFUSED
    return lines if left <= 0 else [*lines[:REFUSED], f"… and {left} more requests refused"]
