"""Timeline of an entity: its relations in order, each under its own, its event's or its source's time."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import nsmallest
from operator import attrgetter
from typing import Literal, NamedTuple

from recollect.model.entity import Entity
from recollect.model.fact import default_text
from recollect.model.ids import EntityId, FactId
from recollect.model.labels import base_type
from recollect.model.page import ResultPage
from recollect.model.relations import is_bounded_by_lifetime, is_point, spellings_of
from recollect.reason.lore.disputes import find_disputes
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import apply_life_rule, interpret_predicate
from recollect.reason.lore.sources import LoreSource, confidence_of, is_spoken_source, source_names
from recollect.store import lore_queries
from recollect.store.lore_queries import TimelineQuery, TimelineRank, TimelineRow
from recollect.when.format import time_of
from recollect.when.instant import MAX, MIN
from recollect.when.period import Bounds, Time

TimeBasis = Literal["valid_from", "event", "source_at"]
_OWN_SURFACE = "lore-engine"


class TimelineEntry(NamedTuple):
    """A relation under one time: the texts of its bounds and their positions on the time axis."""

    row: TimelineRow
    at: str | None
    until: str | None
    lo: int
    hi: int
    basis: TimeBasis | None
    is_event: bool

    @property
    def name(self) -> str:
        """The name of the relation."""
        return interpret_predicate(self.row.predicate)[0]

    def other(self, entity: EntityId) -> EntityId | None:
        return self.row.object if self.row.subject == entity else self.row.subject

    def has_subject(self, entity: EntityId) -> bool:
        """Whether the entity is the subject of the relation, whose ends the stored fact may have swapped."""
        swapped = interpret_predicate(self.row.predicate)[1] and self.row.object is not None
        return (self.row.subject == entity) is not swapped

    def text(self, entity: Entity, *, is_subject: bool) -> str:
        """The relation as text: its own words, the first evidence, or a text built from its parts."""
        row = self.row
        if row.words or row.evidence:
            return row.words or row.evidence or ""
        if is_subject:
            return default_text(entity.name, self.name, row.literal if row.object is None else row.other_name)
        return default_text(row.other_name or "", self.name, entity.name)


def timeline_entries(lore: LoreReader, entity: Entity, rows: Sequence[TimelineRow]) -> list[TimelineEntry]:
    """The relations in these rows as entries under their times."""
    is_event = base_type(entity.type) == "event"
    dated = [_entry_at_own_time(each, is_event) for each in rows if each.from_lo is not None]
    undated = [each for each in rows if each.from_lo is None]
    return sorted([*dated, *_entries_at_other_times(lore, entity, undated)] if undated else dated, key=_entry_order)


def _entry_order(entry: TimelineEntry) -> tuple[bool, int, int, str]:
    """By start, end and id; entries without a time come last."""
    return entry.at is None, entry.lo, entry.hi, entry.row.fact


def _entry_at_own_time(row: TimelineRow, is_event: bool) -> TimelineEntry:
    return TimelineEntry(
        row,
        row.valid_from,
        row.valid_until,
        row.from_lo or 0,
        MAX if row.until_hi is None else row.until_hi,
        "valid_from",
        is_event or _has_event_end(row),
    )


def _has_event_end(row: TimelineRow) -> bool:
    return row.other_type is not None and base_type(row.other_type) == "event"


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
        has_event = is_event or _has_event_end(each)
        if event is not None and event.valid_from is not None:
            until = each.valid_until or (None if event.valid_until is None else event.valid_until.text)
            hi = event.hi if each.until_hi is None else each.until_hi
            yield TimelineEntry(each, event.valid_from.text, until, event.lo, hi, "event", has_event)
        elif each.fact in foreign and (day := time_of(each.source_at, lore.world.timeline)) is not None:
            hi = day.hi if each.until_hi is None else each.until_hi
            yield TimelineEntry(each, day.text, each.valid_until, day.lo, hi, "source_at", has_event)
        else:
            hi = MAX if each.until_hi is None else each.until_hi
            yield TimelineEntry(each, None, each.valid_until, 0, hi, None, has_event)


def _foreign_transitions(lore: LoreReader, undated: Iterable[TimelineRow]) -> frozenset[FactId]:
    """Transitions that another surface wrote; none on a fictional timeline, where the day of a source means nothing."""
    transitions = [each.fact for each in undated if each.label == "TRANSITIONED"]
    if not transitions or lore.is_fictional:
        return frozenset()
    sources = lore.sources(transitions)
    return frozenset(fact for fact in transitions if all(source.surface != _OWN_SURFACE for source in sources[fact]))


def find_disputed_entries(lore: LoreReader, entries: Iterable[TimelineEntry]) -> Collection[FactId]:
    """The entries that really conflict with another relation."""
    marked = [each.row.fact for each in entries if each.row.disputed]
    return find_disputes(lore, lore.by_id(marked)) if marked else ()


class Attribution(NamedTuple):
    """The names of the sources of a relation, and its confidence."""

    names: list[str]
    confidence: float | None


def attributions_of(lore: LoreReader, entries: Iterable[TimelineEntry]) -> dict[FactId, Attribution]:
    """The attribution of each fact; a row with a single assertion carries it already."""
    found: dict[FactId, Attribution] = {}
    several: list[FactId] = []
    for row, *_ in entries:
        if row.source_count == 1 and row.assertion is not None:
            found[row.fact] = _single_attribution(row)
        else:
            several.append(row.fact)
    if several:
        sources = lore.sources(several)
        found |= {fact: Attribution(source_names(sources[fact]), confidence_of(sources[fact])) for fact in several}
    return found


def _single_attribution(row: TimelineRow) -> Attribution:
    is_plain = row.document is not None and row.document_properties == "{}"
    if is_plain and row.confidence is not None and not is_spoken_source(row.document_kind, row.document_type):
        return Attribution([row.title or row.source_key or ""], round(row.confidence, 4))
    source = LoreSource._make(row.source)
    return Attribution([source.name], source.confidence)


MANY_ROWS = 2_000


def timeline_of(
    lore: LoreReader,
    entity: Entity,
    limit: int,
    name: str | None = None,
    since: Time | None = None,
    until: Time | None = None,
) -> ResultPage[TimelineEntry]:
    """The live relations of the entity, of one name or of all, in order; with a period, those that meet it."""
    query = TimelineQuery(
        entity.id,
        None if name is None else spellings_of(name).all,
        MIN if since is None else since.lo,
        MAX if until is None else until.hi,
    )
    rows, settled_count = lore_queries.timeline_rows(lore.view, query, MANY_ROWS), 0
    if len(rows) == MANY_ROWS:
        rows, settled_count = _preselect_rows(lore, query, limit, is_from_a_time=since is not None)
    entries = timeline_entries(lore, entity, rows)
    if since is not None or until is not None:
        entries = entries_in_period(lore, entity, entries, since, until)
    return ResultPage(entries[:limit], len(entries) + max(0, settled_count - limit))


def _preselect_rows(
    lore: LoreReader, query: TimelineQuery, limit: int, *, is_from_a_time: bool
) -> tuple[list[TimelineRow], int]:
    """Of very many relations those that may be among the first, and how many have their place by their times alone."""
    settled: list[TimelineRank] = []
    unsettled: list[TimelineRank] = []
    for rank in lore_queries.timeline_ranks(lore.view, query):
        is_settled = rank.from_lo is not None and (
            rank.until_hi is not None
            or not is_from_a_time
            or rank.label == "ASSERTED"
            or not _may_have_implied_end(rank.predicate)
        )
        (settled if is_settled else unsettled).append(rank)
    ids = [rank.fact for rank in (*nsmallest(limit, settled, key=attrgetter("order")), *unsettled)]
    return lore_queries.timeline_rows_by_id(lore.view, query.entity, ids), len(settled)


def _may_have_implied_end(predicate: str) -> bool:
    """Whether an open end of such a relation may be closed by a life, or by its own start."""
    name = interpret_predicate(predicate)[0]
    return is_bounded_by_lifetime(name) or is_point(name)


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
    """The last position of the entry's period, by the life rule if its end is open."""
    if entry.basis != "valid_from":
        return entry.hi
    if entry.row.label == "ASSERTED":
        return MAX
    if _is_life_bounded(entry):
        return apply_life_rule(Bounds(), *(lives[end] for end in _entry_lives(lore, entry, entity))).hi
    if entry.until is None and is_point(entry.name):
        return MAX if entry.row.from_hi is None else entry.row.from_hi
    return entry.hi
