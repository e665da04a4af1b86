"""One session over stdin and stdout: reads on its own thread, runs calls on a thread pool."""

import json
import logging
import math
import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
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

if TYPE_CHECKING:
    from recollect.serve.stdio.sdk_bridge import SdkBridge

MAX_LINE_LENGTH = 64 * 1024 * 1024
_END_LENGTH = 4_096
_PIECE_LENGTH = 1024 * 1024
_ID = r'"id"\s*:\s*(\d{1,18}|"[^"\\]{0,200}")'
_STRING_FIELD = r'"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,200}"'
_ID_FIRST = re.compile(rf"\s*\{{\s*(?:{_STRING_FIELD}\s*,\s*)*{_ID}\s*,")
_ID_LAST = re.compile(rf",\s*{_ID}\s*(?:,\s*{_STRING_FIELD}\s*)*\}}\s*$")
LONE_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def claim_stdio() -> "tuple[InputLines, OutputLines]":
    """Take stdin and stdout: other prints in this process go to stderr, other reads get end of file."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return InputLines(incoming), OutputLines(outgoing)


class InputLines:
    """Lines from the client, until it closes the stream."""

    def __init__(self, descriptor: int) -> None:
        self._file = os.fdopen(descriptor, "rb")

    def __iter__(self) -> Iterator[str]:
        while line := self._file.readline(MAX_LINE_LENGTH):
            if len(line) == MAX_LINE_LENGTH and not line.endswith(b"\n"):
                yield self._cut(line[:_END_LENGTH])
            else:
                yield replace_lone_surrogates(line.decode("utf-8", "replace"))

    def _cut(self, start: bytes) -> "TruncatedLine":
        """Both ends of a line over the limit, whose rest is read and thrown away."""
        end = b""
        while piece := self._file.readline(_PIECE_LENGTH):
            end = (end + piece)[-_END_LENGTH:]
            if piece.endswith(b"\n"):
                break
        return TruncatedLine(f"{start.decode('utf-8', 'replace')}\n{end.decode('utf-8', 'replace')}")


class TruncatedLine(str):
    """The start and the end of a line that is too long, on two lines."""

    __slots__ = ()

    @property
    def ident(self) -> Any:
        """The id of the request, which clients write first or last; none if it is not found."""
        start, _, end = self.partition("\n")
        found = _ID_FIRST.match(start) or _ID_LAST.search(end)
        return None if found is None else json.loads(found[1])


class OutputLines:
    """Lines to the client. A closed pipe is not an error: the client has exited."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()

    def write(self, line: bytes) -> None:
        with self._lock, suppress(BrokenPipeError):
            rest = memoryview(line)
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]


def replace_lone_surrogates(line: str) -> str:
    """The line with lone surrogates replaced, since UTF-8 cannot encode them."""
    if not LONE_SURROGATE.search(line):
        return line
    try:
        text = json.dumps(json.loads(line), ensure_ascii=False)
    except (ValueError, RecursionError):
        return line
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") + "\n"


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
        thread = threading.Thread(target=self._work, name="call", daemon=True)
        thread.start()
        self._threads.append(thread)

    def _work(self) -> None:
        while work := self._queue.get():
            work()
            with self._lock:
                self._free += 1

    def replace_thread(self) -> None:
        """Start one thread more, for one that is still busy with a call that was given up."""
        with self._lock:
            self._size += 1

    def shut_down(self, seconds: float = math.inf) -> None:
        """Return once all queued work is done, or after the given seconds."""
        until = time.monotonic() + seconds
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join(None if math.isinf(until) else max(0.0, until - time.monotonic()))


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
        if isinstance(line, TruncatedLine):
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
