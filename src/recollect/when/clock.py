"""The clock, injected everywhere so that a test or RECOLLECT_NOW can fix it."""

import time
from dataclasses import dataclass
from datetime import UTC
from typing import Protocol

from recollect.when.instant import Instant, read_instant
from recollect.when.time_errors import BadTime


class Clock(Protocol):
    def now(self) -> Instant: ...


@dataclass(frozen=True, slots=True)
class SystemClock:
    """The clock of the machine."""

    def now(self) -> Instant:
        """The system's current instant."""
        return Instant(time.time_ns() // 1000)


@dataclass(frozen=True, slots=True)
class FixedClock:
    """A clock that stands still."""

    instant: Instant

    def now(self) -> Instant:
        """Always the same instant."""
        return self.instant


def clock_from(text: str | None) -> Clock:
    """A clock fixed at an ISO instant, by default in UTC; the system clock without one."""
    if not text:
        return SystemClock()
    try:
        return FixedClock(read_instant(text, UTC))
    except BadTime as problem:
        raise BadTime(text, "RECOLLECT_NOW takes an ISO 8601 instant such as 2026-03-14T10:22:00Z") from problem
