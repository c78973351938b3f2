"""What an error of the protocol says of the server, whether it sent it or the SDK made it up."""

from mcp import MCPError
from mcp_types import INTERNAL_ERROR, METHOD_NOT_FOUND

from evalsim_generator.clients.failures import Exchange


def explain(error: BaseException, exchange: Exchange) -> str | None:
    """A clause that goes after the server's name; None for what is no error of the protocol."""
    if not isinstance(error, MCPError):
        return None
    message, asked = error.error.message, exchange.asked
    if message == "Connection closed":
        return f"ended before it answered {asked}"
    if exchange.status >= 400 and error.error.code in (INTERNAL_ERROR, METHOD_NOT_FOUND):
        return f"answered {asked} with HTTP {exchange.status}: check its address"
    if message.startswith("Failed to parse"):
        return f"answered {asked} with what is no JSON-RPC message"
    if message.startswith("SSE stream"):
        return f"broke off its answer to {asked}"
    return f"refused {asked}: {message} (error {error.error.code})"
