"""Calling tools over raw HTTP, as the least a client does."""

from typing import Any

import httpx

HEADERS = {"accept": "application/json, text/event-stream"}


def post(url: str, method: str, params: Any = None, **options: Any) -> Any:
    """The JSON-RPC response to one request of the handshake era."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
    response = httpx.post(url, json=message, headers=HEADERS, **options)
    response.raise_for_status()
    return response.json()


def call(url: str, tool: str, arguments: Any = None, **options: Any) -> Any:
    """The CallToolResult of one call; a JSON-RPC error fails the test."""
    params = {"name": tool, "arguments": arguments or {}}
    response = post(url, "tools/call", params, **options)
    assert "result" in response, response
    return response["result"]


def text_of(result: Any) -> str:
    """The one text of a result."""
    (block,) = result["content"]
    text: str = block["text"]
    return text
