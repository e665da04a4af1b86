"""Facts as queries return them, joined with their entities and the newest assertion; fact filters."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, TypeVar

from recollect.model.certainty import Certainty
from recollect.model.fact import NOTHING, Fact, Label, default_text
from recollect.model.ids import EntityId, FactId
from recollect.store.port import Row
from recollect.store.rows import FACT_WIDTH, fact_of, read_json
from recollect.when.instant import MAX, MIN, Instant
from recollect.when.span import Span

FactOrder = tuple[Instant, Instant, FactId]
"""Sort key of facts: source time, then time of recording, then id."""

NO_LIMIT = 1_000_000_000
NO_ATTRIBUTES = "{}"
"""The column `attributes` of a fact of which nothing is noted."""


class FactRow(NamedTuple):
    """A fact with the names of subject and object and its newest assertion."""

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
        """The fact as text: its own words, else its evidence, else subject, predicate and object."""
        return _fact_text(self.fact, self.subject_name, self.object_name)

    @property
    def order(self) -> FactOrder:
        fact = self.fact
        return fact.source_at, fact.recorded_at, fact.id


class FactSummaryRow(NamedTuple):
    """The columns of a fact that are printed, with the names of subject and object and its newest assertion."""

    id: FactId
    subject: EntityId
    predicate: str
    object: EntityId | None
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
    attributes: str
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
    def marks(self) -> Mapping[str, Any]:
        """All that is noted of the fact besides what it says."""
        return NOTHING if self.attributes == NO_ATTRIBUTES else read_json(self.attributes)

    @property
    def text(self) -> str:
        """The fact as text, as in `FactRow`."""
        return _fact_text(self, self.subject_name, self.object_name)

    @property
    def order(self) -> FactOrder:
        return self.source_at, self.recorded_at, self.id

    @property
    def is_bounded(self) -> bool:
        return self.from_lo is not None or self.until_hi is not None

    @property
    def period(self) -> Span:
        """The span between its bounds; a missing bound is open."""
        lo = MIN if self.from_lo is None else self.from_lo
        return Span(lo, MAX if self.until_hi is None else max(lo, self.until_hi))


SUMMARY_ORDER = itemgetter(*map(FactSummaryRow._fields.index, ("source_at", "recorded_at", "id")))
"""`FactSummaryRow.order`, without a call of Python for each fact."""


def mark_in(marks: Mapping[str, Any], name: str) -> str | None:
    """A mark of the reader on a fact: its modality, its polarity, or the words of a time that waits."""
    value = marks.get(name)
    return value if isinstance(value, str) else None


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
    """Which facts to read; `at` is the period of the world that counts as now.

    `closed` are items that are resolved, so that they are not current. `without` are predicates to leave out.
    `unasserted` adds what is only asked, doubted or hoped.
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
    unasserted: bool = False

    def parameters(self) -> dict[str, Any]:
        return {
            "at_lo": self.at.lo,
            "at_hi": self.at.hi,
            "every": int(self.every),
            "aliases": int(self.aliases),
            "unasserted": int(self.unasserted),
            "label": self.label,
            "fact_type": self.fact_type,
            "since": self.since,
            "until": self.until,
            "limit": self.limit,
            "any_closed": int(bool(self.closed)),
            "closed": sorted(self.closed),
            "any_without": int(bool(self.without)),
            "without": sorted(self.without),
        }
