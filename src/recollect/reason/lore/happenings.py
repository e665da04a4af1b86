"""What happened to or by an entity, each under the time it is told."""

from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple

from recollect.model.entity import Entity
from recollect.model.fact import default_text
from recollect.model.ids import AssertionId, DocumentId, EntityId, FactId
from recollect.model.labels import base_type
from recollect.reason.lore.disputes import at_odds
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import reading_of
from recollect.reason.lore.sources import confidence_of, is_spoken, names_of, source_of
from recollect.store.port import Row
from recollect.when.instant import MAX, Instant
from recollect.when.say import time_of

Basis = Literal["valid_from", "event", "source_at"]
_HOME = "lore-engine"


class Told(NamedTuple):
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


_SOURCE = Told._fields.index("assertion")


class Entry(NamedTuple):
    """A relation under the time it is told: the texts of its ends, and where on the axis they lie."""

    told: Told
    at: str | None
    until: str | None
    lo: int
    hi: int
    basis: Basis | None
    is_event: bool

    @property
    def name(self) -> str:
        """What the relation is called."""
        return reading_of(self.told.predicate)[0]

    def other(self, entity: EntityId) -> EntityId | None:
        return self.told.object if self.told.subject == entity else self.told.subject

    def has_subject(self, entity: EntityId) -> bool:
        """Whether the entity is the subject of the relation, which the stored fact may have the other way round."""
        swapped = reading_of(self.told.predicate)[1] and self.told.object is not None
        return (self.told.subject == entity) is not swapped

    def text(self, entity: Entity, *, is_subject: bool) -> str:
        """The relation in words: its own, the first evidence given, or what its parts say."""
        told = self.told
        if told.words or told.evidence:
            return told.words or told.evidence or ""
        if is_subject:
            return default_text(entity.name, self.name, told.literal if told.object is None else told.other_name)
        return default_text(told.other_name or "", self.name, entity.name)


def in_order(lore: Lore, entity: Entity, rows: Iterable[Row]) -> list[Entry]:
    """The relations in these rows as entries under their times."""
    told = [Told._make(row) for row in rows]
    is_event = base_type(entity.type) == "event"
    dated = [_by_itself(each, is_event) for each in told if each.from_lo is not None]
    undated = [each for each in told if each.from_lo is None]
    return sorted([*dated, *_by_others(lore, entity, undated)] if undated else dated, key=_order)


def _order(entry: Entry) -> tuple[bool, int, int, str]:
    """By start, end and id; what has no time comes last."""
    return entry.at is None, entry.lo, entry.hi, entry.told.fact


def _by_itself(told: Told, is_event: bool) -> Entry:
    return Entry(
        told,
        told.valid_from,
        told.valid_until,
        told.from_lo or 0,
        MAX if told.until_hi is None else told.until_hi,
        "valid_from",
        is_event or _is_at_event(told),
    )


def _is_at_event(told: Told) -> bool:
    return told.other_type is not None and base_type(told.other_type) == "event"


def _by_others(lore: Lore, entity: Entity, undated: Sequence[Told]) -> Iterable[Entry]:
    """Entries under the time of their event or, where another surface wrote them, of their source."""
    is_event = base_type(entity.type) == "event"
    others = {each.fact: each.object if each.subject == entity.id else each.subject for each in undated}
    at_events = [other for each in undated if (other := others[each.fact]) is not None and _is_at_event(each)]
    times = lore.event_times([entity.id, *at_events] if is_event else at_events)
    foreign = _of_other_surfaces(lore, undated)
    for each in undated:
        ends = (entity.id, others[each.fact]) if is_event else (others[each.fact],)
        event = next((time for end in ends if end is not None and (time := times.get(end)) is not None), None)
        happening = is_event or _is_at_event(each)
        if event is not None and event.valid_from is not None:
            until = each.valid_until or (None if event.valid_until is None else event.valid_until.text)
            hi = event.hi if each.until_hi is None else each.until_hi
            yield Entry(each, event.valid_from.text, until, event.lo, hi, "event", happening)
        elif each.fact in foreign and (day := time_of(each.source_at, lore.world.timeline)) is not None:
            hi = day.hi if each.until_hi is None else each.until_hi
            yield Entry(each, day.text, each.valid_until, day.lo, hi, "source_at", happening)
        else:
            hi = MAX if each.until_hi is None else each.until_hi
            yield Entry(each, None, each.valid_until, 0, hi, None, happening)


def _of_other_surfaces(lore: Lore, undated: Iterable[Told]) -> frozenset[FactId]:
    """Transitions that this surface did not write; on an invented timeline their source's day says nothing."""
    moved = [each.fact for each in undated if each.label == "TRANSITIONED"]
    if not moved or lore.is_fictional:
        return frozenset()
    sources = lore.sources(moved)
    return frozenset(fact for fact in moved if all(source.surface != _HOME for source in sources[fact]))


def disputed_among(lore: Lore, entries: Iterable[Entry]) -> Collection[FactId]:
    """Those of the entries that are truly at odds with another relation."""
    marked = [each.told.fact for each in entries if each.told.disputed]
    return at_odds(lore, lore.by_id(marked)) if marked else ()


class Behind(NamedTuple):
    """What the sources of a relation are called, and how sure they make it."""

    names: list[str]
    confidence: float | None


def behind(lore: Lore, entries: Iterable[Entry]) -> dict[FactId, Behind]:
    """By fact, who says so; a fact with one assertion brought it along."""
    found: dict[FactId, Behind] = {}
    several: list[FactId] = []
    for told, *_ in entries:
        if told.source_count == 1 and told.assertion is not None:
            found[told.fact] = _alone(told)
        else:
            several.append(told.fact)
    if several:
        sources = lore.sources(several)
        found |= {fact: Behind(names_of(sources[fact]), confidence_of(sources[fact])) for fact in several}
    return found


def _alone(told: Told) -> Behind:
    is_plain = told.document is not None and told.document_properties == "{}"
    if is_plain and told.confidence is not None and not is_spoken(told.document_kind, told.document_type):
        return Behind([told.title or told.source_key or ""], round(told.confidence, 4))
    source = source_of((told.fact, *told[_SOURCE:]))
    return Behind([source.name], source.confidence)
