"""Every real capture generates, imports, is served as captured, and is typed as it validates."""

import json
from pathlib import Path
from sys import modules
from typing import Any

import anyio
import httpx
import pytest
from mcp import Client
from pydantic import ValidationError

from evalsim.contract.captured import read_tools
from evalsim.host import LoadedRecipe, Services, load_fakes, start_services
from support.data import captures
from support.recipes import REFUSED, capture_recipe, generate_recipe
from support.round_trip import rows_of

# The official client refuses a list with an inputSchema that does not say "type": "object", naming
# the field at fault; the server that sends nine of them did so itself.
UNPARSABLE = {"oldgitlab": "inputSchema"}
VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")

pytestmark = pytest.mark.skipif(not captures(), reason="no shared test data: EVALSIM_TEST_DATA")


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(path, id=path.stem, marks=pytest.mark.xdist_group(path.stem))
        for path in captures()
    ],
)
def capture(request: pytest.FixtureRequest) -> Path:
    """One real capture."""
    path: Path = request.param
    return path


@pytest.fixture(scope="module")
def fakes(capture: Path, tmp_path_factory: pytest.TempPathFactory) -> LoadedRecipe:
    """The capture's fake, generated and loaded."""
    root = capture_recipe(tmp_path_factory.mktemp(capture.stem), [capture])
    generate_recipe(root)
    return load_fakes(root / "fakes")


def _post(services: Services, server: str, version: str, method: str, params: Any) -> Any:
    headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": version}
    if version == VERSIONS[-1]:
        meta = {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        params = {**params, "_meta": meta}
        headers |= {"mcp-method": method}
        if "name" in params:
            headers |= {"mcp-name": params["name"]}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer = httpx.post(services.url(server), json=body, headers=headers, timeout=30)
    assert answer.status_code == 200, answer.text
    return json.loads(answer.content)["result"]


def test_the_served_list_is_the_captured_one(capture: Path, fakes: LoadedRecipe) -> None:
    """In every protocol version, key order, nulls, numbers and unknown fields included."""
    expected = json.loads(capture.read_bytes())["tools"]
    expected = [tool for tool in expected if tool["name"] not in REFUSED.get(capture.stem, [])]
    for tool in expected:
        if tool.get("execution", {}).get("taskSupport") == "forbidden":
            del tool["execution"]

    with start_services(fakes) as services:
        for version in VERSIONS:
            served = _post(services, capture.stem, version, "tools/list", {})["tools"]

            assert json.dumps(expected) == json.dumps(served)


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_the_official_client_lists_the_tools(capture: Path, fakes: LoadedRecipe, mode: str) -> None:
    """The official client parses the list in both eras."""
    names = [tool.name for tool in read_tools(capture).tools]
    expected = [name for name in names if name not in REFUSED.get(capture.stem, [])]

    with start_services(fakes) as services:
        if (field := UNPARSABLE.get(capture.stem)) is not None:
            refusal = pytest.RaisesExc(ValidationError, match=field)
            with pytest.RaisesGroup(refusal, flatten_subgroups=True):
                anyio.run(_listed_names, services.url(capture.stem), mode)
            return
        listed = anyio.run(_listed_names, services.url(capture.stem), mode)

    assert expected == listed


async def _listed_names(url: str, mode: str) -> list[str]:
    async with Client(url, mode=mode) as client:
        return [tool.name for tool in (await client.list_tools()).tools]


def test_every_tool_answers_a_call(capture: Path, fakes: LoadedRecipe) -> None:
    """A stub refuses what the schema accepts as not implemented, and the gate refuses the rest."""
    from support.instances import instances

    with start_services(fakes) as services:
        for tool in fakes[capture.stem].tools:
            made = instances(tool.accepts.schema, count=3, seed=1)
            for arguments in [v for v in made.valid if isinstance(v, dict)][:1]:
                params = {"name": tool.name, "arguments": arguments}
                result = _post(services, capture.stem, "2025-11-25", "tools/call", params)

                assert f"This fake does not implement {tool.name}." == result["content"][0]["text"]
            for arguments in [v for v in made.invalid if isinstance(v, dict)][:1]:
                params = {"name": tool.name, "arguments": arguments}
                result = _post(services, capture.stem, "2025-11-25", "tools/call", params)
                start = f"Input validation error: Invalid arguments for tool {tool.name}: data"

                assert result["isError"] is True
                assert result["content"][0]["text"].startswith(start)
        assert [] == services.faults


def test_a_tenth_of_the_schemas_round_trips(capture: Path, fakes: LoadedRecipe) -> None:
    """What a schema accepts comes through its model unchanged; what it refuses is worded."""
    fake = fakes[capture.stem]
    models = modules[fake.tools[0].args.__module__]

    rows = list(rows_of(capture.stem, fake.tools, models, count=100, tenth=True))

    for row in rows:
        print(f"{row.valid:4} {row.invalid:4} {row.where} {row.reason or ''}")
    assert [] == [failure for row in rows for failure in row.failures]
