"""A call of the model, decoded the same way whichever API it came by."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from evalsim.types import Json, JsonObject

ApiName: TypeAlias = Literal["chat", "responses", "messages", "embeddings", "models"]


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """A tool call that the model asks for; `raw` are its arguments where they are no JSON."""

    id: str
    name: str
    args: JsonObject
    raw: str | None = None


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a tool answered, as the model is told: JSON where the text is JSON, else the text."""

    call_id: str
    name: str | None
    content: Json
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What the model answered."""

    text: str = ""
    tool_calls: tuple[ToolRequest, ...] = ()
    finish: str = "stop"


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a call of the model measures nothing: what is at fault, and what is wrong."""

    kind: Literal["script", "provider", "request"]
    message: str


@dataclass(slots=True)
class ModelCall:
    """One call of the model; `reply` is None while it is answered, and where it was refused."""

    number: int
    api: ApiName
    role: str
    model: str
    system: str | None
    prompt: str | None
    messages: tuple[JsonObject, ...]
    tools: tuple[str, ...]
    tool_results: tuple[ToolAnswer, ...]
    schema: Json
    headers: Mapping[str, str]
    body: Json
    streamed: bool
    started: float
    ended: float | None = None
    status: int | None = None
    reply: ModelReply | None = None
    trouble: Trouble | None = None
