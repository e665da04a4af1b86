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
from recollect.keep.external_servers import ExternalServer
from recollect.serve.external_connection import ServerConnection
from recollect.serve.notifications import ClientRegistry, Context

if TYPE_CHECKING:
    from recollect.keep.external_servers import ExternalServer
    from recollect.memory import Memory
    from recollect.serve.external_connection import ServerConnection

log = logging.getLogger("recollect.external")

LISTING_SECONDS = 3.5
"""The clients' patience of five seconds, less what it takes to load a client of our own on a slow machine."""
LATE_ANSWER_SECONDS = 0.2
"""For a server that somebody waited for in vain before."""
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
    """The connections of one process, by workspace; begun when a client first asks what tools there are.

    A client of the SDK is loaded only where some server is switched on.
    """

    def __init__(self, open_workspace: "Callable[[str], Memory]", own_ports: "frozenset[int]" = frozenset()) -> None:
        self._open = open_workspace
        self._own_ports = own_ports
        self._links: dict[str, dict[str, ServerConnection]] = {}
        self._clients = ClientRegistry()
        self._known: dict[str, list[types.Tool]] = {}

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """However this ends, no connection and no child process is left."""
        watching = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            watching.cancel()
            links = [link for held in self._links.values() for link in held.values()]
            await asyncio.gather(watching, *(link.close() for link in links), return_exceptions=True)

    async def _watch(self) -> None:
        """See servers that were switched on or off elsewhere, as long as somebody would want to know."""
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            for workspace in self._clients.workspaces():
                await self._current(workspace)

    async def tools(self, workspace: str, taken: set[str], *, may_write: bool, context: Context) -> list[types.Tool]:
        """The tools of all servers that answer in time, but for those whose names are taken."""
        self._clients.register(workspace, context)
        began = monotonic()
        links = await self._current(workspace)
        late = [link for link in links.values() if link.is_late]
        await tried((link for link in links.values() if not link.is_late), LISTING_SECONDS - (monotonic() - began))
        await tried(late, LATE_ANSWER_SECONDS)
        shown = self._known[workspace] = self._shown(workspace)
        return [each for each in shown if each.name not in taken and (may_write or _is_read_only(each))]

    def _shown(self, workspace: str) -> list[types.Tool]:
        links = self._links.get(workspace)
        if not links:
            return []
        from recollect.serve.external_connection import proxy_tool

        return [proxy_tool(link.server.name, tool) for link in links.values() for tool in link.tools.values()]

    async def call(
        self, workspace: str, name: str, arguments: dict[str, Any], *, may_write: bool
    ) -> types.CallToolResult | None:
        """The other server's own answer; none if no such tool is shown."""
        server, _, tool = name.partition("__")
        link = (await self._current(workspace)).get(server)
        if link is None:
            return None
        from recollect.serve.external_connection import ServerDown, proxy_tool

        await tried([link])
        found = link.tools.get(tool)
        if found is None and link.state == "up":
            return None
        if found is not None and not may_write and not _is_read_only(proxy_tool(server, found)):
            raise NotForReaders(name)
        try:
            return await link.call(tool, arguments)
        except ServerDown as problem:
            raise ExternalUnavailable(server, str(problem)) from None

    def states(self) -> dict[str, str]:
        """How each server stands, for those who look after this one."""
        return {name: link.state for held in self._links.values() for name, link in sorted(held.items())}

    async def _current(self, workspace: str) -> "dict[str, ServerConnection]":
        """The links of the servers that are switched on by now."""
        wanted = {each.name: each for each in await to_thread.run_sync(self._wanted, workspace)}
        held = self._links.setdefault(workspace, {})
        gone = [name for name, link in held.items() if wanted.get(name) != link.server]
        await asyncio.gather(*(held.pop(name).close() for name in gone), return_exceptions=True)
        for name, server in wanted.items():
            if name not in held:
                held[name] = self._link(workspace, server)
        if gone:
            self._announce(workspace)
        return held

    def _link(self, workspace: str, server: "ExternalServer") -> "ServerConnection":
        from recollect.serve.external_connection import ServerConnection

        return ServerConnection(server, lambda: self._announce(workspace))

    def _wanted(self, workspace: str) -> "list[ExternalServer]":
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
            # Our own tools are listed also while the store is away.
            log.warning("external servers of %s are unknown: %s", workspace, failure.code)
            return []

    def _announce(self, workspace: str) -> None:
        """Tell those who listed the tools that others are there by now."""
        shown = self._shown(workspace)
        if shown == self._known.get(workspace, shown):
            return
        self._known[workspace] = shown
        self._clients.notify(workspace, types.ToolListChangedNotification())


async def tried(links: "Iterable[ServerConnection]", seconds: float = LISTING_SECONDS) -> None:
    """Once each of these was reached or could not be, or it took too long."""
    waiting = {asyncio.create_task(link.tried()): link for link in links}
    if not waiting:
        return
    _, late = await asyncio.wait(waiting, timeout=max(seconds, 0))
    for task in late:
        waiting[task].is_late = True
        task.cancel()


def _is_read_only(tool: types.Tool) -> bool:
    return tool.annotations is not None and tool.annotations.read_only_hint is True


PROBE_SECONDS = 15.0


def probe(servers: Sequence[ExternalServer]) -> dict[str, dict[str, Any]]:
    """By name, whether a server is up, how many tools it offers, and why not."""
    return asyncio.run(_probe_all(servers)) if servers else {}


async def _probe_all(servers: Sequence[ExternalServer]) -> dict[str, dict[str, Any]]:
    links = [ServerConnection(each, lambda: None) for each in servers]
    try:
        patience = max(PROBE_SECONDS, *(each.timeout for each in servers))
        await asyncio.wait([asyncio.create_task(link.tried()) for link in links], timeout=patience)
        return {link.server.name: _describe_server(link) for link in links}
    finally:
        await asyncio.gather(*(link.close() for link in links), return_exceptions=True)


def _describe_server(link: ServerConnection) -> dict[str, Any]:
    shown: dict[str, Any] = {"state": link.state, "offered": len(link.tools)}
    if link.refused:
        shown["not_offered"] = link.refused
    return shown | ({"problem": link.problem} if link.problem else {})
