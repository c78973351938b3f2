"""Tool calls that spans tell of are in a turn, beside those that others saw."""

from types import SimpleNamespace
from typing import Any

import pytest

from evalsim.evals import AgentIO, Suite

GENAI = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "look_up",
    "gen_ai.tool.call.id": "a",
    "gen_ai.tool.call.arguments": '{"id": 1}',
    "gen_ai.tool.call.result": '{"found": true}',
}
OPENINFERENCE = {
    "openinference.span.kind": "TOOL",
    "tool.name": "look_up",
    "input.value": '{"id": 1}',
    "output.value": '{"found": true}',
}


def span(attributes: dict[str, Any], *, failed: bool = False) -> Any:
    """A span that has ended."""
    status = SimpleNamespace(
        status_code=SimpleNamespace(name="ERROR" if failed else "OK"),
        description="timed out" if failed else None,
    )
    return SimpleNamespace(
        name="execute_tool look_up", attributes=attributes, start_time=0, end_time=10, status=status
    )


@pytest.mark.parametrize("attributes", [GENAI, OPENINFERENCE])
def test_a_span_of_a_tool_is_a_call(attributes: dict[str, Any]) -> None:
    """In either convention; any other span is none."""

    def agent(io: AgentIO) -> str:
        processor = io.span_processor()
        for one in (attributes, {"gen_ai.operation.name": "chat"}, {}):
            processor.on_start(span(one))
            processor.on_end(span(one))
        assert processor.force_flush()
        processor.shutdown()
        return "ok"

    with Suite(agent=agent).open() as session:
        (call,) = session.say("go").tool_calls

    assert ("look_up", {"id": 1}, {"found": True}) == (call.name, call.args, call.result)
    assert ("spans", False) == (call.source, call.is_error)


def test_a_span_and_the_agent_tell_of_one_call() -> None:
    """Matched by its id, though its arguments are told in other words."""

    def agent(io: AgentIO) -> str:
        io.span_processor().on_end(span(GENAI))
        io.record_tool("lookUp", {"id": "1"}, result={"found": True}, call_id="a")
        return "ok"

    with Suite(agent=agent).open() as session:
        (call,) = session.say("go").tool_calls

    assert (("spans", "agent"), "a") == (call.sources, call.call_id)


def test_a_span_that_failed_tells_why() -> None:
    """The error is its result, and a tool without arguments has none."""

    def agent(io: AgentIO) -> str:
        io.span_processor().on_end(span({"gen_ai.operation.name": "execute_tool"}, failed=True))
        return "ok"

    with Suite(agent=agent).open() as session:
        turn = session.say("go")

    (call,) = turn.tool_calls
    assert ("look_up", {}, "timed out", True) == (call.name, call.args, call.result, call.is_error)
    assert ("look_up: timed out",) == turn.errors
