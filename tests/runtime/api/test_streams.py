"""What a handler yields is sent as it comes, and kept when it ends."""

import http.client
import json
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from support.api_fakes import Wire, description, served

DELTA = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}


def streaming(media_type: str, schema: Any = None) -> dict[str, Any]:
    described = {} if schema is None else {"schema": schema}
    return {"get": {"responses": {"200": {"description": "", "content": {media_type: described}}}}}


PATHS = {
    "/events": streaming("text/event-stream", DELTA),
    "/async": streaming("text/event-stream", DELTA),
    "/lines": streaming("application/x-ndjson", DELTA),
    "/chunks": streaming("application/octet-stream"),
    "/breaks": streaming("text/event-stream", DELTA),
    "/raises": streaming("text/event-stream", DELTA),
    "/refuses": streaming("text/event-stream", DELTA),
    "/nothing": streaming("text/event-stream", DELTA),
    "/forever": streaming("text/event-stream", DELTA),
    "/either": {"post": {"responses": {"200": {"description": "", "content": {
        "application/json": {"schema": DELTA}, "text/event-stream": {"schema": DELTA}}}}}},
}  # fmt: skip
HANDLERS = """
import asyncio
from evalsim.api import Event, api_error

@handler("GET /events")
def events(request, state, call):
    state.seen.append("first")
    yield {"n": 1}
    yield Event({"n": 2}, event="delta", id="7")
    state.seen.append("last")
    yield {"n": 3, "next": "https://api.mail.test/v1/events"}
    yield "[DONE]"
@handler("GET /async")
async def later(request, state):
    for n in range(3):
        await asyncio.sleep(0.01)
        yield {"n": n}
@handler("GET /lines")
def lines(request, state):
    yield from ({"n": n} for n in range(2))
@handler("GET /chunks")
def chunks(request, state):
    for n in range(3): yield bytes([n]) * 70_000
@handler("GET /breaks")
def breaks(request, state):
    yield {"n": 1}
    yield {"n": "x"}
@handler("GET /raises")
def raises(request, state):
    raise KeyError("before")
    yield {}
@handler("GET /refuses")
def refuses(request, state):
    api_error(404, "No")
    yield {}
@handler("GET /nothing")
def nothing(request, state):
    return
    yield {}
@handler("GET /forever")
async def forever(request, state):
    try:
        n = 0
        while True:
            yield {"n": n}
            n += 1
            await asyncio.sleep(0.005)
    finally:
        state.seen.append("ended")
@handler("POST /either")
def either(request, state):
    return ({"n": n} for n in range(2))
"""
DOCUMENT = description(PATHS, servers=[{"url": "https://api.mail.test/v1"}])


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Generator[Wire]:
    with served(tmp_path_factory.mktemp("streams"), DOCUMENT, HANDLERS) as running:
        yield running


def test_events_are_sent_as_they_are_yielded(wire: Wire) -> None:
    """JSON, events with a name, and text as it is; links lead back in each."""
    answer = wire("GET", "/events")

    assert "text/event-stream" == answer.headers["content-type"]
    assert (
        'data: {"n":1}\n\nevent: delta\nid: 7\ndata: {"n":2}\n\n'
        f'data: {{"n":3,"next":"{wire.services.base_url("mail")}/events"}}\n\ndata: [DONE]\n\n'
    ) == answer.body.decode()


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/async", b'data: {"n":0}\n\ndata: {"n":1}\n\ndata: {"n":2}\n\n'),
        ("GET", "/lines", b'{"n":0}\n{"n":1}\n'),
        pytest.param(
            "GET", "/chunks", b"\0" * 70_000 + b"\1" * 70_000 + b"\2" * 70_000, id="chunks"
        ),
        ("GET", "/nothing", b""),
        ("POST", "/either", b'data: {"n":0}\n\ndata: {"n":1}\n\n'),
    ],
)
def test_streams_of_other_kinds(wire: Wire, method: str, path: str, body: bytes) -> None:
    """Async ones, JSON lines and bytes."""
    accept = {"Accept": "text/event-stream"} if method == "POST" else {}

    assert body == wire(method, path, headers=accept).body


def test_what_fails_before_the_first_item_is_a_plain_answer(wire: Wire) -> None:
    """A refusal keeps its status, a fault is a 500."""
    count = len(wire.services.faults)

    assert 404 == wire("GET", "/refuses").status
    assert 500 == wire("GET", "/raises").status
    assert ["exception"] == [fault.kind for fault in wire.services.faults[count:]]


def test_what_fails_on_the_way_cuts_the_answer_off(wire: Wire) -> None:
    """Its client can tell, and the fake is at fault."""
    count = len(wire.services.faults)

    with pytest.raises(http.client.IncompleteRead):
        wire("GET", "/breaks")

    assert ["answer"] == [fault.kind for fault in wire.services.faults[count:]]


def test_a_client_that_leaves_ends_the_handler(wire: Wire) -> None:
    """It is asked for nothing more, and what it closes is closed."""
    seen = wire.services.states["mail"].seen
    before = seen.count("ended")
    connection = http.client.HTTPConnection(wire.base.hostname or "", wire.base.port, timeout=10)
    connection.request("GET", f"{wire.base.path}/forever")
    assert connection.getresponse().read(20)
    assert before == seen.count("ended")
    connection.close()
    deadline = time.monotonic() + 10
    while seen.count("ended") == before and time.monotonic() < deadline:
        time.sleep(0.01)

    assert before + 1 == seen.count("ended")


@pytest.mark.parametrize("transactional", [False, True])
def test_a_stream_is_recorded_whole(tmp_path: Path, transactional: bool) -> None:
    """One line, with the state as it is at the end; where calls are undone it is sent whole."""
    record = tmp_path / "calls.jsonl"
    options: dict[str, Any] = {"record": record, "journal": True, "transactional": transactional}
    with served(tmp_path, DOCUMENT, HANDLERS, **options) as wire:
        assert wire("GET", "/events").body.endswith(b"data: [DONE]\n\n")
    (line,) = [json.loads(line) for line in record.read_text().splitlines()]

    assert line["response"]["body"].startswith('data: {"n":1}')
    assert ["first", "last"] == [change["after"] for change in line["changes"]]
