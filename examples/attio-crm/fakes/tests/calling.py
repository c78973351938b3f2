"""Calling a fake in as few words as a test needs: one line a call, its arguments by name."""

import json
from typing import Any

from evalsim.testing import BlockingClient, ToolResult, call, call_tool


class Fake:
    """One fake, called through the official MCP client."""

    def __init__(self, client: BlockingClient) -> None:
        self._client = client

    def text(self, tool: str, /, **arguments: object) -> str:
        """The text a call is answered with."""
        return call(self._client, tool, arguments)

    def json(self, tool: str, /, **arguments: object) -> Any:
        """The JSON a call is answered with."""
        return json.loads(self.text(tool, **arguments))

    def refusal(self, tool: str, /, **arguments: object) -> str:
        """The words a call is refused with."""
        result = self.result(tool, **arguments)
        assert result.is_error, result
        return result.text

    def result(self, tool: str, /, **arguments: object) -> ToolResult:
        """What a call is answered with, whatever that is."""
        return call_tool(self._client, tool, arguments)
