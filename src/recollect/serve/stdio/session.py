"""One session over stdin and stdout: reads on its own thread, runs calls on a thread pool."""

import logging
import threading
from collections.abc import Callable, Iterable
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from recollect.model.progress import Progress
from recollect.serve.lenient_json import is_readable, load_json, make_readable
from recollect.serve.listeners import REBUILD_METHOD, rebuild_params
from recollect.serve.protocol_versions import INTERNAL_ERROR, PARSE_ERROR, Id, error_line, notification_line
from recollect.serve.stdio.fast_path import DeferredReply, FastPath, ImmediateReply

if TYPE_CHECKING:
    from recollect.serve.stdio.sdk_bridge import SdkBridge

log = logging.getLogger(__name__)

MAX_CONCURRENT_CALLS = 16


class StdioSession:
    """Reads on the calling thread; tool calls run on a thread pool, the SDK, once started, on its own event loop."""

    def __init__(
        self, fast_path: FastPath, write: Callable[[bytes], None], start_sdk: "Callable[[list[str]], SdkBridge]"
    ) -> None:
        self._fast_path = fast_path
        self._write = write
        self._start_sdk = start_sdk
        self._sdk: SdkBridge | None = None
        self._handshake: list[str] = []
        self._running: set[Id] = set()
        self._pool = ThreadPool(MAX_CONCURRENT_CALLS)

    def run(self, lines: Iterable[str]) -> None:
        """Serve until the input ends and every request is answered; clients may close it right after the last one."""
        try:
            for line in lines:
                if line.strip():
                    self._read(line)
        finally:
            self._pool.shut_down()
            if self._sdk is not None:
                self._sdk.end()

    def report_progress(self, _: str, progress: Progress) -> None:
        """Notify the client of background work; called from any thread."""
        params = rebuild_params(progress)
        if params is not None and self._fast_path.accepts_notifications:
            self._write(notification_line(REBUILD_METHOD, params))

    def _read(self, line: str) -> None:
        try:
            message = load_json(line)
        except ValueError:
            self._write(error_line(None, PARSE_ERROR, "not valid JSON"))
        else:
            self._dispatch(line, message)

    def _dispatch(self, line: str, message: Any) -> None:
        match self._fast_path.reply(message):
            case ImmediateReply(answer, is_handshake):
                if is_handshake:
                    self._handshake.append(line)
                if answer:
                    self._write(answer)
            case DeferredReply(ident) as deferred if ident not in self._running:
                self._running.add(ident)
                self._pool.submit(partial(self._answer, deferred))
            case _:
                self._forward(line, message)

    def _answer(self, deferred: DeferredReply) -> None:
        try:
            line = deferred.line()
        except Exception:
            log.exception("a reply could not be encoded")
            line = error_line(deferred.ident, INTERNAL_ERROR, "internal error")
        if deferred.ident in self._running:
            self._running.discard(deferred.ident)
            self._write(line)

    def _forward(self, line: str, message: Any) -> None:
        """Pass a message to the SDK, which is started for anything but a notification."""
        is_notification = isinstance(message, dict) and "method" in message and "id" not in message
        if is_notification and self._is_cancelled(message):
            return
        if self._sdk is None and not is_notification:
            self._sdk = self._start_sdk(self._handshake)
        if self._sdk is not None:
            self._sdk.send(line if is_readable(line) else make_readable(line), message)

    def _is_cancelled(self, notification: dict[str, Any]) -> bool:
        """Whether this cancels a running call; the call runs to its end, but its result is dropped."""
        params: Any = notification.get("params")
        ident = params.get("requestId") if isinstance(params, dict) else None
        if notification["method"] != "notifications/cancelled" or not isinstance(ident, str | int):
            return False
        was_running = ident in self._running
        self._running.discard(ident)
        return was_running


Work = Callable[[], None]


class ThreadPool:
    """A bounded thread pool whose threads start on demand; work waits in order while all are busy.

    `ThreadPoolExecutor` does the same, but its hand-over takes a large part of the time of a quick call.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._queue: SimpleQueue[Work | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._free = 0
        self._lock = threading.Lock()

    def submit(self, work: Work) -> None:
        """Queue the work. The caller should block next, so that the worker gets the interpreter lock."""
        with self._lock:
            if self._free:
                self._free -= 1
            elif len(self._threads) < self._size:
                self._start_thread()
        self._queue.put(work)

    def _start_thread(self) -> None:
        thread = threading.Thread(target=self._work, name="call")
        thread.start()
        self._threads.append(thread)

    def _work(self) -> None:
        while work := self._queue.get():
            work()
            with self._lock:
                self._free += 1

    def shut_down(self) -> None:
        """Return once all queued work is done."""
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join()
