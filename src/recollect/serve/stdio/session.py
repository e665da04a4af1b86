"""One session over stdin and stdout: reads on its own thread, runs calls on a thread pool."""

import logging
import math
import threading
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from recollect.deadline import CallDeadline
from recollect.model.progress import Progress
from recollect.serve.lenient_json import has_too_many_values, is_readable, load_json, make_readable
from recollect.serve.listeners import REBUILD_METHOD, rebuild_params
from recollect.serve.plain_calls import cancelled_id
from recollect.serve.protocol_versions import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    Id,
    error_line,
    notification_line,
)
from recollect.serve.stdio.fast_path import DeferredReply, FastPath, ImmediateReply
from recollect.serve.stdio.pipes import MAX_LINE_LENGTH, CutLine
from recollect.serve.thread_pool import ThreadPool

if TYPE_CHECKING:
    from recollect.serve.stdio.sdk_bridge import SdkBridge

log = logging.getLogger(__name__)

MAX_CONCURRENT_CALLS = 16
WATCH_SECONDS = 5.0
GRACE_SECONDS = 1.0
_TOO_LONG = f"a message has at most {MAX_LINE_LENGTH // 1024**2} MiB; send it in several calls"


class StdioSession:
    """Reads on the calling thread; tool calls run on a thread pool, the SDK, once started, on its own event loop."""

    def __init__(
        self,
        fast_path: FastPath,
        write: Callable[[bytes], None],
        start_sdk: "Callable[[list[str]], SdkBridge]",
        call_seconds: float = math.inf,
    ) -> None:
        self._fast_path = fast_path
        self._write = write
        self._start_sdk = start_sdk
        self._sdk: SdkBridge | None = None
        self._handshake: list[str] = []
        self._call_seconds = call_seconds
        self._running: dict[Id, RunningCall] = {}
        self._pool = ThreadPool(MAX_CONCURRENT_CALLS)
        self._watch = threading.Thread(target=self._answer_late_calls, name="deadlines", daemon=True)
        self._is_ending = threading.Event()

    def run(self, lines: Iterable[str]) -> None:
        """Serve until the input ends and every request is answered; clients may close it right after the last one."""
        try:
            for line in lines:
                if line.strip():
                    self._read(line)
        finally:
            self._pool.shut_down(self._longest_wait())
            self._is_ending.set()
            if self._sdk is not None:
                self._sdk.end()

    def report_progress(self, _: str, progress: Progress) -> None:
        """Notify the client of background work; called from any thread."""
        params = rebuild_params(progress)
        if params is not None and self._fast_path.accepts_notifications:
            self._write(notification_line(REBUILD_METHOD, params))

    def _read(self, line: str) -> None:
        if isinstance(line, CutLine):
            self._write(error_line(line.ident, INVALID_REQUEST, _TOO_LONG))
            return
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
                self._begin(deferred)
            case _:
                self._forward(line, message)

    def _begin(self, deferred: DeferredReply) -> None:
        if not self._watch.is_alive() and math.isfinite(self._call_seconds):
            self._watch.start()
        called = self._running[deferred.ident] = RunningCall(deferred, CallDeadline(self._call_seconds))
        self._pool.submit(partial(self._answer, called))

    def _answer(self, called: "RunningCall") -> None:
        deferred = called.deferred
        try:
            line = called.deadline.run(deferred.line)
        except Exception:
            log.exception("a reply could not be encoded")
            line = error_line(deferred.ident, INTERNAL_ERROR, "internal error")
        if self._running.get(deferred.ident) is called and self._running.pop(deferred.ident, None) is called:
            self._write(line)

    def _longest_wait(self) -> float:
        """Seconds until the last running call is answered."""
        waits = [called.deadline.remaining for called in list(self._running.values())]
        return max(waits, default=0.0) + GRACE_SECONDS + WATCH_SECONDS

    def _answer_late_calls(self) -> None:
        """Answer calls that have not noticed their deadline; their threads go on, unable to commit."""
        while not self._is_ending.wait(min(WATCH_SECONDS, self._call_seconds)):
            for ident, called in list(self._running.items()):
                if called.deadline.remaining < -GRACE_SECONDS and self._running.pop(ident, None) is called:
                    called.deadline.cancel()
                    self._pool.replace_thread()
                    self._write(called.deferred.late_line(called.deadline))

    def _forward(self, line: str, message: Any) -> None:
        """Pass a message to the SDK, which is started for anything but a notification."""
        is_notification = isinstance(message, dict) and "method" in message and "id" not in message
        if is_notification and self._is_cancelled(message):
            return
        if self._sdk is None and not is_notification:
            self._sdk = self._start_sdk(self._handshake)
        if self._sdk is not None:
            if has_too_many_values(line) and isinstance(message, dict) and "id" in message:
                self._write(error_line(message["id"], INVALID_PARAMS, "too many values; send them in several calls"))
                return
            self._sdk.send(line if is_readable(line) else make_readable(line), message)

    def _is_cancelled(self, notification: dict[str, Any]) -> bool:
        """Whether this cancels a running call, which then writes nothing and gets no reply."""
        ident = cancelled_id(notification)
        called = self._running.pop(ident, None) if ident is not None else None
        if called is not None:
            called.deadline.cancel()
        return called is not None


class RunningCall(NamedTuple):
    deferred: DeferredReply
    deadline: CallDeadline
