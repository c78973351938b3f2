"""What a fake of an MCP server is written with: helpers for handlers, bases for generated code.

from evalsim.mcp import not_implemented, text, ToolError

A handler that is no `async def` blocks all others while it runs: that makes it atomic, and it must
not wait for anything. An `async def` one may wait, and others run meanwhile.
"""

from evalsim.contract.answer import DeclaredAnswer
from evalsim.contract.contract import Contract
from evalsim.contract.declared import json_answer, plain_text, prefixed_json, toon
from evalsim.contract.handlers import Mark, Tool
from evalsim.contract.reply import (
    Call,
    Content,
    NotImplementedByFake,
    Text,
    content,
    not_implemented,
    text,
)
from evalsim.errors import ToolError, UnknownScenario
from evalsim.models import Model
from evalsim.types import Json, JsonLike, JsonObject
from evalsim.verify import label_id

__all__ = [
    "Call",
    "Content",
    "Contract",
    "DeclaredAnswer",
    "Json",
    "JsonLike",
    "JsonObject",
    "Mark",
    "Model",
    "NotImplementedByFake",
    "Text",
    "Tool",
    "ToolError",
    "UnknownScenario",
    "content",
    "json_answer",
    "label_id",
    "not_implemented",
    "plain_text",
    "prefixed_json",
    "text",
    "toon",
]
