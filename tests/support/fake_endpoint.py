"""A small endpoint to speak MCP to, which keeps every call it is asked to answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import orjson

from evalsim.protocol.endpoint import Endpoint
from evalsim.protocol.errors import ProtocolError
from evalsim.protocol.guard import Guard
from evalsim.protocol.introductions import Identity
from evalsim.types import Json, JsonObject
from support.asgi import LOOPBACK, Answer, exchange, request_scope

MODERN: Final = "2026-07-28"
LEGACY: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")

SERVER: Final[JsonObject] = {
    "name": "crm",
    "title": "Ce-Er-Em ©",
    "version": "3.1.0",
    "icons": [{"src": "https://crm.example/icon.png", "theme": "dark"}],
}
TOOLS: Final = (
    b'[ {"inputSchema":{"default":null,"properties":{"n":{"type":"integer","maximum":1.0,'
    b'"default":null,"const":null}},"x-root":[ ],"type":"object"},"name":"echo","zz":{"b":1,"a":2},'
    b'"description":"caf\xc3\xa9 \\u00e9 \\ud83d \\/","annotations":{"readOnlyHint":"yes"},'
    b'"_meta":{"k":9007199254740993},"execution":{"taskSupport":"forbidden"}},'
    b'{"name":"mirror","inputSchema":{"type":"object","properties":{'
    b'"region":{"type":"string","x-mcp-header":"Region"},'
    b'"place":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"}}}}}} ]'
)
"""A `tools` array that no JSON library writes back as it stands."""

TEXT_RESULT: Final = b'{"content":[{"type":"text","text":"ok"}]}'


IDENTITY: Final = Identity(SERVER, "Be kind.")
GUARD: Final = Guard.for_binding("127.0.0.1", 7353)

Call: TypeAlias = tuple[str, JsonObject, JsonObject | None]


@dataclass(slots=True)
class FakeEndpoint:
    """An endpoint over TOOLS whose every call returns `result`, or raises it."""

    result: bytes | Exception = TEXT_RESULT
    identity: Identity = IDENTITY
    guard: Guard = GUARD
    calls: list[Call] = field(default_factory=list[Call])

    async def call(self, name: str, arguments: JsonObject, meta: JsonObject | None) -> bytes:
        """Keep the call; answer as told."""
        self.calls.append((name, arguments, meta))
        if name not in ("echo", "mirror"):
            raise ProtocolError(-32602, f"Tool {name} not found")
        if isinstance(self.result, Exception):
            raise self.result
        return self.result

    def endpoint(self) -> Endpoint:
        """The ASGI app."""
        return Endpoint(self.identity, TOOLS, self.call, self.guard)

    def send(
        self, body: bytes, headers: Mapping[str, str] | None = None, method: str = "POST"
    ) -> Answer:
        """Send one request with a raw body; `headers` replace or add to the usual ones."""
        usual = {"host": LOOPBACK, "content-type": "application/json"}
        fields = list({**usual, **(headers or {})}.items())
        return exchange(self.endpoint(), request_scope(method, fields), [body])

    def ask(
        self, method: str, params: Json = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send one request of the handshake era, with id 1."""
        return self.send(request(method, params), headers)

    def ask_modern(
        self,
        method: str,
        params: JsonObject | None = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> Answer:
        """Send one request of 2026-07-28, with its envelope and headers; a None drops a header."""
        body = request(method, {"_meta": envelope(), **(params or {})})
        usual = {"mcp-protocol-version": MODERN, "mcp-method": method}
        if params is not None and isinstance(params.get("name"), str):
            usual["mcp-name"] = params["name"]
        fields = {**usual, **(headers or {})}
        return self.send(body, {name: text for name, text in fields.items() if text is not None})


def request(method: str, params: Json = None) -> bytes:
    """A JSON-RPC request with id 1; params of None are left out."""
    document = {"jsonrpc": "2.0", "id": 1, "method": method}
    return orjson.dumps(document if params is None else {**document, "params": params})


def envelope(**changes: Json) -> JsonObject:
    """The `_meta` of a request of 2026-07-28; a keyword replaces a key, and None drops it."""
    prefix = "io.modelcontextprotocol/"
    keys: JsonObject = {"protocolVersion": MODERN, "clientCapabilities": {}, **changes}
    return {prefix + key: value for key, value in keys.items() if value is not None}


def error_of(answer: Answer) -> tuple[int, int, str]:
    """An answer's HTTP status, error code and error message."""
    error = answer.json["error"]
    return answer.status, error["code"], error["message"]
