"""The endpoint up to 2025-11-25: initialize, ping, tools/list and tools/call."""

import orjson
import pytest

from evalsim.protocol.errors import ProtocolError
from evalsim.protocol.introductions import Identity
from evalsim.types import Json, JsonObject
from support.fake_endpoint import (
    LEGACY,
    MODERN,
    SERVER,
    TEXT_RESULT,
    TOOLS,
    FakeEndpoint,
    error_of,
)

CLIENT: JsonObject = {"capabilities": {}, "clientInfo": {"name": "client", "version": "1"}}


def initialize(fake: FakeEndpoint, version: str) -> JsonObject:
    answer = fake.ask("initialize", {"protocolVersion": version, **CLIENT})
    result: JsonObject = answer.json["result"]
    return result


@pytest.mark.parametrize("version", LEGACY)
def test_initialize_agrees_to_every_version_of_its_era(version: str) -> None:
    """A version of the handshake era is answered with itself."""
    assert initialize(FakeEndpoint(), version)["protocolVersion"] == version


@pytest.mark.parametrize("version", ["1999-01-01", MODERN, "", "draft"])
def test_initialize_offers_the_newest_of_its_era_otherwise(version: str) -> None:
    """A version that no handshake reaches is answered with the newest one that a handshake does."""
    assert initialize(FakeEndpoint(), version)["protocolVersion"] == "2025-11-25"


def test_a_pinned_version_is_the_newest_agreed_to() -> None:
    """An identity that names a version makes newer ones unknown."""
    fake = FakeEndpoint(identity=Identity(SERVER, protocol_version="2025-03-26"))

    assert initialize(fake, "2025-11-25")["protocolVersion"] == "2025-03-26"
    assert initialize(fake, "2024-11-05")["protocolVersion"] == "2024-11-05"
    assert fake.ask("ping", headers={"mcp-protocol-version": "2025-06-18"}).status == 400


def test_an_unknown_pin_is_refused_at_construction() -> None:
    """A version that does not exist is named with those that do."""
    fake = FakeEndpoint(identity=Identity(SERVER, protocol_version="2025-01-01"))

    with pytest.raises(ValueError, match=r"'2025-01-01'; known are 2026-07-28, 2025-11-25"):
        fake.endpoint()


def test_initialize_introduces_the_server() -> None:
    """The captured serverInfo is announced whole, with the instructions."""
    assert initialize(FakeEndpoint(), "2025-11-25") == {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {"listChanged": False}},
        "serverInfo": SERVER,
        "instructions": "Be kind.",
    }


@pytest.mark.parametrize("instructions", [None, ""])
def test_no_instructions_are_left_out(instructions: str | None) -> None:
    """A server that gave no instructions announces none."""
    fake = FakeEndpoint(identity=Identity(SERVER, instructions))

    assert "instructions" not in initialize(fake, "2025-11-25")


@pytest.mark.parametrize(
    "params",
    [
        None,
        {},
        {"protocolVersion": 1, **CLIENT},
        {"protocolVersion": "2025-11-25", "capabilities": {}},
        {"protocolVersion": "2025-11-25", **CLIENT, "capabilities": []},
        {"protocolVersion": "2025-11-25", **CLIENT, "clientInfo": {"name": "client"}},
    ],
)
def test_an_incomplete_initialize_is_refused(params: Json) -> None:
    """initialize names its version, its capabilities and who asks."""
    status, code, message = error_of(FakeEndpoint().ask("initialize", params))

    assert (status, code) == (200, -32602)
    assert message.startswith("Invalid initialize request: ")


def test_ping_is_answered() -> None:
    """ping is answered with an empty result."""
    answer = FakeEndpoint().ask("ping")

    assert (answer.status, answer.body) == (200, b'{"jsonrpc":"2.0","id":1,"result":{}}')
    assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize("version", [None, *LEGACY])
def test_the_list_is_served_to_the_byte(version: str | None) -> None:
    """tools/list holds the captured bytes, blanks, escapes and all."""
    headers = {} if version is None else {"mcp-protocol-version": version}

    answer = FakeEndpoint().ask("tools/list", headers=headers)

    assert answer.body == b'{"jsonrpc":"2.0","id":1,"result":{"tools":' + TOOLS + b"}}"


@pytest.mark.parametrize("version", ["1999-01-01", "", "2024-10-07"])
def test_a_version_header_of_no_known_version_is_refused(version: str) -> None:
    """A request that names an unknown version of the handshake era is a bad request."""
    answer = FakeEndpoint().ask("tools/list", headers={"mcp-protocol-version": version})

    status, code, message = error_of(answer)
    assert (status, code) == (400, -32000)
    assert f"Unsupported protocol version: {version} " in message


def test_there_is_one_page_of_tools() -> None:
    """Any cursor is at the first page, but a cursor is a string."""
    assert FakeEndpoint().ask("tools/list", {"cursor": "x"}).status == 200
    assert error_of(FakeEndpoint().ask("tools/list", {"cursor": 5})) == (
        200,
        -32602,
        "Invalid tools/list request: params.cursor must be a string",
    )


def test_a_call_reaches_the_caller_and_its_bytes_come_back() -> None:
    """tools/call hands over name, arguments and _meta, and sends the result as it stands."""
    fake = FakeEndpoint(result=b'{"content":[],  "n":1.0}')
    params = {"name": "echo", "arguments": {"n": 1}, "_meta": {"progressToken": 7}}

    answer = fake.ask("tools/call", params)

    assert fake.calls == [("echo", {"n": 1}, {"progressToken": 7})]
    assert answer.body == b'{"jsonrpc":"2.0","id":1,"result":{"content":[],  "n":1.0}}'


def test_arguments_that_are_left_out_are_empty() -> None:
    """A call without arguments is a call with none of them."""
    fake = FakeEndpoint()

    fake.ask("tools/call", {"name": "echo"})

    assert fake.calls == [("echo", {}, None)]


def test_a_task_is_answered_as_a_plain_call() -> None:
    """The host runs no tasks, so a call that asks for one is answered at once."""
    answer = FakeEndpoint().ask("tools/call", {"name": "echo", "task": {"ttl": 60000}})

    assert answer.json["result"] == orjson.loads(TEXT_RESULT)


@pytest.mark.parametrize("name", ["nope", "", "constructor", "ECHO"])
def test_an_unknown_tool_is_a_protocol_error(name: str) -> None:
    """A tool that is not listed reaches the caller, which records it and refuses it."""
    fake = FakeEndpoint()

    answer = fake.ask("tools/call", {"name": name})

    assert error_of(answer) == (200, -32602, f"Tool {name} not found")
    assert fake.calls == [(name, {}, None)]


@pytest.mark.parametrize(
    ("params", "problem"),
    [
        (None, "params.name must be a string"),
        ({"arguments": {}}, "params.name must be a string"),
        ({"name": 5}, "params.name must be a string"),
        ({"name": "echo", "arguments": None}, "params.arguments must be an object"),
        ({"name": "echo", "arguments": []}, "params.arguments must be an object"),
        ({"name": "echo", "arguments": "{}"}, "params.arguments must be an object"),
        ({"name": "echo", "task": None}, "params.task must be an object"),
    ],
)
def test_a_malformed_call_is_a_protocol_error(params: Json, problem: str) -> None:
    """A call without a name, or with arguments that are no object, never reaches the caller."""
    fake = FakeEndpoint()

    answer = fake.ask("tools/call", params)

    assert error_of(answer) == (200, -32602, f"Invalid tools/call request: {problem}")
    assert fake.calls == []


def test_an_error_of_the_caller_is_passed_on() -> None:
    """A ProtocolError becomes the JSON-RPC error it describes."""
    answer = FakeEndpoint(result=ProtocolError(-32050, "Not now \ud800", {"retry": 5})).ask(
        "tools/call", {"name": "echo"}
    )

    assert answer.status == 200
    assert answer.body == (
        b'{"jsonrpc":"2.0","id":1,"error":'
        b'{"code":-32050,"message":"Not now \\ud800","data":{"retry":5}}}'
    )


def test_an_exception_of_the_caller_says_nothing() -> None:
    """Any other exception is an internal error without its text."""
    answer = FakeEndpoint(result=RuntimeError("secret")).ask("tools/call", {"name": "echo"})

    assert error_of(answer) == (200, -32603, "Internal error")
    assert b"secret" not in answer.body


@pytest.mark.parametrize(
    "method", ["prompts/list", "resources/list", "server/discover", "logging/setLevel", "nope", ""]
)
def test_an_unknown_method_is_not_found(method: str) -> None:
    """A tools-only server has no other method."""
    assert error_of(FakeEndpoint().ask(method)) == (200, -32601, "Method not found")
