"""What a search of memories asks: its words, the entities and the days it names, and how all that is weighed."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from math import log
from typing import NamedTuple

from recollect.embed.port import Vectors
from recollect.keep.memories.dates import BadMemoryDate, Period, read_period
from recollect.keep.memories.listing import Where
from recollect.keep.memories.mentions import NOT_LINKED
from recollect.keep.memories.words import terms_of
from recollect.model.ids import EntityId
from recollect.resolve.spot import spotted_entities
from recollect.store.seen import Wanted
from recollect.store.view import View
from recollect.when.instant import local_day
from recollect.when.phrases import find_times, window

HALF_LIFE = 100
_ISO = re.compile(r"(?<![\w.-])(?:\d{4}-W\d{2}|(?:19|20)\d{2})(?![\w-]|\.\d)", re.ASCII)


@dataclass(frozen=True, slots=True)
class QueryVector:
    """A query as a point, and the model whose points it may be compared with; none if nobody knows it."""

    vector: Vectors
    model: str | None


@dataclass(frozen=True, slots=True)
class Asked:
    """A query taken apart, and what may be answered."""

    instance: str
    today: int
    question: "Question"
    vector: QueryVector | None = None
    where: Where = field(default_factory=Where)
    min_score: float = 0.3
    most: int = 10


@dataclass(frozen=True, slots=True)
class Signals:
    """What speaks for a memory, each between 0 and 1."""

    vector: float
    keyword: float
    recency: float
    graph: float
    instance: float
    time: float

    @property
    def relevance(self) -> float:
        """Evidence adds up: each kind takes its share of what the others left open."""
        against = (1 - self.vector) * (1 - 0.8 * self.keyword) * (1 - 0.4 * self.graph) * (1 - 0.5 * self.time)
        return 1 - against

    @property
    def score(self) -> float:
        """Recency and affinity only reorder what is relevant."""
        return self.relevance * (0.85 + 0.05 * self.recency + 0.10 * self.instance)


def recency(age: float) -> float:
    return float(2.0 ** (-age / HALF_LIFE))


def rarity(holding: int, memories: int) -> float:
    """How much a word tells that so many of all memories have."""
    return log(1 + memories / max(1, holding))


def affinity(caller: str, instance: str, participants: Collection[str]) -> float:
    """1 for the caller's own memory, half of that where it only took part."""
    if instance == caller:
        return 1.0
    return 0.5 if caller in participants else 0.0


class Question(NamedTuple):
    """The words of a query, the entities it names with their neighbours, and the days it names."""

    terms: tuple[str, ...]
    entities: Mapping[EntityId, frozenset[EntityId]]
    periods: tuple[tuple[int, int], ...]


def read_question(view: View, text: str) -> Question:
    """A query taken apart; what names a time is no word."""
    times = list(_times(view, text))
    left = text
    for time in sorted(times, key=lambda each: each.start, reverse=True):
        left = f"{left[: time.start]} {left[time.stop :]}"
    leads = {time.lead for time in times}
    named = spotted_entities(view, text, NOT_LINKED)
    return Question(
        tuple(term for term in terms_of(left) if term not in leads),
        {entity: _neighbours(view, entity) for entity in named},
        tuple(time.days for time in times),
    )


class _Time(NamedTuple):
    """Where a query names a time, and the days it means."""

    start: int
    stop: int
    lead: str
    days: tuple[int, int]


def _times(view: View, text: str) -> Iterator[_Time]:
    zone, today = view.world.zone, local_day(view.now, view.world.zone)
    mentions = find_times(text, view.now, zone)
    for mention in mentions:
        low, high = (local_day(edge, zone) for edge in window(mention, view.now))
        last = min(high, today) if mention.text.lower().startswith("this ") else high
        yield _Time(mention.start, mention.end, mention.lead, (low, last))
    for found in _ISO.finditer(text):
        if all(found.end() <= mention.start or mention.end <= found.start() for mention in mentions):
            period = _iso_period(found[0])
            if period is not None:
                yield _Time(found.start(), found.end(), "", period.days)


def _iso_period(text: str) -> Period | None:
    """A week or a year as ISO 8601 writes it, if there is such a one."""
    try:
        return read_period("weekly" if "W" in text else "yearly", text)
    except BadMemoryDate:
        return None


def _neighbours(view: View, entity: EntityId) -> frozenset[EntityId]:
    found = view.neighbours([entity], Wanted(view.world.now.span))
    return frozenset(end for each in found for end in (each.subject, each.object) if end != entity)
