"""The endpoint behind Starlette and uvicorn, over a real socket."""

import http.client
from collections.abc import Iterator
from contextlib import closing
from typing import Literal
from urllib.parse import urlsplit

import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from evalsim.protocol.guard import Guard
from support.asgi import Answer
from support.fake_endpoint import (
    LEGACY,
    MODERN,
    TEXT_RESULT,
    TOOLS,
    FakeEndpoint,
    envelope,
    request,
)
from support.serving import serving

JSON_HEADERS = {"content-type": "application/json"}


@pytest.fixture(scope="module", params=["httptools", "h11"])
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    parser: Literal["httptools", "h11"] = request.param
    endpoint = FakeEndpoint(guard=Guard.for_binding("127.0.0.1", 0)).endpoint()
    routes = [Route("/crm/mcp", endpoint), Route("/crm/mcp/", endpoint)]
    with serving(Starlette(routes=routes), http=parser) as url:
        yield urlsplit(url).netloc


def post(address: str, body: bytes, headers: dict[str, str], path: str = "/crm/mcp") -> Answer:
    """Post once on a connection of its own."""
    with closing(http.client.HTTPConnection(address, timeout=10)) as connection:
        connection.request("POST", path, body, {**JSON_HEADERS, **headers})
        response = connection.getresponse()
        headers = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, headers, response.read())


@pytest.mark.parametrize("version", LEGACY)
def test_the_list_is_served_to_the_byte_in_the_handshake_era(address: str, version: str) -> None:
    """No layer between changes a captured byte."""
    answer = post(address, request("tools/list"), {"mcp-protocol-version": version})

    assert answer.body == b'{"jsonrpc":"2.0","id":1,"result":{"tools":' + TOOLS + b"}}"


def test_the_list_is_served_to_the_byte_in_the_envelope_era(address: str) -> None:
    """The newest version adds after the captured bytes."""
    headers = {"mcp-protocol-version": MODERN, "mcp-method": "tools/list"}

    answer = post(address, request("tools/list", {"_meta": envelope()}), headers)

    assert answer.body.startswith(b'{"jsonrpc":"2.0","id":1,"result":{"tools":' + TOOLS + b",")


def test_blanks_around_a_header_do_not_count(address: str) -> None:
    """The parser that keeps trailing blanks, and the one that does not, are read alike."""
    headers = {"mcp-protocol-version": f"{MODERN} ", "mcp-method": "tools/call\t "}
    body = request("tools/call", {"name": "echo", "_meta": envelope()})

    answer = post(address, body, {**headers, "mcp-name": " echo  "})

    assert answer.status == 200


def test_the_slash_form_is_served_too(address: str) -> None:
    """A client that adds a slash is not sent elsewhere."""
    assert post(address, request("ping"), {}, path="/crm/mcp/").status == 200


def test_a_get_is_refused(address: str) -> None:
    """The stream that official clients try to open after initialize is refused at once."""
    with closing(http.client.HTTPConnection(address, timeout=10)) as connection:
        connection.request("GET", "/crm/mcp", headers={"accept": "text/event-stream"})
        response = connection.getresponse()

        assert (response.status, response.getheader("allow")) == (405, "POST")


def test_a_large_body_is_refused(address: str) -> None:
    """A body past four mebibytes is refused while the client is still sending it."""
    body = request("tools/call", {"name": "echo", "arguments": {"n": "x" * (4 << 20)}})

    try:
        status = post(address, body, {}).status
    except ConnectionError:
        status = 413

    assert status == 413


def test_a_connection_serves_many_calls(address: str) -> None:
    """Calls share a connection, refused ones included."""
    call = request("tools/call", {"name": "echo"})
    with closing(http.client.HTTPConnection(address, timeout=10)) as connection:
        for body in (call, b"{", call, b"[]", call):
            connection.request("POST", "/crm/mcp", body, JSON_HEADERS)
            last = connection.getresponse().read()

    assert last == b'{"jsonrpc":"2.0","id":1,"result":' + TEXT_RESULT + b"}"


def test_a_client_that_leaves_harms_no_one(address: str) -> None:
    """A connection cut in the middle of a body leaves the endpoint serving."""
    with closing(http.client.HTTPConnection(address, timeout=10)) as connection:
        connection.putrequest("POST", "/crm/mcp")
        connection.putheader("content-type", "application/json")
        connection.putheader("content-length", "1000")
        connection.endheaders(b'{"jsonrpc"')

    assert post(address, request("ping"), {}).status == 200
