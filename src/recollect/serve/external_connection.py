"""A connection to one external MCP server, kept by a task of its own and retried with backoff."""

import asyncio
import logging
import os
import re
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any

import mcp_types as types
from mcp import Client
from mcp.client.sse import sse_client
from mcp.client.stdio import StdioServerParameters, get_default_environment, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import SubscriptionLost
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from recollect.keep.external_servers import ExternalServer

log = logging.getLogger("recollect.external")

CONNECT_SECONDS = 30.0
"""Connecting may take longer than a call: only the background task waits for it."""
FIRST_WAIT = 30.0
MAX_WAIT = 600.0
MAX_PAGES = 50
TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
MAX_DESCRIPTION_LENGTH = 1024


class ServerDown(Exception):
    """The server gave no usable answer."""


class ServerConnection:
    """State of one server: its tools while it is up, the problem while it is down.

    `is_late` after a listing timed out on it: it is still retried, but later listings wait for it only briefly.
    """

    def __init__(self, server: ExternalServer, changed: Callable[[], None]) -> None:
        self.server = server
        self.tools: dict[str, types.Tool] = {}
        self.refused: list[str] = []
        self.problem: str | None = None
        self.is_late = False
        self._changed = changed
        self._client: Client | None = None
        self._tried = asyncio.Event()
        self._lost = asyncio.Event()
        self._stale = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name=f"external-{server.name}")

    @property
    def state(self) -> str:
        return "up" if self._client is not None else "down" if self._tried.is_set() else "connecting"

    async def wait_until_tried(self) -> None:
        """Return once the first attempt to connect has ended, either way."""
        await self._tried.wait()

    async def call(self, tool: str, arguments: dict[str, Any]) -> types.CallToolResult:
        """The server's own answer; raises `ServerDown` if there is none in time."""
        client = self._client
        if client is None:
            raise ServerDown(self.problem or "it is not connected yet")
        try:
            async with asyncio.timeout(self.server.timeout):
                return await client.call_tool(tool, arguments)
        except TimeoutError:
            raise ServerDown(f"no answer within {self.server.timeout:g} seconds") from None
        except MCPError as failure:
            if failure.code == types.CONNECTION_CLOSED:
                self._lost.set()
            raise ServerDown(f"protocol error {failure.code}") from None
        except Exception as failure:
            # One unreadable answer does not mean that the server is lost: listing its tools again will show.
            self._stale.set()
            raise ServerDown(f"unusable answer ({type(failure).__name__})") from None

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        wait = FIRST_WAIT
        while True:
            was_up = await self._connect_until_lost()
            wait = FIRST_WAIT if was_up else wait
            log.info("external %s: down (%s), retrying in %.0f s", self.server.name, self.problem, wait)
            await asyncio.sleep(wait)
            wait = min(wait * 2, MAX_WAIT)

    async def _connect_until_lost(self) -> bool:
        """Connect and stay connected until the server is lost; true if it ever answered."""
        is_up = False
        try:
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(max(self.server.timeout, CONNECT_SECONDS)):
                    client = await stack.enter_async_context(await self._open(stack))
                    await self._list(client)
                self._client, self.problem, is_up = client, None, True
                self._tried.set()
                self._changed()
                await self._watch_until_lost(client)
        except Exception as failure:
            self.problem = self.problem if is_up else type(failure).__name__
        self._tried.set()
        return is_up

    async def _watch_until_lost(self, client: Client) -> None:
        """Closing a child process may take seconds, so its tools are dropped before that."""
        try:
            await self._watch(client)
        except Exception as failure:
            self.problem = type(failure).__name__
        self._client, self.tools = None, {}
        self._lost.clear()
        self._stale.clear()
        self._changed()

    async def _open(self, stack: AsyncExitStack) -> Client:
        transport = await self._transport(stack)
        timeout = max(self.server.timeout, CONNECT_SECONDS)
        return Client(transport, read_timeout_seconds=timeout, message_handler=self._on_message, cache=None)

    async def _transport(self, stack: AsyncExitStack) -> AbstractAsyncContextManager[Any]:
        server = self.server
        if server.transport == "stdio":
            passed = {name: os.environ[name] for name in server.environment if name in os.environ}
            command = StdioServerParameters(
                command=server.command[0], args=list(server.command[1:]), env=get_default_environment() | passed
            )
            return stdio_client(command, errlog=sys.stderr)
        assert server.url is not None
        headers = {name: os.environ.get(variable, "") for name, variable in server.headers.items()}
        if server.transport == "sse":
            return sse_client(server.url, headers=headers, timeout=server.timeout)
        http = await stack.enter_async_context(create_mcp_http_client(headers=headers))
        return streamable_http_client(server.url, http_client=http)

    async def _watch(self, client: Client) -> None:
        listening = asyncio.create_task(self._listen(client))
        try:
            while await self._wait_for_change():
                async with asyncio.timeout(self.server.timeout):
                    await self._list(client)
                self._changed()
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
        self.problem = "connection lost"

    async def _wait_for_change(self) -> bool:
        """Wait: true when the tools should be listed again, false when the connection is lost."""
        waits = [asyncio.create_task(each.wait()) for each in (self._lost, self._stale)]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waits:
                each.cancel()
        self._stale.clear()
        return not self._lost.is_set()

    async def _listen(self, client: Client) -> None:
        """Subscribe to changes of the tool list, which the newer protocol requires."""
        if client.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            return
        try:
            async with client.listen(tools_list_changed=True) as events:
                async for _ in events:
                    self._stale.set()
        except (MCPError, SubscriptionLost, TimeoutError) as failure:
            log.debug("external %s does not announce changes: %s", self.server.name, type(failure).__name__)

    async def _on_message(self, message: Any) -> None:
        """Handle a changed tool list; the SDK client refuses everything else."""
        if isinstance(message, types.ToolListChangedNotification):
            self._stale.set()

    async def _list(self, client: Client) -> None:
        found: list[types.Tool] = []
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            page = await client.list_tools(cursor=cursor)
            found += page.tools
            cursor = page.next_cursor
            if cursor is None:
                break
        allowed = [tool for tool in found if self.server.allows(tool.name)]
        counts = Counter(tool.name for tool in allowed)
        valid = {name for name, count in counts.items() if count == 1 and self._is_valid_name(name)}
        self.tools = {tool.name: tool for tool in allowed if tool.name in valid}
        self.refused = [name[:80] for name in counts if name not in valid]

    def _is_valid_name(self, name: str) -> bool:
        return bool(TOOL_NAME.fullmatch(proxy_tool_name(self.server.name, name)))


def proxy_tool_name(server: str, tool: str) -> str:
    return f"{server}__{tool}"


def proxy_tool(server: str, tool: types.Tool) -> types.Tool:
    """An external tool as our clients see it; without annotations it counts as destructive."""
    annotations = tool.annotations or types.ToolAnnotations()
    if annotations.read_only_hint is not True and annotations.destructive_hint is None:
        annotations = annotations.model_copy(update={"destructive_hint": True})
    description = f"[external: {server}] {tool.description or ''}".strip()[:MAX_DESCRIPTION_LENGTH]
    name = proxy_tool_name(server, tool.name)
    return tool.model_copy(update={"name": name, "description": description, "annotations": annotations})
