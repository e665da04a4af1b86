"""Facts as queries return them, joined with the names of their ends and the newest assertion; fact filters."""

from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from recollect.model.certainty import Certainty
from recollect.model.fact import Fact, Label, default_text
from recollect.model.ids import EntityId, FactId
from recollect.store.port import Row
from recollect.store.rows import FACT_WIDTH, fact_of
from recollect.when.instant import MAX, MIN, Instant
from recollect.when.span import Span

FactOrder = tuple[Instant, Instant, FactId]
"""The order of facts: when they were said, then when they were learned, then their ids."""

NO_LIMIT = 1_000_000_000


class FactRow(NamedTuple):
    """A fact with its ends by name and its newest assertion."""

    fact: Fact
    subject_name: str
    subject_type: str
    object_name: str | None
    object_type: str | None
    source_key: str
    source_url: str | None
    given: str | None
    quote: str | None
    extracted_by: str
    surface: str
    tool: str
    actor: str

    @property
    def text(self) -> str:
        """The claim in words: its own, the first evidence given, or what its parts say."""
        return _fact_text(self.fact, self.subject_name, self.object_name)

    @property
    def order(self) -> FactOrder:
        fact = self.fact
        return fact.source_at, fact.recorded_at, fact.id


class FactSummaryRow(NamedTuple):
    """As much of a fact as is printed, with its ends by name and its newest assertion; a row as it is stored."""

    id: FactId
    subject: EntityId
    predicate: str
    literal: str | None
    label: Label
    fact_type: str
    words: str | None
    evidence: str | None
    valid_from: str | None
    from_lo: int | None
    valid_until: str | None
    until_hi: int | None
    source_at: Instant
    recorded_at: Instant
    confidence: float
    certainty: Certainty
    stale: int
    replaced_by: FactId | None
    disputed: int
    source_count: int
    subject_name: str
    subject_type: str
    object_name: str | None
    object_type: str | None
    source_key: str
    source_url: str | None
    given: str | None
    quote: str | None
    extracted_by: str

    @property
    def text(self) -> str:
        """The claim in words, as a `Seen` says it."""
        return _fact_text(self, self.subject_name, self.object_name)

    @property
    def order(self) -> FactOrder:
        return self.source_at, self.recorded_at, self.id

    @property
    def is_bounded(self) -> bool:
        return self.from_lo is not None or self.until_hi is not None

    @property
    def period(self) -> Span:
        """What lies between its bounds, a missing one being open."""
        lo = MIN if self.from_lo is None else self.from_lo
        return Span(lo, MAX if self.until_hi is None else max(lo, self.until_hi))


AnyFactRow = TypeVar("AnyFactRow", FactRow, FactSummaryRow)


def newest_first(facts: Iterable[AnyFactRow]) -> list[AnyFactRow]:
    return sorted(facts, key=attrgetter("order"), reverse=True)


def _fact_text(fact: Fact | FactSummaryRow, subject: str, object_: str | None) -> str:
    return (
        fact.words
        or fact.evidence
        or default_text(subject, fact.predicate, fact.literal if object_ is None else object_)
    )


def fact_row_of(row: Row) -> FactRow:
    return FactRow(fact_of(row), *row[FACT_WIDTH:])


@dataclass(frozen=True, slots=True)
class FactFilter:
    """Which facts a reader asks for; `at` is the period of the world that counts as now.

    `closed` are items that are no longer open, so they are not current. `without` are predicates to leave out.
    """

    at: Span
    every: bool = False
    aliases: bool = False
    label: Label | None = None
    fact_type: str | None = None
    since: int | None = None
    until: int | None = None
    limit: int = NO_LIMIT
    closed: frozenset[FactId] = frozenset()
    without: frozenset[str] = frozenset()

    def parameters(self) -> dict[str, Any]:
        return {
            "at_lo": self.at.lo,
            "at_hi": self.at.hi,
            "every": int(self.every),
            "aliases": int(self.aliases),
            "label": self.label,
            "fact_type": self.fact_type,
            "since": self.since,
            "until": self.until,
            "limit": self.limit,
            "closed": sorted(self.closed),
            "without": sorted(self.without),
        }
