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
from recollect.serve.stdio.fast_path import DeferredReply, FastPath, ImmediateReply
from recollect.serve.stdio.protocol_versions import INTERNAL_ERROR, PARSE_ERROR, Id, error_line, notification_line

if TYPE_CHECKING:
    from recollect.serve.stdio.sdk_bridge import SdkBridge

log = logging.getLogger(__name__)

MAX_CONCURRENT_CALLS = 16


class StdioSession:
    """Reads on the thread that runs it; calls run on threads of their own, and the SDK, once woken, on its loop."""

    def __init__(
        self, straight: FastPath, say: Callable[[bytes], None], wake: "Callable[[list[str]], SdkBridge]"
    ) -> None:
        self._straight = straight
        self._say = say
        self._wake = wake
        self._sdk: SdkBridge | None = None
        self._greeting: list[str] = []
        self._running: set[Id] = set()
        self._crew = ThreadPool(MAX_CONCURRENT_CALLS)

    def run(self, lines: Iterable[str]) -> None:
        """Until the client has gone and has its answers: it may close its end right behind its last question."""
        try:
            for line in lines:
                if line.strip():
                    self._read(line)
        finally:
            self._crew.shut_down()
            if self._sdk is not None:
                self._sdk.end()

    def hear_of(self, _: str, progress: Progress) -> None:
        """Tell of work that nobody asked for; from any thread."""
        params = rebuild_params(progress)
        if params is not None and self._straight.may_be_told:
            self._say(notification_line(REBUILD_METHOD, params))

    def _read(self, line: str) -> None:
        try:
            message = load_json(line)
        except ValueError:
            self._say(error_line(None, PARSE_ERROR, "not valid JSON"))
        else:
            self._hear(line, message)

    def _hear(self, line: str, message: Any) -> None:
        match self._straight.reply(message):
            case ImmediateReply(answer, is_greeting):
                if is_greeting:
                    self._greeting.append(line)
                if answer:
                    self._say(answer)
            case DeferredReply(ident) as later if ident not in self._running:
                self._running.add(ident)
                self._crew.submit(partial(self._answer, later))
            case _:
                self._pass_on(line, message)

    def _answer(self, later: DeferredReply) -> None:
        try:
            line = later.line()
        except Exception:
            log.exception("an answer could not be written")
            line = error_line(later.ident, INTERNAL_ERROR, "internal error")
        if later.ident in self._running:
            self._running.discard(later.ident)
            self._say(line)

    def _pass_on(self, line: str, message: Any) -> None:
        """To the SDK, which is woken for anything but a notice."""
        is_notice = isinstance(message, dict) and "method" in message and "id" not in message
        if is_notice and self._is_cancelled(message):
            return
        if self._sdk is None and not is_notice:
            self._sdk = self._wake(self._greeting)
        if self._sdk is not None:
            self._sdk.hear(line if is_readable(line) else make_readable(line), message)

    def _is_cancelled(self, notice: dict[str, Any]) -> bool:
        """Whether this takes back a call of ours; it may still run to its end, but nobody hears of it."""
        params: Any = notice.get("params")
        ident = params.get("requestId") if isinstance(params, dict) else None
        if notice["method"] != "notifications/cancelled" or not isinstance(ident, str | int):
            return False
        was_running = ident in self._running
        self._running.discard(ident)
        return was_running


Work = Callable[[], None]


class ThreadPool:
    """At most so many threads, each begun when it is first needed; until one is free, work waits in its order.

    The pool of the standard library does the same, but handing over takes it a good part of what a quick call takes.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._given: SimpleQueue[Work | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._free = 0
        self._lock = threading.Lock()

    def submit(self, work: Work) -> None:
        """Have it done. Whoever gives should wait for something next: who is woken needs the interpreter."""
        with self._lock:
            if self._free:
                self._free -= 1
            elif len(self._threads) < self._most:
                self._start_thread()
        self._given.put(work)

    def _start_thread(self) -> None:
        thread = threading.Thread(target=self._work, name="call")
        thread.start()
        self._threads.append(thread)

    def _work(self) -> None:
        while work := self._given.get():
            work()
            with self._lock:
                self._free += 1

    def shut_down(self) -> None:
        """Once all that was given is done."""
        for _ in self._threads:
            self._given.put(None)
        for thread in self._threads:
            thread.join()
