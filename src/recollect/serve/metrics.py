"""Counts and times of calls, as Prometheus reads them, and what each caller has used of its limits."""

import logging
import math
import os
import threading
import time
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from starlette.types import Message, Receive

from recollect.errors import Forbidden, RecollectError
from recollect.serve.callers import Caller
from recollect.surfaces.declarations import Answer, Outcome, Tool

log = logging.getLogger("recollect.calls")

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
MOST_RECENT = 500


class RecentCall(NamedTuple):
    """One of the last calls of this process: who called what, how it ended and how long it took."""

    at: float
    workspace: str
    actor: str
    surface: str
    tool: str
    outcome: Outcome
    milliseconds: float


class Metrics:
    """Counters of one process: names of tools only, never arguments."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: dict[tuple[str, str, Outcome], int] = defaultdict(int)
        self._slots: dict[str, list[int]] = defaultdict(lambda: [0] * (len(BOUNDS) + 1))
        self._seconds: dict[str, float] = defaultdict(float)
        self._recent: deque[RecentCall] = deque(maxlen=MOST_RECENT)

    def note(self, tool: Tool, answer: Answer, seconds: float, caller: Caller | None = None) -> None:
        with self._lock:
            if caller is not None:
                self._recent.append(_recent_call(tool, answer, seconds, caller))
            self._calls[tool.surface.name, tool.name, answer.outcome] += 1
            self._slots[tool.name][bisect_left(BOUNDS, seconds)] += 1
            self._seconds[tool.name] += seconds
        log.info("%s %s %s %.1f ms", tool.surface.name, tool.name, answer.outcome, seconds * 1_000)

    def recent(self, workspace: str, limit: int) -> list[RecentCall]:
        """The last calls of a workspace, newest first."""
        with self._lock:
            return [each for each in reversed(self._recent) if each.workspace == workspace][:limit]

    def text(self, gauges: Mapping[str, float]) -> str:
        """The exposition format, with gauges supplied by the caller."""
        with self._lock:
            return "\n".join((*self._counters(), *self._histogram(), *_gauges(gauges))) + "\n"

    def _counters(self) -> Iterator[str]:
        yield "# HELP recollect_calls_total Tool calls by tool and outcome."
        yield "# TYPE recollect_calls_total counter"
        for (surface, tool, outcome), count in sorted(self._calls.items()):
            yield f'recollect_calls_total{{surface="{surface}",tool="{tool}",outcome="{outcome}"}} {count}'

    def _histogram(self) -> Iterator[str]:
        yield "# HELP recollect_call_seconds Time in a tool call, waiting for a thread included."
        yield "# TYPE recollect_call_seconds histogram"
        for tool, slots in sorted(self._slots.items()):
            total = 0
            for bound, count in zip((*map(str, BOUNDS), "+Inf"), slots, strict=True):
                total += count
                yield f'recollect_call_seconds_bucket{{tool="{tool}",le="{bound}"}} {total}'
            yield f'recollect_call_seconds_sum{{tool="{tool}"}} {self._seconds[tool]:.6f}'
            yield f'recollect_call_seconds_count{{tool="{tool}"}} {total}'


MINUTE, DAY = 60.0, 86_400.0
MAX_SUBJECTS = 10_000


class LimitReached(RecollectError):
    """A caller that has to wait, and for how many seconds."""

    code = "too_many_requests"

    def __init__(self, what: str, seconds: float) -> None:
        self.retry_after = max(1, math.ceil(seconds))
        super().__init__(f"this token has used its {what}; try again in {self.retry_after} seconds")


class DailyFactLimitReached(LimitReached, Forbidden):
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


def _recent_call(tool: Tool, answer: Answer, seconds: float, caller: Caller) -> RecentCall:
    milliseconds = round(seconds * 1_000, 1)
    surface = tool.surface.name
    return RecentCall(time.time(), caller.workspace, caller.actor, surface, tool.name, answer.outcome, milliseconds)


def process_gauges() -> dict[str, float]:
    """What this process holds; memory and descriptors where the system tells (Linux)."""
    found = {"recollect_threads": float(threading.active_count())}
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        found["recollect_memory_bytes"] = float(pages * os.sysconf("SC_PAGE_SIZE"))
        found["recollect_open_files"] = float(sum(1 for _ in Path("/proc/self/fd").iterdir()))
    except OSError:
        pass
    return found


def _gauges(gauges: Mapping[str, float]) -> Iterator[str]:
    for name, value in sorted(gauges.items()):
        yield f"# TYPE {name} gauge"
        yield f"{name} {value:g}"
