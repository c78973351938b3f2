"""The tools that the conformance scenarios ask a server for, and what they answer."""

from typing import Final

import orjson

from evalsim.types import JsonObject

PNG: Final = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
WAV: Final = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQAAAAA="

NOTHING: Final[JsonObject] = {"type": "object", "properties": {}}
ADDRESS: Final[JsonObject] = {
    "$anchor": "addressDef",
    "type": "object",
    "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
}
CONTACT: Final[JsonObject] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": ADDRESS},
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
MIRRORED: Final[JsonObject] = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
}

IMAGE: Final[JsonObject] = {"type": "image", "data": PNG, "mimeType": "image/png"}
AUDIO: Final[JsonObject] = {"type": "audio", "data": WAV, "mimeType": "audio/wav"}


def _text(text: str) -> JsonObject:
    return {"type": "text", "text": text}


def _resource(name: str, mime_type: str, text: str) -> JsonObject:
    contents = {"uri": f"test://{name}", "mimeType": mime_type, "text": text}
    return {"type": "resource", "resource": contents}


PAGE: Final = _resource("embedded-resource", "text/plain", "This is an embedded resource content.")
DATA: Final = _resource("mixed-content-resource", "application/json", '{"test":"data","value":123}')
GREETING: Final = "This is a simple text response for testing."
REFUSAL: Final = "This tool intentionally returns an error for testing"

ANSWERS: Final[dict[str, tuple[JsonObject, JsonObject]]] = {
    "test_simple_text": (NOTHING, {"content": [_text(GREETING)]}),
    "test_image_content": (NOTHING, {"content": [IMAGE]}),
    "test_audio_content": (NOTHING, {"content": [AUDIO]}),
    "test_embedded_resource": (NOTHING, {"content": [PAGE]}),
    "test_multiple_content_types": (
        NOTHING,
        {"content": [_text("Multiple content types test:"), IMAGE, DATA]},
    ),
    "test_error_handling": (NOTHING, {"content": [_text(REFUSAL)], "isError": True}),
    "json_schema_2020_12_tool": (CONTACT, {"content": [_text("ok")]}),
    "test_x_mcp_header": (MIRRORED, {"content": [_text("ok")]}),
}
"""Each tool's inputSchema, and the one answer that it always gives."""

TOOLS: Final = orjson.dumps(
    [
        {"name": name, "description": f"Conformance: {name}.", "inputSchema": schema}
        for name, (schema, _) in ANSWERS.items()
    ]
)
"""The `tools` array, as a capture would hold it."""


async def answer(name: str, arguments: JsonObject, meta: JsonObject | None) -> bytes:
    """The CallToolResult of a tool, whatever it is sent."""
    return orjson.dumps(ANSWERS[name][1])
