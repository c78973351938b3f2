"""A sales agent in plain Python: OpenAI's client, and the official MCP client for its tools."""

import json
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Any

from mcp import Client
from mcp_types import TextContent
from openai import AsyncOpenAI

INSTRUCTIONS = (
    "You keep the CRM of a sales team up to date. Look a record up before you change it, and say "
    "what the CRM refuses."
)


async def answer(
    openai: AsyncOpenAI, model: str, servers: Mapping[str, str], messages: list[dict[str, str]]
) -> str:
    """What the agent says next; `servers` are the addresses of its MCP servers."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(url)) for url in servers.values()]
        tools = {tool.name: (client, tool) for client in clients for tool in await _listed(client)}
        offered: list[Any] = [_offered(tool) for _, tool in tools.values()]
        said: list[Any] = [{"role": "system", "content": INSTRUCTIONS}, *messages]
        while True:
            done = await openai.chat.completions.create(model=model, messages=said, tools=offered)
            message = done.choices[0].message
            said.append(message.model_dump(exclude_none=True))
            if not message.tool_calls:
                return message.content or ""
            for asked in message.tool_calls:
                assert asked.type == "function"
                client, _ = tools[asked.function.name]
                text = await _call(client, asked.function.name, asked.function.arguments)
                said.append({"role": "tool", "tool_call_id": asked.id, "content": text})


async def _listed(client: Client) -> list[Any]:
    return list((await client.list_tools()).tools)


def _offered(tool: Any) -> dict[str, Any]:
    function = {
        "name": tool.name,
        "description": tool.description or "",
        "parameters": tool.input_schema,
    }
    return {"type": "function", "function": function}


async def _call(client: Client, name: str, arguments: str) -> str:
    result = await client.call_tool(name, json.loads(arguments))
    return "".join(block.text for block in result.content if isinstance(block, TextContent))
