"""Whatever is posted: JSON-RPC ids, notifications, and bodies that are no message."""

import json
from random import Random

import orjson
import pytest

from evalsim.types import Json, JsonObject
from support.asgi import LOOPBACK, exchange, request_scope
from support.fake_endpoint import MODERN, FakeEndpoint, envelope, error_of, request

NOT_A_MESSAGE = "Bad Request: the request body is not a valid JSON-RPC message"


@pytest.mark.parametrize(
    "raw",
    [
        "0",
        "-7",
        "9007199254740993",
        "18446744073709551615",
        "123456789012345678901234567890",
        '"a"',
        '""',
        '"\\" é \\u0000"',
    ],
)
def test_an_id_comes_back_as_it_was(raw: str) -> None:
    """Strings and integers of any size are ids, repeated exactly."""
    body = f'{{"jsonrpc":"2.0","id":{raw},"method":"ping"}}'.encode()

    answer = FakeEndpoint().send(body)

    assert answer.status == 200
    start, _, _ = answer.body.partition(b',"result"')
    echoed = start.removeprefix(b'{"jsonrpc":"2.0","id":').decode()
    assert echoed == raw or orjson.loads(echoed) == orjson.loads(raw)


@pytest.mark.parametrize("raw", ["null", "true", "1.5", "1.0", "1e3", "[1]", "{}"])
def test_anything_else_is_no_id(raw: str) -> None:
    """A request whose id is neither text nor an integer is no message."""
    answer = FakeEndpoint().send(f'{{"jsonrpc":"2.0","id":{raw},"method":"ping"}}'.encode())

    assert error_of(answer) == (400, -32600, NOT_A_MESSAGE)
    assert answer.json["id"] is None


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[1,]",
        b"NaN",
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n":NaN}}',
        b'{"jsonrpc":"2.0","id":"\xff","method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n":1e400}}',
        b'{"jsonrpc":"2.0","id":' + b"1" * 400 + b',"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"s":"\\ud800"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":' + b"[" * 10_000 + b"]" * 10_000,
        b"[" * 10_000,
        b"\xef\xbb\xbf" + request("ping"),
    ],
)
def test_what_is_not_json_is_a_parse_error(body: bytes) -> None:
    """A body that the parser refuses is a parse error without an id."""
    answer = FakeEndpoint().send(body)

    assert error_of(answer) == (400, -32700, "Parse error: Invalid JSON")
    assert answer.json["id"] is None


@pytest.mark.parametrize(
    ("body", "request_id"),
    [
        (b"5", None),
        (b"null", None),
        (b'"text"', None),
        (b"{}", None),
        (b'{"jsonrpc":"2.0"}', None),
        (b'{"jsonrpc":"2.0","id":1}', None),
        (b'{"id":1,"method":"ping"}', 1),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', 1),
        (b'{"jsonrpc":2.0,"id":"a","method":"ping"}', "a"),
        (b'{"jsonrpc":"2.0","id":1,"method":5}', None),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","more":1}', 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":null}', 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":null}}', 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":[]}}}', 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":true}}}', 1),
        (b'{"jsonrpc":"2.0","id":1,"result":5}', None),
        (b'{"jsonrpc":"2.0","id":true,"result":{}}', None),
        (b'{"jsonrpc":"2.0","id":1,"result":{},"params":{}}', None),
        (b'{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"no"}}', None),
        (b'{"jsonrpc":"2.0","id":1,"error":{"code":1}}', None),
        (b'{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":"no"}}', None),
        (b'{"jsonrpc":"2.0","result":{}}', None),
    ],
)
def test_what_is_not_a_message_is_refused(body: bytes, request_id: Json) -> None:
    """JSON that is no JSON-RPC message is a bad request, with its id where that can be read."""
    answer = FakeEndpoint().send(body)

    assert error_of(answer) == (400, -32600, NOT_A_MESSAGE)
    assert answer.json["id"] == request_id


CLAIMING_NOTIFICATION = orjson.dumps(
    {
        "jsonrpc": "2.0",
        "method": "notifications/x",
        "params": {"_meta": envelope(clientCapabilities=None)},
    }
)
"""A notification names its version and need not say more."""


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b'{"jsonrpc":"2.0","method":"notifications/initialized"}', {}),
        (b'{"jsonrpc":"2.0","method":"nope","params":{}}', {"mcp-protocol-version": "2025-06-18"}),
        (b'{"jsonrpc":"2.0","method":"notifications/x"}', {"mcp-protocol-version": MODERN}),
        (CLAIMING_NOTIFICATION, {"mcp-protocol-version": MODERN}),
        (CLAIMING_NOTIFICATION, {}),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', {}),
        (b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}', {}),
        (b'{"jsonrpc":"2.0","error":{"code":1,"message":"no"}}', {}),
    ],
)
def test_what_needs_no_answer_is_accepted(body: bytes, headers: dict[str, str]) -> None:
    """Notifications, and responses in the era that has them, are accepted without a body."""
    answer = FakeEndpoint().send(body, headers)

    assert (answer.status, answer.body) == (202, b"")


@pytest.mark.parametrize(
    ("body", "headers", "code"),
    [
        (b'{"jsonrpc":"2.0","method":"x"}', {"mcp-protocol-version": "1999-01-01"}, -32000),
        (b'{"jsonrpc":"2.0","method":"x"}', {"mcp-protocol-version": "2030-01-01"}, -32022),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', {"mcp-protocol-version": MODERN}, -32000),
    ],
)
def test_what_needs_no_answer_may_still_be_refused(
    body: bytes, headers: dict[str, str], code: int
) -> None:
    """A version that is not served is refused for these too, as are responses that it lacks."""
    answer = FakeEndpoint().send(body, headers)

    assert error_of(answer)[:2] == (400, code)
    assert answer.json["id"] is None


def test_a_call_without_an_id_is_not_made() -> None:
    """A notification that names tools/call calls nothing: no one would read the answer."""
    fake = FakeEndpoint()

    answer = fake.send(b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}}')

    assert answer.status == 202
    assert fake.calls == []


ODD: tuple[Json, ...] = (None, True, 0, -1, 1.5, 1 << 70, "", "echo", "\ud800", "é", [], [1], {})
METHODS = ("initialize", "ping", "tools/list", "tools/call", "server/discover", "notifications/x")
HEADERS: dict[str, tuple[str, ...]] = {
    "mcp-protocol-version": (MODERN, MODERN, "2025-11-25", "1999-01-01", "\xff"),
    "mcp-method": (*METHODS, ""),
    "mcp-name": ("echo", "mirror", "=?base64?ZWNobw==?=", "=?base64?\xff?="),
    "mcp-param-region": ("eu", "=?base64??=", "\xe9"),
    "mcp-param-n": ("0", "1.0", "-", "1e5"),
    "accept": ("*/*", "text/html"),
    "content-length": ("10", "ten", "-1"),
    "origin": ("http://localhost", "http://[", "\xff"),
}


def odd_request(random: Random) -> JsonObject:
    """A request of either era with up to three values dropped or replaced, at any depth."""
    place: JsonObject = {"n": 1}
    arguments: JsonObject = {"region": "eu", "place": place}
    meta = envelope() if random.random() < 0.7 else {}
    name = random.choice(("echo", "mirror"))
    params: JsonObject = {"name": name, "arguments": arguments, "_meta": meta}
    document: JsonObject = {"jsonrpc": "2.0", "id": 1, "method": random.choice(METHODS)}
    document["params"] = params
    for _ in range(random.randrange(4)):
        changed = random.choice((document, params, arguments, meta, place))
        key = random.choice((*changed, "more"))
        if random.random() < 0.3:
            changed.pop(key, None)
        else:
            changed[key] = random.choice(ODD)
    return document


@pytest.mark.parametrize("seed", range(20))
def test_nothing_is_raised(seed: int) -> None:
    """Whatever arrives is answered with one response, and never with an exception."""
    random = Random(seed)
    endpoint = FakeEndpoint().endpoint()
    for _ in range(100):
        body = json.dumps(odd_request(random)).encode()
        if random.random() < 0.1:
            body = body[: random.randrange(len(body))] + random.randbytes(3)
        names = random.choices(list(HEADERS), k=random.randrange(6))
        headers = [(name, random.choice(HEADERS[name])) for name in names]
        usual = [("host", LOOPBACK), ("content-type", "application/json")]

        answer = exchange(endpoint, request_scope("POST", [*usual, *headers]), [body])

        assert answer.status in (200, 202, 400, 403, 404, 406)
        if answer.status == 202:
            assert answer.body == b""
        else:
            assert answer.status == 200 or "error" in answer.json
            assert ("error" in answer.json) != ("result" in answer.json)
