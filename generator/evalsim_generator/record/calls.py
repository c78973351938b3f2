"""Pairing the tool calls that a client sends with their answers, wherever those come back."""

import json
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evalsim.protocol.versions import SERVER_INFO_KEY
from evalsim.types import Json, JsonObject, is_array, is_object
from evalsim_generator.record.recorder import Recorder

_WAITING: Final = 10_000
"""Calls without an answer that are remembered; the oldest are forgotten first."""


@dataclass(slots=True)
class SentCall:
    """A call on its way."""

    tool: str
    args: JsonObject
    answered: bool = False


class Calls:
    """The calls of every client of one server.

    A call and its answer have a JSON-RPC id in common, which each session counts for itself: a
    channel is what tells sessions apart. An answer may come with the request's own response, or
    over the stream of its channel.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._waiting: OrderedDict[tuple[str, str], SentCall] = OrderedDict()

    def sent(self, body: bytes, channel: str) -> dict[str, SentCall]:
        """Note the calls in what a client sends; gives them by their ids."""
        calls: dict[str, SentCall] = {}
        for message in messages_in(body):
            call = _call(message)
            if call is not None:
                key = json.dumps(message["id"])
                calls[key] = self._waiting[channel, key] = call
        while len(self._waiting) > _WAITING:
            self._waiting.popitem(last=False)
        return calls

    def answered(
        self, body: bytes | str, channel: str, calls: dict[str, SentCall] | None = None
    ) -> None:
        """Record the answers in what a server sends: to `calls`, or else to any of the channel."""
        for message in messages_in(body):
            if "method" in message or ("result" not in message and "error" not in message):
                continue
            key = json.dumps(message.get("id"))
            call = (calls or {}).get(key) or self._waiting.get((channel, key))
            if call is not None and not call.answered:
                call.answered = True
                self._record(call, message)
            if call is self._waiting.get((channel, key)):
                self._waiting.pop((channel, key), None)

    def unanswered(self, calls: dict[str, SentCall]) -> None:
        """Note those of `calls` whose answer came without a message for them."""
        for call in calls.values():
            if not call.answered:
                self._recorder.missed("an answer was no JSON-RPC message for its call")

    def _record(self, call: SentCall, message: JsonObject) -> None:
        result = _result(message)
        if result is None:
            self._recorder.missed("a server asked for more before it answered")
        else:
            self._recorder.call(call.tool, call.args, result)


def messages_in(body: bytes | str) -> Iterator[JsonObject]:
    """The JSON-RPC messages in a body, which may be a batch; none when it is no JSON."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return
    for message in document if is_array(document) else [document]:
        if is_object(message):
            yield message


def _call(message: JsonObject) -> SentCall | None:
    params = message.get("params")
    if message.get("method") != "tools/call" or "id" not in message or not is_object(params):
        return None
    tool, args = params.get("name"), params.get("arguments")
    if not isinstance(tool, str) or not (args is None or is_object(args)):
        return None
    return SentCall(tool, args or {})


def _result(message: JsonObject) -> Json:
    """The result as the tool gave it, without what 2026-07-28 wraps around every result.

    None where it is not the call's result yet.
    """
    error, result = message.get("error"), message.get("result")
    if is_object(error):
        return {"error": {"code": error.get("code"), "message": error.get("message")}}
    if not is_object(result) or result.get("resultType", "complete") != "complete":
        return None
    result = {key: value for key, value in result.items() if key != "resultType"}
    meta = result.get("_meta")
    if is_object(meta) and SERVER_INFO_KEY in meta:
        result["_meta"] = {key: value for key, value in meta.items() if key != SERVER_INFO_KEY}
        if not result["_meta"]:
            del result["_meta"]
    return result
