"""A request in the making: a good one first, of either era, which mutations then change."""

import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

from conformance.differential.arguments import CALLS
from conformance.differential.exchange import Request

LEGACY = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
MODERN = "2026-07-28"
PREFIX = "io.modelcontextprotocol/"

LISTS = ("prompts/list", "resources/list", "resources/templates/list")
UNKNOWN_METHODS = (*LISTS, "logging/setLevel", "completion/complete", "nope", "tools/get", "é/ü")
NOTIFICATIONS = ("notifications/initialized", "notifications/cancelled", "notifications/x")
OPERATIONS = {
    "tools/call": 50,
    "tools/list": 12,
    "ping": 6,
    "initialize": 8,
    "server/discover": 6,
    "notification": 8,
    "unknown": 8,
    "response": 2,
}


@dataclass(slots=True)
class Draft:
    """What is sent: header fields by lower-case name, and a JSON document or raw bytes."""

    random: Random
    modern: bool
    document: dict[str, Any]
    fields: dict[str, str]
    method: str = "POST"
    twice: str | None = None
    raw: bytes | None = None
    chunk: int | None = None
    marks: set[str] = field(default_factory=set[str])

    @property
    def params(self) -> dict[str, Any]:
        """The params, made an object where they are none yet."""
        return self.within(self.document, "params")

    @property
    def meta(self) -> dict[str, Any]:
        """The params' `_meta`, made an object where it is none yet."""
        return self.within(self.params, "_meta")

    def within(self, parent: dict[str, Any], name: str) -> dict[str, Any]:
        """The object that `parent` holds by this name, made one where it is none yet."""
        if not isinstance(parent.get(name), dict):
            parent[name] = {}
        found: dict[str, Any] = parent[name]
        return found

    def body(self) -> bytes:
        """The body as it is sent, but for its framing."""
        if self.raw is not None:
            return self.raw
        ascii_only = self.random.random() < 0.5
        return json.dumps(self.document, ensure_ascii=ascii_only).encode()

    def request(self) -> Request:
        """The request as it is sent."""
        fields = list(self.fields.items())
        if self.twice is not None and self.twice in self.fields:
            fields.append((self.twice, self.fields[self.twice]))
        body = self.body() if self.method == "POST" else b""
        return Request(self.method, tuple(fields), body, frozenset(self.marks), self.chunk)


def good_draft(random: Random) -> Draft:
    """A request without anything amiss."""
    modern = random.random() < 0.5
    operation = random.choices(list(OPERATIONS), list(OPERATIONS.values()))[0]
    document: dict[str, Any] = {"jsonrpc": "2.0", "id": random.choice((1, 7, "a", "0", 0))}
    document |= _operation(operation, random)
    fields = {
        "host": "127.0.0.1:PORT",
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
    }
    draft = Draft(random, modern, document, fields, marks={operation})
    if operation in ("notification", "response"):
        _without_answer(draft, operation)
    if modern:
        _add_envelope(draft)
    elif operation != "initialize" and random.random() < 0.7:
        fields["mcp-protocol-version"] = random.choice(LEGACY)
    return draft


def _operation(operation: str, random: Random) -> dict[str, Any]:
    if operation == "tools/call":
        name, choose = random.choice(CALLS)
        return {"method": operation, "params": {"name": name, "arguments": choose(random)}}
    if operation == "initialize":
        client = {"name": "client", "version": "1.0.0"}
        version = random.choice((*LEGACY, MODERN, "1999-01-01"))
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
        return {"method": operation, "params": params}
    if operation == "unknown":
        return {"method": random.choice(UNKNOWN_METHODS)}
    if operation == "notification":
        return {"method": random.choice(NOTIFICATIONS)}
    return {"method": operation}


def _without_answer(draft: Draft, operation: str) -> None:
    if operation == "notification":
        del draft.document["id"]
        return
    del draft.document["method"]
    error = {"error": {"code": -1, "message": "no"}}
    draft.document |= draft.random.choice(({"result": {}}, error))


def _add_envelope(draft: Draft) -> None:
    """The `_meta` and the headers of the newest revision; a response has only the version."""
    draft.fields["mcp-protocol-version"] = MODERN
    method = draft.document.get("method")
    if method is None:
        return
    draft.fields["mcp-method"] = method.encode().decode("latin-1")
    if "id" in draft.document or draft.random.random() < 0.3:
        client = {"name": "client", "version": "1.0.0"}
        draft.meta[f"{PREFIX}protocolVersion"] = MODERN
        draft.meta[f"{PREFIX}clientCapabilities"] = {}
        if draft.random.random() < 0.5:
            draft.meta[f"{PREFIX}clientInfo"] = client
    if method == "tools/call":
        draft.fields["mcp-name"] = draft.params["name"]
        _mirror(draft)


def _mirror(draft: Draft) -> None:
    """Repeat in headers the arguments of `route` that its schema says are repeated."""
    if draft.params["name"] != "route":
        return
    arguments = draft.params["arguments"]
    if isinstance(region := arguments.get("region"), str):
        draft.fields["mcp-param-region"] = region
    if isinstance(number := arguments.get("place", {}).get("number"), int | float):
        draft.fields["mcp-param-number"] = str(number)
