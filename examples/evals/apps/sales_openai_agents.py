"""The sales agent in OpenAI's Agents SDK."""

from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Any

from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner
from agents.mcp import MCPServerStreamableHttp
from openai import AsyncOpenAI

from apps.sales import INSTRUCTIONS


async def answer(
    openai: AsyncOpenAI, model: str, servers: Mapping[str, str], messages: list[Any]
) -> str:
    """What the agent says next; `servers` are the addresses of its MCP servers."""
    async with AsyncExitStack() as stack:
        connected = [
            await stack.enter_async_context(MCPServerStreamableHttp({"url": url}))
            for url in servers.values()
        ]
        agent = Agent(
            name="sales",
            instructions=INSTRUCTIONS,
            model=OpenAIChatCompletionsModel(model, openai),
            mcp_servers=list(connected),
        )
        done = await Runner.run(agent, messages, run_config=RunConfig(tracing_disabled=True))
        return str(done.final_output)
