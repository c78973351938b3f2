"""Evals of the writer, a text agent that speaks in parts."""

from collections.abc import AsyncIterator

from apps.writer import draft

from evalsim.evals import AgentIO, Suite, SyncSession, events_of
from evalsim.evals.events import AgentSaid


async def agent(io: AgentIO) -> AsyncIterator[str]:
    """The agent, which yields what it says."""
    async with io.model.async_openai(max_retries=0) as openai:
        async for part in draft(openai, io.model.name, list(io.messages)):
            yield part


suite = Suite(name="writer", agent=agent, model="openai:gpt-5-mini", greeting="What shall I write?")
pytestmark = suite.mark


@suite.case(stub_reply=["Dear Ada. The plan is attached.", "Dear Ada. It is attached."])
def test_a_draft_is_changed_as_asked(session: SyncSession) -> None:
    """A plain test: the second draft is told of the first one, and is shorter."""
    first, second = session.say_all(["Write to Ada that the plan is attached.", "Shorter."])

    assert "Ada" in first.text
    assert len(second.text) < len(first.text)
    assert len(events_of(first.events, AgentSaid)) >= 2
    assert session.model.calls[1].messages[-2]["content"] == first.text
