"""Deadlines: how long a call may run, whether its client still waits for the answer, and what yields to it.

The transport makes a deadline for each call; the store consults that of the current thread at every query, during long
queries and before each commit. So a call that is stopped commits nothing more. Background work waits a little between
its steps while any call runs.
"""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, Self, TypeVar

from recollect.errors import Unavailable

Value = TypeVar("Value")


class Lock(Protocol):
    def acquire(self, blocking: bool = ..., timeout: float = ...) -> bool: ...


LONGEST_YIELD_SECONDS = 0.1
"""How long a step in the background waits for calls: ten times as long as it takes, so that it hardly slows them."""
_CHECK_SECONDS = 0.2
"""How often a call that waits for a lock looks whether it has to stop."""
_CURRENT: ContextVar["CallDeadline | None"] = ContextVar("deadline", default=None)
_IS_BACKGROUND: ContextVar[bool] = ContextVar("is_background", default=False)


class CallStopped(Unavailable):
    """A call that did not end by itself; the text says whether anything was written."""

    code = "stopped"

    def __init__(self, why: str, *, has_committed: bool) -> None:
        written = (
            "part of it was written before; look at the latest transactions before you repeat it"
            if has_committed
            else "nothing was written"
        )
        super().__init__(f"{why}; {written}")
        if has_committed:
            self.retry_after = None


class DeadlineExceeded(CallStopped):
    code = "deadline_exceeded"


class CallCancelled(CallStopped):
    code = "cancelled"


class _RunningCalls:
    """Counts the calls of this process that run."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._count = 0

    def __enter__(self) -> None:
        with self._changed:
            self._count += 1

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._count -= 1
            self._changed.notify_all()

    def wait_until_none(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._count == 0, seconds)


_RUNNING = _RunningCalls()


class CallDeadline:
    """The time limit of one call, which its client can cancel before; progress begins the time anew."""

    def __init__(self, seconds: float = math.inf, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self._monotonic = monotonic
        self._until = monotonic() + seconds
        self._is_cancelled = False
        self._is_enforced = False
        self._has_committed = False
        self._lock = threading.RLock()
        self._interrupt: Callable[[], None] | None = None

    def run(self, work: Callable[[], Value]) -> Value:
        """The result of work that has this deadline, on the current thread."""
        token = _CURRENT.set(self)
        try:
            with _RUNNING:
                return work()
        finally:
            _CURRENT.reset(token)

    @property
    def remaining(self) -> float:
        return self._until - self._monotonic()

    @property
    def is_over(self) -> bool:
        return self._is_cancelled or self._monotonic() > self._until

    @property
    def is_enforced(self) -> bool:
        """Whether something was stopped because of this deadline."""
        return self._is_enforced

    def renew(self) -> None:
        self._until = self._monotonic() + self.seconds

    def enforce(self) -> bool:
        """Whether the work must stop now."""
        self._is_enforced = self._is_enforced or self.is_over
        return self._is_enforced

    def check(self) -> None:
        if self.enforce():
            raise self.failure()

    def cancel(self) -> None:
        """Stop the call, from another thread; a commit that has begun is completed first."""
        with self._lock:
            self._is_cancelled = True
            if self._interrupt is not None:
                self._interrupt()

    def failure(self) -> CallStopped:
        if self._monotonic() > self._until:
            why = f"the call took longer than {self.seconds:g} seconds and was stopped (setting serve.call_seconds)"
            return DeadlineExceeded(why, has_committed=self._has_committed)
        return CallCancelled("the call was cancelled", has_committed=self._has_committed)

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Inside, `cancel` also calls this function, which ends a query that another process executes."""
        with self._lock:
            before, self._interrupt = self._interrupt, interrupt
        try:
            yield
        finally:
            with self._lock:
                self._interrupt = before


class CommitGuard:
    """Keeps a deadline from stopping a call during a commit, so that its answer can say what was written."""

    __slots__ = ("_deadline", "is_committing")

    def __init__(self) -> None:
        self._deadline = _CURRENT.get()
        self.is_committing = False

    def __enter__(self) -> Self:
        return self

    def begin(self) -> None:
        """Called right before the commit, which ends the block."""
        if self._deadline is not None:
            self._deadline.check()
            self._deadline._lock.acquire()
        self.is_committing = True

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        if self._deadline is not None and self.is_committing:
            self._deadline._has_committed |= failure is None
            self._deadline._lock.release()


def current_deadline() -> CallDeadline | None:
    return _CURRENT.get()


def check_deadline() -> None:
    """Raise `CallStopped` if the current call has to stop; loops over what a caller sent do this now and then."""
    deadline = _CURRENT.get()
    if deadline is not None:
        deadline.check()


def must_stop() -> bool:
    """Whether the current call has to stop; for callbacks that cannot raise."""
    deadline = _CURRENT.get()
    return deadline is not None and deadline.enforce()


@contextmanager
def without_deadline() -> Iterator[None]:
    """Inside, the current call is not stopped, so that it can release what it holds."""
    token = _CURRENT.set(None)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def acquire_in_time(lock: Lock) -> None:
    """Acquire a lock, or raise `CallStopped` when the current call has to stop before."""
    deadline = _CURRENT.get()
    if deadline is None:
        lock.acquire()
        return
    while not lock.acquire(timeout=_CHECK_SECONDS):
        deadline.check()


@contextmanager
def background_work() -> Iterator[None]:
    """Inside, on this thread, `yield_to_calls` waits."""
    token = _IS_BACKGROUND.set(True)
    try:
        yield
    finally:
        _IS_BACKGROUND.reset(token)


def yield_to_calls() -> None:
    """In the background, wait until no call runs, but only for a moment, so that work continues under steady load."""
    if _IS_BACKGROUND.get():
        _RUNNING.wait_until_none(LONGEST_YIELD_SECONDS)
