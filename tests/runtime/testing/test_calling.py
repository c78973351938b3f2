"""Calling fakes through the official client, from async tests and from plain ones."""

import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from mcp import Client, MCPError

from evalsim.answers import AnswerError
from evalsim.errors import EvalsimError, ToolError
from evalsim.host import LoadedRecipe, load_fakes, start_services
from evalsim.testing import FakeAtFault, call, call_tool, connect, with_fakes
from support.fakes import CLOCK, HANDLERS, write_recipe

BREAKING = HANDLERS.replace('return {"id"', 'raise KeyError("no id")\n    return {"id"')
WRONG = HANDLERS.replace(
    "models.Deal(id=d.id, name=d.name)", "models.Deal.model_construct(id=7, name=d.name)"
)


@pytest.fixture
def fakes(tmp_path: Path) -> LoadedRecipe:
    """A Recipe with one fake, crm."""
    return load_fakes(write_recipe(tmp_path))


def test_a_plain_test_calls_and_reads_states(fakes: LoadedRecipe) -> None:
    """What is written through one tool is read back through another, and seen in the state."""
    with with_fakes(fakes, scenario="quiet", clock=CLOCK) as running:
        call(running["crm"], "add-deal", {"name": "Bolt"})
        read = call_tool(running["crm"], "list-deals", {"limit": 5})

        assert [deal["name"] for deal in read.structured["deals"]] == ["Acme", "Bolt"]
        assert read.value == read.structured
        assert len(running.states["crm"].deals) == 2
        assert running.services.initial["crm"]["deals"] == [{"id": "acme", "name": "Acme"}]


def test_an_async_test_calls_the_same_way(fakes: LoadedRecipe) -> None:
    """In `async with` the same functions are awaited, on the official client itself."""

    async def session() -> None:
        async with with_fakes(fakes, scenario="busy", clock=CLOCK) as running:
            assert isinstance(running["crm"], Client)
            assert '"Acme"' in await call(running["crm"], "list-deals")
            read = await call_tool(running["crm"], "list-deals", {"limit": 1})
            assert len(read.value["deals"]) == 1

    anyio.run(session)


def test_connect_serves_either_kind_of_test(fakes: LoadedRecipe) -> None:
    """One fake of running services, in an event loop of the test's own or in none."""
    with start_services(fakes, clock=CLOCK) as services:
        with connect(services, "crm") as crm:
            assert [t.name for t in crm.run(crm.official.list_tools).tools] == [
                "list-deals",
                "add-deal",
            ]

        async def session() -> str:
            async with connect(services, "crm") as client:
                return await call(client, "list-deals")

        assert '"Acme"' in anyio.run(session)


def test_a_refusal_is_a_result_or_raised_with_its_words(fakes: LoadedRecipe) -> None:
    """`call_tool` gives a tool error as a result, `call` raises it."""
    with with_fakes(fakes, clock=CLOCK) as running:
        refused = call_tool(running["crm"], "add-deal", {"name": "Acme"})
        assert (refused.is_error, refused.text, refused.value) == (
            True,
            "A deal named Acme exists.",
            None,
        )
        with pytest.raises(ToolError, match="data/limit must be <= 50"):
            call(running["crm"], "list-deals", {"limit": 51})


def test_an_unserved_tool_is_the_protocols_error(fakes: LoadedRecipe) -> None:
    """It is no result, so both functions raise what the client raises."""
    with (
        with_fakes(fakes, clock=CLOCK) as running,
        pytest.raises(MCPError, match="Tool drop-all not found"),
    ):
        call_tool(running["crm"], "drop-all")


def test_a_fake_that_fails_is_no_refusal(tmp_path: Path) -> None:
    """A handler's exception is raised by the call, and again when the fakes stop."""
    fakes = load_fakes(write_recipe(tmp_path, handlers=BREAKING))

    with (
        pytest.raises(
            FakeAtFault, match=r"crm: call 1, add-deal: the fake failed \(exception\): .*no id"
        ),
        with_fakes(fakes, clock=CLOCK) as running,
        pytest.raises(FakeAtFault, match="KeyError"),
    ):
        call_tool(running["crm"], "add-deal", {"name": "Bolt"})


def test_an_answer_outside_the_contract_is_raised(tmp_path: Path) -> None:
    """The caller would read a tool error; a test is told what broke the contract."""
    fakes = load_fakes(write_recipe(tmp_path, handlers=WRONG))

    with (
        start_services(fakes, clock=CLOCK) as services,
        connect(services, "crm") as crm,
        pytest.raises(FakeAtFault, match="data/deals/0/id must be string"),
    ):
        call_tool(crm, "list-deals")


def test_a_successful_answer_is_held_to_the_contract(
    fakes: LoadedRecipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever answered: a result that the contract does not allow is never returned."""
    monkeypatch.setattr("evalsim.hosting.calls.answer_call", lambda *_: b'{"content":[]}')

    with (
        start_services(fakes, clock=CLOCK) as services,
        connect(services, "crm") as crm,
        pytest.raises(AnswerError, match=r"crm, list-deals: .*return structured content"),
    ):
        call_tool(crm, "list-deals")


def test_a_failed_test_shows_its_own_error(fakes: LoadedRecipe) -> None:
    """The client's task groups do not wrap what a test raises."""

    async def fail() -> None:
        async with with_fakes(fakes, clock=CLOCK):
            raise LookupError("in a test")

    with pytest.raises(LookupError):
        anyio.run(fail)
    with pytest.raises(LookupError), with_fakes(fakes, clock=CLOCK):
        raise LookupError("in a test")


def test_an_unknown_fake_is_named(fakes: LoadedRecipe) -> None:
    """Connecting says which fakes are served."""
    with (
        start_services(fakes, clock=CLOCK) as services,
        pytest.raises(EvalsimError, match="No fake 'erp' is served; these are: crm"),
    ):
        connect(services, "erp")


def test_what_a_test_calls_is_recorded(fakes: LoadedRecipe, tmp_path: Path) -> None:
    """`record` keeps one line for each call."""
    record = tmp_path / "calls.jsonl"
    with with_fakes(fakes, clock=CLOCK, record=record) as running:
        call(running["crm"], "list-deals")

    assert record.read_text().startswith('{"server":"crm","tool":"list-deals","args":{}')


@pytest.mark.parametrize(
    ("hide", "told"),
    [
        ("sys.modules['mcp'] = None", "pip install 'evalsim[test]'"),
        ("sys.modules['mcp'] = FOLDER", "hidden by a folder named mcp (fakes/mcp)"),
    ],
)
def test_a_missing_client_is_told(tmp_path: Path, hide: str, told: str) -> None:
    """Without the official client, or with a folder in its way, the message says what to do."""
    write_recipe(tmp_path)
    program = f"""
import sys, types
from evalsim.host import load_fakes, start_services
from evalsim.testing import connect
fakes = load_fakes("fakes")
FOLDER = types.ModuleType("mcp")
FOLDER.__path__ = ["fakes/mcp"]
{hide}
try:
    with start_services(fakes) as services:
        connect(services, "crm")
except Exception as error:
    print(type(error).__name__, error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert told in done.stdout, done.stdout + done.stderr
