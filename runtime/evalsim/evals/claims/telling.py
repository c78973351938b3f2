"""Turns and tool calls as text, for the messages of claims."""

from collections.abc import Iterable

import orjson

from evalsim.evals.tools import ToolCall
from evalsim.evals.turn import Turn
from evalsim.types import Json

FIELD = 200
"""Characters of an argument or result that are shown."""
LINE = 300
"""Characters of a line that are shown."""


def describe_turn(turn: Turn) -> str:
    """What was called and said in a turn."""
    return f"turn {turn.number}: called {describe_calls(turn.tool_calls)}; said {turn.text!r}"


def describe_calls(calls: Iterable[ToolCall]) -> str:
    """The calls in order, or `nothing`."""
    return ", ".join(map(describe_call, calls)) or "nothing"


def describe_call(call: ToolCall) -> str:
    """`look_up({"order_id": "W1"}) -> {"status": "shipped"}`."""
    outcome = "never completed" if not call.completed else shown(call.result)
    arrow = "!>" if call.is_error else "->"
    return f"{call.name}({shown(call.args)}) {arrow} {outcome}"


def shown(value: Json, limit: int = FIELD) -> str:
    """A value as JSON, cut where it is long."""
    try:
        text = orjson.dumps(value).decode()
    except (orjson.JSONEncodeError, UnicodeDecodeError):
        text = repr(value)
    return cut(text, limit)


def cut(text: str, limit: int = LINE) -> str:
    """A text on one line, as far indented, its end left out where it is long."""
    indent = text[: len(text) - len(text.lstrip(" "))]
    line = indent + " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
