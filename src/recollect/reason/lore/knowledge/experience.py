"""What a character learned first-hand or from others: own life, events, places, encounters."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.labels import kind_of
from recollect.model.relations import relation_kinds
from recollect.reason.lore.existence import EVENT_TIME_RELATIONS
from recollect.reason.lore.knowledge.channels import (
    Acquisition,
    AcquisitionKind,
    KnowledgeChannel,
    KnowledgeMoment,
    certain_start,
    end_or_min,
    filter_begun,
    latest_time,
)
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import Relation, stated_bounds
from recollect.store.write_queries import hearsay_in, hearsay_to
from recollect.when.instant import MAX, MIN
from recollect.when.period import Bounds, Time, clash

ATTENDANCE_KINDS: dict[str, AcquisitionKind] = {"participated_in": "participated", "witnessed": "witnessed"}
IsSecret = Callable[[Relation], bool]


def own_relations(lore: LoreReader, character: Entity, moment: KnowledgeMoment) -> list[Relation]:
    """The relations that a character knows of themselves."""
    names = [kind.name for kind in relation_kinds().values() if kind.known_to_self]
    return filter_begun(lore, lore.relations_of([character.id], names, "subject"), moment)


def own_channels(own: list[Relation], moment: KnowledgeMoment) -> Iterator[KnowledgeChannel]:
    for each in own:
        start = stated_bounds(each).valid_from
        yield KnowledgeChannel(each, Acquisition("self", start, end_or_min(start), moment.last))


def event_channels(lore: LoreReader, own: list[Relation]) -> Iterator[KnowledgeChannel]:
    """Place, time and participants of the events that a character took part in or witnessed."""
    attended: dict[EntityId, set[AcquisitionKind]] = {}
    for each in own:
        if each.name in ATTENDANCE_KINDS and each.object is not None:
            attended.setdefault(each.object, set()).add(ATTENDANCE_KINDS[each.name])
    times = lore.event_times(attended)
    names = lore.entities(attended)
    for event, relation in _event_relations(lore, list(attended)):
        for how in attended[event]:
            yield KnowledgeChannel(relation, _attendance_acquisition(how, times[event], names[event].name))


def _attendance_acquisition(how: AcquisitionKind, time: Bounds | None, via: str) -> Acquisition:
    """An undated event tells nothing about ends, so knowledge through it covers no time."""
    return Acquisition(how, time.valid_from if time else None, certain_start(time), time.hi if time else MIN, via)


def _event_relations(lore: LoreReader, events: list[EntityId]) -> Iterator[tuple[EntityId, Relation]]:
    for each in lore.relations_of(events, EVENT_TIME_RELATIONS, "subject"):
        yield each.subject, each
    for each in lore.relations_of(events, ["participated_in"], "object"):
        if each.object is not None:
            yield each.object, each


def place_channels(
    lore: LoreReader, character: Entity, own: list[Relation], is_secret: IsSecret
) -> Iterator[KnowledgeChannel]:
    """What happened in the places a character was in meanwhile, and who else was there."""
    stays = [each for each in own if each.name == "located_in"]
    intervals = lore.intervals(stays)
    places = lore.entities(each.object for each in stays if each.object is not None)
    for stay in stays:
        place = None if stay.object is None else places[stay.object]
        if place is not None:
            yield from _channels_of_events_at(lore, place, intervals[stay.id], is_secret)
            yield from _channels_of_others_at(lore, character, place, stay, intervals[stay.id])


def _channels_of_events_at(
    lore: LoreReader, place: Entity, stay: Bounds, is_secret: IsSecret
) -> Iterator[KnowledgeChannel]:
    there = lore.relations_of([place.id], ["occurred_at"], "object")
    lore.sources(each.id for each in there)
    # An event known only through a secret would reveal the secret.
    events = list(dict.fromkeys(each.subject for each in there if not is_secret(each)))
    times = lore.event_times(events)
    covered = [event for event in events if _is_certainly_covered(stay, times[event])]
    for event, relation in _event_relations(lore, covered):
        yield KnowledgeChannel(relation, _attendance_acquisition("co_located", times[event], place.name))


def _is_certainly_covered(stay: Bounds, event: Bounds | None) -> bool:
    if event is None or event.valid_from is None or event.valid_until is None:
        return False
    ends = MAX if stay.valid_until is None else stay.valid_until.lo
    return certain_start(stay) <= event.lo and ends >= event.hi


def _channels_of_others_at(
    lore: LoreReader, character: Entity, place: Entity, stay: Relation, mine: Bounds
) -> Iterator[KnowledgeChannel]:
    meanwhile = Time("", mine.lo, max(mine.lo, mine.hi))
    there = lore.relations_of([place.id], ["located_in"], "object", at=meanwhile)
    others = [each for each in there if each.subject != character.id]
    intervals = lore.intervals(others)
    for other in others:
        theirs = intervals[other.id]
        if clash(mine, theirs):
            since = max(certain_start(mine), certain_start(theirs))
            yield KnowledgeChannel(
                other,
                Acquisition("co_located", _later_arrival(stay, other, since), since, mine.hi, place.name),
            )


def _later_arrival(stay: Relation, other: Relation, since: int) -> Time | None:
    """The later arrival, if it was stated; a bound derived from a life is not observable by others."""
    later = latest_time(stated_bounds(stay).valid_from, stated_bounds(other).valid_from)
    return later if later is not None and later.hi == since else None


TEXT_EXTRACTORS = frozenset({"fact_line", "pattern", "model", "heuristic"})
# These relations are written with the encounter, not extracted from its text.
_ENCOUNTER_RELATIONS = EVENT_TIME_RELATIONS | {"witnessed"}


class RememberedEncounter(NamedTuple):
    """An encounter that a character attended, with its documents."""

    encounter: Entity
    time: Bounds | None
    documents: tuple[DocumentId, ...]


def find_encounters(lore: LoreReader, own: list[Relation]) -> list[RememberedEncounter]:
    """The encounters that a character witnessed."""
    witnessed = [each for each in own if each.name == "witnessed" and each.object is not None]
    entities = lore.entities(each.object for each in witnessed if each.object is not None)
    times = lore.event_times(entities)
    sources = lore.sources(each.id for each in witnessed)
    documents: dict[EntityId, dict[DocumentId, None]] = {}
    for each in witnessed:
        for source in sources[each.id]:
            if (
                each.object is not None
                and source.document is not None
                and source.properties.get("encounter") == each.object
            ):
                documents.setdefault(each.object, {})[source.document] = None
    return [
        RememberedEncounter(entity, times[event], tuple(documents.get(event, ())))
        for event, entity in entities.items()
        if kind_of(entity).type == "encounter"
    ]


def is_encounter_over(meeting: RememberedEncounter, moment: KnowledgeMoment) -> bool:
    """Whether an encounter is certainly over."""
    if meeting.time is None:
        return moment.is_present
    return moment.is_past(meeting.time.valid_until or meeting.time.valid_from)


def hearsay_channels(lore: LoreReader, character: Entity) -> Iterator[KnowledgeChannel]:
    """Facts that a character was told, by whom and where."""
    hearsay = hearsay_to(lore.view, character.id)
    relations = {each.id: each for each in lore.by_id({each.fact for each in hearsay})}
    entities = lore.entities(end for each in hearsay for end in (each.encounter, each.teller) if end is not None)
    for each in hearsay:
        relation, encounter = relations.get(each.fact), entities.get(each.encounter)
        if relation is not None and encounter is not None:
            teller = entities.get(each.teller) if each.teller is not None else None
            hi = each.learned.hi
            yield KnowledgeChannel(
                relation, Acquisition("told", each.learned, hi, hi, encounter.name, teller.name if teller else None)
            )


def overheard_channels(lore: LoreReader, met: list[RememberedEncounter]) -> Iterator[KnowledgeChannel]:
    """Facts extracted from the text of an encounter, for those who attended."""
    for meeting in met:
        facts = {fact for document in meeting.documents for fact in _facts_extracted_from(lore, document)}
        way = _overheard_acquisition(meeting)
        for relation in lore.by_id(facts):
            of_itself = relation.name in _ENCOUNTER_RELATIONS and meeting.encounter.id in relation.ends
            if not of_itself and not relation.fact.attributes.get("shared"):
                yield KnowledgeChannel(relation, way)


def _facts_extracted_from(lore: LoreReader, document: DocumentId) -> set[FactId]:
    """The facts extracted from a text, without those shared there, which have a channel of their own."""
    shared = {each.fact for each in hearsay_in(lore.view, document)}
    extracted = {
        each.fact
        for each in lore.view.assertions_from(document)
        if each.quote is not None or each.extracted_by in TEXT_EXTRACTORS
    }
    return extracted - shared


def _overheard_acquisition(meeting: RememberedEncounter) -> Acquisition:
    time = meeting.time
    until = time.hi if time else MIN
    return Acquisition("told", time.valid_from if time else None, certain_start(time), until, meeting.encounter.name)
