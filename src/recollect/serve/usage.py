"""What each caller has used of its limits, counted by this process."""

import math
import time
from collections.abc import Callable
from typing import NamedTuple

from starlette.types import Message, Receive

from recollect.errors import Forbidden, RecollectError
from recollect.serve.callers import Caller

MINUTE, DAY = 60.0, 86_400.0
MAX_SUBJECTS = 10_000


class LimitReached(RecollectError):
    """A caller that has to wait so many seconds."""

    code = "too_many_requests"

    def __init__(self, what: str, seconds: float) -> None:
        self.retry_after = max(1, math.ceil(seconds))
        super().__init__(f"this token has used its {what}; try again in {self.retry_after} seconds")


class FactsOfTodayUsed(LimitReached, Forbidden):
    """A write after the last fact of the day (UTC); tools tell it as something that the token may not do."""

    code = "quota_exceeded"

    def __init__(self, limit: int, seconds: float) -> None:
        super().__init__(f"{limit} facts of the day", seconds)


class _Count(NamedTuple):
    until: float
    used: int


class Usage:
    """Calls and bytes of each subject in the current minute and day, which begin with its first request."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._calls: dict[str, _Count] = {}
        self._bytes: dict[str, _Count] = {}

    def count_call(self, caller: Caller | None) -> None:
        """Count a request, or raise `LimitReached`."""
        if caller is None:
            return
        limits = caller.limits
        if limits.bytes_per_day:
            self._check(self._bytes, caller.subject, DAY, limits.bytes_per_day, "bytes of the day")
        if limits.calls_per_minute:
            self._check(self._calls, caller.subject, MINUTE, limits.calls_per_minute, "calls of the minute")
            self._add(self._calls, caller.subject, 1)

    def count_bytes(self, caller: Caller, size: int) -> None:
        self._add(self._bytes, caller.subject, size)

    def counting(self, caller: Caller, receive: Receive) -> Receive:
        """A channel that counts the bytes of a request's body."""

        async def counted() -> Message:
            message = await receive()
            self.count_bytes(caller, len(message.get("body", b"")))
            return message

        return counted

    def _check(self, counts: dict[str, _Count], subject: str, seconds: float, limit: int, what: str) -> None:
        now = self._monotonic()
        count = counts.get(subject)
        if count is None or count.until <= now:
            counts.pop(subject, None)
            while len(counts) >= MAX_SUBJECTS:
                del counts[next(iter(counts))]
            count = counts[subject] = _Count(now + seconds, 0)
        if count.used >= limit:
            raise LimitReached(f"{limit} {what}", count.until - now)

    def _add(self, counts: dict[str, _Count], subject: str, used: int) -> None:
        count = counts.get(subject)
        if count is not None:
            counts[subject] = count._replace(used=count.used + used)
