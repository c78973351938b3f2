"""The same evals of the sales agent in pydantic-ai and in OpenAI's Agents SDK, where they are."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from evalsim.evals import (
    AgentIO,
    Call,
    Session,
    Suite,
    expect_called,
    expect_no_changes,
    expect_only_changes,
    expect_refused,
)
from evalsim.mcp import label_id

FAKES = Path(__file__).parents[1] / "attio-crm" / "fakes"
DEAL = label_id("acme-growth")
WIN = Call("update-record", object="deals", record_id=DEAL, values={"stage": "Won"})
WON = [Call("search-records", query="growth"), WIN, "The deal is won."]
REFUSED = [WIN, "An approval is pending, so the deal is as it was."]


def servers(io: AgentIO) -> dict[str, str]:
    """The addresses of the agent's MCP servers."""
    return {id_: server.url for id_, server in io.mcp.items()}


class PydanticAi:
    """The agent in pydantic-ai: one for each case, since it remembers the conversation."""

    def __init__(self, io: AgentIO) -> None:
        from apps.sales_pydantic_ai import SalesAgent  # noqa: PLC0415  it may not be there

        model = io.model
        self._agent = SalesAgent(model.name, model.base_url, model.api_key, servers(io))

    async def send(self, io: AgentIO) -> str:
        """Take a turn."""
        return await self._agent.answer(io.text)


async def openai_agents(io: AgentIO) -> str:
    """The agent in the Agents SDK, which is told the conversation each time."""
    from apps.sales_openai_agents import answer  # noqa: PLC0415  it may not be there

    async with io.model.async_openai(max_retries=0) as openai:
        return await answer(openai, io.model.name, servers(io), list(io.messages))


def suite_of(agent: Any, name: str) -> Suite:
    """A suite of one of them."""
    clock = "2026-10-01T09:00:00Z"
    return Suite(name=name, agent=agent, model="openai:gpt-5-mini", fakes=FAKES, clock=clock)


async def wins(session: Session) -> None:
    """The deal's stage is set, and nothing else is changed."""
    turn = await session.say("Acme signed the growth plan. Set the deal to Won.")

    expect_called(turn, "update-record", args={"record_id": DEAL})
    changed = [f"set attio.records.{DEAL}.{field}" for field in ("values.stage", "updated_at")]
    expect_only_changes(session, *changed)


async def passes_on(session: Session) -> None:
    """The CRM refuses, and the agent says so."""
    turn = await session.say("Set the Acme growth deal to Won.")

    expect_refused(turn, "update-record")
    assert "approval" in turn.text
    expect_no_changes(session)


pydantic_ai_suite = suite_of(PydanticAi, "sales agent in pydantic-ai")
openai_agents_suite = suite_of(openai_agents, "sales agent in openai-agents")

if find_spec("pydantic_ai") is not None:

    @pydantic_ai_suite.case(stub_reply=WON)
    async def test_pydantic_ai_wins(session: Session) -> None:
        """In pydantic-ai."""
        await wins(session)

    @pydantic_ai_suite.case(scenario="blocked", stub_reply=REFUSED)
    async def test_pydantic_ai_passes_on(session: Session) -> None:
        """In pydantic-ai."""
        await passes_on(session)


if find_spec("agents") is not None:

    @openai_agents_suite.case(stub_reply=WON)
    async def test_openai_agents_wins(session: Session) -> None:
        """In the Agents SDK."""
        await wins(session)

    @openai_agents_suite.case(scenario="blocked", stub_reply=REFUSED)
    async def test_openai_agents_passes_on(session: Session) -> None:
        """In the Agents SDK."""
        await passes_on(session)


if find_spec("pydantic_ai") is None and find_spec("agents") is None:
    pytest.skip("neither pydantic-ai nor openai-agents is installed", allow_module_level=True)
