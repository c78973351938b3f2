"""The recording proxy: the same bytes for the client, and a line for each call."""

import json
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from mcp import Client
from mcp.client.sse import sse_client
from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, ListToolsResult
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from support.raw_http import raw_http, response
from support.recording import proxied, read_lines
from support.scripted import sse_app
from support.serving import serving

CANARY = "c4nary-s3cret"
HELLO = {"type": "text", "text": "Hello."}
CALL = {
    "jsonrpc": "2.0",
    "id": 7,
    "method": "tools/call",
    "params": {"name": "greet", "arguments": {"name": "Ada"}},
}


async def list_tools(_context: Any, _params: Any) -> ListToolsResult:
    """One tool."""
    return ListToolsResult.model_validate(
        {"tools": [{"name": "greet", "inputSchema": {"type": "object"}}]}
    )


async def call_tool(_context: Any, params: Any) -> CallToolResult:
    """A greeting."""
    answer = {"content": [HELLO], "structuredContent": params.arguments}
    return CallToolResult.model_validate(answer)


SERVER: Server[Any] = Server(
    "greeter", version="1", on_list_tools=list_tools, on_call_tool=call_tool
)
LINE = {
    "server": "notes",
    "tool": "greet",
    "args": {"name": "Ada"},
    "result": {"content": [HELLO], "structuredContent": {"name": "Ada"}, "isError": False},
}


def greet(target: Any, mode: Any, times: int = 1) -> None:
    """Call the tool with the official client."""

    async def session() -> None:
        async with Client(target, mode=mode) as client:
            for _ in range(times):
                result = await client.call_tool("greet", {"name": "Ada"})
                assert result.structured_content == {"name": "Ada"}

    anyio.run(session)


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
@pytest.mark.parametrize("stateless", [True, False])
@pytest.mark.parametrize("json_response", [True, False])
def test_streamable_http(mode: str, stateless: bool, json_response: bool, tmp_path: Path) -> None:
    """Both eras, with and without sessions, JSON and events: each call is the same line."""
    app = SERVER.streamable_http_app(stateless_http=stateless, json_response=json_response)
    out = tmp_path / "calls.jsonl"
    with serving(app, lifespan="on") as base, proxied(f"{base}/mcp", out) as proxy:
        greet(f"{proxy}/mcp", mode, times=2)
    assert read_lines(out) == [LINE, LINE]


def test_legacy_sse(tmp_path: Path) -> None:
    """Over HTTP with Server-Sent Events the answer comes on another stream, and is paired."""
    out = tmp_path / "calls.jsonl"
    with serving(sse_app(SERVER)) as base, proxied(f"{base}/sse", out) as proxy:
        greet(sse_client(f"{proxy}/sse"), "legacy", times=2)
    assert read_lines(out) == [LINE, LINE]


def test_two_clients_with_the_same_ids(tmp_path: Path) -> None:
    """Sessions count their ids for themselves, and no answer is taken for another's."""
    out = tmp_path / "calls.jsonl"

    async def call_slowly(_context: Any, params: Any) -> CallToolResult:
        await anyio.sleep(params.arguments["wait"])
        text = {"type": "text", "text": params.arguments["name"]}
        return CallToolResult.model_validate({"content": [text]})

    server: Server[Any] = Server("x", on_list_tools=list_tools, on_call_tool=call_slowly)

    async def session(url: str, name: str, wait: float) -> None:
        async with Client(url, mode="legacy") as client:
            await client.call_tool("greet", {"name": name, "wait": wait})

    async def both(url: str) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(session, url, "slow", 0.3)
            tasks.start_soon(session, url, "fast", 0.1)

    with (
        serving(server.streamable_http_app(), lifespan="on") as base,
        proxied(f"{base}/mcp", out) as proxy,
    ):
        anyio.run(both, f"{proxy}/mcp")
    lines = read_lines(out)
    assert len(lines) == 2
    assert all(each["result"]["content"][0]["text"] == each["args"]["name"] for each in lines)


def answer(result: Any, **more: Any) -> bytes:
    """A JSON-RPC response, oddly spaced."""
    return json.dumps({"jsonrpc": "2.0", "id": 7, "result": result, **more}, indent=3).encode()


ODD = {
    "odd spacing and numbers": response(b' {"id": 7, "jsonrpc":"2.0",\n"result":{"n":1.0e2}}\n'),
    "events": response(
        b"retry: 5\r\nid: 1\rdata: {}\n\n:x\nevent: message\ndata: " + answer(1)[:1] + b"\ndata: "
        b'"jsonrpc":"2.0","id":7,"result":{}}\n\n',
        kind="text/event-stream",
    ),
    "latin-1": response(b"caf\xe9", kind="text/plain; charset=latin-1"),
    "a status of its own": response(b"{}", status="418 I'm a teapot"),
    "a header twice": b"HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n"
    b"Content-Length: 0\r\nX-Odd:  y \r\nConnection: close\r\n\r\n",
    "chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
    "compressed all the same": response(b"\x1f\x8b\x08junk").replace(
        b"Content-Type", b"Content-Encoding: gzip\r\nContent-Type"
    ),
    "elsewhere": response(b"", status="302 Found").replace(
        b"Content-Type", b"Location: https://a.example/b?c#d\r\nContent-Type"
    ),
    "nothing": b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n",
}


@pytest.mark.parametrize("name", ODD)
def test_byte_for_byte(name: str, tmp_path: Path) -> None:
    """Status, header fields and body come through as the server sent them."""
    seen: list[tuple[int, list[tuple[bytes, bytes]], bytes]] = []
    with raw_http(lambda _: ODD[name]) as base, proxied(base, tmp_path / "out") as proxy:
        for target in (base, proxy):
            with httpx.stream("POST", f"{target}/x?y=%2F", json=CALL) as got:
                fields = [
                    (key.lower(), value)
                    for key, value in got.headers.raw
                    if key.lower() not in (b"connection", b"transfer-encoding")
                ]
                seen.append((got.status_code, fields, b"".join(got.iter_raw())))
    assert seen[0] == seen[1]


def test_the_request_arrives_as_it_was_sent(tmp_path: Path) -> None:
    """Method, path, query, fields and body reach the server, with its own query added."""
    seen: list[Any] = []

    async def endpoint(request: Request) -> Response:
        body = await request.body()
        fields = {name: value for name, value in request.headers.items() if name.startswith("x-")}
        seen.append((request.method, str(request.url.path), request.url.query, fields, body))
        return Response()

    app = Starlette(routes=[Route("/{path:path}", endpoint, methods=["PUT", "DELETE"])])
    with serving(app) as base, proxied(f"{base}/mcp?key=1", tmp_path / "out") as proxy:
        httpx.put(f"{proxy}/mcp?a=%C3%A9", content=b"\x00x", headers={"x-a": "1"})
        httpx.delete(f"{proxy}/other?a=b")
    assert seen == [
        ("PUT", "/mcp", "key=1&a=%C3%A9", {"x-a": "1"}, b"\x00x"),
        ("DELETE", "/other", "a=b", {}, b""),
    ]


def test_an_answer_is_recorded_before_the_client_has_it(tmp_path: Path) -> None:
    """When a call's answer arrives, its line is in the file."""
    out = tmp_path / "calls.jsonl"
    with raw_http(lambda _: response(answer({"x": 1}))) as base, proxied(base, out) as proxy:
        for count in range(1, 20):
            httpx.post(proxy, json=CALL)
            assert len(read_lines(out)) == count


def test_errors_and_batches(tmp_path: Path) -> None:
    """A JSON-RPC error is a result that holds it; a batch is a line for each of its calls."""
    out = tmp_path / "calls.jsonl"
    error = {"code": -32602, "message": "Tool nope not found", "data": {"more": 1}}
    both = [
        {"jsonrpc": "2.0", "id": "a", "result": {}},
        {"jsonrpc": "2.0", "id": 7, "error": error},
    ]
    with (
        raw_http(lambda _: response(json.dumps(both).encode())) as base,
        proxied(base, out) as proxy,
    ):
        other = {**CALL, "id": "a", "params": {"name": "list"}}
        httpx.post(proxy, json=[other, {**CALL, "method": "ping", "id": 8}, CALL])
    assert [(each["tool"], each["args"], each["result"]) for each in read_lines(out)] == [
        ("list", {}, {}),
        ("greet", {"name": "Ada"}, {"error": {"code": -32602, "message": "Tool nope not found"}}),
    ]


def test_what_2026_wraps_around_a_result_is_left_out(tmp_path: Path) -> None:
    """A line says what the tool answered, and a result that asks for more is no answer yet."""
    out = tmp_path / "calls.jsonl"
    stamp = {"io.modelcontextprotocol/serverInfo": {"name": "x"}}
    results = [
        {"content": [], "resultType": "complete", "_meta": stamp},
        {"content": [], "resultType": "complete", "_meta": {**stamp, "own": 1}},
        {"resultType": "input_required", "inputRequests": {}},
    ]
    replies = iter(results)
    with raw_http(lambda _: response(answer(next(replies)))) as base, proxied(base, out) as proxy:
        for _ in results:
            httpx.post(proxy, json=CALL)
    assert [each["result"] for each in read_lines(out)] == [
        {"content": []},
        {"content": [], "_meta": {"own": 1}},
    ]


def test_secrets_are_not_written(tmp_path: Path) -> None:
    """Credentials of the request, secret fields and shapes, and what --redact names are hidden."""
    out = tmp_path / "calls.jsonl"
    echoed = {
        "content": [{"type": "text", "text": f"you sent {CANARY} and jo@a.example"}],
        "structuredContent": {"access_token": "t0ken", "note": "Bearer abcdef12", "email": "x"},
    }
    call = {**CALL, "params": {"name": "greet", "arguments": {"password": "hunter2", "n": 1}}}
    with (
        raw_http(lambda _: response(answer(echoed))) as base,
        proxied(base, out, patterns=(r"[\w.]+@[\w.]+", "email")) as proxy,
    ):
        got = httpx.post(proxy, json=call, headers={"authorization": f"Bearer {CANARY}"})
        assert got.json()["result"] == echoed
    (line,) = read_lines(out)
    assert line["args"] == {"password": "[redacted]", "n": 1}
    assert line["result"] == {
        "content": [{"type": "text", "text": "you sent [redacted] and [redacted]"}],
        "structuredContent": {
            "access_token": "[redacted]",
            "note": "Bearer [redacted]",
            "email": "[redacted]",
        },
    }


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    """The client is told by HTTP 502 that there is no server, and nothing is recorded."""
    out = tmp_path / "calls.jsonl"
    with proxied("http://127.0.0.1:9/mcp", out) as proxy:
        got = httpx.post(f"{proxy}/mcp", json=CALL)
    assert got.status_code == 502
    assert got.text == "http://127.0.0.1:9/mcp cannot be reached: connection refused.\n"
    assert read_lines(out) == []


def test_a_server_that_dies_mid_answer(tmp_path: Path) -> None:
    """A torn answer is torn for the client as well, and is no line."""
    out = tmp_path / "calls.jsonl"
    torn = response(answer({"x": 1}), length=1_000)
    with (
        raw_http(lambda _: torn) as base,
        proxied(base, out) as proxy,
        pytest.raises(httpx.RemoteProtocolError),
    ):
        httpx.post(proxy, json=CALL)
    assert read_lines(out) == []


def test_a_page_may_not_call(tmp_path: Path) -> None:
    """A request under another host's name is refused: the proxy may hold a credential."""
    with raw_http(lambda _: response(answer({}))) as base, proxied(base, tmp_path / "x") as proxy:
        assert httpx.post(proxy, json=CALL, headers={"host": "evil.example"}).status_code == 403
        origin = {"origin": "https://evil.example"}
        assert httpx.post(proxy, json=CALL, headers=origin).status_code == 403


SPEC = {
    "openapi": "3.1.0",
    "paths": {
        "/deals": {"get": {}, "post": {}, "parameters": []},
        "/deals/{id}": {"get": {}},
        "/deals/latest": {"get": {}},
        "/deals/{id}:close": {"post": {}},
    },
}


@pytest.mark.parametrize("suffix", ["json", "yaml"])
def test_api(suffix: str, tmp_path: Path) -> None:
    """Requests to an API are keyed by the operation that its description has for them."""
    spec, out = tmp_path / f"openapi.{suffix}", tmp_path / "calls.jsonl"
    spec.write_text(json.dumps(SPEC))

    async def endpoint(request: Request) -> Response:
        body = await request.body()
        return Response(body or b'{"ok": true}', 201, {"x-api-key": "s", "x-page": "1"})

    app = Starlette(routes=[Route("/{path:path}", endpoint, methods=["GET", "POST"])])
    with serving(app) as base, proxied(f"{base}/v1/", out, spec=spec) as proxy:
        httpx.get(f"{proxy}/v1/deals/a%2Fb?tag=x&tag=y&sig=z", headers={"authorization": "x y"})
        httpx.get(f"{proxy}/v1/deals/latest")
        httpx.post(f"{proxy}/v1/deals/1:close", content=b"plain")
        assert httpx.get(f"{proxy}/v1/other").json() == {"ok": True}
    lines = read_lines(out)
    assert [line["operation"] for line in lines] == [
        *("GET /deals/{id}", "GET /deals/latest", "POST /deals/{id}:close"),
    ]
    first = lines[0]
    assert first["server"] == "notes"
    assert first["request"]["path"] == {"id": "a/b"}
    assert first["request"]["query"] == {"tag": ["x", "y"], "sig": "[redacted]"}
    assert first["request"]["headers"]["authorization"] == "[redacted]"
    assert first["request"]["body"] is None
    assert first["response"]["status"] == 201
    assert first["response"]["body"] == {"ok": True}
    assert first["response"]["headers"]["x-api-key"] == "[redacted]"
    assert first["response"]["headers"]["x-page"] == "1"
    assert (lines[2]["request"]["body"], lines[2]["response"]["body"]) == ("plain", "plain")
