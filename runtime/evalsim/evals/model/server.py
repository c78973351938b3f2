"""The model server: one address, at which each case has a path and a key of its own."""

import secrets
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Self, TypeAlias

import orjson

from evalsim.evals.model.calls import ModelCall, ModelReply, Trouble
from evalsim.evals.model.chat import chat_answer, decode_chat
from evalsim.evals.model.passing import pass_on
from evalsim.evals.model.provider import Model
from evalsim.evals.model.session import ModelSession, cursors
from evalsim.evals.model.steps import DEFAULT_SCRIPT, Fail, Script
from evalsim.hosting.server import Server, bind
from evalsim.protocol.request import Receive, Scope, Send
from evalsim.types import Json, JsonObject, is_object

Answered: TypeAlias = tuple[int, list[tuple[bytes, bytes]], bytes]
"""A status, headers and a body."""
SCRIPTED = "scripted-model"
"""The name of the model that a script plays."""


class ModelServer:
    """Serves scripted models on loopback, in `async with`; sessions are opened from any thread."""

    def __init__(self) -> None:
        self._sessions: dict[str, ModelSession] = {}
        self.root = ""

    def open(
        self,
        *,
        script: Script = DEFAULT_SCRIPT,
        scripts: Mapping[str, Script] | None = None,
        model: Model | None = None,
        env: Mapping[str, str] | None = None,
    ) -> ModelSession:
        """A session of its own, with every script at its first step.

        With a `model`, calls are passed on to it with the key that `env` holds, and no script is
        played.
        """
        key = f"evalsim-{secrets.token_hex(8)}"
        name = SCRIPTED if model is None else model.name
        session = ModelSession(
            self.root, key, name, cursors(script, scripts or {}), model, dict(env or {})
        )
        self._sessions[key] = session
        return session

    async def __aenter__(self) -> Self:
        listening = bind("127.0.0.1", 0)
        self.root = f"http://127.0.0.1:{listening.getsockname()[1]}"
        self._server = Server(self)
        await self._server.open(listening)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._server.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, as an ASGI app."""
        body = await _body(receive)
        status, headers, answer = await self._answer(scope, body)
        sent = [(b"content-type", b"application/json"), *headers]
        await send({"type": "http.response.start", "status": status, "headers": sent})
        await send({"type": "http.response.body", "body": answer})

    async def _answer(self, scope: Scope, body: bytes) -> Answered:
        _, _, key, *rest = scope["path"].split("/")
        session = self._sessions.get(key)
        if session is None:
            return 404, [], _error(f"No session has the key {key[:40]!r}.")
        if session.is_closed:
            return 410, [], _error("The case that this model was for is over.")
        headers = {name.decode("latin-1"): v.decode("latin-1") for name, v in scope["headers"]}
        if rest != ["v1", "chat", "completions"]:
            return 404, [], _error(f"Nothing is served at {scope['path']}.")
        try:
            call = decode_chat(len(session.calls) + 1, headers, _object(body), time.monotonic())
        except ValueError as error:
            return 400, [], _error(str(error))
        session.add(call)
        if session.model is None:
            return _answered(session, call)
        call.status, answer = await pass_on(call, session.model, session.env_of_provider)
        call.ended = time.monotonic()
        return call.status, [], answer


def _answered(session: ModelSession, call: ModelCall) -> Answered:
    if call.streamed:
        call.trouble = Trouble("request", "streaming is not served")
    reply = session.answer(call) if call.trouble is None else Fail(400, call.trouble.message)
    call.ended = time.monotonic()
    if isinstance(reply, ModelReply):
        call.status, call.reply = 200, reply
        return 200, [], orjson.dumps(chat_answer(call, reply))
    call.status = reply.status
    after = [] if reply.retry_after is None else [(b"retry-after", b"%g" % reply.retry_after)]
    return reply.status, after, _error(reply.message)


def _object(body: bytes) -> JsonObject:
    value: Json = orjson.loads(body)
    if not is_object(value):
        raise ValueError("the body is not a JSON object")
    return value


def _error(message: str) -> bytes:
    return orjson.dumps({"error": {"message": message, "type": "evalsim", "code": None}})


async def _body(receive: Receive) -> bytes:
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b""
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)
