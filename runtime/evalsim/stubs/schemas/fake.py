"""What the tools of a fake take and answer, by its captured contract."""

from typing import TYPE_CHECKING, Any

from evalsim.stubs.errors import StubError
from evalsim.stubs.tool import ToolSchema, ToolSchemas
from evalsim.stubs.values import is_sequence
from evalsim.types import Json

if TYPE_CHECKING:
    from evalsim.contract.contract import PreparedTool


def fake_tools(fake: Any) -> ToolSchemas:
    """The tools of a loaded MCP fake; what a stub of one answers is the decoded answer.

    Raises `StubError` for what is no such fake.
    """
    from evalsim.contract.contract import PreparedTool  # noqa: PLC0415  only with fakes

    said: object = getattr(fake, "tools", None)
    tools = said if is_sequence(said) else (None,)
    prepared = [tool for tool in tools if isinstance(tool, PreparedTool)]
    if len(prepared) < len(tools) or not tools:
        told = "from_fake takes a loaded fake of an MCP server, as load_fakes()['attio'] is one"
        raise StubError(f"{told}, not {type(fake).__name__}.")
    return {("tool", tool.name): _schema(tool) for tool in prepared}


def _schema(tool: "PreparedTool") -> ToolSchema:
    answer: Json = None
    if tool.answer is not None and tool.answer.has_schema:
        answer = tool.answer.schema
    elif tool.answer is not None and tool.answer.format == "text":
        answer = {"type": "string"}
    return ToolSchema(tool.name, tool.captured.input_schema, answer)
