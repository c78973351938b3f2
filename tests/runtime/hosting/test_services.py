"""Starting fakes in this process, and what is read of them."""

import asyncio
import json
import logging
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client, MCPError
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from evalsim.errors import EvalsimError, StartError, UnknownScenario
from evalsim.host import Clock, load_fakes, start_services
from evalsim.hosting.server import bind
from support.calling import HEADERS, call, post, text_of
from support.fakes import (
    ADD_DEAL,
    CLOCK,
    HANDLERS,
    TOOLS,
    write_contract,
    write_fake,
    write_recipe,
    write_scenarios,
)


@pytest.fixture
def recipe(tmp_path: Path) -> Any:
    return load_fakes(write_recipe(tmp_path, "crm", "light-app"))


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_fake_is_bound_on_one_port(recipe: Any) -> None:
    """The addresses an agent is given, one a fake."""
    with start_services(recipe) as services:
        base = services.base_url("crm").removesuffix("/crm")

        assert services.mcp_servers() == [
            {"id": fake_id, "transport": "streamable_http", "url": f"{base}/{fake_id}/mcp"}
            for fake_id in ("crm", "light-app")
        ]
        assert services.url("light-app") == f"{base}/light-app/mcp"
        with pytest.raises(EvalsimError, match="No fake 'slack' is served; these are: crm, light"):
            services.url("slack")


def test_tools_are_listed_as_captured(recipe: Any) -> None:
    """The captured entries, in captured order, nulls and unknown fields and all."""
    with start_services(recipe) as services:
        assert post(services.url("crm"), "tools/list")["result"] == {"tools": list(TOOLS)}


async def _session(url: str, mode: Any) -> None:
    async with Client(url, mode=mode) as client:
        listed = await client.list_tools()
        assert [tool.name for tool in listed.tools] == ["list-deals", "add-deal"]
        added = await client.call_tool("add-deal", {"name": "Zed"})
        assert not added.is_error
        found = await client.call_tool("list-deals", {"limit": 5})
        assert found.structured_content is not None
        assert [deal["name"] for deal in found.structured_content["deals"]] == ["Acme", "Zed"]
        refused = await client.call_tool("list-deals", {"limit": 51})
        assert refused.is_error
        with pytest.raises(MCPError, match="Tool nope not found"):
            await client.call_tool("nope", {})


@pytest.mark.parametrize("mode", ["auto", "legacy", "2026-07-28"])
def test_the_official_client_holds_a_session(recipe: Any, mode: str) -> None:
    """It lists, calls, reads structured content and is refused, in both eras."""

    async def main() -> None:
        async with start_services(recipe) as services:
            await _session(services.url("crm"), mode)

    asyncio.run(main())


def test_both_forms_serve_again_and_again(recipe: Any) -> None:
    """Services are entered with or without a running loop, and leave nothing behind."""

    async def once() -> int:
        async with start_services(recipe) as services, httpx.AsyncClient() as client:
            url = services.base_url("crm").removesuffix("/crm")
            return (await client.get(f"{url}/health")).status_code

    assert [asyncio.run(once()), asyncio.run(once())] == [200, 200]
    with start_services(recipe) as services:
        url = services.base_url("crm").removesuffix("/crm")
        assert httpx.get(f"{url}/health").json() == {"ok": True}
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}/health")


def test_each_start_has_a_world_of_its_own(recipe: Any) -> None:
    """What one run changed, the next one does not see."""
    with start_services(recipe) as one, start_services(recipe) as two:
        call(one.url("crm"), "add-deal", {"name": "Zed"})

        assert [deal.name for deal in one.states["crm"].deals] == ["Acme", "Zed"]
        assert [deal.name for deal in two.states["crm"].deals] == ["Acme"]
        assert one.initial == two.snapshot()["final"]


def test_two_recipes_with_equal_ids_are_served_at_once(tmp_path: Path) -> None:
    """Neither reaches the other's handlers or state."""
    one = load_fakes(write_recipe(tmp_path / "one"))
    other = HANDLERS.replace("[: args.limit]", "[:0]")
    two = load_fakes(write_recipe(tmp_path / "two", handlers=other))
    with start_services(one) as first, start_services(two) as second:
        found = call(first.url("crm"), "list-deals")["structuredContent"]["deals"]
        assert [deal["name"] for deal in found] == ["Acme"]
        assert call(second.url("crm"), "list-deals")["structuredContent"] == {"deals": []}


def test_sync_handlers_are_atomic_under_concurrent_callers(tmp_path: Path) -> None:
    """64 callers at once: each change is whole, none is lost, each call has its number."""
    handlers = HANDLERS.replace("if any(", "size = len(state.deals)\n    if any(").replace(
        'return {"id"', 'assert len(state.deals) == size + 1\n    return {"n": call.number, "id"'
    )
    recipe = load_fakes(write_recipe(tmp_path, handlers=handlers))
    with start_services(recipe) as services, httpx.Client(headers=HEADERS) as client:

        def add(number: int) -> int:
            params = {"name": "add-deal", "arguments": {"name": f"deal {number}"}}
            message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
            answer = client.post(services.url("crm"), json=message).json()
            found: int = json.loads(text_of(answer["result"]))["n"]
            return found

        with ThreadPoolExecutor(64) as pool:
            numbers = list(pool.map(add, range(256)))

        assert sorted(numbers) == list(range(1, 257))
        assert len(services.states["crm"].deals) == 257
        assert services.faults == []


def test_the_clock_is_the_worlds(tmp_path: Path) -> None:
    """It stands where it was set, for the scenario and for every call, until it is advanced."""
    fakes = tmp_path / "fakes"
    write_fake(fakes)
    state = '{"crm": {"deals": [{"id": "a", "name": clock.isoformat()}]}}'
    write_scenarios(fakes, f"SCENARIOS = ()\ndef world(*, clock):\n    return {state}\n")
    with start_services(load_fakes(fakes), clock=CLOCK) as services:
        (deal,) = call(services.url("crm"), "list-deals")["structuredContent"]["deals"]
        assert deal["name"] == "2026-10-01T09:00:00+00:00"

        services.world.clock.advance(timedelta(days=1))

        added = json.loads(text_of(call(services.url("crm"), "add-deal", {"name": "b"})))
        assert added["at"] == "2026-10-02T09:00:00+00:00"


@pytest.mark.parametrize(
    "clock",
    [CLOCK, datetime(2026, 10, 1, 9, tzinfo=UTC), Clock(datetime(2026, 10, 1, 9, tzinfo=UTC))],
)
def test_a_clock_is_given_in_any_form(recipe: Any, clock: Any) -> None:
    """Text, a moment or a clock."""
    services = start_services(recipe, clock=clock)

    assert services.world.clock.now == datetime(2026, 10, 1, 9, tzinfo=UTC)


def test_a_replayed_world_makes_the_same_ids(recipe: Any) -> None:
    """Two runs of one scenario with the same calls leave the same states."""
    finals = []
    for _ in range(2):
        with start_services(recipe, clock=CLOCK) as services:
            call(services.url("crm"), "add-deal", {"name": "Zed"})
            finals.append(services.snapshot()["final"])

    assert finals[0] == finals[1]


def test_a_record_line_is_what_was_sent_and_answered(recipe: Any, tmp_path: Path) -> None:
    """Arguments before defaults, the result as returned, refusals as well."""
    record = tmp_path / "calls.jsonl"
    with start_services(recipe, record=record) as services:
        results = [
            call(services.url("crm"), "list-deals", {}),
            call(services.url("light-app"), "list-deals", {"limit": 99}),
        ]
        post(services.url("crm"), "tools/list")

    assert lines(record) == [
        {"server": "crm", "tool": "list-deals", "args": {}, "result": results[0]},
        {"server": "light-app", "tool": "list-deals", "args": {"limit": 99}, "result": results[1]},
    ]


def test_a_handler_cannot_change_what_is_recorded(tmp_path: Path) -> None:
    """Its arguments are its own; the record holds what the caller sent."""
    handlers = HANDLERS.replace("if any(", 'args.tags.append("changed")\n    if any(')
    recipe = load_fakes(write_recipe(tmp_path, handlers=handlers))
    sent = {"name": "Zed", "tags": ["a"], "more": {"deep": [1.0]}}
    with start_services(recipe, record=tmp_path / "calls.jsonl") as services:
        call(services.url("crm"), "add-deal", sent)

    assert lines(tmp_path / "calls.jsonl")[0]["args"] == sent


def test_a_record_goes_on_where_it_stands(recipe: Any, tmp_path: Path) -> None:
    """A second run appends."""
    for _ in range(2):
        with start_services(recipe, record=tmp_path / "calls.jsonl") as services:
            call(services.url("crm"), "list-deals")

    assert len(lines(tmp_path / "calls.jsonl")) == 2


def test_the_state_is_on_disk_before_the_answer(recipe: Any, tmp_path: Path) -> None:
    """Every fake's, keyed by id, whole; from the start, and after each call."""
    path = tmp_path / "kept" / "state.json"
    with start_services(recipe, state_file=path) as services:
        assert json.loads(path.read_bytes()) == services.initial

        call(services.url("crm"), "add-deal", {"name": "Zed"})

        state = json.loads(path.read_bytes())
        assert [deal["name"] for deal in state["crm"]["deals"]] == ["Acme", "Zed"]
        assert state["light-app"] == services.initial["light-app"]
        assert [entry.name for entry in path.parent.iterdir()] == ["state.json"]


def test_a_state_file_is_left_alone_when_nothing_changed(recipe: Any, tmp_path: Path) -> None:
    """Listing, pinging and reading write nothing."""
    path = tmp_path / "state.json"
    with start_services(recipe, state_file=path) as services:
        before = path.stat().st_ino
        post(services.url("crm"), "tools/list")
        post(services.url("crm"), "ping")
        call(services.url("crm"), "list-deals")

        assert path.stat().st_ino == before


def test_a_state_that_cannot_be_written_is_a_fault(tmp_path: Path) -> None:
    """The call is not answered as if all were well."""
    handlers = HANDLERS.replace("state.deals.append(", "state.deals.append(3); (")
    recipe = load_fakes(write_recipe(tmp_path, handlers=handlers))
    with start_services(recipe, state_file=tmp_path / "state.json") as services:
        kept = (tmp_path / "state.json").read_bytes()
        result = call(services.url("crm"), "add-deal", {"name": "Zed"})

        assert result["isError"] is True
        assert "state" in [fault.kind for fault in services.faults]
        assert (tmp_path / "state.json").read_bytes() == kept


def test_a_run_is_resumed_from_its_files(recipe: Any, tmp_path: Path) -> None:
    """The states go on, and the run is judged from where the first one began."""
    files = {"state_file": tmp_path / "s.json", "initial_state_file": tmp_path / "i.json"}
    with start_services(recipe, scenario="quiet", **files) as services:
        call(services.url("crm"), "add-deal", {"name": "Zed"})
    resume = {
        "states": json.loads(files["state_file"].read_bytes()),
        "initial": json.loads(files["initial_state_file"].read_bytes()),
    }

    with start_services(recipe, resume=resume, **files) as services:
        call(services.url("crm"), "add-deal", {"name": "Yan"})

        names = [deal.name for deal in services.states["crm"].deals]
        assert names == ["Acme", "Zed", "Yan"]
        assert services.initial == resume["initial"]
        assert services.snapshot() == {
            "initial": resume["initial"],
            "final": json.loads(files["state_file"].read_bytes()),
        }
        assert len({deal.id for deal in services.states["crm"].deals}) == 3
    assert json.loads(files["initial_state_file"].read_bytes()) == resume["initial"]


def test_a_resume_does_not_ask_the_world(recipe: Any) -> None:
    """A scenario is not built when a run goes on."""

    def world(*_: str, clock: datetime) -> Any:
        raise AssertionError("asked")

    states = {fake_id: {"deals": []} for fake_id in recipe}

    assert start_services(recipe, world, resume={"states": states, "initial": states}).initial


def test_everything_that_keeps_fakes_from_starting_is_one_error(tmp_path: Path) -> None:
    """Handlers, manifest, contract and states, of every fake, listed together."""
    fakes = tmp_path / "fakes"
    extra = '@handler("gone")\ndef gone(args, state):\n    return {}\n'
    write_fake(fakes, "a", handlers=HANDLERS.replace('@handler("add-deal")', "") + extra)
    write_fake(fakes, "b")
    stale = json.dumps({"tools": [{**ADD_DEAL, "description": "new"}]})
    (fakes / "mcp" / "b" / "tools.json").write_text(stale)
    entry = {"kind": "stateful", "reads": [], "writes": []}
    manifest = {
        "server": {"name": "c", "version": "1", "protocolVersion": "2020-01-01"},
        "tools": {"list-deals": entry, "other": entry},
    }
    write_fake(fakes, "c", manifest=manifest)
    write_scenarios(fakes, ids=("a", "b"))

    with pytest.raises(StartError) as caught:
        start_services(load_fakes(fakes))

    expected = [
        "a: no handler answers the tool 'add-deal': run `evalsim generate a`",
        "gone is not in the tools.json of a; remove its handler (fakes/mcp/a/handlers.py:18)",
        "b: tools.json or answers.json changed since contract.py was generated",
        "tools has no entry for 'add-deal'",
        "tools names 'other', which is not in the contract",
        "server.protocolVersion: Unknown protocol version '2020-01-01'",
        "c: world() gives no state for it.",
    ]
    assert len(caught.value.problems) == len(expected)
    for problem, part in zip(caught.value.problems, expected, strict=True):
        assert part in problem


def test_nothing_to_serve_is_an_error(recipe: Any) -> None:
    """An empty choice of fakes is a mistake, not a server of nothing."""
    with pytest.raises(StartError, match="There is no fake to serve"):
        start_services({})
    with pytest.raises(StartError, match="There is no world"):
        start_services(dict(recipe))


def test_fakes_may_be_chosen_by_hand(recipe: Any) -> None:
    """A plain mapping of some fakes, with the Recipe's world."""
    services = start_services({"crm": recipe["crm"]}, recipe.world)

    assert list(services.states) == ["crm"]


def test_an_unknown_scenario_is_refused(recipe: Any) -> None:
    """By name, with those there are."""
    with pytest.raises(UnknownScenario, match="this Recipe has: quiet, busy"):
        start_services(recipe, scenario="noisy")


def test_a_port_in_use_is_one_sentence(recipe: Any) -> None:
    """What, where, and what to do."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with (
            pytest.raises(EvalsimError, match=f"Cannot listen on 127.0.0.1:{port}: the port is in"),
            start_services(recipe, port=port),
        ):
            pass


@pytest.mark.parametrize("option", ["state_file", "initial_state_file", "record"])
def test_a_file_that_cannot_be_written_is_one_sentence(
    recipe: Any, tmp_path: Path, option: str
) -> None:
    """Nothing is served when what should be kept cannot be, and the port is free again."""
    (tmp_path / "file").write_text("")
    options: Any = {option: tmp_path / "file" / "below.json"}
    with (
        pytest.raises(EvalsimError, match=r"below\.json cannot be written: .* another file"),
        start_services(recipe, **options),
    ):
        pass


def test_admin_is_closed_unless_asked_for(recipe: Any) -> None:
    """An agent that shares the port finds no answer key."""
    with start_services(recipe) as services:
        base = services.base_url("crm")
        paths = ["/admin/state", "/admin/initial-state", "/../_evalsim/crm/state"]
        assert [httpx.get(base + path).status_code for path in paths] == [404, 404, 404]
        assert httpx.get(base.replace("/crm", "/_evalsim/faults")).status_code == 404


def test_admin_reads_states_and_faults(tmp_path: Path) -> None:
    """Both addresses of each state, and the faults."""
    handlers = HANDLERS.replace("if any(", "1 / (len(args.name) - 1)\n    if any(")
    recipe = load_fakes(write_recipe(tmp_path, handlers=handlers))
    with start_services(recipe, admin=True) as services:
        base = services.base_url("crm").removesuffix("/crm")
        call(services.url("crm"), "add-deal", {"name": "Zed"})
        call(services.url("crm"), "add-deal", {"name": "Z"})
        now = services.snapshot()["final"]["crm"]

        for prefix in ("/crm/admin", "/_evalsim/crm"):
            assert httpx.get(f"{base}{prefix}/state").json() == now
            assert httpx.get(f"{base}{prefix}/initial-state").json() == services.initial["crm"]
        (fault,) = httpx.get(f"{base}/_evalsim/faults").json()
        assert (fault["kind"], fault["fake"], fault["call"]) == ("exception", "crm", 2)


def test_admin_may_need_a_token(recipe: Any) -> None:
    """Only its bearer reads."""
    with start_services(recipe, admin_token="sesame") as services:
        url = f"{services.base_url('crm')}/admin/state"

        assert httpx.get(url).status_code == 401
        assert httpx.get(url, headers={"authorization": "Bearer no"}).status_code == 401
        assert httpx.get(url, headers={"authorization": "Bearer sesame"}).status_code == 200


def test_only_known_hosts_are_answered(recipe: Any) -> None:
    """A page rebound to this address reads nothing; a name that was allowed does."""
    with start_services(recipe, admin=True, allowed_hosts=["fakes"]) as services:
        state = f"{services.base_url('crm')}/admin/state"
        port = httpx.URL(state).port
        for host, status in (("evil.example", 403), (f"fakes:{port}", 200)):
            assert httpx.get(state, headers={"host": host}).status_code == status
            message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
            answer = httpx.post(
                services.url("crm"), json=message, headers={**HEADERS, "host": host}
            )
            assert answer.status_code == status
        page = {"origin": "https://evil.example"}
        assert httpx.get(state, headers=page).status_code == 403


def test_routes_have_a_slash_form_and_nothing_redirects(recipe: Any) -> None:
    """A client that adds a slash is answered at once."""
    with start_services(recipe) as services:
        url = services.url("crm")

        assert post(f"{url}/", "ping") == post(url, "ping")
        assert httpx.get(url.replace("/crm/mcp", "/health/")).status_code == 404


def test_routes_may_be_mounted_beside_the_fakes(recipe: Any) -> None:
    """A further route is served on the same port."""

    async def hello(_request: Any) -> PlainTextResponse:
        return PlainTextResponse("hello")

    with start_services(recipe, mounts=[Route("/hello", hello)]) as services:
        assert httpx.get(services.url("crm").replace("/crm/mcp", "/hello")).text == "hello"


def test_closing_closes_idle_connections(recipe: Any) -> None:
    """An agent that keeps its connection open does not keep the services open."""
    with start_services(recipe) as services:
        url = httpx.URL(services.url("crm"))
        with socket.create_connection((url.host, url.port or 0), timeout=30) as idle:
            idle.sendall(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert b'{"ok":true}' in idle.recv(4096)

            services.close()

            assert idle.recv(4096) == b""


def test_a_call_in_flight_is_answered_before_closing(tmp_path: Path) -> None:
    """Closing lets the last call end."""
    handlers = HANDLERS.replace("def add_deal", "async def add_deal").replace(
        "if any(", "import asyncio; await asyncio.sleep(0.2)\n    if any("
    )
    recipe = load_fakes(write_recipe(tmp_path, handlers=handlers))
    with start_services(recipe) as services, ThreadPoolExecutor() as pool:
        answer = pool.submit(call, services.url("crm"), "add-deal", {"name": "Zed"})
        while not services.world.calls:
            time.sleep(0.01)
        services.close()

        assert "isError" not in answer.result()


def test_tools_without_an_answer_are_reported_once(
    recipe: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """One line a fake at start, and none at any call."""
    with caplog.at_level(logging.WARNING, "evalsim"), start_services(recipe) as services:
        call(services.url("crm"), "add-deal", {"name": "Zed"})

    assert caplog.messages == [
        "crm: no answer is declared for 1 of its tools: add-deal",
        "light-app: no answer is declared for 1 of its tools: add-deal",
    ]


def test_a_contract_that_is_generated_again_serves_again(tmp_path: Path) -> None:
    """What the stale contract's message asks for is what mends it."""
    fakes = write_recipe(tmp_path)
    folder = fakes / "mcp" / "crm"
    changed = {"tools": [{**tool, "title": "New"} for tool in TOOLS]}
    (folder / "tools.json").write_text(json.dumps(changed))
    write_contract(folder, [str(tool["name"]) for tool in TOOLS])

    with start_services(load_fakes(fakes)) as services:
        assert post(services.url("crm"), "tools/list")["result"] == changed


def test_no_answer_waits_for_its_second_half() -> None:
    """What is accepted sends at once, in whichever loop: a kept connection is not slowed down."""
    with bind("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
