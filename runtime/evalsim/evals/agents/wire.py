"""What an agent outside this process is told: a turn as JSON, and the variables of its process."""

import os

import orjson

from evalsim.evals.agents.io import AgentIO
from evalsim.evals.invalid import EvalError
from evalsim.types import Json, JsonObject, is_array, is_object

ENDPOINTS = "EVALSIM_ENDPOINTS"
"""The variable that holds `{"mcp": {id: url}, "http": {id: url}}` as JSON."""


def turn_json(io: AgentIO) -> JsonObject:
    """A turn: what was said, so far and now, and where the agent's model and tools are."""
    model = io.model
    return {
        "text": io.text,
        "messages": list(io.messages),
        "session_id": io.session_id,
        "identity": dict(io.identity),
        "model": {
            "name": model.name,
            "base_url": model.base_url,
            "anthropic_base_url": model.anthropic_base_url,
            "api_key": model.api_key,
        },
        **endpoints(io),
    }


def endpoints(io: AgentIO) -> JsonObject:
    """Where the fakes are."""
    return {"mcp": {id_: server.url for id_, server in io.mcp.items()}, "http": dict(io.http)}


def process_env(io: AgentIO) -> dict[str, str]:
    """All variables of an agent's process: the suite's, and those by which clients find the model.

    Of this process it has PATH alone, without which no command is found.
    """
    where = {ENDPOINTS: orjson.dumps(endpoints(io)).decode(), "EVALSIM_MODEL": io.model.name}
    path = {"PATH": os.environ.get("PATH", os.defpath)}
    return {**path, **io.env, **io.model.env(), **where, **io.sink.process_env()}


def read_reply(answer: Json) -> str:
    """The text of an answer: a string, a member `text` or `reply`, or a chat completion."""
    if isinstance(answer, str):
        return answer
    if is_object(answer):
        for key in ("text", "reply", "output", "content"):
            if isinstance(answer.get(key), str):
                return str(answer[key])
        choices = answer.get("choices")
        if is_array(choices) and choices and is_object(choices[0]):
            return read_reply(choices[0].get("message", {}).get("content") or "")
    raise EvalError(
        "The agent's answer has neither text nor reply, and is no chat completion: give "
        "ChatEndpoint(read=…), which finds the text in it."
    )
