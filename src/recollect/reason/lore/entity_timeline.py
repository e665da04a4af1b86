"""Timeline of an entity: its relations in order, each under its own, its event's or its source's time."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import nsmallest
from typing import Any, Literal, NamedTuple

from recollect.model.entity import Entity
from recollect.model.fact import default_text
from recollect.model.ids import AssertionId, DocumentId, EntityId, FactId
from recollect.model.labels import base_type
from recollect.model.relations import is_bounded_by_lifetime, is_point, spellings_of
from recollect.reason.lore.disputes import find_disputes
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import apply_life_rule, interpret_predicate
from recollect.reason.lore.sources import confidence_of, is_spoken_source, parse_source_row, source_names
from recollect.store.port import Row
from recollect.when.format import time_of
from recollect.when.instant import MAX, MIN, Instant
from recollect.when.period import Bounds, Time

TimeBasis = Literal["valid_from", "event", "source_at"]
_OWN_SURFACE = "lore-engine"


class TimelineRow(NamedTuple):
    """A relation of an entity as it is stored, with its other end and the assertion that came last."""

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


_SOURCE_INDEX = TimelineRow._fields.index("assertion")


class TimelineEntry(NamedTuple):
    """A relation under the time it is told: the texts of its ends, and where on the axis they lie."""

    told: TimelineRow
    at: str | None
    until: str | None
    lo: int
    hi: int
    basis: TimeBasis | None
    is_event: bool

    @property
    def name(self) -> str:
        """What the relation is called."""
        return interpret_predicate(self.told.predicate)[0]

    def other(self, entity: EntityId) -> EntityId | None:
        return self.told.object if self.told.subject == entity else self.told.subject

    def has_subject(self, entity: EntityId) -> bool:
        """Whether the entity is the subject of the relation, which the stored fact may have the other way round."""
        swapped = interpret_predicate(self.told.predicate)[1] and self.told.object is not None
        return (self.told.subject == entity) is not swapped

    def text(self, entity: Entity, *, is_subject: bool) -> str:
        """The relation in words: its own, the first evidence given, or what its parts say."""
        told = self.told
        if told.words or told.evidence:
            return told.words or told.evidence or ""
        if is_subject:
            return default_text(entity.name, self.name, told.literal if told.object is None else told.other_name)
        return default_text(told.other_name or "", self.name, entity.name)


def timeline_entries(lore: LoreReader, entity: Entity, rows: Iterable[Row]) -> list[TimelineEntry]:
    """The relations in these rows as entries under their times."""
    told = [TimelineRow._make(row) for row in rows]
    is_event = base_type(entity.type) == "event"
    dated = [_entry_at_own_time(each, is_event) for each in told if each.from_lo is not None]
    undated = [each for each in told if each.from_lo is None]
    return sorted([*dated, *_entries_at_other_times(lore, entity, undated)] if undated else dated, key=_entry_order)


def _entry_order(entry: TimelineEntry) -> tuple[bool, int, int, str]:
    """By start, end and id; what has no time comes last."""
    return entry.at is None, entry.lo, entry.hi, entry.told.fact


def _entry_at_own_time(told: TimelineRow, is_event: bool) -> TimelineEntry:
    return TimelineEntry(
        told,
        told.valid_from,
        told.valid_until,
        told.from_lo or 0,
        MAX if told.until_hi is None else told.until_hi,
        "valid_from",
        is_event or _has_event_end(told),
    )


def _has_event_end(told: TimelineRow) -> bool:
    return told.other_type is not None and base_type(told.other_type) == "event"


def _entries_at_other_times(
    lore: LoreReader, entity: Entity, undated: Sequence[TimelineRow]
) -> Iterable[TimelineEntry]:
    """Entries under the time of their event or, where another surface wrote them, of their source."""
    is_event = base_type(entity.type) == "event"
    others = {each.fact: each.object if each.subject == entity.id else each.subject for each in undated}
    at_events = [other for each in undated if (other := others[each.fact]) is not None and _has_event_end(each)]
    times = lore.event_times([entity.id, *at_events] if is_event else at_events)
    foreign = _foreign_transitions(lore, undated)
    for each in undated:
        ends = (entity.id, others[each.fact]) if is_event else (others[each.fact],)
        event = next((time for end in ends if end is not None and (time := times.get(end)) is not None), None)
        happening = is_event or _has_event_end(each)
        if event is not None and event.valid_from is not None:
            until = each.valid_until or (None if event.valid_until is None else event.valid_until.text)
            hi = event.hi if each.until_hi is None else each.until_hi
            yield TimelineEntry(each, event.valid_from.text, until, event.lo, hi, "event", happening)
        elif each.fact in foreign and (day := time_of(each.source_at, lore.world.timeline)) is not None:
            hi = day.hi if each.until_hi is None else each.until_hi
            yield TimelineEntry(each, day.text, each.valid_until, day.lo, hi, "source_at", happening)
        else:
            hi = MAX if each.until_hi is None else each.until_hi
            yield TimelineEntry(each, None, each.valid_until, 0, hi, None, happening)


def _foreign_transitions(lore: LoreReader, undated: Iterable[TimelineRow]) -> frozenset[FactId]:
    """Transitions that this surface did not write; on an invented timeline their source's day says nothing."""
    moved = [each.fact for each in undated if each.label == "TRANSITIONED"]
    if not moved or lore.is_fictional:
        return frozenset()
    sources = lore.sources(moved)
    return frozenset(fact for fact in moved if all(source.surface != _OWN_SURFACE for source in sources[fact]))


def find_disputed_entries(lore: LoreReader, entries: Iterable[TimelineEntry]) -> Collection[FactId]:
    """Those of the entries that are truly at odds with another relation."""
    marked = [each.told.fact for each in entries if each.told.disputed]
    return find_disputes(lore, lore.by_id(marked)) if marked else ()


class Attribution(NamedTuple):
    """What the sources of a relation are called, and how sure they make it."""

    names: list[str]
    confidence: float | None


def attributions_of(lore: LoreReader, entries: Iterable[TimelineEntry]) -> dict[FactId, Attribution]:
    """By fact, who says so; a fact with one assertion brought it along."""
    found: dict[FactId, Attribution] = {}
    several: list[FactId] = []
    for told, *_ in entries:
        if told.source_count == 1 and told.assertion is not None:
            found[told.fact] = _single_attribution(told)
        else:
            several.append(told.fact)
    if several:
        sources = lore.sources(several)
        found |= {fact: Attribution(source_names(sources[fact]), confidence_of(sources[fact])) for fact in several}
    return found


def _single_attribution(told: TimelineRow) -> Attribution:
    is_plain = told.document is not None and told.document_properties == "{}"
    if is_plain and told.confidence is not None and not is_spoken_source(told.document_kind, told.document_type):
        return Attribution([told.title or told.source_key or ""], round(told.confidence, 4))
    source = parse_source_row((told.fact, *told[_SOURCE_INDEX:]))
    return Attribution([source.name], source.confidence)


MANY_ROWS = 2_000


class EntityTimeline(NamedTuple):
    """The first entries of a timeline, and how many there are in all."""

    entries: list[TimelineEntry]
    total: int


def timeline_of(
    lore: LoreReader,
    entity: Entity,
    limit: int,
    name: str | None = None,
    since: Time | None = None,
    until: Time | None = None,
) -> EntityTimeline:
    """The live relations of the entity, of one name or of all, in order; in a period, those whose own meets it."""
    predicates = () if name is None else spellings_of(name).all
    asked = {
        "entity": entity.id,
        "named": int(name is not None),
        "predicates": sorted(predicates),
        "at_lo": MIN if since is None else since.lo,
        "at_hi": MAX if until is None else until.hi,
    }
    found = lore.view.rows("timeline_rows", **asked, most=MANY_ROWS)
    settled: list[Row] = []
    if len(found) == MANY_ROWS:
        found, settled = _preselect_rows(lore, asked, limit, is_from_a_time=since is not None)
    entries = timeline_entries(lore, entity, found)
    if since is not None or until is not None:
        entries = entries_in_period(lore, entity, entries, since, until)
    return EntityTimeline(entries[:limit], len(entries) + max(0, len(settled) - limit))


def _preselect_rows(
    lore: LoreReader, asked: Mapping[str, Any], limit: int, *, is_from_a_time: bool
) -> tuple[list[Row], list[Row]]:
    """Of very many relations those that may be among the first; beside them all whose times alone settle that."""
    settled: list[Row] = []
    looked_at: list[Row] = []
    for row in lore.view.rows("timeline_rows_ranked", **asked):
        _, from_lo, until_hi, label, predicate = row
        is_settled = from_lo is not None and (
            until_hi is not None or not is_from_a_time or label == "ASSERTED" or not _may_have_implied_end(predicate)
        )
        (settled if is_settled else looked_at).append(row)
    ids = [row[0] for row in (*nsmallest(limit, settled, key=_row_rank), *looked_at)]
    return lore.view.rows("timeline_rows_by_id", entity=asked["entity"], ids=ids), settled


def _may_have_implied_end(predicate: str) -> bool:
    """Whether an open end of such a relation may be closed by a life, or by its own beginning."""
    name = interpret_predicate(predicate)[0]
    return is_bounded_by_lifetime(name) or is_point(name)


def _row_rank(row: Row) -> tuple[int, int, str]:
    return row[1], MAX if row[2] is None else row[2], row[0]


def entries_in_period(
    lore: LoreReader, entity: Entity, entries: Sequence[TimelineEntry], since: Time | None, until: Time | None
) -> list[TimelineEntry]:
    """The entries with a time whose period meets the one from `since` to `until`."""
    dated = [each for each in entries if each.at is not None]
    living = {end for each in dated if _is_life_bounded(each) for end in _entry_lives(lore, each, entity)}
    lives = {end: life.bounds for end, life in lore.existences(living).items()} if living else {}
    return [
        each
        for each in dated
        if (until is None or each.lo <= until.hi)
        and (since is None or _entry_end(lore, each, entity, lives) >= since.lo)
    ]


def _is_life_bounded(entry: TimelineEntry) -> bool:
    return entry.basis == "valid_from" and entry.until is None and is_bounded_by_lifetime(entry.name)


def _entry_lives(lore: LoreReader, entry: TimelineEntry, entity: Entity) -> Collection[EntityId]:
    ends = [end for end in (entity.id, entry.other(entity.id)) if end is not None]
    if lore.counts_both_ways(entry.name):
        return ends
    return ends[:1] if entry.has_subject(entity.id) else ends[1:]


def _entry_end(lore: LoreReader, entry: TimelineEntry, entity: Entity, lives: Mapping[EntityId, Bounds]) -> int:
    """The last position that the entry's period reaches, by the life rule where its end is open."""
    if entry.basis != "valid_from":
        return entry.hi
    if entry.told.label == "ASSERTED":
        return MAX
    if _is_life_bounded(entry):
        return apply_life_rule(Bounds(), *(lives[end] for end in _entry_lives(lore, entry, entity))).hi
    if entry.until is None and is_point(entry.name):
        return MAX if entry.told.from_hi is None else entry.told.from_hi
    return entry.hi
