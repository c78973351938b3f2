"""The work that every Python server compared with evalsim does: judge, fill, page, hold, write."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs

TOOLS_FILE, STATE_FILE = map(Path, sys.argv[1:3])
TOOLS: dict[str, dict[str, Any]] = {
    tool["name"]: tool for tool in json.loads(TOOLS_FILE.read_bytes())["tools"]
}
RECORDS: list[dict[str, Any]] = json.loads(STATE_FILE.read_bytes())["records"]


def _judges(key: str) -> dict[str, Callable[[Any], bool]]:
    return {
        name: jsonschema_rs.validator_for(tool[key], validate_formats=True).is_valid
        for name, tool in TOOLS.items()
        if key in tool
    }


ACCEPTS, HOLDS = _judges("inputSchema"), _judges("outputSchema")
DEFAULTS = {
    name: {
        key: schema["default"]
        for key, schema in tool["inputSchema"]["properties"].items()
        if "default" in schema
    }
    for name, tool in TOOLS.items()
}


def call(name: str, arguments: dict[str, Any], write: Callable[[Any], str]) -> dict[str, Any]:
    """The CallToolResult of a call; `write` makes JSON text."""
    if not ACCEPTS[name](arguments):
        return _error("Input validation error")
    value = _page({**DEFAULTS[name], **arguments})
    result: dict[str, Any] = {"content": [{"type": "text", "text": write(value)}]}
    if name in HOLDS:
        if not HOLDS[name](value):
            return _error("Output validation error")
        result["structuredContent"] = value
    return result


def _page(arguments: dict[str, Any]) -> dict[str, Any]:
    is_large, start = arguments["object"] == "archive", arguments["offset"]
    end = start + (260 if is_large else 5)
    next_offset = None if is_large else end
    return {"records": RECORDS[start:end], "total": len(RECORDS), "next_offset": next_offset}


def _error(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": True}
