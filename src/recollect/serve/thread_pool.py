"""Worker threads for calls, with a quick hand-over."""

import math
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue

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
        """Return once all queued work is done, or after so many seconds."""
        until = time.monotonic() + seconds
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join(None if math.isinf(until) else max(0.0, until - time.monotonic()))
