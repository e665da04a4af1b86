"""The event stream of a workspace: the number of its latest transaction, whoever wrote it.

One thread waits for commits of any process on the store while pages are open, and wakes their streams: PostgreSQL
notifies it, a SQLite file is asked for its version once a second.
"""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread
from starlette.responses import Response, StreamingResponse

from recollect.errors import RecollectError
from recollect.serve.web.framework.pages import whole_number
from recollect.store.activity_queries import growth_between

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.store.port import CommitWatch, Engine

WATCH_SECONDS = 1.0
LEAST_PAUSE_SECONDS = 0.2
"""Between two events of a stream: a running import commits many times a second."""
HEARTBEAT_SECONDS = 15.0
LONGEST_STREAM_SECONDS = 600.0
"""After that a browser connects again, so that a revoked token is noticed."""
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class WakeUp:
    """Wakes one stream, from another thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._event = asyncio.Event()

    def set(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._event.set)

    async def wait(self, seconds: float) -> None:
        with anyio.move_on_after(seconds):
            await self._event.wait()
        self._event.clear()


class TransactionFeed:
    """The latest transaction of each workspace, read from the store once after each commit."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._streams: set[WakeUp] = set()
        self._is_watched = False
        self._commits = 0
        self._latest: dict[str, tuple[int, int]] = {}

    @contextmanager
    def joined(self, engine: "Engine") -> Iterator[WakeUp]:
        """A stream that is woken by every commit; the first one begins to watch the store."""
        stream = WakeUp()
        with self._lock:
            self._streams.add(stream)
            must_watch, self._is_watched = not self._is_watched, True
        if must_watch:
            threading.Thread(target=self._watch, args=(engine,), daemon=True, name="commits").start()
        try:
            yield stream
        finally:
            with self._lock:
                self._streams.discard(stream)

    def latest(self, memory: "Memory") -> int:
        """The number of the latest transaction."""
        name = memory.workspace.name
        with self._lock:
            commits = self._commits
            read_after, tx = self._latest.get(name, (-1, 0))
        if read_after == commits:
            return tx
        try:
            with memory.read() as view:
                tx = view.last_tx
        except RecollectError:
            return tx  # the store may be back in a second
        with self._lock:
            self._latest[name] = commits, tx
        return tx

    def _watch(self, engine: "Engine") -> None:
        """Wait for commits until no stream is left; a store that cannot be reached is tried again."""
        while self._goes_on():
            try:
                watch = engine.watch_commits()
            except RecollectError:
                time.sleep(WATCH_SECONDS)
                continue
            try:
                self._wake_by(watch)
            except RecollectError:
                time.sleep(WATCH_SECONDS)
            finally:
                watch.close()

    def _wake_by(self, watch: "CommitWatch") -> None:
        """Wake the streams now, for what was committed before the watch began, and after every commit."""
        woken = 0.0
        while self._goes_on():
            # Some connection poolers swallow notifications, so streams look by themselves from time to time.
            is_long_ago = time.monotonic() - woken >= HEARTBEAT_SECONDS
            if is_long_ago or watch.wait(WATCH_SECONDS):
                self._wake()
                woken = time.monotonic()

    def _goes_on(self) -> bool:
        with self._lock:
            self._is_watched = bool(self._streams)
            return self._is_watched

    def _wake(self) -> None:
        with self._lock:
            self._commits += 1
            streams = list(self._streams)
        for stream in streams:
            stream.set()


def stream_events(feed: TransactionFeed, memory: "Memory", since: str) -> Response:
    """The stream after a transaction that the browser knows; it counts the facts that came after that one."""
    events = _events(feed, memory, whole_number(since))
    return StreamingResponse(events, media_type="text/event-stream", headers=HEADERS)


def _new_facts(memory: "Memory", seen: int | None, tx: int) -> int:
    if seen is None or seen >= tx:
        return 0
    try:
        with memory.read() as view:
            return growth_between(view, seen, tx).facts
    except RecollectError:
        return 0  # the number of the transaction says enough


async def _events(feed: TransactionFeed, memory: "Memory", seen: int | None) -> AsyncIterator[str]:
    sent, ends = -1, anyio.current_time() + LONGEST_STREAM_SECONDS
    with feed.joined(memory.engine) as stream:
        while anyio.current_time() < ends:
            tx = await to_thread.run_sync(feed.latest, memory)
            if tx == sent:
                yield ": still here\n\n"
            else:
                facts = await to_thread.run_sync(_new_facts, memory, seen, tx)
                yield f"event: transaction\nid: {tx}\ndata: {json.dumps({'tx': tx, 'facts': facts})}\n\n"
                sent = seen = tx
            await anyio.sleep(LEAST_PAUSE_SECONDS)
            await stream.wait(HEARTBEAT_SECONDS)
