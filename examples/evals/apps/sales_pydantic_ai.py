"""The sales agent in pydantic-ai."""

from collections.abc import Mapping

from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from apps.sales import INSTRUCTIONS


class SalesAgent:
    """One conversation."""

    def __init__(self, model: str, base_url: str, api_key: str, servers: Mapping[str, str]) -> None:
        provider = OpenAIProvider(base_url=base_url, api_key=api_key)
        self._agent = Agent(
            OpenAIChatModel(model, provider=provider),
            instructions=INSTRUCTIONS,
            toolsets=[MCPToolset(url) for url in servers.values()],
        )
        self._history: list[ModelMessage] = []

    async def answer(self, text: str) -> str:
        """What the agent says to this."""
        async with self._agent:
            result = await self._agent.run(text, message_history=self._history)
        self._history = result.all_messages()
        return result.output
