"""Whatever a request holds, it is answered, nothing changes by it, and the next one is served."""

import itertools
import json
import random
import socket
import time
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.api_fakes import Wire, description, served
from support.wire import connected

DEEP = {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Deep"}}
ITEM = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "maxLength": 5},
        "deep": {"$ref": "#/components/schemas/Deep"},
        "file": {"type": "string", "contentMediaType": "application/octet-stream"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "additionalProperties": False,
}
PATHS = {
    "/items/{id}": {
        "post": {
            "parameters": [
                {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
                {"name": "filter", "in": "query", "style": "deepObject", "schema": ITEM},
                {"name": "ids", "in": "query", "schema": {"type": "array",
                                                          "items": {"type": "integer"}}},
                {"name": "X-At", "in": "header", "schema": {"type": "string", "format": "date"}},
                {"name": "c", "in": "cookie", "schema": {"type": "integer"}},
            ],
            "requestBody": {
                "required": True,
                "content": {
                    "application/json": {"schema": ITEM},
                    "application/x-www-form-urlencoded": {"schema": ITEM},
                    "multipart/form-data": {"schema": ITEM},
                    "text/plain": {"schema": {"type": "string", "maxLength": 5}},
                },
            },
        }
    },
    "/items": {"get": {}},
}  # fmt: skip
DOCUMENT = description(PATHS, components={"schemas": {"Deep": DEEP}})
JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
MULTIPART = {"Content-Type": "multipart/form-data; boundary=b"}


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Generator[Wire]:
    with served(tmp_path_factory.mktemp("hostile"), DOCUMENT) as running:
        yield running


def assert_still_served(wire: Wire) -> None:
    """A plain request is answered, and nothing was a fault."""
    assert 200 == wire("GET", "/items").status
    assert [] == list(wire.services.faults)
    wire.services.states["mail"].seen.clear()


@pytest.mark.parametrize(
    ("path", "body", "headers"),
    [
        ("/items/1", b'{"name":"' + b"a" * 3_000_000 + b'"}', JSON),
        ("/items/1", b'{"a":' * 100_000, JSON),
        ("/items/1", b"[" * 900 + b"]" * 900, JSON),
        ("/items/1", b'{"name":"a","deep":' + b'{"a":' * 600 + b"{}" + b"}" * 601, JSON),
        ("/items/1", b'{"name":"\\ud800"}', JSON),
        ("/items/1", b'{"name":' + b"9" * 5_000 + b"}", JSON),
        ("/items/1", b'{"name":1e999}', JSON),
        ("/items/1", b"\xef\xbb\xbf{}", JSON),
        ("/items/1", b"NaN", JSON),
        ("/items/" + "9" * 5_000, b"{}", JSON),
        ("/items/%00", b"{}", JSON),
        ("/items/1?" + "&".join(f"p{n}={n}" for n in range(7_000)), b"{}", JSON),
        ("/items/1?" + "ids=1&" * 8_000, b"{}", JSON),
        ("/items/1?" + "&" * 50_000, b"{}", JSON),
        ("/items/1?filter[a" + "][a" * 5_000 + "]=1", b"{}", JSON),
        ("/items/1?filter[tags][999999999999]=1", b"{}", JSON),
        ("/items/1?filter[name]=%C3%28", b"{}", JSON),
        ("/items/1", b"&".join(b"p%d=1" % n for n in range(10_000)), FORM),
        ("/items/1", b"&".join(b"p%d=1" % n for n in range(100_000)), FORM),
        ("/items/1", b"a[" * 100_000, FORM),
        ("/items/1", b"tags[]=1&" * 9_000, FORM),
        ("/items/1", b"name=%FF", FORM),
        ("/items/1", b"\xff\xfe=\x00", FORM),
        ("/items/1", b"--b\r\n" * 100_000, MULTIPART),
        ("/items/1", b"--b\r\n\r\n\r\n--b--", MULTIPART),
        ("/items/1", b'--b\r\nContent-Disposition: form-data; name="a" ' + b";a=" * 5_000
         + b"\r\n\r\nx\r\n--b--", MULTIPART),
        ("/items/1", b"--b\r\nContent-Disposition: form-data; name=name\r\n\r\n\xff\r\n--b--",
         MULTIPART),
        ("/items/1", b"x", {"Content-Type": "multipart/form-data; boundary=" + "b" * 5_000}),
        ("/items/1", b"x", {"Content-Type": "multipart/form-data; boundary=\xff"}),
        ("/items/1", b"x", {"Content-Type": ";;;=;"}),
        ("/items/1", b"x", {"Content-Type": '"' * 10_001}),
        ("/items/1", b"{}", {**JSON, "Accept": "," * 10_000}),
        ("/items/1", b"{}", {**JSON, "X-At": "\xff" * 1_000}),
        ("/items/1", b"{}", {**JSON, "Cookie": ";" * 10_000 + "c=1;c=2"}),
        ("/items/1", b"{}", {**JSON, "Authorization": "\x80"}),
    ],
    ids=itertools.count(),
)  # fmt: skip
def test_a_hostile_request_is_refused_in_no_time(
    wire: Wire, path: str, body: bytes, headers: dict[str, str]
) -> None:
    """By a status of its own, within a second, and without running a handler."""
    start = time.perf_counter()

    answer = wire("POST", path, body, headers)

    assert answer.status in (400, 404, 406, 413, 415), answer.body[:200]
    assert time.perf_counter() - start < 5
    assert [] == wire.services.states["mail"].seen
    assert_still_served(wire)


def test_too_much_is_refused_however_it_is_sent(wire: Wire) -> None:
    """A hundred megabytes, announced or in chunks, are not kept."""
    url = f"{wire.services.base_url('mail')}/items/1"
    with httpx.Client(timeout=60) as client:
        chunks = (b"a" * 1_000_000 for _ in range(100))
        with suppress(httpx.WriteError):  # when it is answered before all of it was sent
            assert 413 == client.post(url, content=chunks, headers=JSON).status_code
        assert 413 == client.post(url, content=b"a" * 34_000_000, headers=JSON).status_code

    assert_still_served(wire)


@pytest.mark.parametrize(
    "sent",
    [
        b"POST /mail/items/1 HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n{",
        b"POST /mail/items/1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
        b"POST /mail/items/1 HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json",
        b"",
    ],
    ids=["short", "chunk", "head", "nothing"],
)
def test_a_request_that_never_ends_holds_up_no_other(wire: Wire, sent: bytes) -> None:
    """A client that stalls, and then leaves, costs nothing but its connection."""
    with socket.create_connection((wire.base.hostname, wire.base.port)) as slow:
        slow.sendall(sent)
        assert_still_served(wire)
    assert_still_served(wire)


@pytest.mark.parametrize("line", [b"GET //a/user", b"GET /mail//items", b"GET *", b"GET /mail/%",
                                  b"GET http://a/mail/items", b"GET /mail/items/../items",
                                  b"GET /mail/items#x", b"GET /mail/%2e%2e/health"])  # fmt: skip
def test_odd_addresses_are_answered(wire: Wire, line: bytes) -> None:
    """As what they are: an address of the API, or none."""
    with connected(f"http://{wire.base.netloc}") as connection:
        connection.socket.sendall(line + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        status = int(connection.stream.readline().split()[1])

    assert status in (200, 400, 404)
    assert_still_served(wire)


texts = st.text(max_size=8) | st.sampled_from(
    ["name", "file", "tags", "deep", "a[b]", "[]", "%", "="]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
bodies = st.one_of(
    st.binary(max_size=60).map(lambda data: (data, JSON)),
    values.map(lambda value: (json.dumps(value).encode(), JSON)),
    st.lists(st.tuples(texts, texts), max_size=4).map(
        lambda pairs: ("&".join(f"{a}={b}" for a, b in pairs).encode(errors="replace"), FORM)
    ),
    st.binary(max_size=60).map(lambda data: (data, FORM)),
    st.lists(st.binary(max_size=40), max_size=3).map(
        lambda parts: (
            b"".join(b"--b\r\n" + part + b"\r\n" for part in parts) + b"--b--",
            MULTIPART,
        )
    ),
    st.binary(max_size=20).map(lambda data: (data, {"Content-Type": "text/plain"})),
)


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(sent=bodies, query=st.text(alphabet="abids[]=&%,filter0", max_size=30))
def test_any_body_and_query_is_answered(
    wire: Wire, sent: tuple[bytes, dict[str, str]], query: str
) -> None:
    """By a refusal, or by the handler's answer; never by a fault."""
    body, headers = sent

    answer = wire("POST", f"/items/1?{query}", body, headers)

    assert answer.status in (200, 400, 415), (answer.status, answer.body)
    assert [] == list(wire.services.faults)
    seen = wire.services.states["mail"].seen
    assert len(seen) == (answer.status == 200)
    seen.clear()


def test_bytes_at_random_end_nothing(wire: Wire) -> None:
    """Whole connections of noise, and of requests with noise in them."""
    noise = random.Random(7)
    for _ in range(100):
        data = bytearray(
            b"POST /mail/items/1?ids=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            b"Content-Type: application/json\r\nContent-Length: 12\r\n\r\n"
            b'{"name":"a"}'
        )
        for _ in range(noise.randrange(1, 12)):
            data[noise.randrange(len(data))] = noise.randrange(256)
        with socket.create_connection((wire.base.hostname, wire.base.port)) as connection:
            connection.sendall(bytes(data))
    wire.services.states["mail"].seen.clear()

    assert_still_served(wire)


def test_refusals_are_recorded_and_change_nothing(tmp_path: Path) -> None:
    """Each has its line, with its changes empty."""
    record = tmp_path / "calls.jsonl"
    options: dict[str, Any] = {"record": record, "journal": True}
    with served(tmp_path, DOCUMENT, **options) as wire:
        wire("POST", "/items/1", b"\xff\xfe", JSON)
        wire("POST", "/items/1", b"a=%FF", FORM)
        wire("POST", "/items/x", b"", MULTIPART)
        wire("DELETE", "/items/1?a=%FF%00", b"\xff")
        wire("GET", "/%ED%A0%80/" + "x" * 300)
    lines = [json.loads(line) for line in record.read_text().splitlines()]

    assert [400, 400, 400, 405, 400] == [line["response"]["status"] for line in lines]
    assert [[]] * 5 == [line["changes"] for line in lines]
