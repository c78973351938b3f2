"""A fake's call as a tool call: its answer as the contract reads it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import orjson

from evalsim.answers import Ok, read_call
from evalsim.evals.tools import MISSING, ToolCall
from evalsim.types import Json, JsonObject, is_object

if TYPE_CHECKING:
    from evalsim.evals.recorder import FakeCall
    from evalsim.recipe.loader import LoadedFake


def tool_call_of(call: "FakeCall", fakes: "Mapping[str, LoadedFake]") -> ToolCall:
    """A fake's call as a tool call; an answer that its contract can read is what it says."""
    line = call.line or {}
    fake = fakes[call.fake]
    is_api = fake.kind == "api"
    args: Json = line.get("args") if "args" in line else line.get("request", {})
    if not line:
        args = orjson.loads(call.sent)
    result, is_error = _api_result(line) if is_api else _mcp_result(fake, line)
    return ToolCall(
        name=call.name,
        args=args,
        sources=("api" if is_api else "mcp",),
        result=result if call.line is not None else MISSING,
        is_error=is_error,
        server=call.fake,
        tool=call.name,
        started=call.arrived,
        ended=call.ended,
    )


def _mcp_result(fake: "LoadedFake", line: JsonObject) -> tuple[Json, bool]:
    """What a tool answered, as a model reads it, and whether that is an error."""
    result = line.get("result")
    if not is_object(result):
        return None, False
    if is_object(error := result.get("error")):
        return error.get("message"), True
    tool = next((tool for tool in fake.tools if tool.name == line["tool"]), None)
    if tool is not None and result.get("isError") is not True:
        read = read_call(tool, result)
        if isinstance(read, Ok):
            return read_json(read.value) if isinstance(read.value, str) else read.value, False
    if result.get("structuredContent") is not None:
        return result["structuredContent"], result.get("isError") is True
    texts = [str(block.get("text", "")) for block in result.get("content", ())]
    return read_json("".join(texts)), result.get("isError") is True


def _api_result(line: JsonObject) -> tuple[Json, bool]:
    response = line.get("response")
    if not is_object(response):
        return None, False
    status = response.get("status")
    return response.get("body"), isinstance(status, int) and status >= 400


def read_json(text: str) -> Json:
    """The JSON that a text is, else the text."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text
