"""All external MCP servers that a workspace has enabled, and a probe of their health."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

import mcp_types as types
from anyio import to_thread

from recollect.errors import Forbidden, RecollectError, Unavailable
from recollect.serve.notifications import ClientRegistry, Context

if TYPE_CHECKING:
    from recollect.keep.external_servers import ExternalServer
    from recollect.memory import Memory
    from recollect.serve.external_connection import ServerConnection

log = logging.getLogger("recollect.external")

LISTING_SECONDS = 3.5
"""Clients wait about five seconds for a listing; the rest is for loading the SDK's client on a slow machine."""
LATE_ANSWER_SECONDS = 0.2
"""For a server on which an earlier listing timed out."""
WATCH_SECONDS = 3.0
SETTING = "carabase.external_mcp"


class ExternalUnavailable(Unavailable):
    code = "EXTERNAL_UNAVAILABLE"

    def __init__(self, server: str, why: str) -> None:
        super().__init__(f"the external server {server} did not answer: {why}")
        self.server = server


class NotForReaders(Forbidden):
    def __init__(self, name: str) -> None:
        super().__init__(f"{name} may write, and this token may only read")


class ServerConnections:
    """The connections of one process, by workspace; opened when a client first lists tools.

    The SDK's client is loaded only where a server is enabled.
    """

    def __init__(self, open_workspace: "Callable[[str], Memory]", own_ports: "frozenset[int]" = frozenset()) -> None:
        self._open = open_workspace
        self._own_ports = own_ports
        self._connections: dict[str, dict[str, ServerConnection]] = {}
        self._clients = ClientRegistry()
        self._known: dict[str, list[types.Tool]] = {}

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Close every connection and child process at the end, however it comes about."""
        watching = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            watching.cancel()
            connections = [connection for held in self._connections.values() for connection in held.values()]
            await asyncio.gather(watching, *(connection.close() for connection in connections), return_exceptions=True)

    async def _watch(self) -> None:
        """Notice servers that another process enabled or disabled, while clients are connected."""
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            for workspace in self._clients.workspaces():
                await self._sync_connections(workspace)

    async def tools(self, workspace: str, taken: set[str], *, may_write: bool, context: Context) -> list[types.Tool]:
        """The tools of all servers that answer in time, without those whose names are taken."""
        self._clients.register(workspace, context)
        began = monotonic()
        connections = await self._sync_connections(workspace)
        late = [connection for connection in connections.values() if connection.is_late]
        await wait_until_tried(
            (connection for connection in connections.values() if not connection.is_late),
            LISTING_SECONDS - (monotonic() - began),
        )
        await wait_until_tried(late, LATE_ANSWER_SECONDS)
        shown = self._known[workspace] = self._external_tools(workspace)
        return [each for each in shown if each.name not in taken and (may_write or _is_read_only(each))]

    def _external_tools(self, workspace: str) -> list[types.Tool]:
        connections = self._connections.get(workspace)
        if not connections:
            return []
        from recollect.serve.external_connection import proxy_tool

        return [
            proxy_tool(connection.server.name, tool)
            for connection in connections.values()
            for tool in connection.tools.values()
        ]

    async def call(
        self, workspace: str, name: str, arguments: dict[str, Any], *, may_write: bool
    ) -> types.CallToolResult | None:
        """The external server's own answer; none if it has no such tool."""
        server, _, tool = name.partition("__")
        connection = (await self._sync_connections(workspace)).get(server)
        if connection is None:
            return None
        from recollect.serve.external_connection import ServerDown, proxy_tool

        await wait_until_tried([connection])
        found = connection.tools.get(tool)
        if found is None and connection.state == "up":
            return None
        if found is not None and not may_write and not _is_read_only(proxy_tool(server, found)):
            raise NotForReaders(name)
        try:
            return await connection.call(tool, arguments)
        except ServerDown as problem:
            raise ExternalUnavailable(server, str(problem)) from None

    def states(self) -> dict[str, str]:
        """The state of each server, for the health endpoint."""
        return {
            name: connection.state for held in self._connections.values() for name, connection in sorted(held.items())
        }

    async def _sync_connections(self, workspace: str) -> "dict[str, ServerConnection]":
        """Connections to the servers that are enabled now; others are closed."""
        wanted = {each.name: each for each in await to_thread.run_sync(self._enabled_servers, workspace)}
        connections = self._connections.setdefault(workspace, {})
        gone = [name for name, connection in connections.items() if wanted.get(name) != connection.server]
        await asyncio.gather(*(connections.pop(name).close() for name in gone), return_exceptions=True)
        for name, server in wanted.items():
            if name not in connections:
                connections[name] = self._connect(workspace, server)
        if gone:
            self._announce(workspace)
        return connections

    def _connect(self, workspace: str, server: "ExternalServer") -> "ServerConnection":
        from recollect.serve.external_connection import ServerConnection

        return ServerConnection(server, lambda: self._announce(workspace))

    def _enabled_servers(self, workspace: str) -> "list[ExternalServer]":
        from recollect.keep.external_servers import is_own_address, registered_servers

        try:
            memory = self._open(workspace)
            if not memory.settings.flag(SETTING):
                return []
            with memory.read() as view:
                return [
                    each
                    for each in registered_servers(view)
                    if each.enabled and not is_own_address(each.url, self._own_ports)
                ]
        except RecollectError as failure:
            # Our own tools are listed even while the store is unavailable.
            log.warning("external servers of %s are unknown: %s", workspace, failure.code)
            return []

    def _announce(self, workspace: str) -> None:
        """Notify clients that listed tools if the list has changed."""
        shown = self._external_tools(workspace)
        if shown == self._known.get(workspace, shown):
            return
        self._known[workspace] = shown
        self._clients.notify(workspace, types.ToolListChangedNotification())


async def wait_until_tried(connections: "Iterable[ServerConnection]", seconds: float = LISTING_SECONDS) -> None:
    """Wait until each of these was wait_until_tried, or until time is up; the rest are marked late."""
    waiting = {asyncio.create_task(connection.wait_until_tried()): connection for connection in connections}
    if not waiting:
        return
    _, late = await asyncio.wait(waiting, timeout=max(seconds, 0))
    for task in late:
        waiting[task].is_late = True
        task.cancel()


def _is_read_only(tool: types.Tool) -> bool:
    return tool.annotations is not None and tool.annotations.read_only_hint is True


PROBE_SECONDS = 15.0


def probe(servers: "Sequence[ExternalServer]") -> dict[str, dict[str, Any]]:
    """By name, the state of each server, the number of its tools, and the problem if it is down."""
    return asyncio.run(_probe_all(servers)) if servers else {}


async def _probe_all(servers: "Sequence[ExternalServer]") -> dict[str, dict[str, Any]]:
    from recollect.serve.external_connection import ServerConnection

    connections = [ServerConnection(each, lambda: None) for each in servers]
    try:
        timeout = max(PROBE_SECONDS, *(each.timeout for each in servers))
        await asyncio.wait(
            [asyncio.create_task(connection.wait_until_tried()) for connection in connections], timeout=timeout
        )
        return {connection.server.name: _describe_server(connection) for connection in connections}
    finally:
        await asyncio.gather(*(connection.close() for connection in connections), return_exceptions=True)


def _describe_server(connection: "ServerConnection") -> dict[str, Any]:
    shown: dict[str, Any] = {"state": connection.state, "offered": len(connection.tools)}
    if connection.refused:
        shown["not_offered"] = connection.refused
    return shown | ({"problem": connection.problem} if connection.problem else {})
