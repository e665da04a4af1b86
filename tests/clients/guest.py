"""A small MCP server of somebody else, in a process of its own: it answers, hangs, dies or lies as it is asked."""

import os
import sys
import time
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

MANNER = sys.argv[1]
WORDS = {"type": "object", "properties": {"text": {"type": "string"}}}
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


async def list_tools(*_: Any) -> types.ListToolsResult:
    if MANNER == "hangs":
        await anyio.sleep(600)
    reads = types.ToolAnnotations(read_only_hint=True)
    if MANNER == "twins":
        names = ("echo", "echo", "write")
        return types.ListToolsResult(tools=[types.Tool(name=name, input_schema=WORDS) for name in names])
    return types.ListToolsResult(
        tools=[
            types.Tool(name="echo", description="Says it again. " * 100, input_schema=WORDS, annotations=reads),
            types.Tool(name="write", description="Writes.", input_schema=WORDS),
            types.Tool(name="no good name!", description="x", input_schema=WORDS),
            types.Tool(name="die", description="Dies.", input_schema=WORDS),
            types.Tool(name="sleep", description="Takes its time.", input_schema=WORDS),
            types.Tool(name="lie", description="Lies.", input_schema=WORDS, output_schema=NUMBER),
        ]
    )


async def call_tool(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    if params.name == "die":
        os._exit(3)
    if params.name == "sleep":
        await anyio.sleep(600)
    said = (params.arguments or {}).get("text", "")
    structured = {"n": "no number"} if params.name == "lie" else {"said": said}
    return types.CallToolResult(content=[types.TextContent(text=f"echo {said}")], structured_content=structured)


async def main() -> None:
    server: Server[Any] = Server("guest", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


if MANNER == "mute":
    time.sleep(600)
anyio.run(main)
