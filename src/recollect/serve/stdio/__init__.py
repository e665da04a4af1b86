"""MCP over stdin and stdout for one client: a fast path for common requests, the SDK for the rest."""
