"""What somebody was told, and the encounters they remember."""

from collections.abc import Iterator
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.labels import kind_of
from recollect.reason.lore.knowing.moment import Moment, first_of, last_of
from recollect.reason.lore.knowing.way import Channel, Way
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.sources import Source
from recollect.when.instant import MIN
from recollect.when.period import Bounds
from recollect.write.told import told_in, told_to

READ_FROM_TEXT = frozenset({"fact_line", "pattern", "model", "heuristic"})
# Who was where and when is written with the encounter, not read from its text.
_OF_THE_MEETING = frozenset({"witnessed", "occurred_at", "occurred_during"})


class Meeting(NamedTuple):
    """An encounter that somebody was at, with the documents that tell of it."""

    encounter: Entity
    time: Bounds | None
    documents: tuple[DocumentId, ...]


def meetings(lore: Lore, own: list[Relation]) -> list[Meeting]:
    """The encounters among what somebody witnessed."""
    seen = [each for each in own if each.name == "witnessed" and each.object is not None]
    entities = lore.entities(each.object for each in seen if each.object is not None)
    times = lore.event_times(entities)
    sources = lore.sources(each.id for each in seen)
    told: dict[EntityId, dict[DocumentId, None]] = {}
    for each in seen:
        for source in sources[each.id]:
            if each.object is not None and source.document is not None and _tells_of(source, each.object):
                told.setdefault(each.object, {})[source.document] = None
    return [
        Meeting(entity, times[event], tuple(told.get(event, ())))
        for event, entity in entities.items()
        if kind_of(entity).type == "encounter"
    ]


def _tells_of(source: Source, encounter: EntityId) -> bool:
    return source.properties.get("encounter") == encounter


def is_over(meeting: Meeting, moment: Moment) -> bool:
    """Whether an encounter had certainly taken place."""
    if meeting.time is None:
        return moment.is_present
    return moment.is_past(meeting.time.valid_until or meeting.time.valid_from)


def by_telling(lore: Lore, npc: Entity) -> Iterator[Channel]:
    """Facts that somebody was told, by whom and where."""
    told = told_to(lore.view, npc.id)
    relations = {each.id: each for each in lore.by_id({row.fact for row in told})}
    people = lore.entities(end for row in told for end in (row.encounter, row.teller) if end is not None)
    for row in told:
        relation, met = relations.get(row.fact), people.get(row.encounter)
        if relation is not None and met is not None:
            teller = people.get(row.teller) if row.teller is not None else None
            hi = row.learned.hi
            yield Channel(relation, Way("told", row.learned, hi, hi, met.name, teller.name if teller else None))


def by_hearing(lore: Lore, met: list[Meeting]) -> Iterator[Channel]:
    """Facts that were read from the text of an encounter, for those who were there."""
    for meeting in met:
        said = {fact for document in meeting.documents for fact in _said_in(lore, document)}
        way = _heard_at(meeting)
        for relation in lore.by_id(said):
            of_itself = relation.name in _OF_THE_MEETING and meeting.encounter.id in relation.ends
            if not of_itself and not relation.fact.attributes.get("shared"):
                yield Channel(relation, way)


def _said_in(lore: Lore, document: DocumentId) -> set[FactId]:
    """What was read from a text; what was shared there is known by its telling alone."""
    shared = {row.fact for row in told_in(lore.view, document)}
    read = {
        each.fact
        for each in lore.view.assertions_from(document)
        if each.quote is not None or each.extracted_by in READ_FROM_TEXT
    }
    return read - shared


def _heard_at(meeting: Meeting) -> Way:
    time = meeting.time
    until = last_of(time) if time else MIN
    return Way("told", time.valid_from if time else None, first_of(time), until, meeting.encounter.name)
