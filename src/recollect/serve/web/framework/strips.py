"""Validity bars: when facts were true, drawn on one axis."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recollect.when.instant import MAX, MIN

WIDTH = 1000.0
LEAST_BAR = 6.0


@dataclass(frozen=True, slots=True)
class DatedBar:
    """A fact with its bounds on the axis of time, which may be open."""

    fact: str
    text: str
    lo: int
    hi: int
    since: str | None
    until: str | None


@dataclass(frozen=True, slots=True)
class StripBar:
    """A bar of a strip, in thousandths of its width."""

    fact: str
    text: str
    x: float
    width: float
    since: str | None
    until: str | None


@dataclass(frozen=True, slots=True)
class Strip:
    bars: tuple[StripBar, ...] = ()
    now: float | None = None


def make_strip(bars: Sequence[DatedBar], now: int) -> Strip:
    """The bars on an axis from the first bound to the last or to now; open ends reach the edge."""
    ends = [end for bar in bars for end in (bar.lo, bar.hi) if MIN < end < MAX]
    if not ends:
        return Strip()
    lo, hi = min(*ends, now), max(*ends, now)
    margin = max(1, (hi - lo) // 25)
    lo, hi = lo - margin, hi + margin
    scale = WIDTH / (hi - lo)
    return Strip(tuple(_bar(bar, lo, hi, scale) for bar in bars), round((now - lo) * scale, 1))


def _bar(bar: DatedBar, lo: int, hi: int, scale: float) -> StripBar:
    start = (max(bar.lo, lo) - lo) * scale
    width = max(LEAST_BAR, (min(bar.hi, hi) - max(bar.lo, lo)) * scale)
    return StripBar(bar.fact, bar.text, round(start, 1), round(min(width, WIDTH - start), 1), bar.since, bar.until)


def by_start(bars: Iterable[DatedBar], limit: int) -> list[DatedBar]:
    """The bars in order of time, no more than so many, those with an end of their own first."""
    chosen = sorted(bars, key=lambda bar: (bar.lo <= MIN, bar.hi >= MAX))[:limit]
    return sorted(chosen, key=lambda bar: (bar.lo, bar.hi))
