"""MCP clients as data: where each keeps its configuration, and how an entry for this server is written there."""
