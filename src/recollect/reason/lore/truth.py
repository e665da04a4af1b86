"""Whether something was so at a time, and which of several relations answers."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from recollect.reason.lore.relation import Relation
from recollect.when.period import Bounds, Coverage, Time, coverage

BEST_FIRST: tuple[Coverage, ...] = ("full", "partial", "uncertain", "none")
Where = Literal["earlier", "later"]


class Weighed(NamedTuple):
    """A relation as it stands to the time asked about."""

    relation: Relation
    interval: Bounds
    coverage: Coverage
    confidence: float

    @property
    def holds(self) -> bool:
        return self.coverage != "none"


def weigh(relation: Relation, interval: Bounds, at: Time, confidence: float | None) -> Weighed:
    return Weighed(relation, interval, coverage(interval, at), confidence or 0.0)


def answering(weighed: Sequence[Weighed]) -> Weighed | None:
    """The relation that answers: best coverage, then the surest, the earliest, the first."""
    return min((each for each in weighed if each.holds), key=_rank, default=None)


def _rank(each: Weighed) -> tuple[int, float, int, str]:
    return BEST_FIRST.index(each.coverage), -each.confidence, each.interval.lo, each.relation.id


def nearest(weighed: Sequence[Weighed], at: Time) -> Weighed | None:
    """Of relations that do not hold, the one whose interval comes closest."""
    return min(weighed, key=lambda each: (_gap(each.interval, at), each.interval.lo, each.relation.id), default=None)


def _gap(interval: Bounds, at: Time) -> int:
    return max(at.lo - interval.hi, interval.lo - at.hi)


def side_of(interval: Bounds, at: Time) -> Where:
    """On which side of the time asked about an interval lies."""
    return "earlier" if interval.hi < at.lo else "later"
