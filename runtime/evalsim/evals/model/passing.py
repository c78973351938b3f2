"""Passing a call on to the real provider, and reading what it answers."""

import json
from collections.abc import Mapping
from urllib.parse import urlsplit

import orjson

from evalsim.evals.http import post
from evalsim.evals.model.calls import ModelCall, ModelReply, ToolRequest, Trouble
from evalsim.evals.model.chat import text_of
from evalsim.evals.model.provider import Model
from evalsim.types import Json, JsonObject, is_array, is_object


async def pass_on(call: ModelCall, model: Model, env: Mapping[str, str]) -> tuple[int, bytes]:
    """The provider's status and body; `call.reply` is what it says, or `call.trouble` why not."""
    if model.provider != "openai" or call.streamed:
        what = "streamed calls are" if call.streamed else f"{model.provider}'s models are"
        call.trouble = Trouble("request", f"{what} not passed on to a live provider")
        return 501, orjson.dumps({"error": {"message": call.trouble.message}})
    key = next((env[name] for name in model.key_names if env.get(name)), "none")
    body = orjson.dumps({**call.body, "model": model.name})
    url = urlsplit(f"{model.base_url}/chat/completions")
    try:
        status, answer = await post(url, body, {"authorization": f"Bearer {key}"})
    except OSError as error:
        call.trouble = Trouble("provider", f"{url.netloc} cannot be reached: {error}")
        return 502, orjson.dumps({"error": {"message": call.trouble.message}})
    call.reply = _read(answer) if status < 400 else None
    if call.reply is None:
        told = answer.decode(errors="replace")[:300]
        call.trouble = Trouble("provider", f"{url.netloc} answered with {status}: {told}")
    return status, answer


def _read(answer: bytes) -> ModelReply | None:
    """What a chat completion says; None for what is none."""
    try:
        body: Json = orjson.loads(answer)
    except orjson.JSONDecodeError:
        return None
    choices = body.get("choices") if is_object(body) else None
    if not is_array(choices) or not choices or not is_object(choices[0].get("message")):
        return None
    message: JsonObject = choices[0]["message"]
    asked = tuple(map(_request, message.get("tool_calls") or ()))
    text = text_of(message.get("content"))
    return ModelReply(text, asked, str(choices[0].get("finish_reason")))


def _request(asked: JsonObject) -> ToolRequest:
    raw = str(asked["function"].get("arguments") or "{}")
    try:
        args: Json = json.loads(raw)
    except ValueError:
        args = None
    is_read = is_object(args)
    name = str(asked["function"]["name"])
    return ToolRequest(
        str(asked.get("id")), name, args if is_read else {}, None if is_read else raw
    )
