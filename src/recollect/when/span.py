"""Spans: ranges of an integer axis, both ends included; open ends are MIN and MAX."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from recollect.when.instant import MAX, MIN


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """From `lo` to `hi`, both included; never empty."""

    lo: int = MIN
    hi: int = MAX

    def __post_init__(self) -> None:
        if self.lo > self.hi:
            raise ValueError(f"a span cannot end ({self.hi}) before it begins ({self.lo})")

    def overlaps(self, other: Self) -> bool:
        """Whether the two share at least one position."""
        return self.lo <= other.hi and other.lo <= self.hi

    def overlaps_bounds(self, lo: int | None, hi: int | None) -> bool:
        """Whether it shares a position with a period between two bounds; a bound of None is open."""
        return (lo is None or lo <= self.hi) and (hi is None or hi >= self.lo)

    def covers(self, other: Self) -> bool:
        """Whether all of the other lies inside this one."""
        return self.lo <= other.lo and other.hi <= self.hi

    def cut(self, other: Self) -> tuple["Span", ...]:
        """This span without the other: zero, one or two spans."""
        if not self.overlaps(other):
            return (Span(self.lo, self.hi),)
        before = (Span(self.lo, other.lo - 1),) if self.lo < other.lo else ()
        after = (Span(other.hi + 1, self.hi),) if other.hi < self.hi else ()
        return before + after


def join(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same positions as the fewest possible spans, in order."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.lo <= joined[-1].hi + 1:
            joined[-1] = Span(joined[-1].lo, max(joined[-1].hi, span.hi))
        else:
            joined.append(span)
    return tuple(joined)


def hull(spans: Iterable[Span]) -> Span | None:
    """The smallest span that contains them all; None for none."""
    every = tuple(spans)
    return Span(min(s.lo for s in every), max(s.hi for s in every)) if every else None
