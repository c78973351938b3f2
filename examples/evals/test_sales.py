"""Evals of the sales agent: what it calls, what it says, and what it leaves in the CRM."""

from pathlib import Path

from apps.sales import answer

from evalsim.evals import (
    AgentIO,
    Call,
    Session,
    Suite,
    expect_called,
    expect_no_changes,
    expect_only_changes,
    expect_refused,
    tool_result,
)
from evalsim.mcp import label_id

FAKES = Path(__file__).parents[1] / "attio-crm" / "fakes"
DEAL = label_id("acme-growth")
WIN = Call("update-record", object="deals", record_id=DEAL, values={"stage": "Won"})


async def agent(io: AgentIO) -> str:
    """The agent, bound to what this case has for it."""
    servers = {id_: server.url for id_, server in io.mcp.items()}
    async with io.model.async_openai(max_retries=0) as openai:
        return await answer(openai, io.model.name, servers, list(io.messages))


suite = Suite(
    name="sales agent",
    agent=agent,
    model="openai:gpt-5-mini",
    fakes=FAKES,
    clock="2026-10-01T09:00:00Z",
)
pytestmark = suite.mark


@suite.case(
    stub_reply=[
        Call("search-records", query="growth"),
        WIN,
        "The deal is won.",
    ]
)
async def test_a_deal_is_won(session: Session) -> None:
    """The deal's stage is set, and nothing else is changed."""
    turn = await session.say("Acme signed the growth plan. Set the deal to Won.")

    expect_called(turn, "update-record", args={"record_id": DEAL})
    expect_only_changes(
        session,
        f"set attio.records.{DEAL}.values.stage",
        f"set attio.records.{DEAL}.updated_at",
    )


@suite.case(
    scenario="blocked", stub_reply=[WIN, "An approval is pending, so the deal is as it was."]
)
async def test_a_refusal_is_passed_on(session: Session) -> None:
    """Under an approval the CRM refuses, and the agent says so instead of finding a way around."""
    turn = await session.say("Set the Acme growth deal to Won.")

    refused = expect_refused(turn, "update-record")
    assert "locked" in str(refused.result)
    assert "approval" in turn.text
    expect_no_changes(session)


@suite.case(
    stub_reply=[
        Call(
            "create-note",
            record_id=label_id("acme"),
            title="Call",
            content="Wants the contract by Friday.",
        ),
        "Noted.",
        "Acme wants the contract by Friday.",
    ]
)
async def test_a_note_is_remembered(session: Session, eval_mode: str) -> None:
    """Over two turns; only a script decides the words."""
    noted = await session.say("Note on Acme that they called: they want the contract by Friday.")
    told = await session.say("What did Acme want?")

    assert "contract" in tool_result(noted, "create-note")["content"]
    assert "Friday" in told.text
    if eval_mode == "stub":
        assert told.text == "Acme wants the contract by Friday."
        assert session.model.unused == ()
    expect_only_changes(session, "1 added attio.notes")


@suite.case(live=True)
async def test_it_looks_before_it_writes(session: Session) -> None:
    """Which tool it reaches for first is the model's own choice: no script can show it."""
    turn = await session.say("Set the stage of the Acme growth plan deal to Won.")

    assert turn.tool_calls[0].name in ("search-records", "list-records", "list-objects")
