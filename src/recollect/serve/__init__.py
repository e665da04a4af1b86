"""The doors: MCP over stdio and HTTP, the command line, the pages. The only ring that is async."""
