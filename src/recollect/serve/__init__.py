"""The transports: MCP over stdio and HTTP, the command line, the home page. The only async ring."""
