"""The requests that every server is sent, and what each must answer before it is measured."""

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal
from urllib.parse import urlsplit

Era = Literal["2025", "2026"]
Operation = Literal["text", "structured", "list"]
VERSIONS: Final[Mapping[Era, str]] = {"2025": "2025-11-25", "2026": "2026-07-28"}
TOOLS: Final[Mapping[Operation, str]] = {"text": "list-records", "structured": "get-records"}
META: Final = {
    "io.modelcontextprotocol/protocolVersion": VERSIONS["2026"],
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1.0.0"},
}
CONDITIONS: Final = [
    {"path": "stage", "operator": "eq", "value": "Won"},
    {"path": "deal.value", "operator": "gt", "value": 10},
]
ARGUMENTS: Final = {
    "updated_since": "2026-09-30T12:00:00Z",
    "sort": [{"field": "name", "direction": "asc"}],
    "filter": {"op": "and", "conditions": CONDITIONS},
}
PLAIN: Final = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}


@dataclass(frozen=True, slots=True)
class Request:
    """An HTTP request to an MCP endpoint."""

    body: bytes
    headers: Mapping[str, str]


def request(era: Era, operation: Operation) -> Request:
    """A call that is answered with 1 KB of text or 50 KB of structured content, or a listing."""
    method, params = "tools/list", dict[str, Any]()
    if operation != "list":
        kind = "deals" if operation == "text" else "archive"
        method = "tools/call"
        params = {"name": TOOLS[operation], "arguments": {"object": kind, **ARGUMENTS}}
    headers = {**PLAIN, "MCP-Protocol-Version": VERSIONS[era]}
    if era == "2026":
        params["_meta"] = META
        headers["Mcp-Method"] = method
        if operation != "list":
            headers["Mcp-Name"] = TOOLS[operation]
    return Request(_message(method, params, id=1), headers)


def check(url: str, era: Era, operation: Operation, session: str | None = None) -> None:
    """Send one request; raises AssertionError when its answer is not the whole right one."""
    asked = request(era, operation)
    headers = {**asked.headers, "Mcp-Session-Id": session} if session else asked.headers
    _, answer = post(url, Request(asked.body, headers))
    result = answer["result"]
    if operation == "list":
        assert [tool["name"] for tool in result["tools"]] == list(TOOLS.values()), answer
        return
    assert not result.get("isError"), answer
    value = json.loads(result["content"][0]["text"])
    assert len(value["records"]) == (5 if operation == "text" else 260), answer
    if operation == "structured":
        assert result["structuredContent"] == value, answer


def open_session(url: str) -> str:
    """A new session of a server that keeps some; returns its id."""
    params = {
        "protocolVersion": VERSIONS["2025"],
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1.0.0"},
    }
    headers, _ = post(url, Request(_message("initialize", params, id=0), PLAIN))
    session = headers["mcp-session-id"]
    noted = {**PLAIN, "Mcp-Session-Id": session, "MCP-Protocol-Version": VERSIONS["2025"]}
    post(url, Request(_message("notifications/initialized", {}), noted))
    return session


def post(url: str, asked: Request) -> tuple[Mapping[str, str], Any]:
    """The headers, by lower-case name, and the message that answer a request."""
    address = urlsplit(url)
    assert address.hostname is not None
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
    connection.request("POST", address.path, asked.body, dict(asked.headers))
    response = connection.getresponse()
    data = response.read()
    headers = {name.lower(): value for name, value in response.getheaders()}
    connection.close()
    assert response.status in (200, 202), (response.status, data[:500])
    if headers.get("content-type", "").startswith("text/event-stream"):
        events = (line.removeprefix(b"data:") for line in data.splitlines())
        data = next(event for event in events if event.lstrip().startswith(b"{"))
    return headers, json.loads(data) if data else None


def _message(method: str, params: Mapping[str, Any], **more: int) -> bytes:
    message = {"jsonrpc": "2.0", **more, "method": method, "params": params}
    return json.dumps(message, separators=(",", ":")).encode()
