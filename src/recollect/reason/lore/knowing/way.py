"""Ways of knowing: since when, until when one could see, through what and from whom."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from recollect.reason.lore.relation import Relation
from recollect.when.instant import MIN
from recollect.when.period import Time

How = Literal["self", "participated", "witnessed", "co_located", "told", "common", "public"]
STRENGTH: tuple[How, ...] = ("self", "participated", "witnessed", "co_located", "told", "common", "public")
BELIEF: dict[How, float] = {
    "self": 1.0,
    "participated": 1.0,
    "witnessed": 1.0,
    "co_located": 0.9,
    "told": 0.6,
    "common": 0.8,
    "public": 0.8,
}


class Way(NamedTuple):
    """One way by which one thing is known; `since` and `until` are the last units of their times."""

    how: How
    learned: Time | None
    since: int
    until: int
    via: str | None = None
    told_by: str | None = None


class Channel(NamedTuple):
    """A relation and a way by which it may be known."""

    relation: Relation
    way: Way


def latest(*times: Time | None) -> Time | None:
    """The time that comes last, an open one never."""
    return max((time for time in times if time is not None), key=lambda time: (time.hi, time.lo), default=None)


def by_then(time: Time | None) -> int:
    return MIN if time is None else time.hi


def strongest_first(ways: Iterable[Way]) -> tuple[Way, ...]:
    """The ways in order of strength, of equal ones the earliest first."""
    return tuple(sorted(ways, key=lambda way: (STRENGTH.index(way.how), way.since, way.via or "", way.told_by or "")))
