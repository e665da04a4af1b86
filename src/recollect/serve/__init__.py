"""The transports: MCP over stdio and HTTP, the command line, the web app. The only async ring."""
