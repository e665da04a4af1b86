"""The event stream of a workspace: the number of its latest transaction, whoever wrote it.

The store is asked at most once a second for each workspace, however many pages are open, so this works between
processes on one SQLite file and between servers on one PostgreSQL.
"""

import json
import threading
import time
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread
from starlette.responses import Response, StreamingResponse

from recollect.errors import RecollectError

if TYPE_CHECKING:
    from recollect.memory import Memory

POLL_SECONDS = 1.0
HEARTBEAT_SECONDS = 15.0
LONGEST_STREAM = 600
"""After so many polls a browser connects again, so that a revoked token is noticed."""
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class TransactionFeed:
    """The latest transaction of each workspace, read from the store at most once a second."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._latest: dict[str, tuple[float, int]] = {}

    def latest(self, memory: "Memory") -> int:
        name = memory.workspace.name
        with self._lock:
            read_at, tx = self._latest.get(name, (-POLL_SECONDS, 0))
            if self._monotonic() - read_at >= POLL_SECONDS:
                tx = self._read(memory, tx)
                self._latest[name] = self._monotonic(), tx
            return tx

    def _read(self, memory: "Memory", before: int) -> int:
        try:
            with memory.read() as view:
                return view.last_tx
        except RecollectError:
            return before  # the store may be back in a second


def stream_events(feed: TransactionFeed, memory: "Memory") -> Response:
    return StreamingResponse(_events(feed, memory), media_type="text/event-stream", headers=HEADERS)


async def _events(feed: TransactionFeed, memory: "Memory") -> AsyncIterator[str]:
    sent, quiet = -1, 0.0
    for _ in range(LONGEST_STREAM):
        tx = await to_thread.run_sync(feed.latest, memory)
        if tx != sent:
            yield f"event: transaction\nid: {tx}\ndata: {json.dumps({'tx': tx})}\n\n"
            sent, quiet = tx, 0.0
        elif quiet >= HEARTBEAT_SECONDS:
            yield ": still here\n\n"
            quiet = 0.0
        await anyio.sleep(POLL_SECONDS)
        quiet += POLL_SECONDS
