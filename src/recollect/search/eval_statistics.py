"""Statistics of an evaluation: latency percentiles and bootstrap confidence intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

RESAMPLES = 1000
SEED = 20261116
LOW, HIGH = 0.025, 0.975


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds of a query."""

    mean: float
    p50: float
    p95: float
    p99: float


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds that hold the mean of 95 of 100 samples drawn from the same queries."""

    low: float
    high: float


def latency(seconds: Sequence[float]) -> Latency:
    """Mean and percentiles of the time that queries took."""
    ordered = sorted(1000 * each for each in seconds) or [0.0]
    return Latency(sum(ordered) / len(ordered), *(percentile(ordered, share) for share in (0.5, 0.95, 0.99)))


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value below which that share of the values lies, interpolated between neighbours."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def bootstrap(rows: Sequence[Sequence[float]]) -> list[Interval]:
    """For each column the interval of its mean: queries are drawn again with replacement, always in the same way."""
    if not rows:
        return []
    random = Random(SEED)
    means: list[list[float]] = []
    for _ in range(RESAMPLES):
        drawn = random.choices(rows, k=len(rows))
        means.append([sum(column) / len(drawn) for column in zip(*drawn, strict=True)])
    columns = [sorted(column) for column in zip(*means, strict=True)]
    return [Interval(percentile(column, LOW), percentile(column, HIGH)) for column in columns]
