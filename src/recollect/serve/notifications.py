"""Notifications to clients: progress of a call, and unsolicited announcements.

Work never waits for a client: progress is queued from the tool's thread and sent before the answer.
"""

import asyncio
import logging
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, cast

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from recollect.model.progress import Phase, Progress, ProgressListener, Scope, ignore_progress
from recollect.serve.listeners import REBUILD_METHOD, rebuild_params
from recollect.surfaces.declarations import Tool

log = logging.getLogger("recollect.clients")

Context = ServerRequestContext[Any, Any]
MAX_CLIENTS = 64


@dataclass(frozen=True, slots=True)
class NotifiedClient:
    """One connected client; its initialize parameters are the same object in all its requests."""

    greeting: types.InitializeRequestParams
    session: ServerSession
    loop: asyncio.AbstractEventLoop

    async def notify(self, notification: types.ServerNotification) -> None:
        try:
            await self.session.send_notification(notification)
        except Exception as failure:
            # The client is gone; it will list again when it reconnects.
            log.debug("a client could not be notified: %s", type(failure).__name__)


class ClientRegistry:
    """The most recently active clients of each workspace."""

    def __init__(self) -> None:
        self._of: dict[str, list[NotifiedClient]] = {}

    def register(self, workspace: str, context: Context) -> None:
        """Remember the client behind a request, unless its protocol version has no channel for notifications."""
        greeting = context.session.client_params
        if greeting is None or context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return
        client = NotifiedClient(greeting, context.session, asyncio.get_running_loop())
        others = [each for each in self._of.get(workspace, ()) if each.greeting is not greeting]
        self._of[workspace] = [*others[-MAX_CLIENTS + 1 :], client]

    def workspaces(self) -> list[str]:
        return list(self._of)

    def notify(self, workspace: str, notification: types.ServerNotification) -> None:
        """Notify the clients of a workspace, from any thread; disconnected ones are skipped."""
        for client in self._of.get(workspace, ()):
            with suppress(RuntimeError):
                asyncio.run_coroutine_threadsafe(client.notify(notification), client.loop)


PROGRESS_STEPS = 100
"""Roughly the most messages sent for one call, however many items it processes."""


class EmbeddingRebuildParams(types.NotificationParams):
    phase: Phase
    scope: Scope
    done: int
    total: int
    message: str


class EmbeddingRebuild(types.Notification[EmbeddingRebuildParams, str]):
    method: str = REBUILD_METHOD


@asynccontextmanager
async def progress_channel(context: Context, tool: Tool) -> AsyncIterator[ProgressListener]:
    """A progress listener for the thread of a tool; everything reported has been sent when the block ends."""
    if not tool.reports_progress:
        yield ignore_progress
        return
    outgoing, incoming = anyio.create_memory_object_stream[Progress](math.inf)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_send_progress, context, incoming)
        async with outgoing:
            yield ProgressThrottle(outgoing).report


class ProgressThrottle:
    """Passes on each new phase and each further percent."""

    def __init__(self, outgoing: MemoryObjectSendStream[Progress]) -> None:
        self._loop = asyncio.get_running_loop()
        self._outgoing = outgoing
        self._last: tuple[Phase | None, int] | None = None

    def report(self, progress: Progress) -> None:
        """Called from the thread of the tool."""
        phase = progress.rebuild.phase if progress.rebuild else None
        step = phase, progress.done * PROGRESS_STEPS // max(progress.total, 1)
        if step != self._last:
            self._last = step
            self._loop.call_soon_threadsafe(self._put, progress)

    def _put(self, progress: Progress) -> None:
        # The client no longer waits; the work continues to its end.
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            self._outgoing.send_nowait(progress)


async def _send_progress(context: Context, incoming: MemoryObjectReceiveStream[Progress]) -> None:
    last = -1
    async with incoming:
        async for progress in incoming:
            announced = rebuild_notification(progress)
            if announced is not None:
                await context.session.send_notification(announced, context.request_id)
            # The protocol requires that progress increases with each report.
            if progress.done > last:
                last = progress.done
                await context.session.report_progress(progress.done, progress.total, progress.message or None)


def rebuild_notification(progress: Progress) -> types.ServerNotification | None:
    """The notification about rebuilt embeddings; none for other progress."""
    params = rebuild_params(progress)
    if params is None:
        return None
    return cast(types.ServerNotification, EmbeddingRebuild(params=EmbeddingRebuildParams(**params)))
