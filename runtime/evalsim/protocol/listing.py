"""What an endpoint needs to know of the tools it serves as bytes."""

import json
from typing import TypeAlias

import orjson

from evalsim.protocol.headers import ANNOTATION, MirroredArgument, mirrored_arguments
from evalsim.protocol.shapes import is_array, is_object
from evalsim.types import Json

Mirrored: TypeAlias = tuple[MirroredArgument, ...]


def read_tools(tools: bytes) -> dict[str, Mirrored]:
    """Each tool's name, with the arguments that its callers repeat in headers.

    `tools` is the JSON of a `tools` array; raises ValueError when it is anything else.
    """
    document = _parse(tools)
    if not is_array(document):
        raise ValueError("The tools are not a JSON array.")
    # Few servers mirror anything; an escape may spell any word
    may_mirror = ANNOTATION.encode() in tools or b"\\u" in tools
    return dict(_read_tool(tool, may_mirror=may_mirror) for tool in document)


def _read_tool(tool: Json, *, may_mirror: bool) -> tuple[str, Mirrored]:
    if not is_object(tool) or not isinstance(tool.get("name"), str):
        raise ValueError("A tool is not an object with a name.")
    return tool["name"], mirrored_arguments(tool.get("inputSchema")) if may_mirror else ()


def _parse(tools: bytes) -> Json:
    try:
        return orjson.loads(tools)
    except orjson.JSONDecodeError:
        # A cut-off emoji in a captured description is a lone surrogate, which only this one reads
        return json.loads(tools)
