"""Times: texts that mean a period of the axis, and intervals between two of them."""

from dataclasses import dataclass
from typing import Literal

from recollect.when.instant import MAX, MIN
from recollect.when.span import Span

Grain = Literal["instant", "day", "week", "month", "year", "era", "range"]
Coverage = Literal["full", "partial", "uncertain", "none"]


@dataclass(frozen=True, slots=True)
class Time:
    """A period as it was written, with its widest reading on the axis, both ends included."""

    text: str
    lo: int
    hi: int
    uncertain: bool = False
    grain: Grain = "day"

    def __str__(self) -> str:
        return self.text

    @property
    def span(self) -> Span:
        """The span of the axis that the time may cover."""
        return Span(self.lo, self.hi)

    def overlaps(self, other: "Time") -> bool:
        """Whether the two overlap."""
        return self.lo <= other.hi and other.lo <= self.hi

    def contains(self, other: "Time") -> bool:
        """Whether the other lies completely inside this one."""
        return self.lo <= other.lo and other.hi <= self.hi


def time_text(time: Time | None) -> str | None:
    """The time as it was written, if there is one."""
    return None if time is None else time.text


def are_disjoint(one: Time | None, other: Time | None) -> bool:
    """Whether both times are known and share no position."""
    return one is not None and other is not None and not one.overlaps(other)


@dataclass(frozen=True, slots=True)
class Bounds:
    """When something was true: from one time until another; None is open."""

    valid_from: Time | None = None
    valid_until: Time | None = None

    @property
    def lo(self) -> int:
        """The first position at which it can have been true."""
        return MIN if self.valid_from is None else self.valid_from.lo

    @property
    def hi(self) -> int:
        """The last position at which it can have been true."""
        return MAX if self.valid_until is None else self.valid_until.hi


def coverage(bounds: Bounds, at: Time) -> Coverage:
    """How much of a period the bounds cover."""
    if bounds.lo > bounds.hi or bounds.lo > at.hi or at.lo > bounds.hi:
        return "none"
    first, last = _between_uncertain_bounds(bounds)
    if max(first, at.lo) > min(last, at.hi):
        return "uncertain"
    return "full" if bounds.lo <= at.lo and at.hi <= bounds.hi else "partial"


def _between_uncertain_bounds(bounds: Bounds) -> tuple[int, int]:
    start, end = bounds.valid_from, bounds.valid_until
    first = start.hi + 1 if start is not None and start.uncertain else bounds.lo
    last = end.lo - 1 if end is not None and end.uncertain else bounds.hi
    return first, last


def holds(bounds: Bounds, at: Time) -> bool:
    """Whether the interval between the bounds overlaps a period."""
    return coverage(bounds, at) != "none"


def clash(one: Bounds, other: Bounds) -> bool:
    """Whether two intervals overlap for every reading of their bounds."""
    latest_start = max(_start_by(one), _start_by(other))
    earliest_end = min(_end_from(one), _end_from(other))
    return latest_start < earliest_end


def _start_by(bounds: Bounds) -> int:
    return MIN if bounds.valid_from is None else bounds.valid_from.hi


def _end_from(bounds: Bounds) -> int:
    return MAX if bounds.valid_until is None else bounds.valid_until.lo


def certainly_outside(period: Time | Bounds, bounds: Bounds) -> bool:
    """Whether the period lies entirely before the earliest start or after the latest end."""
    return period.hi < bounds.lo or period.lo > bounds.hi
