"""JSON-RPC batches: served in the one revision that has them, refused in every other."""

import orjson
import pytest

from evalsim.protocol.errors import ProtocolError
from evalsim.protocol.introductions import Identity
from evalsim.types import Json, JsonObject
from support.asgi import Answer
from support.fake_endpoint import LEGACY, MODERN, SERVER, FakeEndpoint, envelope, error_of

BATCHING = "2025-03-26"


def message(method: str, request_id: Json = None, params: JsonObject | None = None) -> JsonObject:
    """A request, or a notification without an id."""
    document: JsonObject = {"jsonrpc": "2.0", "method": method}
    if request_id is not None:
        document["id"] = request_id
    return document if params is None else {**document, "params": params}


def call(request_id: Json, tool: str = "echo") -> JsonObject:
    """A call of a tool."""
    return message("tools/call", request_id, {"name": tool})


NOTIFICATION = message("notifications/initialized")
RESPONSE: JsonObject = {"jsonrpc": "2.0", "id": 1, "result": {}}


def send(fake: FakeEndpoint, batch: list[Json], version: str | None = BATCHING) -> Answer:
    """Post a batch under a version header, or without one."""
    headers = {} if version is None else {"mcp-protocol-version": version}
    return fake.send(orjson.dumps(batch), headers)


@pytest.mark.parametrize("version", [BATCHING, None])
def test_each_request_of_a_batch_is_answered(version: str | None) -> None:
    """The answer is an array with one response for each request, in order, and none for others."""
    fake = FakeEndpoint()
    batch = [message("ping", "a"), NOTIFICATION, call(7), RESPONSE, message("ping", 0)]

    answer = send(fake, batch, version)

    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert [response["id"] for response in answer.json] == ["a", 7, 0]
    assert answer.json[1]["result"] == {"content": [{"type": "text", "text": "ok"}]}
    assert fake.calls == [("echo", {}, None)]


def test_one_request_is_answered_with_an_array_too() -> None:
    """A batch of one is a batch."""
    assert send(FakeEndpoint(), [message("ping", 1)]).json == [
        {"jsonrpc": "2.0", "id": 1, "result": {}}
    ]


def test_equal_ids_are_each_answered() -> None:
    """What a client asks twice under one id, it is told twice."""
    fake = FakeEndpoint()

    assert [response["id"] for response in send(fake, [call(1), call(1)]).json] == [1, 1]
    assert len(fake.calls) == 2


def test_one_failure_does_not_stop_the_rest() -> None:
    """What is wrong with one request is the response to that request."""
    batch = [call(1, "nope"), message("nope", 2), call(3)]

    answer = send(FakeEndpoint(), batch)

    assert answer.status == 200
    assert [response.get("error", {}).get("code") for response in answer.json] == [
        -32602,
        -32601,
        None,
    ]


def test_an_exception_in_a_batch_is_an_internal_error() -> None:
    """A call that breaks says no more in a batch than alone."""
    fake = FakeEndpoint(result=RuntimeError("secret"))

    answer = send(fake, [call(1)])

    assert answer.json[0]["error"] == {"code": -32603, "message": "Internal error"}


def test_a_protocol_error_in_a_batch_names_its_request() -> None:
    """The id of the request is repeated in its error."""
    fake = FakeEndpoint(result=ProtocolError(-32602, "no"))

    assert [response["id"] for response in send(fake, [call("x"), call("y")]).json] == ["x", "y"]


@pytest.mark.parametrize("batch", [[NOTIFICATION], [NOTIFICATION, RESPONSE], [RESPONSE] * 2])
def test_a_batch_without_requests_is_accepted(batch: list[Json]) -> None:
    """Nothing to answer is a 202 without a body."""
    answer = send(FakeEndpoint(), batch)

    assert (answer.status, answer.body) == (202, b"")


@pytest.mark.parametrize(
    ("batch", "problem"),
    [
        ([], "empty JSON-RPC batch"),
        ([1], "JSON-RPC batch contains an invalid message"),
        ([call(1), None], "JSON-RPC batch contains an invalid message"),
        ([call(1), [call(2)]], "JSON-RPC batch contains an invalid message"),
        ([call(1), {"jsonrpc": "2.0"}], "JSON-RPC batch contains an invalid message"),
        ([call(1), call(1.5)], "JSON-RPC batch contains an invalid message"),
        ([call(n) for n in range(101)], "JSON-RPC batch must not exceed 100 messages"),
        (
            [call(1), message("initialize", 2, {})],
            "initialize must not be part of a JSON-RPC batch",
        ),
        (
            [call(1), message("ping", 2, {"_meta": envelope()})],
            "JSON-RPC batches may not contain requests for protocol revision 2026-07-28 or later",
        ),
    ],
)
def test_a_bad_batch_is_refused_whole(batch: list[Json], problem: str) -> None:
    """A batch with anything amiss is one error without an id, and nothing in it is called."""
    fake = FakeEndpoint()

    answer = send(fake, batch)

    assert error_of(answer) == (400, -32600, f"Bad Request: {problem}")
    assert answer.json["id"] is None
    assert fake.calls == []


def test_as_many_as_allowed_are_answered() -> None:
    """The limit itself is allowed."""
    assert len(send(FakeEndpoint(), [call(n) for n in range(100)]).json) == 100


@pytest.mark.parametrize("version", [version for version in LEGACY if version != BATCHING])
def test_other_revisions_have_no_batches(version: str) -> None:
    """Only the revision whose text asks for batches is served them."""
    fake = FakeEndpoint()

    answer = send(fake, [call(1)], version)

    problem = "Bad Request: JSON-RPC batches are not supported in this protocol version"
    assert error_of(answer) == (400, -32600, problem)
    assert fake.calls == []


@pytest.mark.parametrize("version", [MODERN, "1999-01-01", ""])
def test_a_version_without_a_handshake_is_refused_by_its_name(version: str) -> None:
    """A header that names no revision of the handshake era is refused by its own name."""
    assert error_of(send(FakeEndpoint(), [call(1)], version))[:2] == (400, -32000)


@pytest.mark.parametrize("version", [None, "2024-11-05"])
def test_a_server_older_than_batches_has_none(version: str | None) -> None:
    """A server whose newest revision is older does not serve them, header or no header."""
    fake = FakeEndpoint(identity=Identity(SERVER, protocol_version="2024-11-05"))

    assert error_of(send(fake, [call(1)], version))[:2] == (400, -32600)
    assert fake.calls == []


def test_a_batch_of_ten_thousand_arrays_is_a_parse_error() -> None:
    """Nesting is bounded inside a batch as it is elsewhere."""
    answer = FakeEndpoint().send(b"[" * 10_000 + b"]" * 10_000)

    assert error_of(answer)[:2] == (400, -32700)
