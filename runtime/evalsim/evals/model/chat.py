"""OpenAI's chat completions, decoded and answered."""

import json
from collections.abc import Mapping
from typing import Any

import orjson

from evalsim.evals.model.calls import ModelCall, ModelReply, ToolAnswer
from evalsim.types import Json, JsonObject, is_array, is_object


def decode_chat(number: int, headers: Mapping[str, str], body: JsonObject, at: float) -> ModelCall:
    """The call that a request's body is; raises ValueError for what is none."""
    given = body.get("messages")
    if not is_array(given) or not all(map(is_object, given)):
        raise ValueError("messages is not a list of objects")
    messages: tuple[JsonObject, ...] = tuple(given)
    schema = body.get("response_format")
    return ModelCall(
        number=number,
        api="chat",
        role="default",
        model=str(body.get("model", "")),
        system=_last(messages, "system", "developer"),
        prompt=_last(messages, "user"),
        messages=messages,
        tools=tuple(_tool_name(tool) for tool in body.get("tools") or ()),
        tool_results=_results(messages),
        schema=schema.get("json_schema", {}).get("schema") if is_object(schema) else None,
        headers=headers,
        body=body,
        streamed=body.get("stream") is True,
        started=at,
    )


def chat_answer(call: ModelCall, reply: ModelReply) -> JsonObject:
    """The response object of a reply."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.tool_calls:
        message["tool_calls"] = [
            {
                "id": asked.id,
                "type": "function",
                "function": {"name": asked.name, "arguments": json.dumps(asked.args)},
            }
            for asked in reply.tool_calls
        ]
    return {
        "id": f"chatcmpl-{call.number}",
        "object": "chat.completion",
        "created": 0,
        "model": call.model,
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish}],
        "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
    }


def text_of(content: Json) -> str:
    """The text of a message's content, which is text or a list of parts."""
    if not is_array(content):
        return content if isinstance(content, str) else ""
    parts = (part.get("text") for part in content if is_object(part))
    return "".join(part for part in parts if isinstance(part, str))


def _last(messages: tuple[JsonObject, ...], *roles: str) -> str | None:
    found = (text_of(m.get("content")) for m in reversed(messages) if m.get("role") in roles)
    return next(found, None)


def _results(messages: tuple[JsonObject, ...]) -> tuple[ToolAnswer, ...]:
    """The tool messages after the last one of the assistant."""
    names: dict[str, str] = {}
    found: list[ToolAnswer] = []
    for message in messages:
        if message.get("role") == "assistant":
            found = []
            for asked in message.get("tool_calls") or ():
                names[asked["id"]] = asked["function"]["name"]
        elif message.get("role") == "tool":
            id_ = str(message.get("tool_call_id"))
            found.append(ToolAnswer(id_, names.get(id_), read_text(text_of(message["content"]))))
    return tuple(found)


def read_text(text: str) -> Json:
    """The JSON that a text is, else the text."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def _tool_name(tool: Json) -> str:
    return str(tool.get("function", {}).get("name")) if is_object(tool) else ""
