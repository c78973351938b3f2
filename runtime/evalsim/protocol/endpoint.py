"""One fake's MCP endpoint: a stateless ASGI app that answers both eras of Streamable HTTP."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from evalsim.protocol.batches import read_batch
from evalsim.protocol.clients import capabilities_problem, client_info_problem
from evalsim.protocol.envelope import is_modern_message, names_modern
from evalsim.protocol.errors import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    REFUSED,
    ProtocolError,
    TransportError,
)
from evalsim.protocol.guard import Guard
from evalsim.protocol.headers import check_mirrored
from evalsim.protocol.introductions import CACHE, Identity, discovery, handshake
from evalsim.protocol.listing import read_tools
from evalsim.protocol.messages import (
    Message,
    check_listing,
    read_call,
    read_document,
    read_id,
    read_message,
)
from evalsim.protocol.request import (
    ClientGone,
    Fields,
    Receive,
    Scope,
    Send,
    accepts_json,
    is_json,
    read_body,
    read_fields,
)
from evalsim.protocol.respond import (
    error_response,
    result_response,
    send_batch,
    send_empty,
    send_error,
    send_result,
)
from evalsim.protocol.results import Stamp
from evalsim.protocol.versions import legacy_up_to
from evalsim.types import Json, JsonObject

Caller: TypeAlias = Callable[[str, JsonObject, JsonObject | None], Awaitable[bytes]]
"""Answers a call: (tool name, arguments, the request's `_meta`) to a CallToolResult.

The result is the JSON of an object, as bytes, with no blanks around it. A ProtocolError becomes
the JSON-RPC error it describes; any other exception is answered as an internal error that says
nothing more, so a caller that wants it known records it first. A name that is not listed reaches
the caller too, which is where calls are recorded.
"""


Answers: TypeAlias = dict[str | None, bytes]
"""The results, as JSON, of the methods whose result never changes."""


class Endpoint:
    """An ASGI app for one fake, to be routed at `/<id>/mcp`; it does not look at the path.

    `tools` is the JSON of the `tools` array, served as it is in every protocol version. Raises
    ValueError when it is no array of named tools, or the identity's protocol version is unknown.
    """

    def __init__(self, identity: Identity, tools: bytes, call: Caller, guard: Guard) -> None:
        self._mirrored = read_tools(tools)
        self._legacy = legacy_up_to(identity.protocol_version)
        self._call = call
        self._guard = guard
        self._stamp = Stamp.of(identity.server)
        self._handshakes = {version: handshake(identity, version) for version in self._legacy}
        listed = b'{"tools":' + tools
        self._legacy_answers: Answers = {"ping": b"{}", "tools/list": listed + b"}"}
        self._modern_answers: Answers = {
            "server/discover": self._stamp.append_to(discovery(identity)),
            "tools/list": self._stamp.append_to(listed + CACHE + b"}"),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request; whatever it holds, nothing is raised."""
        fields = read_fields(scope["headers"])
        request_id = None
        try:
            self._admit(scope["method"], fields)
            body = await read_body(receive, fields, self._guard.max_body)
            document = read_document(body)
            if isinstance(document, list):
                await send_batch(send, await self._answer_batch(document, fields))
                return
            request_id = read_id(document, body)
            message = read_message(document, request_id)
            result = await self._answer(message, fields)
        except ClientGone:
            return
        except ProtocolError as error:
            await send_error(send, request_id, error)
            return
        except asyncio.CancelledError:  # the server closes, and waits for this answer alone
            closing = TransportError(503, INTERNAL_ERROR, "The server is closing")
            await send_error(send, request_id, closing)
            return
        if message.id is None:
            await send_empty(send, 202)
        else:
            await send_result(send, message.id, result)

    def _admit(self, method: str, fields: Fields) -> None:
        refusal = self._guard.refusal(fields)
        if refusal is not None:
            raise TransportError(403, REFUSED, refusal)
        if method != "POST":
            raise TransportError(405, REFUSED, "Method not allowed.")
        if not is_json(fields.get(b"content-type", b"")):
            problem = "Unsupported Media Type: Content-Type must be application/json"
            raise TransportError(415, REFUSED, problem)
        # In the modern era JSON is the answer whatever is accepted, as with the TypeScript SDK
        if not names_modern(fields) and not accepts_json(fields.get(b"accept", b"*/*")):
            problem = "Not Acceptable: Client must accept application/json"
            raise TransportError(406, REFUSED, problem)

    async def _answer_batch(self, documents: list[Json], fields: Fields) -> list[bytes]:
        """The response to each request of a batch, as JSON, one made after the other."""
        responses: list[bytes] = []
        for message in read_batch(documents, fields, self._legacy):
            try:
                result = await self._answer(message, fields)
            except ProtocolError as error:
                responses.append(error_response(message.id, error))
            else:
                if message.id is not None:
                    responses.append(result_response(message.id, result))
        return responses

    async def _answer(self, message: Message, fields: Fields) -> bytes:
        """The result of a request, as JSON; nothing for what needs no answer."""
        modern = is_modern_message(message, fields, self._legacy)
        if message.id is None:
            return b""
        if message.method == "tools/call":
            return await self._call_tool(message.params, fields, modern)
        if message.method == "tools/list":
            check_listing(message.params)
        answers = self._modern_answers if modern else self._legacy_answers
        if message.method in answers:
            return answers[message.method]
        if message.method == "initialize" and not modern:
            return self._initialize(message.params)
        # The newest revision tells a missing method by the HTTP status too
        raise TransportError(404 if modern else 200, METHOD_NOT_FOUND, "Method not found")

    def _initialize(self, params: JsonObject) -> bytes:
        if not (
            isinstance(params.get("protocolVersion"), str)
            and capabilities_problem("", params.get("capabilities")) is None
            and client_info_problem("", params.get("clientInfo")) is None
        ):
            needed = "protocolVersion, capabilities and clientInfo (name, version) are required"
            raise ProtocolError(INVALID_PARAMS, f"Invalid initialize request: {needed}")
        newest = self._handshakes[self._legacy[0]]
        return self._handshakes.get(params["protocolVersion"], newest)

    async def _call_tool(self, params: JsonObject, fields: Fields, modern: bool) -> bytes:
        name, arguments, meta = read_call(params, modern=modern)
        if modern and (mirrored := self._mirrored.get(name)):
            check_mirrored(mirrored, arguments, fields)
        try:
            result = await self._call(name, arguments, meta)
            return self._stamp.add_to(result) if modern else result
        except ProtocolError:
            raise
        except Exception:
            raise ProtocolError(INTERNAL_ERROR, "Internal error") from None
