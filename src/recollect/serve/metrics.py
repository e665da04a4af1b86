"""Counts and times of calls, as Prometheus reads them."""

import threading
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping

from recollect.surfaces.declarations import Answer, Outcome, Tool

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """Counters of one process: names of tools only, never arguments."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: dict[tuple[str, str, Outcome], int] = defaultdict(int)
        self._slots: dict[str, list[int]] = defaultdict(lambda: [0] * (len(BOUNDS) + 1))
        self._seconds: dict[str, float] = defaultdict(float)

    def note(self, tool: Tool, answer: Answer, seconds: float) -> None:
        with self._lock:
            self._calls[tool.surface.name, tool.name, answer.outcome] += 1
            self._slots[tool.name][bisect_left(BOUNDS, seconds)] += 1
            self._seconds[tool.name] += seconds

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


def _gauges(gauges: Mapping[str, float]) -> Iterator[str]:
    for name, value in sorted(gauges.items()):
        yield f"# TYPE {name} gauge"
        yield f"{name} {value:g}"
