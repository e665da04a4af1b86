"""Threads that take turns at looking for work: whoever finds some lets another look on, and does it."""

import threading
from collections import deque
from collections.abc import Callable

Work = Callable[[], None]


class Crew:
    """Does at most so many pieces of work at once, and looks on meanwhile; what is too much for now waits.

    Nothing is handed from thread to thread, which would cost a good part of what most pieces take.
    """

    def __init__(self, most: int, find: Callable[[], Work | None]) -> None:
        self._most = most
        self._find = find
        self._turn = threading.Lock()
        self._changed = threading.Condition()
        self._waiting: deque[Work] = deque()
        self._threads = 1
        self._busy = 0
        self._has_ended = False
        self._failure: BaseException | None = None

    def run(self) -> None:
        """Until nothing more is found, or somebody fails; and until all that was begun is done."""
        try:
            self._take_turns()
        finally:
            self._has_ended = True
            with self._changed:
                self._changed.wait_for(lambda: not self._busy)
        if self._failure is not None:
            raise self._failure

    def _take_turns(self) -> None:
        while not self._has_ended:
            work = self._next_found()
            while work is not None:
                work = self._done(work)

    def _next_found(self) -> Work | None:
        """What there is to do for the one whose turn it is; nothing in the end."""
        with self._turn:
            try:
                while not self._has_ended:
                    work = self._find()
                    if work is None:
                        self._has_ended = True
                    elif self._may_begin(work):
                        return work
            except BaseException as failure:
                self._end_with(failure)
        return None

    def _may_begin(self, work: Work) -> bool:
        """Whether it is begun now, while somebody else looks on; otherwise it waits for whoever is done first."""
        with self._changed:
            if self._busy == self._most:
                self._waiting.append(work)
                return False
            if self._busy + 1 == self._threads:
                # The process may end while this one still looks on.
                threading.Thread(target=self._take_turns, name="call", daemon=True).start()
                self._threads += 1
            self._busy += 1
        return True

    def _done(self, work: Work) -> Work | None:
        """Do it; what waits to be done next, if anything."""
        try:
            work()
        except BaseException as failure:
            self._end_with(failure)
        with self._changed:
            if self._waiting:
                return self._waiting.popleft()
            self._busy -= 1
            if self._has_ended and not self._busy:
                self._changed.notify_all()
        return None

    def _end_with(self, failure: BaseException) -> None:
        """Let `run` fail so, whichever thread it was."""
        self._failure = failure
        self._has_ended = True
