"""Calling a served fake over HTTP, as an agent's client does, in as few words as a test needs."""

import json
from typing import Any
from urllib.request import Request, urlopen

import pytest

from evalsim.mcp import JsonObject


def in_scenario(name: str) -> pytest.MarkDecorator:
    """Run a test in a world other than the default one."""
    return pytest.mark.parametrize("scenario", [name])


class Fake:
    """One fake behind its MCP endpoint."""

    def __init__(self, url: str) -> None:
        self._url = url

    def text(self, tool: str, /, **arguments: object) -> str:
        """The text a call is answered with."""
        result = self.result(tool, arguments)
        assert not result.get("isError"), result
        return str(result["content"][0]["text"])

    def json(self, tool: str, /, **arguments: object) -> Any:
        """The JSON a call is answered with."""
        return json.loads(self.text(tool, **arguments))

    def refusal(self, tool: str, /, **arguments: object) -> str:
        """The words a call is refused with."""
        result = self.result(tool, arguments)
        assert result.get("isError"), result
        return str(result["content"][0]["text"])

    def result(self, tool: str, arguments: JsonObject) -> JsonObject:
        """The whole CallToolResult."""
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def request(self, method: str, params: JsonObject) -> JsonObject:
        """The result of one JSON-RPC request."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
        }
        with urlopen(Request(self._url, json.dumps(message).encode(), headers)) as response:
            result: JsonObject = json.load(response)["result"]
            return result
