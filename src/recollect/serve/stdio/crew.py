"""Threads that do what they are given."""

import threading
from collections.abc import Callable
from queue import SimpleQueue

Work = Callable[[], None]


class Crew:
    """At most so many threads, each begun when it is first needed; until one is free, work waits in its order.

    The pool of the standard library does the same, but handing over takes it a good part of what a quick call takes.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._given: SimpleQueue[Work | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._free = 0
        self._lock = threading.Lock()

    def give(self, work: Work) -> None:
        """Have it done. Whoever gives should wait for something next: who is woken needs the interpreter."""
        with self._lock:
            if self._free:
                self._free -= 1
            elif len(self._threads) < self._most:
                self._begin()
        self._given.put(work)

    def _begin(self) -> None:
        thread = threading.Thread(target=self._work, name="call")
        thread.start()
        self._threads.append(thread)

    def _work(self) -> None:
        while work := self._given.get():
            work()
            with self._lock:
                self._free += 1

    def end(self) -> None:
        """Once all that was given is done."""
        for _ in self._threads:
            self._given.put(None)
        for thread in self._threads:
            thread.join()
