"""The least that the same SDK can serve over stdio: one tool that says hello."""

from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

_HELLO = types.Tool(name="hello", description="Says hello.", input_schema={"type": "object"})


async def _list(_: Any, __: Any) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[_HELLO])


async def _call(_: Any, __: Any) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text="hello")])


async def _serve() -> None:
    server: Server[Any] = Server("bare", on_list_tools=_list, on_call_tool=_call)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(_serve)
