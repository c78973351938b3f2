"""Answers are held to the description, and those that are no success have the API's own shape."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from support.api_fakes import Wire, description, served

NOTE = {
    "type": "object",
    "required": ["id"],
    "properties": {
        "id": {"type": "string", "readOnly": True},
        "text": {"type": "string"},
        "secret": {"type": "string", "writeOnly": True},
    },
}
ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "innerError": {"type": "object"},
            },
        }
    },
}


def json_of(schema: Any) -> dict[str, Any]:
    return {"description": "", "content": {"application/json": {"schema": schema}}}


def get(**responses: Any) -> dict[str, Any]:
    return {"get": {"responses": {key.strip("_"): value for key, value in responses.items()}}}


PATHS = {
    "/note": get(_200=json_of(NOTE), _4XX=json_of(ERROR)),
    "/leak": get(_200=json_of(NOTE)),
    "/wrong": get(_200=json_of(NOTE), default=json_of({"type": "object", "properties": {
        "status": {"type": "integer"}, "title": {"type": "string"}}})),
    "/raises": get(_200=json_of(NOTE)),
    "/created": get(_201=json_of(NOTE), _200=json_of({})),
    "/range": get(_2XX=json_of(NOTE)),
    "/empty": get(_204={"description": ""}),
    "/full": get(_204={"description": ""}),
    "/status": get(_200=json_of(NOTE)),
    "/told": get(_200=json_of(NOTE), _404=json_of(ERROR), _429={"description": ""}),
    "/header": get(_200={**json_of(NOTE), "headers": {
        "X-Left": {"required": True, "schema": {"type": "integer"}}}}),
    "/choose": get(_200={"description": "", "content": {
        "application/json": {"schema": NOTE}, "text/csv": {"schema": {"type": "string"}},
        "image/*": {}}}),
    "/download": get(_200={"description": "", "content": {"application/octet-stream": {}}}),
    "/unknown": {"get": {"responses": {}}},
    "/todo": get(_200=json_of(NOTE)),
    "/model": get(_200=json_of(NOTE)),
    "/slow": get(_200=json_of(NOTE)),
}  # fmt: skip
HANDLERS = """
import asyncio
from evalsim.api import ApiError, File, Model, Reply, api_error, not_implemented

class Note(Model):
    id: str
    text: str | None = None

@handler("GET /note")
def note(request, state): return {"id": "1"}
@handler("GET /leak")
def leak(request, state): return {"id": "1", "secret": "s"}
@handler("GET /wrong")
def wrong(request, state): return {"id": 1}
@handler("GET /raises")
def raises(request, state):
    state.seen.append("half")
    raise KeyError("secret place")
@handler("GET /created")
def created(request, state): return Reply({"id": "1"}, status=201, headers={"Location": "/x"})
@handler("GET /range")
def range_(request, state): return {"id": "1"}
@handler("GET /empty")
def empty(request, state): return None
@handler("GET /full")
def full(request, state): return {"id": "1"}
@handler("GET /status")
def status(request, state): return Reply({"id": "1"}, status=299)
@handler("GET /told")
def told(request, state, call):
    kind = call.headers["x-kind"]
    if kind == "own": raise ApiError(404, body={"error": {"code": "gone", "message": "Own"}})
    if kind == "bad": raise ApiError(404, body={"nope": 1})
    if kind == "loose": raise ApiError(418, body={"nope": 1})
    if kind == "wait": api_error(429, headers={"Retry-After": "7"})
    api_error(404, "Not here")
@handler("GET /header")
def header(request, state, call):
    return Reply({"id": "1"}, headers={"X-Left": "3"} if "x-kind" in call.headers else {})
@handler("GET /choose")
def choose(request, state, call):
    if call.headers["accept"] == "text/csv": return "a,b"
    if call.headers["accept"] == "image/png": return File(b"png", content_type="image/png")
    return {"id": "1"}
@handler("GET /download")
def download(request, state): return b"\\x00\\xff"
@handler("GET /unknown")
def unknown(request, state): return {"any": 1}
@handler("GET /todo")
def todo(request, state): not_implemented("GET /todo")
@handler("GET /model")
def model(request, state): return Note(id="1")
@handler("GET /slow")
async def slow(request, state): await asyncio.sleep(9)
"""


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Generator[Wire]:
    folder = tmp_path_factory.mktemp("answers")
    with served(folder, description(PATHS), HANDLERS, handler_timeout=0.2) as running:
        yield running


@pytest.mark.parametrize(
    ("path", "status", "value"),
    [
        ("/note", 200, {"id": "1"}),
        ("/model", 200, {"id": "1"}),
        ("/created", 201, {"id": "1"}),
        ("/range", 200, {"id": "1"}),
        ("/unknown", 200, {"any": 1}),
    ],
)
def test_an_answer_as_described_is_sent(wire: Wire, path: str, status: int, value: Any) -> None:
    """JSON or a model, at the success status or at its own."""
    answer = wire("GET", path)

    assert (status, value) == (answer.status, answer.json)
    assert "application/json" == answer.headers["content-type"]


@pytest.mark.parametrize(
    ("path", "kind", "told"),
    [
        ("/leak", "answer", "data/secret"),
        ("/wrong", "answer", "data/id must be string"),
        ("/raises", "exception", "KeyError"),
        ("/full", "answer", "described without a body"),
        ("/status", "answer", "the status 299 is not described"),
        ("/header", "answer", "the header X-Left is required"),
        ("/slow", "timeout", "took longer"),
    ],
)
def test_what_the_fake_does_wrong_is_a_fault_and_a_500(
    wire: Wire, path: str, kind: str, told: str
) -> None:
    """Its caller learns nothing of it; the fault names the line."""
    count = len(wire.services.faults)

    answer = wire("GET", path)

    (fault,) = wire.services.faults[count:]
    assert (500, kind) == (answer.status, fault.kind)
    assert told in fault.message
    assert "fakes/api/mail/handlers.py:" in fault.where
    assert b"secret" not in answer.body


def test_errors_have_the_shape_that_is_described(wire: Wire) -> None:
    """That of the operation's own status, else the one that most operations have."""
    assert {"error": {"code": "not_found", "message": "Not here"}} == wire(
        "GET", "/told", headers={"X-Kind": ""}
    ).json
    assert {"status": 500, "title": "Internal server error"} == wire("GET", "/wrong").json
    assert {"error": {"code": "bad_request", "message": "Unknown query parameter 'x'"}} == wire(
        "GET", "/note?x=1"
    ).json
    assert {"error": {"code": "not_found", "message": "There is no such address"}} == wire(
        "GET", "/nope"
    ).json


def test_a_handler_may_write_its_own_errors(wire: Wire) -> None:
    """They are held to what is described of their status, where anything is."""
    own = wire("GET", "/told", headers={"X-Kind": "own"})
    wait = wire("GET", "/told", headers={"X-Kind": "wait"})

    assert (404, {"error": {"code": "gone", "message": "Own"}}) == (own.status, own.json)
    assert 500 == wire("GET", "/told", headers={"X-Kind": "bad"}).status
    assert (418, {"nope": 1}) == (
        (loose := wire("GET", "/told", headers={"X-Kind": "loose"})).status,
        loose.json,
    )
    assert (429, "7") == (wait.status, wait.headers["retry-after"])


def test_what_is_not_implemented_is_a_501_that_names_it(wire: Wire) -> None:
    """So it is told apart from what the API does not have."""
    answer = wire("GET", "/todo")

    assert 501 == answer.status
    assert "This fake does not implement GET /todo." == answer.json["error"]["message"]


@pytest.mark.parametrize(
    ("accept", "status", "media_type", "body"),
    [
        ("*/*", 200, "application/json", b'{"id":"1"}'),
        ("text/csv;q=0.5, application/json", 200, "application/json", b'{"id":"1"}'),
        ("text/csv", 200, "text/csv", b"a,b"),
        ("image/png", 200, "image/png", b"png"),
        ("video/mp4", 406, "application/json", None),
        ("application/*", 200, "application/json", b'{"id":"1"}'),
    ],
)
def test_the_media_type_is_one_that_the_client_takes(
    wire: Wire, accept: str, status: int, media_type: str, body: bytes | None
) -> None:
    """Of those described, the one that the value can be written in; none is a 406."""
    answer = wire("GET", "/choose", headers={"Accept": accept})

    assert (status, media_type) == (answer.status, answer.headers["content-type"])
    if body is not None:
        assert body == answer.body


def test_bytes_and_nothing_at_all(wire: Wire) -> None:
    """A download is its bytes; a 204 has neither body nor length."""
    download, empty = wire("GET", "/download"), wire("GET", "/empty")

    assert (b"\x00\xff", "application/octet-stream") == (
        download.body,
        download.headers["content-type"],
    )
    assert (204, b"", None) == (empty.status, empty.body, empty.headers.get("content-length"))
    assert "3" == wire("GET", "/header", headers={"X-Kind": "1"}).headers["x-left"]


HOOKS = """
from evalsim.api import Reply, credentials, error_body

@error_body
def told(problem):
    status = 200 if problem.status == 404 else None
    return Reply({"ok": False, "error": problem.kind}, status=status)

@credentials
def known(state):
    return state.tokens

@handler("GET /a")
def a(request, state): return {}
@handler("GET /basic")
def basic(request, state): return {}
@handler("GET /open")
def open_(request, state): return {}
@handler("GET /key")
def key(request, state): return {}
"""
SECURE = description(
    {
        "/a": {"get": {}},
        "/basic": {"get": {"security": [{"basic": []}, {"header": []}]}},
        "/open": {"get": {"security": [{}]}},
        "/key": {"get": {"security": [{"query": []}]}},
    },
    security=[{"bearer": []}],
    components={
        "securitySchemes": {
            "bearer": {"type": "http", "scheme": "bearer"},
            "basic": {"type": "http", "scheme": "basic"},
            "header": {"type": "apiKey", "in": "header", "name": "X-Key"},
            "query": {"type": "apiKey", "in": "query", "name": "api_key"},
        }
    },
)


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Generator[Wire]:
    state = {"tokens": ["good", "me:pass"]}
    folder = tmp_path_factory.mktemp("secure")
    with served(folder, SECURE, HOOKS, state=state) as running:
        yield running


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/a", {}, 401),
        ("/a", {"Authorization": "Bearer good"}, 200),
        ("/a", {"Authorization": "bearer  good"}, 200),
        ("/a", {"Authorization": "Bearer bad"}, 401),
        ("/a", {"Authorization": "Bearer "}, 401),
        ("/a", {"Authorization": "Basic good"}, 401),
        ("/basic", {"Authorization": "Basic bWU6cGFzcw=="}, 200),
        ("/basic", {"Authorization": "Basic bWU6b3RoZXI="}, 401),
        ("/basic", {"Authorization": "Basic ???"}, 401),
        ("/basic", {"X-Key": "good"}, 200),
        ("/open", {}, 200),
        ("/key?api_key=good", {}, 200),
        ("/key?api_key=bad", {}, 401),
        ("/key", {}, 401),
    ],
)
def test_a_request_shows_who_sends_it(
    secure: Wire, path: str, headers: dict[str, str], status: int
) -> None:
    """The shape of what is shown is checked, and its value where the world lists those it knows."""
    answer = secure("GET", path, headers=headers)

    assert status == answer.status, answer.body
    if status == 401:
        assert {"ok": False, "error": "security"} == answer.json
        assert answer.headers["www-authenticate"].startswith(("Bearer", "Basic"))


def test_a_fake_may_say_what_its_errors_look_like(secure: Wire) -> None:
    """Some APIs answer errors with 200, and that is theirs to say."""
    assert (200, {"ok": False, "error": "not_found"}) == (
        (answer := secure("GET", "/nope")).status,
        answer.json,
    )


def test_security_may_be_left_aside(tmp_path: Path) -> None:
    """Where the manifest says so, nothing has to be shown."""
    manifest = {"strictness": {"security": "ignore"}}
    with served(tmp_path, SECURE, HOOKS, manifest=manifest) as wire:
        assert 200 == wire("GET", "/a").status


def test_a_fault_is_undone_where_calls_are_whole(tmp_path: Path) -> None:
    """As for tools: the state is put back, and the record says so."""
    record = tmp_path / "calls.jsonl"
    options = {"transactional": True, "record": record, "journal": True}
    with served(tmp_path, description(PATHS), HANDLERS, **options) as wire:
        assert 500 == wire("GET", "/raises").status
        assert [] == wire.services.states["mail"].seen
        assert frozenset() == wire.services.faulty
    (line,) = [json.loads(line) for line in record.read_text().splitlines()]

    assert (500, True, []) == (
        line["response"]["status"],
        line["fault"]["undone"],
        line["changes"],
    )
    assert "GET /raises" == line["fault"]["tool"]


def test_what_lets_a_request_in_is_not_in_the_record(tmp_path: Path) -> None:
    """Neither a bearer's token, nor a key in a header or in the query."""
    record = tmp_path / "calls.jsonl"
    with served(tmp_path, SECURE, HOOKS, state={"tokens": ["s3cret"]}, record=record) as wire:
        assert 200 == wire("GET", "/a", headers={"Authorization": "Bearer s3cret"}).status
        assert 200 == wire("GET", "/basic", headers={"X-Key": "s3cret"}).status
        assert 200 == wire("GET", "/key?api_key=s3cret").status

    assert "s3cret" not in record.read_text()
    assert 3 == record.read_text().count("***")
