"""The example Recipe: up to date, sound in every scenario, and usable by the official client."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import CallToolResult, TextContent

from evalsim.host import LoadedRecipe, Services, load_fakes, start_services
from evalsim.mcp import label_id

RECIPE = Path(__file__).resolve().parents[2] / "examples" / "attio-crm"
CLOCK = "2026-10-01T09:00:00Z"
ACME_GROWTH = label_id("acme-growth")
BRIGHTWATER, BRIGHTWATER_COPY = label_id("brightwater"), label_id("brightwater-copy")


@pytest.fixture(scope="module")
def recipe() -> LoadedRecipe:
    """The example, loaded once."""
    return load_fakes(RECIPE / "fakes")


@pytest.fixture
def blocked(recipe: LoadedRecipe) -> Iterator[Services]:
    """Its fakes, served while an approval locks the Acme deal."""
    with start_services(recipe, scenario="blocked", clock=CLOCK) as services:
        yield services


def test_what_is_committed_is_up_to_date() -> None:
    """`evalsim generate --check` finds nothing to change."""
    check = _run("-m", "evalsim", "generate", "--check", "--recipe", str(RECIPE))

    assert check.returncode == 0, check.stdout + check.stderr
    assert "21 tools up to date." in check.stdout


@pytest.mark.parametrize(
    ("folder", "tests"), [(".", ["fakes/tests"]), ("fakes", []), (".", ["evals"])]
)
def test_its_own_tests_pass(folder: str, tests: list[str]) -> None:
    """From the Recipe's root and from inside fakes/, and the committed recording stays as it is."""
    recording = RECIPE / "fakes" / "tests" / "responses.jsonl"
    committed = recording.read_bytes()

    run = _run("-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, cwd=RECIPE / folder)

    assert run.returncode == 0, run.stdout + run.stderr
    assert " passed" in run.stdout
    assert recording.read_bytes() == committed


def test_every_check_passes() -> None:
    """`evalsim check` finds nothing, in any fake or world."""
    check = _run("-m", "evalsim", "check", "--recipe", str(RECIPE))

    assert check.returncode == 0, check.stdout + check.stderr
    assert "18 passed, 0 failed." in check.stdout


@pytest.mark.parametrize(("manner", "grade"), [([], 0), (["--pushy"], 1)])
def test_a_local_run_is_graded(manner: list[str], grade: int, tmp_path: Path) -> None:
    """The scripted agent leaves a locked deal alone, and is found out when it does not."""
    copy = tmp_path / "recipe"
    shutil.copytree(RECIPE, copy, ignore=shutil.ignore_patterns(".evalsim", "__pycache__"))
    agent = [sys.executable, str(copy / "evals" / "agent.py"), *manner]

    run = _run("-m", "evalsim", "local", "--scenario", "blocked", "--", *agent, cwd=copy)
    assert run.returncode == 0, run.stderr

    graded = _run("evals/grade.py", ".evalsim/local/blocked", cwd=copy)
    assert graded.returncode == grade, graded.stdout + graded.stderr


@pytest.mark.parametrize("id_", ["attio", "lightfield-app"])
def test_what_was_observed_is_what_was_recorded(id_: str) -> None:
    """`evalsim observe --check` finds each observed.json to be of the committed recording."""
    recording = str(RECIPE / "recordings" / f"{id_}.jsonl")

    check = _run("-m", "evalsim", "observe", id_, "--from", recording, "--check")

    assert check.returncode == 0, check.stdout + check.stderr


def test_the_recordings_are_what_their_script_writes(tmp_path: Path) -> None:
    """A recording that was edited by hand would be no session any more."""
    committed = RECIPE / "recordings"
    script = shutil.copy(committed / "synthesize.py", tmp_path)

    assert _run(script).returncode == 0
    for recording in committed.glob("*.jsonl"):
        assert (tmp_path / recording.name).read_bytes() == recording.read_bytes()


def test_the_image_is_the_scaffolded_one(tmp_path: Path) -> None:
    """`evalsim init` writes what is committed: delete the files and run it to renew them."""
    shutil.copy(RECIPE / "package.json", tmp_path)

    init = _run("-m", "evalsim", "init", str(tmp_path))

    assert init.returncode == 0, init.stderr
    for name in ("Dockerfile", "requirements.txt", ".dockerignore"):
        assert (RECIPE / "fakes" / name).read_text() == (tmp_path / "fakes" / name).read_text()


@pytest.mark.parametrize("scenario", ["base", "blocked", "busy"])
def test_every_scenario_starts(recipe: LoadedRecipe, scenario: str) -> None:
    """Each world holds a state for each fake, and every fake is served."""
    with start_services(recipe, scenario=scenario, clock=CLOCK) as services:
        assert scenario in recipe.SCENARIOS
        assert services.initial["attio"]["records"]
        assert services.initial["lightfield-app"]["meetings"]


def test_every_answer_is_declared(recipe: LoadedRecipe) -> None:
    """No tool of the example may answer anything it likes."""
    undeclared = [tool.name for fake in recipe.values() for tool in fake.tools if not tool.answer]

    assert undeclared == []


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_a_session_with_the_official_client(blocked: Services, mode: str) -> None:
    """List, filter and page, create, read back, be refused, merge: in each protocol era."""
    anyio.run(_session, blocked.url("attio"), mode)

    crm = blocked.states["attio"]
    records = {record.id: record for record in crm.records}
    assert records[ACME_GROWTH].values["stage"] == "Negotiation"
    assert BRIGHTWATER_COPY not in records
    assert records[BRIGHTWATER].name == "Brightwater"
    assert {note.record_id for note in crm.notes} == {label_id("acme"), BRIGHTWATER}
    assert [record.name for record in crm.records][-1] == "Delta Works"
    assert blocked.faults == []


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_a_fake_whose_id_is_no_python_name(blocked: Services, mode: str) -> None:
    """The hyphenated fake is served as the other is, from the JSON of its world."""
    found = anyio.run(_meetings, blocked.url("lightfield-app"), mode)

    assert [meeting["title"] for meeting in found["meetings"]] == ["Acme quarterly review"]


async def _session(url: str, mode: str) -> None:
    async with Client(url, mode=mode) as client:
        listed = [tool.name for tool in (await client.list_tools()).tools]
        assert len(listed) == 18
        assert "delete-record" not in listed

        open_deals = {
            "object": "deals",
            "filter": {"not": {"attribute": "stage", "operator": "in", "value": ["Won", "Lost"]}},
            "sorts": [{"attribute": "value", "direction": "desc"}],
            "limit": 2,
        }
        first = await _json(client, "list-records", open_deals)
        rest = await _json(client, "list-records", open_deals | {"offset": first["next_offset"]})
        assert [_name(deal) for deal in first["records"] + rest["records"]] == [
            "Acme Growth plan",
            "Brightwater renewal",
            "Cinder pilot",
        ]
        assert (first["total"], rest["next_offset"]) == (3, None)

        created = await _json(
            client, "create-record", {"object": "companies", "values": {"name": "Delta Works"}}
        )
        read = await _json(
            client,
            "get-records-by-ids",
            {"object": "companies", "record_ids": [created["id"]]},
        )
        assert read["records"] == [created]

        refused = await client.call_tool(
            "update-record",
            {"object": "deals", "record_id": ACME_GROWTH, "values": {"stage": "Won"}},
        )
        assert refused.is_error
        assert _text(refused).startswith("Acme Growth plan is locked")

        merged = await client.call_tool(
            "merge-records",
            {
                "object": "companies",
                "record_id": BRIGHTWATER,
                "duplicate_id": BRIGHTWATER_COPY,
            },
        )
        assert json.loads(_text(merged).removeprefix("Records merged: "))["notes"] == 1


async def _meetings(url: str, mode: str) -> Any:
    async with Client(url, mode=mode) as client:
        return await _json(client, "search-meetings", {"query": "quarterly"})


async def _json(client: Client, tool: str, arguments: dict[str, Any]) -> Any:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, _text(result)
    return json.loads(_text(result))


def _text(result: CallToolResult) -> str:
    return "".join(block.text for block in result.content if isinstance(block, TextContent))


def _name(record: dict[str, Any]) -> str:
    return str(record["values"]["name"])


def _run(*arguments: str, cwd: Path = RECIPE) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
