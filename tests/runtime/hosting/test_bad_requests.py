"""Bad requests over real connections: each gets its error, and nothing else comes of it."""

import json
import socket
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest

from evalsim.host import Services, load_fakes, start_services
from support.fakes import HANDLERS, write_recipe
from support.telling import telling_words
from support.watched import watched
from support.wire import Connection, Response, call, connected, head, message, request

MODERN: Final = "2026-07-28"
MEGABYTE: Final = b"x" * 1_000_000
ADD: Final = call("add-deal", {"name": "Zed"})
UPGRADES: Final[dict[str, str | None]] = {
    "connection": "Upgrade, HTTP2-Settings",
    "upgrade": "h2c",
    "http2_settings": "AAMAAABk",
}
WAITING: Final = HANDLERS.replace("def add_deal", "async def add_deal").replace(
    "if any(",
    "import asyncio\n    if args.name.startswith('wait '): "
    "await asyncio.sleep(float(args.name[5:]))\n    if any(",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bad")


@pytest.fixture(scope="module")
def services(folder: Path) -> Generator[Services]:
    """One fake that the whole module ill-treats, with a record."""
    fakes = load_fakes(write_recipe(folder, handlers=WAITING))
    with start_services(fakes, scenario="busy", record=folder / "calls.jsonl") as running:
        yield running


@pytest.fixture
def url(services: Services, folder: Path) -> Generator[str]:
    """The fake's address, for a test that must leave everything as it was, and the host well."""
    address = services.url("crm")
    record = folder / "calls.jsonl"
    before = services.snapshot(), record.read_bytes()
    yield address
    assert before == (services.snapshot(), record.read_bytes())
    assert services.faults == []
    assert ping(address)


def ping(url: str) -> bool:
    return answer(url, request(url, message("ping"))).json["result"] == {}


def answer(url: str, *pieces: bytes) -> Response:
    """The response to what is sent, which has to have one."""
    with connected(url) as connection:
        connection.send(*pieces)
        return read(connection)


def read(connection: Connection) -> Response:
    """The next response, which has to be there, and to tell nothing of the host."""
    response = connection.read()
    assert response is not None
    assert telling_words(response) == []
    return response


def names_of(services: Services) -> list[str]:
    return [deal.name for deal in services.states["crm"].deals]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        ADD[:-1],
        ADD + b"}",
        b"[" * 10_000 + b"]" * 10_000,
        b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
        ADD.replace(b'"Zed"', b"[" * 10_000 + b"]" * 10_000),
        ADD.replace(b'"Zed"', b"NaN"),
        ADD.replace(b"Zed", b"\xff"),
        ADD.decode().encode("utf-16"),
        b"--x\r\ncontent-disposition: form-data; name=a\r\n\r\n1\r\n--x--\r\n",
    ],
)
def test_what_is_no_json_is_a_parse_error(url: str, body: bytes) -> None:
    """A body that cannot be read calls nothing."""
    response = answer(url, request(url, body))

    assert (response.status, response.code) == (400, -32700)
    assert response.json["id"] is None


@pytest.mark.parametrize(
    ("body", "version"),
    [
        (b"[" + ADD + b"]", "2025-11-25"),
        (b"[" + ADD + b"]", "2025-06-18"),
        (b"[" + ADD + b"]", "2024-11-05"),
        (b"[" + ADD + b",5]", "2025-03-26"),
        (b"[]", "2025-03-26"),
        (b"[" + b",".join([ADD] * 101) + b"]", None),
        (b'{"jsonrpc":"2.0","id":1}', None),
        (ADD.replace(b"2.0", b"1.0"), None),
        (ADD.replace(b'"id": 1', b'"id": null'), None),
        (b"5", None),
    ],
)
def test_what_is_no_message_is_an_invalid_request(
    url: str, body: bytes, version: str | None
) -> None:
    """JSON that is no message, and a batch that is not to be served, call nothing."""
    response = answer(url, request(url, body, mcp_protocol_version=version))

    assert (response.status, response.code) == (400, -32600)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"content_type": "text/plain"}, 415),
        ({"content_type": "multipart/form-data; boundary=x"}, 415),
        ({"content_type": None}, 415),
        ({"accept": "text/html"}, 406),
        ({"host": "evil.example"}, 403),
        ({"host": "127.0.0.1.evil.example"}, 403),
        ({"host": None}, 403),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://["}, 403),
    ],
)
def test_what_http_refuses_is_not_read(
    url: str, fields: dict[str, str | None], status: int
) -> None:
    """A wrong media type, Host or Origin is told by the status, whatever the body would do."""
    response = answer(url, request(url, ADD, **fields))

    assert (response.status, response.code) == (status, -32000)


@pytest.mark.parametrize("version", ["1999-01-01", "2024-10-07", ""])
def test_a_version_that_is_not_served_is_refused(url: str, version: str) -> None:
    """A revision that does not exist calls nothing."""
    response = answer(url, request(url, ADD, mcp_protocol_version=version))

    assert (response.status, response.code) == (400, -32000)


def test_a_claim_without_an_envelope_is_refused(url: str) -> None:
    """The newest revision's header, without what the revision asks of a request."""
    response = answer(url, request(url, ADD, mcp_protocol_version=MODERN))

    assert (response.status, response.code) == (400, -32602)


@pytest.mark.parametrize("method", ["nope", "tools/delete", "", "prompts/list", "logging/setLevel"])
def test_a_method_that_is_not_served_is_not_found(url: str, method: str) -> None:
    """The answer names the request, and is a 404 where the revision asks for one."""
    response = answer(url, request(url, message(method)))
    envelope = {
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    }
    fields = {"mcp_protocol_version": MODERN, "mcp_method": method}
    modern = answer(url, request(url, message(method, envelope), **fields))

    assert (response.status, response.code, response.json["id"]) == (200, -32601, 1)
    assert (modern.status, modern.code, modern.json["id"]) == (404, -32601, 1)


@pytest.mark.parametrize("session", ["nope", "00000000-0000-0000-0000-000000000000", ""])
def test_a_session_that_was_never_given_means_nothing(url: str, session: str) -> None:
    """A stateless host gives no session, asks for none, and has none to end."""
    pinged = answer(url, request(url, message("ping"), mcp_session_id=session))
    ended = answer(url, head(url, "DELETE", mcp_session_id=session))

    assert (pinged.status, pinged.json["result"]) == (200, {})
    assert "mcp-session-id" not in pinged.head.lower()
    assert (ended.status, ended.code) == (405, -32000)


CHUNK: Final = b"%x\r\n%b\r\n" % (len(MEGABYTE), MEGABYTE)


@pytest.mark.parametrize(
    ("fields", "pieces"),
    [
        ({"content_length": "100000000"}, [MEGABYTE] * 100),
        ({"content_length": "100000000"}, []),
        ({"content_length": "100000000", "expect": "100-continue"}, []),
        ({"transfer_encoding": "chunked"}, [*[CHUNK] * 100, b"0\r\n\r\n"]),
    ],
)
def test_a_body_of_100_megabytes_is_refused(
    url: str, fields: dict[str, str | None], pieces: list[bytes]
) -> None:
    """It is refused once it shows, and the connection still serves what comes after it."""
    with connected(url) as connection:
        connection.send(head(url, **fields), *pieces)
        response = read(connection)
        if len(pieces) >= 100:
            connection.send(request(url, message("ping")))
            assert read(connection).json["result"] == {}

    assert (response.status, response.code) == (413, -32000)


def test_large_bodies_are_not_held(tmp_path: Path) -> None:
    """Ten of them at once take no more memory than their limits do."""
    with watched(tmp_path) as process:
        before = process.held()
        with connected(process.url) as first, connected(process.url) as second:
            for connection in (first, second):
                connection.send(head(process.url, transfer_encoding="chunked"), *[CHUNK] * 50)
            assert [read(first).status, read(second).status] == [413, 413]
            grown = process.held().memory - before.memory
        assert grown < 40_000_000
        assert process.settled(before).tasks <= before.tasks


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 50,
        b"hello\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"POST /crm/mcp HTTP/1.1\r\nno colon\r\n\r\n",
        b"POST /crm/mcp HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n",
        b"POST /crm/mcp HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
        b"POST /crm/mcp HTTP/1.1\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n",
        b"POST /crm/mcp HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"POST /crm/mcp HTTP/1.1\r\ntransfer-encoding: gzip\r\n\r\n",
        b"POST /crm/mcp HTTP/1.1\r\nhost: a\x00b\r\n\r\n",
        b"POST /caf\xc3\xa9 HTTP/1.1\r\nhost: a\r\n\r\n",
        b"CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example\r\n\r\n",
        b"CONNECT a:1 HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n",
    ],
)
def test_what_is_no_http_ends_the_connection(url: str, sent: bytes) -> None:
    """A request that cannot be read is a 400 at most, and the last one of its connection."""
    with connected(url) as connection:
        connection.send(sent)
        response = read(connection)

        assert (response.status, response.body) == (400, b"Bad Request")
        assert connection.read() is None


@pytest.mark.parametrize(
    "start", [b"GET /", b"POST /crm/mcp HTTP/1.1\r\nhost: localhost\r\nx-long: "]
)
def test_a_head_without_end_is_refused(url: str, start: bytes) -> None:
    """An address or a field that never ends is not held in memory for ever."""
    with connected(url) as connection:
        connection.send(start, *[b"x" * 10_000] * 1_000)
        answered = connection.read()

    assert answered is None or answered.status == 400


def test_a_slow_body_holds_no_one_up(services: Services, url: str) -> None:
    """Who sends a byte now and then waits alone, and is answered in the end."""
    body = message("ping")
    with connected(url) as slow:
        for byte in head(url, content_length=str(len(body))) + body[:-1]:
            slow.send(bytes([byte]))
        assert ping(url)
        slow.send(body[-1:])

        assert read(slow).json["result"] == {}


@pytest.mark.parametrize("cut", [1, 20, 150, 200, -1])
def test_a_request_that_is_cut_off_calls_nothing(url: str, cut: int) -> None:
    """A client that leaves before its request is whole has asked nothing."""
    with connected(url) as connection:
        connection.send(request(url, ADD)[:cut])

    assert ping(url)


def test_a_half_closed_connection_is_answered_or_closed(url: str) -> None:
    """A client that will send no more reads its answer, or the end of the connection."""
    for sent, whole in ((request(url, message("ping")), True), (request(url, ADD)[:-1], False)):
        with connected(url) as connection:
            connection.send(sent)
            connection.socket.shutdown(socket.SHUT_WR)
            response = connection.read()

            assert response is None or (whole and response.json["result"] == {})
            assert connection.read() is None


def test_pipelined_requests_are_answered_in_order(url: str) -> None:
    """Good and bad ones sent at once are each answered, one after the other."""
    bodies = [message("ping", request_id=1), b"{", message("nope", request_id=3), b"[]"]
    with connected(url) as connection:
        connection.send(b"".join(request(url, body) for body in bodies) + head(url, "GET"))
        responses = [read(connection) for _ in range(5)]

    assert [response.status for response in responses] == [200, 400, 200, 400, 405]
    assert [response.json["id"] for response in responses] == [1, None, 3, None, None]


@pytest.mark.parametrize("garbage", [b"hello\r\n\r\n", b"\x00" * 100])
def test_garbage_after_a_call_is_not_its_answer(services: Services, garbage: bytes) -> None:
    """A call that is being answered is answered; what follows it ends the connection."""
    url = services.url("crm")
    name = f"wait 0.05{'0' * len(names_of(services))}"
    with connected(url) as connection:
        connection.send(request(url, call("add-deal", {"name": name}, 5)) + garbage)
        response = read(connection)

        assert (response.status, response.json["id"]) == (200, 5)
        assert connection.read() is None
    assert names_of(services)[-1] == name
    assert ping(url)


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("size", [1, 40, 10_000])
def test_an_offer_of_another_protocol_is_passed_over(url: str, chunked: bool, size: int) -> None:
    """A client that would rather speak HTTP/2 is served in HTTP/1.1, body and all."""
    bodies = [message("ping", request_id=n) for n in range(3)]
    sent = b"".join(
        head(url, transfer_encoding="chunked", **UPGRADES)
        + b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
        if chunked
        else request(url, body, **UPGRADES)
        for body in bodies
    )
    with connected(url) as connection:
        connection.send(*(sent[at : at + size] for at in range(0, len(sent), size)))

        assert [read(connection).json["id"] for _ in bodies] == [0, 1, 2]


def test_an_offer_of_a_web_socket_is_passed_over(url: str) -> None:
    """A GET that asks for a socket is a GET."""
    key = {"sec_websocket_key": "dGhlIHNhbXBsZSBub25jZQ==", "sec_websocket_version": "13"}
    response = answer(url, head(url, "GET", connection="Upgrade", upgrade="websocket", **key))

    assert (response.status, response.code) == (405, -32000)


@pytest.mark.parametrize("depth", [100, 300, 900, 990, 1000, 1018])
def test_deep_arguments_are_answered(tmp_path: Path, depth: int) -> None:
    """Nesting that can be read is called and recorded, or refused, never half of either."""
    record = tmp_path / "calls.jsonl"
    nested = b"[" * depth + b"]" * depth
    body = ADD.replace(b'"Zed"', b'"Zed","more":' + nested)
    with start_services(load_fakes(write_recipe(tmp_path)), record=record) as services:
        url = services.url("crm")
        response = answer(url, request(url, body))
        added = "Zed" in names_of(services)

        assert response.status == 200
        assert response.code == (None if added else -32602)
        assert services.faults == []
        assert added or depth > 900
        assert len(record.read_bytes().splitlines()) == added
        assert ping(url)


def test_a_call_in_flight_is_answered_while_the_host_closes(tmp_path: Path) -> None:
    """Closing lets what was asked be answered, and everyone else go."""
    fakes = load_fakes(write_recipe(tmp_path, handlers=WAITING))
    with ThreadPoolExecutor() as pool, start_services(fakes) as services:
        url = services.url("crm")
        with connected(url) as busy, connected(url) as idle, connected(url) as slow:
            idle.send(request(url, message("ping")))
            read(idle)
            busy.send(request(url, call("add-deal", {"name": "wait 0.3"}, 7)))
            slow.send(request(url, ADD)[:-1])
            # On one connection after the other, so the host has them all
            with connected(url) as last:
                last.send(request(url, message("ping")))
                read(last)
            closing = pool.submit(services.close)
            answered = read(busy)

            assert (answered.status, answered.json["id"]) == (200, 7)
            assert json.loads(answered.json["result"]["content"][0]["text"])["id"]
            assert (busy.read(), idle.read()) == (None, None)
            closing.result(10)
            assert "wait 0.3" in names_of(services)
            assert "Zed" not in names_of(services)
            end = slow.read()
            assert end is None or (end.status >= 500 and telling_words(end) == [])
        with pytest.raises(ConnectionError), connected(url):
            pass
