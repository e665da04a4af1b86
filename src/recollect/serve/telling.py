"""How far a call is, from the thread in which its tool works to the client that waits for it.

The work never waits for the client: what is told stands in a queue, and is sent before the answer is.
"""

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.context import ServerRequestContext

from recollect.model.progress import Phase, Progress, Scope, Told, tell_nobody
from recollect.serve.hearing import REBUILD, rebuild_params
from recollect.surfaces.declare import Tool

Context = ServerRequestContext[Any, Any]
STEPS = 100
"""At most about so many messages for one work, however many things it goes through."""


class EmbeddingRebuildParams(types.NotificationParams):
    phase: Phase
    scope: Scope
    done: int
    total: int
    message: str


class EmbeddingRebuild(types.Notification[EmbeddingRebuildParams, str]):
    method: str = REBUILD


@asynccontextmanager
async def telling(context: Context, tool: Tool) -> AsyncIterator[Told]:
    """What a tool that tells may call from its thread; all it said has been sent at the end."""
    if not tool.tells:
        yield tell_nobody
        return
    outgoing, incoming = anyio.create_memory_object_stream[Progress](math.inf)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_sent, context, incoming)
        async with outgoing:
            yield Steps(outgoing).tell


class Steps:
    """Passes on what is news: each phase, and each further hundredth."""

    def __init__(self, outgoing: MemoryObjectSendStream[Progress]) -> None:
        self._loop = asyncio.get_running_loop()
        self._outgoing = outgoing
        self._last: tuple[Phase | None, int] | None = None

    def tell(self, progress: Progress) -> None:
        """To be called from the thread in which the tool runs."""
        phase = progress.rebuild.phase if progress.rebuild else None
        step = phase, progress.done * STEPS // max(progress.total, 1)
        if step != self._last:
            self._last = step
            self._loop.call_soon_threadsafe(self._put, progress)

    def _put(self, progress: Progress) -> None:
        # A client that no longer waits is told nothing; the work goes on to its end.
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            self._outgoing.send_nowait(progress)


async def _sent(context: Context, incoming: MemoryObjectReceiveStream[Progress]) -> None:
    last = -1
    async with incoming:
        async for progress in incoming:
            announced = announcement(progress)
            if announced is not None:
                await context.session.send_notification(announced, context.request_id)
            # By the protocol each report is further than the one before.
            if progress.done > last:
                last = progress.done
                await context.session.report_progress(progress.done, progress.total, progress.message or None)


def announcement(progress: Progress) -> types.ServerNotification | None:
    """What every client is told of vectors that are computed anew; none if this is about something else."""
    params = rebuild_params(progress)
    if params is None:
        return None
    return cast(types.ServerNotification, EmbeddingRebuild(params=EmbeddingRebuildParams(**params)))
