"""Handlers that misbehave: the caller reads the protocol's error, the fake's author everything."""

import json
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from evalsim.errors import EvalsimError
from evalsim.host import Services, load_fakes, start_services
from evalsim.hosting.watchdog import STUCK
from support.calling import HEADERS, call, text_of
from support.fakes import ADD_DEAL, CLOCK, HANDLERS, LIST_DEALS, MODELS, write_recipe
from support.sidecar import serving

NESTED = {"$ref": "#/$defs/nested"}
SCHEMA = {
    "type": "object",
    "properties": {"id": {"type": "string"}},
    "additionalProperties": NESTED,
    "$defs": {"nested": {"items": NESTED, "additionalProperties": NESTED}},
}
DECLARED = {"act": {"format": "json", "schema": SCHEMA}}
ACT = {
    "name": "act",
    "inputSchema": {
        "type": "object",
        "properties": {"tags": {"type": "array", "default": ["a"]}},
    },
}
ACT_MODELS = MODELS + "\nclass ActArgs(Model):\n    tags: list[Any]\n"
HEAD = (
    "import asyncio\nfrom evalsim.mcp import *\nfrom pydantic import BaseModel, model_serializer\n"
)
HELPERS = """
class Unsayable(Exception):
    def __str__(self):
        raise ValueError("secret")

class Unwritable(BaseModel):
    @model_serializer
    def write(self):
        raise KeyError("secret")

class Aside(BaseException):
    pass

def cycle():
    value = {"secret": []}
    value["secret"].append(value)
    return value

def deep(levels):
    value = []
    for _ in range(levels):
        value = [value]
    return {"secret": value}
"""
ASYNC = "async def act(args, state, call)"
SYNC = "def act(args, state, call)"
FAILED = "Error executing tool act"
BROKEN = "Output validation error: Invalid structured content for tool act"


def recipe(tmp_path: Path, body: str, head: str = SYNC, answers: Any = None, **fake: Any) -> Any:
    """A Recipe of one fake with the tool `act`, which does `body`, and two that behave."""
    act = f'\n@handler("act")\n{head}:\n    {body}\n'
    return load_fakes(
        write_recipe(
            tmp_path,
            tools=[LIST_DEALS, ADD_DEAL, ACT],
            models=ACT_MODELS,
            handlers=HEAD + HANDLERS + HELPERS + act,
            answers=answers,
            settings={"limits": {"deals": 3}},
            **fake,
        )
    )


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def read(services: Services, path: str) -> httpx.Response:
    return httpx.get(services.base_url("crm").removesuffix("/crm") + path)


RAISING = {
    "an exception": ("raise KeyError('secret')", SYNC),
    "one that cannot say what it is": ("raise Unsayable", SYNC),
    "half a character": (r"raise ValueError('secret \ud800')", SYNC),
    "an interrupt": ("raise KeyboardInterrupt('secret')", SYNC),
    "an interrupt, later": ("await asyncio.sleep(0); raise KeyboardInterrupt('secret')", ASYNC),
    "a closed generator": ("raise GeneratorExit('secret')", SYNC),
    "an exit": ("raise SystemExit('secret')", SYNC),
    "an exit, later": ("await asyncio.sleep(0); raise SystemExit('secret')", ASYNC),
    "no Exception": ("raise Aside('secret')", SYNC),
    "no Exception, later": ("raise Aside('secret')", ASYNC),
    "a cancellation": ("raise asyncio.CancelledError('secret')", SYNC),
    "the end of an iterator": ("raise StopIteration('secret')", SYNC),
    "too much recursion": ("deep = lambda: deep(); deep()", SYNC),
}
WRONG = {
    "nothing": ("return None", SYNC, f"{BROKEN}: data must be object"),
    "another shape": ("return {'id': 1}", SYNC, f"{BROKEN}: data/id must be string"),
    "no JSON": ("return {'id': object()}", SYNC, BROKEN),
    "a generator": ("yield {}", ASYNC, BROKEN),
    "NaN": ("return {'n': float('nan')}", SYNC, BROKEN),
    "an infinity, deep": ("return {'n': [{'n': float('-inf')}]}", SYNC, BROKEN),
    "half a character": (r"return {'id': '\ud800'}", SYNC, BROKEN),
    "half a character in a key": (r"return {'\ud800': 'a'}", SYNC, BROKEN),
    "half a character of text": (r"return text('\ud800', is_error=True)", SYNC, BROKEN),
    "half a character of a refusal": (r"raise ToolError('\ud800')", SYNC, BROKEN),
    "a text that is none": ("return text(3, is_error=True)", SYNC, BROKEN),
    "a refusal that is no text": ("raise ToolError(['secret'])", SYNC, BROKEN),
    "blocks that are none": ("return content([{'type': 'secret'}])", SYNC, BROKEN),
    "a cycle": ("return cycle()", SYNC, BROKEN),
    "100,000 levels": ("return deep(100_000)", SYNC, BROKEN),
    "300 levels": ("return deep(300)", SYNC, BROKEN),
    "a model that cannot be written": ("return Unwritable()", SYNC, BROKEN),
    "50 MB": ("return {'secret': 'x' * 50_000_000}", SYNC, FAILED),
}


def check_misbehaviour(services: Services, record: Path, told: str, kind: str) -> None:
    """One call of `act` that the fake fails in, seen from every side."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "act"}}
    answer = httpx.post(services.url("crm"), json=message, headers=HEADERS)
    result = answer.json()["result"]
    (fault,) = services.faults

    assert (answer.status_code, answer.json()["id"]) == (200, 1)
    assert result == {"content": [{"type": "text", "text": told}], "isError": True}
    assert (fault.kind, fault.fake, fault.tool, fault.call) == (kind, "crm", "act", 1)
    assert fault.message
    (line,) = lines(record)
    assert line == {
        "server": "crm",
        "tool": "act",
        "args": {},
        "result": result,
        "changes": [],
        "fault": fault.as_json(),
    }
    assert read(services, "/_evalsim/faults").json() == [fault.as_json()]
    # And the fake goes on
    deals = call(services.url("crm"), "list-deals")["structuredContent"]["deals"]
    assert [deal["name"] for deal in deals] == ["Acme"]
    assert services.snapshot()["final"] == services.initial


@pytest.mark.parametrize(("body", "head"), RAISING.values(), ids=list(RAISING))
def test_whatever_is_raised_is_a_fault(
    tmp_path: Path, body: str, head: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The caller learns that the tool failed; its author reads the line that raised in the log."""
    record = tmp_path / "calls.jsonl"
    options: Any = {"clock": CLOCK, "record": record, "journal": True, "admin": True}
    with start_services(recipe(tmp_path, body, head), **options) as services:
        check_misbehaviour(services, record, FAILED, "exception")
        assert "handlers.py" in services.faults[0].traceback
        where = services.faults[0].where
        written = (tmp_path / "fakes/mcp/crm/handlers.py").read_text().splitlines()
        raising = written[int(where.removeprefix("fakes/mcp/crm/handlers.py:")) - 1]
        assert re.search("raise |deep()", raising)
        assert caplog.records[-1].getMessage().endswith(f" ({where})")
        assert services.faulty == {"crm"}


@pytest.mark.parametrize(("body", "head", "told"), WRONG.values(), ids=list(WRONG))
def test_whatever_is_returned_is_held_to_the_contract(
    tmp_path: Path, body: str, head: str, told: str
) -> None:
    """What the answer is not, or JSON cannot carry, is never sent."""
    record = tmp_path / "calls.jsonl"
    options: Any = {"clock": CLOCK, "record": record, "journal": True, "admin": True}
    with start_services(recipe(tmp_path, body, head, DECLARED), **options) as services:
        check_misbehaviour(services, record, told, "answer")


@pytest.mark.parametrize(
    "name", ["NaN", "a cycle", "100,000 levels", "50 MB", "no JSON", "a generator"]
)
def test_an_undeclared_answer_is_json_all_the_same(tmp_path: Path, name: str) -> None:
    """Where no schema says what is wrong, what JSON cannot carry still is."""
    body, head, told = WRONG[name]
    record = tmp_path / "calls.jsonl"
    options: Any = {"clock": CLOCK, "record": record, "journal": True, "admin": True}
    with start_services(recipe(tmp_path, body, head), **options) as services:
        check_misbehaviour(services, record, told, "answer")


def test_nothing_of_a_fault_is_where_the_agent_reads(tmp_path: Path) -> None:
    """Without admin no route shows it; only the record, which lies with its author, does."""
    record = tmp_path / "calls.jsonl"
    with start_services(recipe(tmp_path, "return {}['secret']"), record=record) as services:
        result = call(services.url("crm"), "act")
        (fault,) = services.faults
        base = services.root
        paths = ["/health", "/_evalsim/faults", "/crm/admin/state", "/crm/mcp", "/"]
        said = [httpx.get(base + path).text for path in paths]
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        said.append(httpx.post(services.url("crm"), json=message, headers=HEADERS).text)

    told = {"server": "crm", "tool": "act", "args": {}, "result": result}
    assert lines(record) == [{**told, "fault": fault.as_json()}]
    for text in [*said, json.dumps(result)]:
        for hint in ("secret", "Traceback", "handlers", str(tmp_path), "KeyError", "evalsim"):
            assert hint not in text


SLOW = {
    "waiting": "await asyncio.sleep(600)",
    "waiting for what never comes": "await asyncio.Future()",
    "deaf to being cancelled once": (
        "try:\n        await asyncio.sleep(600)\n"
        "    except asyncio.CancelledError:\n        await asyncio.sleep(600)"
    ),
    "deaf to being cancelled at all": (
        "while True:\n        try: await asyncio.sleep(600)\n"
        "        except asyncio.CancelledError: pass"
    ),
}


@pytest.mark.parametrize("body", SLOW.values(), ids=list(SLOW))
def test_an_async_handler_is_ended_in_time(tmp_path: Path, body: str) -> None:
    """Its caller is answered whether or not it listens."""
    record = tmp_path / "calls.jsonl"
    options: Any = {"record": record, "journal": True, "admin": True, "handler_timeout": 0.2}
    with start_services(recipe(tmp_path, body, ASYNC), **options) as services:
        check_misbehaviour(services, record, FAILED, "timeout")
        assert services.faulty == {"crm"}


def test_a_sync_handler_that_never_returns_ends_serve(tmp_path: Path) -> None:
    """The watchdog says where it hangs; what was answered before is whole on disk."""
    recipe(tmp_path, "while True: pass")
    flags = ["--port", "0", "--handler-timeout", "1", "--record", "r.jsonl", "--state-file", "s"]
    with serving(flags, tmp_path) as (urls, child):
        call(urls["crm"], "add-deal", {"name": "Zed"})
        with pytest.raises(httpx.RemoteProtocolError):
            call(urls["crm"], "act", timeout=60)
        assert child.wait(60) == STUCK
        assert child.stderr is not None
        report = child.stderr.read()

    assert "a handler has not returned for 1 s" in report
    assert "handlers.py" in report
    assert [line["tool"] for line in lines(tmp_path / "r.jsonl")] == ["add-deal"]
    state = json.loads((tmp_path / "s").read_bytes())
    assert [deal["name"] for deal in state["crm"]["deals"]] == ["Acme", "Zed"]


def test_what_a_handler_does_to_its_arguments_is_its_own(tmp_path: Path) -> None:
    """Neither the record, nor a default, nor the settings of a later call know of it."""
    body = (
        "seen = [list(args.tags), dict(call.settings['limits'])]\n    args.tags.append('b')\n"
        "    call.settings['limits']['deals'] += 1\n    return seen"
    )
    record = tmp_path / "calls.jsonl"
    with start_services(recipe(tmp_path, body), record=record) as services:
        seen = [json.loads(text_of(call(services.url("crm"), "act"))) for _ in range(2)]

    assert seen == [[["a"], {"deals": 3}]] * 2
    assert [line["args"] for line in lines(record)] == [{}, {}]


HALF = "state.deals[0].name = 'Half'; state.deals.append(state.deals[0]); "
ENDS = {
    "raising": (HALF + "{}['secret']", SYNC, "exception"),
    "raising later": (HALF + "await asyncio.sleep(0); {}['secret']", ASYNC, "exception"),
    "taking too long": (HALF + "await asyncio.sleep(600)", ASYNC, "timeout"),
    "an answer outside the contract": (HALF + "return {'id': 1}", SYNC, "answer"),
    "a state that cannot be written": ("state.deals.append(3); return {}", SYNC, "state"),
}


@pytest.mark.parametrize(("body", "head", "kind"), ENDS.values(), ids=list(ENDS))
def test_a_transaction_leaves_no_trace(tmp_path: Path, body: str, head: str, kind: str) -> None:
    """State, file and journal are as before the call; the fault says that it was undone."""
    files = {"record": tmp_path / "calls.jsonl", "state_file": tmp_path / "state.json"}
    options: Any = {**files, "journal": True, "transactional": True, "handler_timeout": 0.2}
    with start_services(recipe(tmp_path, body, head, DECLARED), **options) as services:
        call(services.url("crm"), "add-deal", {"name": "Zed"})
        before = services.snapshot()
        kept = files["state_file"].read_bytes()
        result = call(services.url("crm"), "act")

        assert result["isError"] is True
        assert services.snapshot() == before
        assert files["state_file"].read_bytes() == kept
        (fault,) = services.faults
        assert (fault.kind, fault.undone, fault.call) == (kind, True, 2)
        assert services.faulty == frozenset()
        call(services.url("crm"), "add-deal", {"name": "Yan"})
        assert [deal.name for deal in services.states["crm"].deals] == ["Acme", "Zed", "Yan"]
    added, failed, again = lines(files["record"])
    assert failed["changes"] == []
    assert failed["fault"]["undone"] is True
    for line, place in ((added, 1), (again, 2)):
        (change,) = line["changes"]
        assert change == {"entity": "deals", "record": change["after"]["id"], **change}
        assert change["after"] == services.snapshot()["final"]["crm"]["deals"][place]
        assert "fault" not in line


def test_half_a_change_stays_and_is_marked_without_a_transaction(tmp_path: Path) -> None:
    """The world says which fake a verdict cannot trust, and the journal what was changed."""
    record = tmp_path / "calls.jsonl"
    body = "state.deals[0].name = 'Half'; {}['secret']"
    with start_services(recipe(tmp_path, body), record=record, journal=True) as services:
        assert services.faulty == frozenset()
        call(services.url("crm"), "act")

        assert services.states["crm"].deals[0].name == "Half"
        assert services.faulty == services.world.faulty == {"crm"}
        assert services.faults[0].undone is False
    assert lines(record)[0]["changes"] == [
        {"entity": "deals", "record": "acme", "field": "name", "before": "Acme", "after": "Half"}
    ]


def test_a_refusal_undoes_nothing(tmp_path: Path) -> None:
    """A handler that refuses after the effect means it so."""
    body = "state.deals.clear(); raise ToolError('Sent, but not confirmed.')"
    with start_services(recipe(tmp_path, body), transactional=True) as services:
        assert text_of(call(services.url("crm"), "act")) == "Sent, but not confirmed."
        assert services.states["crm"].deals == []
        assert services.faults == []


def test_a_call_cancelled_by_closing_is_undone(tmp_path: Path) -> None:
    """What the services do not wait for leaves no half change either."""
    body = HALF + "await asyncio.sleep(600)"
    services = start_services(recipe(tmp_path, body, ASYNC), transactional=True)
    with services, ThreadPoolExecutor() as pool:
        answer = pool.submit(call, services.url("crm"), "act")
        while services.states["crm"].deals[0].name != "Half":
            time.sleep(0.01)
        services.close()
        assert "503 Service Unavailable" in str(answer.exception())

    assert services.snapshot()["final"] == services.initial


WAITS = (
    "size = len(state.deals)\n    state.deals[0].name = 'Half'\n"
    "    while len(state.deals) == size: await asyncio.sleep(0.01)\n    {}['secret']"
)


def overlapping(services: Services) -> tuple[Any, Any]:
    """The results of `act`, which waits for another deal, and of the call that adds one."""
    with ThreadPoolExecutor() as pool:
        acting = pool.submit(call, services.url("crm"), "act", timeout=60)
        while not services.world.calls:
            time.sleep(0.01)
        added = call(services.url("crm"), "add-deal", {"name": "Zed"}, timeout=60)
        return acting.result(), added


def test_a_handler_that_waits_while_another_call_writes(tmp_path: Path) -> None:
    """Each call is answered for itself, and what the other one wrote stays."""
    with start_services(recipe(tmp_path, WAITS, ASYNC)) as services:
        failed, added = overlapping(services)

        assert text_of(failed) == FAILED
        assert "isError" not in added
        assert [deal.name for deal in services.states["crm"].deals] == ["Half", "Zed"]
        assert [fault.call for fault in services.faults] == [1]


def test_transactions_of_one_fake_take_turns(tmp_path: Path) -> None:
    """So undoing one call never undoes another."""
    options: Any = {"transactional": True, "handler_timeout": 0.5}
    with start_services(recipe(tmp_path, WAITS, ASYNC), **options) as services:
        failed, added = overlapping(services)

        assert text_of(failed) == FAILED
        assert "isError" not in added
        assert [deal.name for deal in services.states["crm"].deals] == ["Acme", "Zed"]
        assert [fault.kind for fault in services.faults] == ["timeout"]


SPOILING = {
    "NaN": ("state.deals[0].amount = float('nan')", "deals.0.amount: the value is not a finite"),
    "a text for a number": ("state.deals[0].amount = 'much'", "deals.0.amount: .*Expected `float`"),
    "no JSON": ("state.deals[0].extra['a'] = object()", "deals.0.extra.a: "),
    "a record of no type": ("state.deals.append(object())", "deals.1: "),
    "half a character": (r"state.deals[0].name = '\ud800'", "deals.0.name: "),
    "itself": ("state.deals[0].extra['a'] = state.deals", "deals.0.extra.a: "),
}
SPOILT = """
from typing import Any
from pydantic import BaseModel

class Deal(BaseModel):
    id: str
    name: str
    amount: float = 1.5
    extra: dict[str, Any] = {}

class State(BaseModel):
    deals: list[Deal] = []
"""


@pytest.mark.parametrize(("body", "place"), SPOILING.values(), ids=list(SPOILING))
def test_a_state_that_cannot_be_kept_is_blamed_on_whom_it_was(
    tmp_path: Path, body: str, place: str
) -> None:
    """Entity, place and handler are named; what only reads is answered; what is mended goes on."""
    files = {"record": tmp_path / "calls.jsonl", "state_file": tmp_path / "state.json"}
    tools = {name: {"kind": "stateful", "reads": ["deals"]} for name in ("list-deals", "act")}
    tools["add-deal"] = {"kind": "stateful", "writes": ["deals"]}
    server = {"name": "crm", "version": "1.0.0"}
    manifest = {"server": server, "entities": {"deals": "Deals."}, "tools": tools}
    fakes = recipe(tmp_path, f"{body}; return {{}}", entities=SPOILT, manifest=manifest)
    with start_services(fakes, clock=CLOCK, **files) as services:
        url = services.url("crm")
        kept = files["state_file"].read_bytes()
        told = [text_of(call(url, name, {"name": "Zed"})) for name in ("act", "add-deal")]
        call(url, "list-deals", {"limit": 0})
        first, second = (fault for fault in services.faults if fault.kind == "state")

        assert told == ["Error executing tool act", "Error executing tool add-deal"]
        assert re.search(rf"crm: the state cannot be written: {place}", first.message)
        assert re.fullmatch(r"fakes/mcp/crm/handlers\.py:\d+", first.where)
        assert (first.call, second.call, second.where) == (1, 2, first.where)
        assert second.message == f"{first.message}, since call 1 of act"
        assert files["state_file"].read_bytes() == kept
        services.states["crm"].deals.clear()
        assert "isError" not in call(url, "add-deal", {"name": "Yan"})
    answers = lines(files["record"])
    assert [line.get("fault", {}).get("call") for line in answers] == [1, 2, None, None]
    assert answers[2]["result"]["structuredContent"] == {"deals": []}
    (deal,) = json.loads(files["state_file"].read_bytes())["crm"]["deals"]
    assert deal["name"] == "Yan"


def test_a_state_that_cannot_be_put_back_is_said(tmp_path: Path) -> None:
    """Where the state before was written but is not what its type says, the fake is faulty."""
    entities = SPOILT.replace("amount: float = 1.5", "amount: float = Field(1.5, ge=0)")
    entities = entities.replace("import BaseModel", "import BaseModel, Field")
    body = (
        "state.deals[0].amount -= 9\n    if state.deals[0].amount < -9: {}['secret']\n    return {}"
    )
    fakes = recipe(tmp_path, body, entities=entities)
    with start_services(fakes, transactional=True) as services:
        assert "isError" not in call(services.url("crm"), "act")
        assert text_of(call(services.url("crm"), "act")) == FAILED

        (fault,) = services.faults
        assert (
            "KeyError: 'secret'; and the state before could not be put back: crm" in fault.message
        )
        assert (fault.undone, services.faulty) == (False, {"crm"})


def test_a_transaction_does_not_start_from_a_broken_state(tmp_path: Path) -> None:
    """A state that a test spoiled could not be put back, so the call is not run."""
    with start_services(recipe(tmp_path, "return {}"), transactional=True) as services:
        services.states["crm"].deals.append(3)

        assert text_of(call(services.url("crm"), "act")) == FAILED
        assert [fault.kind for fault in services.faults] == ["state"]


def test_a_journal_without_a_record_is_refused(tmp_path: Path) -> None:
    """There is nowhere to keep it."""
    with pytest.raises(EvalsimError, match="A journal is kept in the record"):
        start_services(recipe(tmp_path, "return {}"), journal=True)


def test_no_thread_is_left_by_what_misbehaved(tmp_path: Path) -> None:
    """Handlers that were ended leave the services as closable as any."""
    before = threading.active_count()
    with start_services(recipe(tmp_path, SLOW["waiting"], ASYNC), handler_timeout=0.1) as services:
        call(services.url("crm"), "act")

    assert threading.active_count() == before
