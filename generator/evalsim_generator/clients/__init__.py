"""Speaking to live MCP servers: where they are, connecting, introductions, lists of tools."""
