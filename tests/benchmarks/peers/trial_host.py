"""A trial of a tools-only host, with nothing but the protocol: trial_host.py TOOLS STATE.

It has no typed handlers, words for refusals, state, record or faults, so it shows what those cost.
"""

import base64
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import orjson
from serving import serve
from starlette.applications import Starlette
from starlette.routing import Route
from work import TOOLS, call

MODERN = "2026-07-28"
LEGACY = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
INFO = {"name": "bench", "version": "1.0.0"}
META = orjson.dumps({"io.modelcontextprotocol/serverInfo": INFO})
STAMP = b',"resultType":"complete","_meta":' + META
STATUS = {-32700: 400, -32600: 400, -32602: 400, -32020: 400, -32021: 400, -32022: 400, -32601: 404}
CAPABILITIES = {"tools": {"listChanged": False}}
MAX_BODY = 4 * 1024 * 1024

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]


class Refused(Exception):
    """A JSON-RPC error."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        self.error = {"code": code, "message": message}
        if data is not None:
            self.error["data"] = data
        super().__init__(message)


class Unanswered(Exception):
    """A request that is answered by a status alone."""

    def __init__(self, status: int, body: bytes = b"") -> None:
        self.status, self.body = status, body
        super().__init__(status)


class Headers:
    """Header fields by name, and which of them came twice."""

    def __init__(self, raw: Sequence[tuple[bytes, bytes]]) -> None:
        self.values: dict[bytes, str] = {}
        self.repeated: set[bytes] = set()
        for name, value in raw:
            if name in self.values:
                self.repeated.add(name)
            self.values[name] = value.decode("latin-1").strip()

    def says(self, name: bytes, value: Any) -> bool:
        """Whether the field came once and says this."""
        return self.values.get(name) == value and name not in self.repeated


class TrialHost:
    """One endpoint of both eras."""

    def __init__(self, tools: Mapping[str, dict[str, Any]]) -> None:
        self._tools = tools
        self._listed = b'{"tools":' + orjson.dumps(list(tools.values()))
        self._mirrored = {name: _mirrored(tool["inputSchema"]) for name, tool in tools.items()}

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request."""
        request_id: Any = None
        modern = False
        try:
            headers = _admitted(scope)
            modern = headers.values.get(b"mcp-protocol-version") not in (None, *LEGACY)
            request = _parsed(await _body(receive))
            _check_shape(request, headers, modern)
            request_id, params = request["id"], request.get("params") or {}
            if modern:
                self._check_modern(request["method"], params, headers)
            result = self._result(request["method"], params, modern)
            start = b'{"jsonrpc":"2.0","id":' + orjson.dumps(request_id)
            await _reply(send, 200, start + b',"result":' + result + b"}")
        except Unanswered as reply:
            await _reply(send, reply.status, reply.body)
        except Refused as refused:
            code = refused.error["code"]
            status = STATUS.get(code, 200) if modern or code in (-32700, -32600) else 200
            document = {"jsonrpc": "2.0", "id": request_id, "error": refused.error}
            await _reply(send, status, orjson.dumps(document))

    def _check_modern(self, method: str, params: dict[str, Any], headers: Headers) -> None:
        meta = params.get("_meta")
        if not isinstance(meta, dict) or not {VERSION_KEY, CAPABILITIES_KEY} <= meta.keys():
            raise Refused(-32602, "params._meta is missing the required envelope keys")
        if not headers.says(b"mcp-protocol-version", meta[VERSION_KEY]):
            raise Refused(-32020, "MCP-Protocol-Version header does not match")
        if not headers.says(b"mcp-method", method):
            raise Refused(-32020, "Mcp-Method header does not match")
        name = params.get("name")
        if method in ("tools/call", "prompts/get") and name is not None:
            sent = _decoded(headers.values.get(b"mcp-name"))
            if sent != name or b"mcp-name" in headers.repeated:
                raise Refused(-32020, "Mcp-Name header does not match")
        if meta[VERSION_KEY] != MODERN:
            raise _unsupported(meta[VERSION_KEY])
        if method == "tools/call":
            for key, field, kind in self._mirrored.get(name or "", ()):
                value = (params.get("arguments") or {}).get(key)
                _check_mirrored(headers, f"mcp-param-{field}".lower().encode(), value, kind)

    def _result(self, method: str, params: dict[str, Any], modern: bool) -> bytes:
        stamp = STAMP if modern else b""
        if method == "tools/call":
            return self._call(params)[:-1] + stamp + b"}"
        if method == "tools/list":
            cache = b',"ttlMs":0,"cacheScope":"private"' if modern else b""
            return self._listed + cache + stamp + b"}"
        if method == "ping" and not modern:
            return b"{}"
        if method == "initialize" and not modern:
            return _initialized(params)
        if method == "server/discover" and modern:
            found = {"supportedVersions": [MODERN], "capabilities": CAPABILITIES}
            return orjson.dumps({**found, "ttlMs": 0, "cacheScope": "private"})[:-1] + stamp + b"}"
        raise Refused(-32601, "Method not found")

    def _call(self, params: dict[str, Any]) -> bytes:
        name, arguments = params.get("name"), params.get("arguments", {})
        if not isinstance(name, str) or not isinstance(arguments, dict):
            raise Refused(-32602, "Invalid tools/call request")
        if name not in self._tools:
            raise Refused(-32602, f"Tool {name} not found")
        return orjson.dumps(call(name, arguments, lambda value: orjson.dumps(value).decode()))


def _admitted(scope: dict[str, Any]) -> Headers:
    if scope["method"] != "POST":
        raise Unanswered(405)
    headers = Headers(scope["headers"])
    if not _is_local(headers.values.get(b"host", "")):
        raise Unanswered(421, b"Invalid Host header")
    origin = headers.values.get(b"origin")
    if origin and not _is_local(origin.split("://")[-1]):
        raise Unanswered(403, b"Invalid Origin header")
    if not headers.values.get(b"content-type", "").startswith("application/json"):
        raise Unanswered(415)
    return headers


def _is_local(host: str) -> bool:
    return host.rsplit(":", 1)[0] in ("127.0.0.1", "localhost")


async def _body(receive: Receive) -> bytes:
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > MAX_BODY:
            raise Unanswered(413)
        if not message.get("more_body"):
            return body


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        request = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise Refused(-32700, "Parse error") from None
    if not isinstance(request, dict) or request.get("jsonrpc") != "2.0":
        raise Refused(-32600, "Body must be a single JSON-RPC request or notification object")
    return request


def _check_shape(request: dict[str, Any], headers: Headers, modern: bool) -> None:
    if not isinstance(request.get("method"), str):
        if "result" in request or "error" in request:
            raise Unanswered(202)
        raise Refused(-32600, "Invalid Request")
    if "id" not in request:
        version = headers.values.get(b"mcp-protocol-version")
        if modern and version != MODERN:
            raise _unsupported(version)
        raise Unanswered(202)
    if not isinstance(request["id"], str | int) or isinstance(request["id"], bool):
        raise Refused(-32600, "Invalid Request")
    if not isinstance(request.get("params"), dict | None):
        raise Refused(-32602, "Invalid params")


def _mirrored(schema: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    """The arguments that callers repeat in headers: each one's key, header and type."""
    return [
        (key, member["x-mcp-header"], member.get("type"))
        for key, member in schema.get("properties", {}).items()
        if isinstance(member, dict) and "x-mcp-header" in member
    ]


def _check_mirrored(headers: Headers, field: bytes, value: Any, kind: str | None) -> None:
    raw = headers.values.get(field)
    if raw is None and value is None:
        return
    sent, meant = _decoded(raw), _rendered(value)
    same = sent == meant or (
        kind == "integer"
        and sent is not None
        and re.fullmatch(r"-?\d+(\.0+)?", sent) is not None
        and int(sent.split(".")[0]) == value
    )
    if sent is None or meant is None or field in headers.repeated or not same:
        raise Refused(-32020, f"{field.decode()} header does not match")


def _decoded(value: str | None) -> str | None:
    if value is None or not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return base64.b64decode(value[9:-2], validate=True).decode()
    except ValueError:
        return None


def _rendered(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return str(int(value))
    return None


def _initialized(params: dict[str, Any]) -> bytes:
    version = params.get("protocolVersion")
    if not isinstance(version, str) or not {"clientInfo", "capabilities"} <= params.keys():
        raise Refused(-32602, "Invalid params")
    return orjson.dumps(
        {
            "protocolVersion": version if version in LEGACY else LEGACY[0],
            "capabilities": CAPABILITIES,
            "serverInfo": INFO,
        }
    )


def _unsupported(version: Any) -> Refused:
    data = {"supported": [MODERN], "requested": version}
    return Refused(-32022, "Unsupported protocol version", data)


async def _reply(send: Send, status: int, body: bytes) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    if status == 405:
        headers.append((b"allow", b"POST"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


if __name__ == "__main__":
    serve(Starlette(routes=[Route("/bench/mcp", TrialHost(TOOLS))]))
