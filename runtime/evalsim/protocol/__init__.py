"""The Model Context Protocol, tools only, over Streamable HTTP."""
