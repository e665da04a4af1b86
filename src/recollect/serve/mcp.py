"""MCP: one surface as a server of the SDK's low level. Nothing else imports `mcp` but this door and `http`."""

import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from importlib.metadata import version
from typing import Any

import mcp_types as types
from anyio import CapacityLimiter, to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from recollect.serve.callers import Caller, OpenFor
from recollect.serve.confirm import confirmed
from recollect.serve.metrics import Metrics
from recollect.serve.pipes import are_pipes, pipes
from recollect.surfaces.declare import Answer, Surface, Tool
from recollect.surfaces.dispatch import call
from recollect.surfaces.schema import brief_output_schema, input_schema, output_schema

SURFACE_META = "recollect/surface"
MOST_CALLS_AT_ONCE = 16

Context = ServerRequestContext[Any, Any]


class Door:
    """What the handlers of one surface's server share."""

    def __init__(
        self,
        load: Callable[[], Surface],
        open_for: OpenFor,
        caller_of: Callable[[Context], Caller],
        metrics: Metrics | None = None,
    ) -> None:
        self.load = load
        self.open_for = open_for
        self.caller_of = caller_of
        self.metrics = metrics or Metrics()
        self.threads: CapacityLimiter | None = None

    async def list_tools(self, context: Context, _: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=listing(self.load(), self.caller_of(context)))

    async def call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        tool = self.find(params.name)
        caller = self.caller_of(context)
        if tool.effect == "destroy" and caller.may_write:
            pending = await confirmed(context, params, tool)
            if pending is not None:
                return pending
        return sent(await self.in_thread(tool, caller, params.arguments or {}))

    async def in_thread(self, tool: Tool, caller: Caller, arguments: dict[str, Any]) -> Answer:
        """The one thread hop of a call."""
        if self.threads is None:
            self.threads = CapacityLimiter(MOST_CALLS_AT_ONCE)
        began = time.perf_counter()
        job = partial(call, tool, partial(self.open_for, caller), arguments)
        answer = await to_thread.run_sync(job, limiter=self.threads)
        self.metrics.note(tool, answer, time.perf_counter() - began)
        return answer

    def find(self, name: str) -> Tool:
        tool = self.load().tools.get(name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {name[:100]}")
        return tool

    def schema_of(self, name: str) -> dict[str, Any] | None:
        tool = self.load().tools.get(name)
        return input_schema(tool) if tool else None


def server(name: str, door: Door) -> Server[Any]:
    """A server that lists and calls the tools of one surface."""
    made: Server[Any] = Server(
        "recollect",
        version=version("recollect"),
        title=f"Recollect · {name}",
        instructions=INSTRUCTIONS,
        get_tool_input_schema=door.schema_of,
        on_list_tools=door.list_tools,
        on_call_tool=door.call_tool,
    )
    # The SDK puts a tracing span around every message by default; we have our own counters.
    made.middleware.clear()
    return made


INSTRUCTIONS = (
    "Memory in which every fact knows when it was true, when it was learned and where it came from. "
    "Names may be given as people write them. `as_of` asks what was known at an earlier moment."
)


def listing(surface: Surface, caller: Caller) -> list[types.Tool]:
    """The tools of a surface as this caller sees them."""
    return [listed(tool, brief=surface.brief) for tool in surface.offered(may_write=caller.may_write)]


def listed(tool: Tool, *, brief: bool = False) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=input_schema(tool),
        output_schema=brief_output_schema(tool) if brief else output_schema(tool),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.effect == "read",
            destructive_hint=tool.effect == "destroy",
            idempotent_hint=tool.idempotent,
            open_world_hint=tool.open_world,
        ),
        _meta={SURFACE_META: tool.surface.name},
    )


def sent(answer: Answer) -> types.CallToolResult:
    content: list[types.ContentBlock] = [types.TextContent(text=text) for text in answer.texts]
    meta = dict(answer.meta) or None
    return types.CallToolResult(
        content=content, structured_content=answer.structured, is_error=answer.is_error, _meta=meta
    )


async def run_stdio(surface_server: Server[Any]) -> None:
    """Serve one client over stdin and stdout until it goes away."""
    from mcp.server.stdio import stdio_server

    async with AsyncExitStack() as stack:
        ends = await stack.enter_async_context(pipes()) if are_pipes() else (None, None)
        incoming, outgoing = await stack.enter_async_context(stdio_server(*ends))
        await surface_server.run(incoming, outgoing, surface_server.create_initialization_options())
