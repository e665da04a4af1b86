"""Tools of other MCP servers, shown beside ours through a client of our own."""
