"""Which of the writers of this process may take a connection.

Writers of a workspace wait for each other, and the one whose turn it is may need a second connection for a read. Were
they to wait with a connection each, they could hold all there are, and the one they wait for would wait for them.
"""

import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from recollect.deadline import Lock, acquire_in_time
from recollect.store.port import FOREVER, StoreBusy


class WriterLocks:
    """One writer at a time in each workspace, and at most so many in all: other connections are left for reads."""

    def __init__(self, most: int) -> None:
        self._any = threading.BoundedSemaphore(most)
        self._locks: defaultdict[int, threading.RLock] = defaultdict(threading.RLock)

    @contextmanager
    def turn(self, ws: int | None, wait: float) -> Iterator[None]:
        locks = (self._any,) if ws is None else (self._locks[ws], self._any)
        with ExitStack() as stack:
            for each in locks:
                _acquire(each, wait)
                stack.callback(each.release)
            yield


def _acquire(lock: Lock, wait: float) -> None:
    if wait == FOREVER:
        acquire_in_time(lock)
    elif not lock.acquire(timeout=wait):
        raise StoreBusy("LockNotAvailable")
