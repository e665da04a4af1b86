"""Queries of the lore reader: facts at entities, their sources and disputes, dated events, timelines, visibility."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from recollect.model.certainty import Certainty
from recollect.model.document import Document
from recollect.model.fact import Fact
from recollect.model.ids import AssertionId, DocumentId, EntityId, FactId
from recollect.store.port import Row
from recollect.store.rows import read_json
from recollect.store.view import Dispute, View
from recollect.when.instant import MAX, MIN, Instant
from recollect.when.period import Time

# Facts as relations


def facts_at_ends(
    view: View, entities: Collection[EntityId], *, at: Time | None = None, superseded: bool = False
) -> list[Fact]:
    """Live facts with one of these entities at an end, each once; with a time, those that may hold then."""
    parameters = _end_parameters(entities, at, superseded)
    return _distinct(
        view.fetch_facts("relations_of_subjects", **parameters), view.fetch_facts("relations_of_objects", **parameters)
    )


def facts_at_ends_by_predicate(
    view: View,
    entities: Collection[EntityId],
    *,
    as_subject: Collection[str],
    as_object: Collection[str],
    at: Time | None = None,
    superseded: bool = False,
) -> list[Fact]:
    """The same with an entity as the subject of one of these predicates, or as the object of one of those."""
    parameters, subjects, objects = _end_parameters(entities, at, superseded), sorted(as_subject), sorted(as_object)
    return _distinct(
        view.fetch_facts("relations_of_subjects_named", predicates=subjects, **parameters) if subjects else [],
        view.fetch_facts("relations_of_objects_named", predicates=objects, **parameters) if objects else [],
    )


def facts_among(view: View, entities: Collection[EntityId], *, at: Time | None = None) -> list[Fact]:
    """Live facts between two of these entities."""
    return view.fetch_facts("relations_among", **_end_parameters(entities, at, superseded=False))


def facts_in_slots(view: View, slots: Collection[int]) -> list[Fact]:
    """The facts in these slots, superseded ones included."""
    return view.fetch_facts("relations_in_slots", slots=sorted(slots), superseded=1)


def facts_by_id(view: View, ids: Collection[FactId], *, superseded: bool = False) -> list[Fact]:
    """The live facts with these ids."""
    return view.fetch_facts("relations_by_id", ids=sorted(ids), superseded=int(superseded)) if ids else []


def _end_parameters(entities: Collection[EntityId], at: Time | None, superseded: bool) -> dict[str, Any]:
    lo, hi = (MIN, MAX) if at is None else (at.lo, at.hi)
    return {"entities": sorted(entities), "superseded": int(superseded), "at_lo": lo, "at_hi": hi}


def _distinct(*results: Sequence[Fact]) -> list[Fact]:
    """The facts of several results, one between two of the entities only once."""
    return list({fact.id: fact for facts in results for fact in facts}.values())


def first_fact_ids(view: View, entity: EntityId, limit: int, *, superseded: bool = False) -> list[FactId]:
    """The first live facts of an entity by their start, undated ones last."""
    return view.fetch_values("relations_in_order", entity=entity, superseded=int(superseded), limit=limit)


def first_fact_of_each(view: View, entities: Collection[EntityId]) -> dict[EntityId, FactId]:
    """For each entity that has live facts, the least fact id."""
    first: dict[EntityId, FactId] = {}
    for entity, fact in view.rows("relation_first", entities=sorted(entities), superseded=0) if entities else ():
        first[entity] = min(fact, first.get(entity, fact))
    return first


def count_facts_of_each(view: View, entities: Collection[EntityId]) -> dict[EntityId, int]:
    """How many live facts each of these entities has."""
    counts = dict.fromkeys(sorted(entities), 0)
    for entity, count in view.rows("relation_counts", entities=list(counts), superseded=0) if counts else ():
        counts[entity] += count
    return counts


def is_predicate_used(view: View, predicate: str) -> bool:
    """Whether any fact was ever stored with this predicate."""
    return bool(view.rows("relation_used", predicate=predicate))


def used_predicates(view: View) -> list[str]:
    return view.fetch_values("relations_used")


def disputes_among(view: View, facts: Collection[FactId]) -> list[Dispute]:
    """The open disputes that one of these facts is part of."""
    return view.fetch(Dispute, "relation_disputes", facts=sorted(facts)) if facts else []


# Sources


class LoreSourceRow(NamedTuple):
    """One live assertion of a fact and the document behind it, if there is one."""

    fact: FactId
    assertion: AssertionId
    source_at: Instant
    recorded_at: Instant
    document: DocumentId | None
    key: str
    given: str | None
    url: str | None
    quote: str | None
    surface: str
    actor: str
    extraction: float
    certainty: Certainty
    valid_from: str | None
    valid_until: str | None
    document_kind: str | None
    document_type: str | None
    title: str | None
    properties: Mapping[str, Any]


def sources_of(view: View, facts: Collection[FactId]) -> list[LoreSourceRow]:
    return [_source_of(row) for row in view.rows("relation_sources", facts=sorted(facts))]


def _source_of(row: Row) -> LoreSourceRow:
    return LoreSourceRow._make((*row[:-1], read_json(row[-1]) if row[-1] else {}))


# Events


def events_dated_near(view: View, predicates: Collection[str], at: Time) -> list[EntityId]:
    """The subjects of live facts with one of these predicates whose dates may meet a period."""
    return view.fetch_values("events_near", predicates=sorted(predicates), at_lo=at.lo, at_hi=at.hi)


def objects_of_predicates(view: View, predicates: Collection[str]) -> list[EntityId]:
    """The objects of live facts with one of these predicates."""
    return view.fetch_values("events_near_swapped", predicates=sorted(predicates))


def entities_with_date_properties(view: View, types: Collection[str]) -> list[EntityId]:
    """The live entities of these types that may have a date, start or end among their properties."""
    return view.fetch_values("events_with_dates", types=sorted(types))


# Timelines


class TimelineRow(NamedTuple):
    """A relation of an entity as it is stored, with its other end and its latest assertion."""

    fact: FactId
    predicate: str
    subject: EntityId
    object: EntityId | None
    literal: str | None
    label: str
    valid_from: str | None
    from_lo: int | None
    from_hi: int | None
    valid_until: str | None
    until_lo: int | None
    until_hi: int | None
    source_at: Instant
    words: str | None
    evidence: str | None
    disputed: int
    source_count: int
    other_name: str | None
    other_type: str | None
    other_properties: str | None
    attributes: str
    assertion: AssertionId | None
    said_at: Instant | None
    said_tx: int | None
    document: DocumentId | None
    source_key: str | None
    given: str | None
    source_url: str | None
    quote: str | None
    surface: str | None
    actor: str | None
    confidence: float | None
    certainty: str | None
    said_from: str | None
    said_until: str | None
    document_kind: str | None
    document_type: str | None
    title: str | None
    document_properties: str | None

    @property
    def source(self) -> LoreSourceRow:
        """The latest assertion; there must be one."""
        return _source_of((self.fact, *self[_SOURCE_INDEX:]))


_SOURCE_INDEX = TimelineRow._fields.index("assertion")


class TimelineQuery(NamedTuple):
    """An entity, the predicates wanted or none for all, and the period that the facts may meet."""

    entity: EntityId
    predicates: Collection[str] | None
    lo: int
    hi: int

    def parameters(self) -> dict[str, Any]:
        return {
            "entity": self.entity,
            "named": int(self.predicates is not None),
            "predicates": sorted(self.predicates or ()),
            "at_lo": self.lo,
            "at_hi": self.hi,
        }


class TimelineRank(NamedTuple):
    """As much of a timeline row as its order needs."""

    fact: FactId
    from_lo: int | None
    until_hi: int | None
    label: str
    predicate: str

    @property
    def order(self) -> tuple[int, int, str]:
        return self.from_lo or 0, MAX if self.until_hi is None else self.until_hi, self.fact


def timeline_rows(view: View, query: TimelineQuery, most: int) -> list[TimelineRow]:
    return view.fetch(TimelineRow, "timeline_rows", **query.parameters(), most=most)


def timeline_ranks(view: View, query: TimelineQuery) -> list[TimelineRank]:
    return view.fetch(TimelineRank, "timeline_rows_ranked", **query.parameters())


def timeline_rows_by_id(view: View, entity: EntityId, ids: list[FactId]) -> list[TimelineRow]:
    return view.fetch(TimelineRow, "timeline_rows_by_id", entity=entity, ids=ids)


# Visibility


def documents_at_level(view: View, level: str) -> list[Document]:
    """The documents of a visibility, deleted ones left out."""
    return [each for each in view.fetch_documents("documents_shown_to", level=level) if each.deleted is None]


def facts_at_level(view: View, level: str) -> list[FactId]:
    """The facts with a visibility of their own."""
    return view.fetch_values("facts_shown_to", level=level)


def audience_list_heads(view: View) -> list[str]:
    """The first characters of every `known_to` list of common facts, each once."""
    return view.fetch_values("known_to_lists")


def facts_with_audience(view: View, heads: list[str]) -> list[FactId]:
    """The common facts whose `known_to` list starts with one of these."""
    return view.fetch_values("facts_known_to", heads=heads) if heads else []


def common_facts_at(view: View, groups: Collection[EntityId]) -> list[FactId]:
    """The common facts with one of these groups at an end."""
    return view.fetch_values("facts_common_at", groups=sorted(groups))


def facts_in_documents(view: View, documents: Iterable[Document]) -> list[FactId]:
    """The facts that these documents assert."""
    ids = sorted(each.id for each in documents)
    return view.fetch_values("facts_of_documents", documents=ids) if ids else []
