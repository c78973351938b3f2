"""The endpoint at 2026-07-28: the envelope, the headers that repeat the body, and the stamp."""

import orjson
import pytest

from evalsim.types import Json, JsonObject
from support.fake_endpoint import (
    MODERN,
    SERVER,
    TEXT_RESULT,
    TOOLS,
    FakeEndpoint,
    envelope,
    error_of,
    request,
)

STAMP: JsonObject = {
    "resultType": "complete",
    "_meta": {"io.modelcontextprotocol/serverInfo": SERVER},
}
LIST_HEADERS = {"mcp-protocol-version": MODERN, "mcp-method": "tools/list"}


def test_discover_introduces_the_server() -> None:
    """server/discover names the version, the capabilities, the instructions and the server."""
    assert FakeEndpoint().ask_modern("server/discover").json["result"] == {
        "supportedVersions": [MODERN],
        "capabilities": {"tools": {"listChanged": False}},
        "instructions": "Be kind.",
        "ttlMs": 0,
        "cacheScope": "private",
        **STAMP,
    }


def test_the_list_is_served_to_the_byte() -> None:
    """tools/list holds the captured bytes, and says after them how long it keeps."""
    answer = FakeEndpoint().ask_modern("tools/list")

    start = b'{"jsonrpc":"2.0","id":1,"result":{"tools":' + TOOLS + b","
    assert answer.body.startswith(start)
    rest = orjson.loads(b"{" + answer.body[len(start) : -1])
    assert rest == {"ttlMs": 0, "cacheScope": "private", **STAMP}


@pytest.mark.parametrize(
    "result",
    [
        TEXT_RESULT,
        b'{"content":[{"type":"text","text":"\\"_meta\\"","_meta":{"resultType":1.0}}]}',
        b'{"content":[],"structuredContent":{"_meta":null,"resultType":"\\ud800","n":1e2}}',
    ],
)
def test_a_result_is_stamped_after_its_own_bytes(result: bytes) -> None:
    """The bytes of a result stay, whatever they hold below the top."""
    answer = FakeEndpoint(result=result).ask_modern("tools/call", {"name": "echo"})

    start = b'{"jsonrpc":"2.0","id":1,"result":' + result[:-1] + b","
    assert answer.body.startswith(start)
    assert orjson.loads(b"{" + answer.body[len(start) : -1]) == STAMP


def test_an_empty_result_is_stamped() -> None:
    """An object without fields takes the stamp without a stray comma."""
    answer = FakeEndpoint(result=b"{}").ask_modern("tools/call", {"name": "echo"})

    assert answer.json["result"] == STAMP


def test_a_meta_of_the_result_is_kept() -> None:
    """The stamp joins the `_meta` that a result has, and changes nothing else."""
    result = b'{"_meta":{"mine":1},"content":[],"structuredContent":{"n":123456789012345678901}}'

    answer = FakeEndpoint(result=result).ask_modern("tools/call", {"name": "echo"})

    assert answer.json["result"]["_meta"] == {**STAMP["_meta"], "mine": 1}
    assert answer.json["result"]["resultType"] == "complete"
    assert answer.body.count(b'"_meta"') == 1
    assert b'"n":123456789012345678901' in answer.body


@pytest.mark.parametrize(
    "mine",
    [
        {"resultType": "other"},
        {"_meta": {"io.modelcontextprotocol/serverInfo": {"name": "me"}}},
        {"resultType": "other", "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "me"}}},
    ],
)
def test_a_stamp_of_the_result_is_kept(mine: JsonObject) -> None:
    """A result that names its own type or server is believed."""
    answer = FakeEndpoint(result=orjson.dumps(mine)).ask_modern("tools/call", {"name": "echo"})

    assert answer.json["result"] == {**STAMP, **mine}
    assert answer.body.count(b'"resultType"') == 1


def test_the_request_meta_reaches_the_caller() -> None:
    """The envelope is part of the `_meta` that the caller is handed."""
    fake = FakeEndpoint()

    fake.ask_modern("tools/call", {"name": "echo", "arguments": {"n": 1}})

    assert fake.calls == [("echo", {"n": 1}, envelope())]


@pytest.mark.parametrize("method", ["ping", "initialize", "prompts/list", "nope"])
def test_an_unknown_method_is_not_found(method: str) -> None:
    """What the version does not have is answered with 404 too, ping and initialize included."""
    assert error_of(FakeEndpoint().ask_modern(method)) == (404, -32601, "Method not found")


def test_an_unknown_tool_is_a_protocol_error() -> None:
    """A tool that is not listed is answered as in the other era."""
    answer = FakeEndpoint().ask_modern("tools/call", {"name": "nope"})

    assert error_of(answer) == (200, -32602, "Tool nope not found")


@pytest.mark.parametrize(
    ("meta", "problem"),
    [
        ({}, "/protocolVersion, io.modelcontextprotocol/clientCapabilities"),
        (envelope(protocolVersion=None), "/protocolVersion"),
        (
            envelope(protocolVersion=5),
            "/protocolVersion: Invalid input: expected string, received number",
        ),
        (envelope(clientCapabilities=None), "/clientCapabilities: missing"),
        (
            envelope(clientCapabilities=[]),
            "/clientCapabilities: Invalid input: expected object, received array",
        ),
        (
            envelope(clientCapabilities={"roots": True}),
            "/clientCapabilities.roots: Invalid input: expected object, received boolean",
        ),
        (envelope(clientInfo="me"), "/clientInfo: Invalid input: expected object, received string"),
        (
            envelope(clientInfo={"name": "me"}),
            "/clientInfo.version: Invalid input: expected string, received undefined",
        ),
        (
            envelope(clientInfo={"name": {}, "version": "1"}),
            "/clientInfo.name: Invalid input: expected string, received object",
        ),
        (envelope(logLevel="loud"), '"alert"|"emergency"'),
    ],
)
def test_an_incomplete_envelope_is_refused(meta: JsonObject, problem: str) -> None:
    """The envelope names the version and the client's capabilities, in the official SDK's words."""
    answer = FakeEndpoint().send(request("tools/list", {"_meta": meta}), LIST_HEADERS)

    status, code, message = error_of(answer)
    assert (status, code) == (400, -32602)
    assert message.endswith(problem)
    assert answer.json["id"] == 1


@pytest.mark.parametrize("params", [None, {}])
def test_a_missing_envelope_is_refused(params: Json) -> None:
    """A header cannot claim the version alone."""
    answer = FakeEndpoint().send(request("tools/list", params), LIST_HEADERS)

    assert error_of(answer)[:2] == (400, -32602)


def test_an_unknown_version_is_answered_with_the_known_one() -> None:
    """A client of a later version learns which one to speak."""
    body = request("tools/list", {"_meta": envelope(protocolVersion="2030-01-01")})

    answer = FakeEndpoint().send(body, {**LIST_HEADERS, "mcp-protocol-version": "2030-01-01"})

    assert error_of(answer)[:2] == (400, -32022)
    assert answer.json["error"]["data"] == {"supported": [MODERN], "requested": "2030-01-01"}


@pytest.mark.parametrize(
    "headers",
    [
        {"mcp-protocol-version": None},
        {"mcp-protocol-version": "2025-11-25"},
        {"mcp-method": None},
        {"mcp-method": "tools/list"},
        {"mcp-method": "Tools/Call"},
        {"mcp-method": "tools/call, tools/call"},
        {"mcp-name": None},
        {"mcp-name": "mirror"},
        {"mcp-name": "ECHO"},
        {"mcp-name": "=?base64?bWlycm9y?="},
        {"mcp-name": "=?base64?ZWNob===?="},
        {"mcp-name": "=?base64?ZWNobx==?="},
        {"mcp-name": "=?base64?!?="},
    ],
)
def test_headers_that_contradict_the_body_are_refused(headers: dict[str, str | None]) -> None:
    """The headers that a proxy routes by say what the body says."""
    fake = FakeEndpoint()

    answer = fake.ask_modern("tools/call", {"name": "echo"}, headers)

    assert error_of(answer)[:2] == (400, -32020)
    assert "mismatch" in answer.json["error"]["data"]
    assert answer.json["id"] == 1
    assert fake.calls == []


@pytest.mark.parametrize("name", ["echo", " echo\t", "=?base64?ZWNobw==?="])
def test_headers_are_read_as_http_means_them(name: str) -> None:
    """Blanks around a value do not count, and Base64 is decoded."""
    answer = FakeEndpoint().ask_modern("tools/call", {"name": "echo"}, {"mcp-name": name})

    assert answer.status == 200


def test_initialize_does_not_mix_with_the_newer_header() -> None:
    """The handshake is not part of the version that the header names."""
    params: JsonObject = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}}

    answer = FakeEndpoint().ask("initialize", params, {"mcp-protocol-version": MODERN})

    assert error_of(answer)[:2] == (400, -32020)


def test_a_handshake_is_told_by_its_whole_envelope() -> None:
    """A version in `_meta` that is no envelope leaves initialize to the era that has it."""
    params: JsonObject = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "me", "version": "1"},
        "_meta": envelope(clientCapabilities=None),
    }

    answer = FakeEndpoint().ask("initialize", params)

    assert answer.json["result"]["protocolVersion"] == "2025-11-25"


def test_an_envelope_is_judged_before_the_headers() -> None:
    """What the envelope lacks is told first, then what contradicts it, then the version."""
    lacking = request(
        "tools/list", {"_meta": envelope(protocolVersion="2030-01-01", clientCapabilities=None)}
    )
    unknown = request("tools/list", {"_meta": envelope(protocolVersion="2030-01-01")})

    assert error_of(FakeEndpoint().send(lacking, LIST_HEADERS))[1] == -32602
    assert error_of(FakeEndpoint().send(unknown, LIST_HEADERS))[1] == -32020


def test_tasks_and_stray_params_are_not_read() -> None:
    """The version has no tasks, and a parameter without a name says nothing."""
    fake = FakeEndpoint()

    assert fake.ask_modern("tools/call", {"name": "echo", "task": 5}).status == 200
    assert fake.ask_modern("tools/list", {"": "echo"}).status == 200


def test_json_is_answered_whatever_is_accepted() -> None:
    """The era whose official host looks at no Accept header does not refuse one."""
    assert FakeEndpoint().ask_modern("tools/list", headers={"accept": "text/html"}).status == 200


@pytest.mark.parametrize("params", [None, {"_meta": envelope()}])
def test_a_notification_is_held_to_its_method_header(params: Json) -> None:
    """A header that names another method than the body is a mismatch here too."""
    document: JsonObject = {"jsonrpc": "2.0", "method": "notifications/x"}
    body = orjson.dumps(document if params is None else {**document, "params": params})

    assert error_of(FakeEndpoint().send(body, LIST_HEADERS))[:2] == (400, -32020)
