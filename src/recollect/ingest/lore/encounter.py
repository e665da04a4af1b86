"""Encounters: who met, when and where, and what they told each other."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from recollect.ingest.documents import DocumentDraft
from recollect.ingest.lore.document import keep_lore, passages_of
from recollect.ingest.lore.meeting import (
    Meeting,
    Present,
    default_title,
    encounter_entity,
    known_present,
    meeting_properties,
    moment,
    present_at,
    record_meeting,
)
from recollect.ingest.lore.problems import BadStatement
from recollect.ingest.lore.relate import Related, Voice, Wanted, relate
from recollect.ingest.lore.sharing import Occasion, Shared, SharedWanted, share, shared_before, survivors
from recollect.model.document import Document, content_hash
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Fact, Source, Statement
from recollect.model.ids import EntityId, FactId
from recollect.store.change import Change
from recollect.store.rows import document_of
from recollect.when.period import Time


class EncounterWanted(NamedTuple):
    """An encounter as somebody tells it; times and names are texts."""

    meeting: Meeting
    content: str
    at_time: str | None = None
    title: str | None = None
    shared: tuple[SharedWanted, ...] = ()
    private_notes: str | None = None


class Met(NamedTuple):
    """An encounter as it was written down."""

    encounter: EntityId
    document: Document
    at: Time
    present: Present
    relations: tuple[FactId, ...]
    shared: tuple[Shared, ...]
    created: bool
    made: tuple[Entity, ...] = ()


def meet(change: Change, wanted: EncounterWanted) -> Met:
    """Write an encounter down; the same people, time, place and words again are the same encounter."""
    if not wanted.meeting.participants:
        raise BadStatement("an encounter needs a participant", field="participants")
    at = moment(change, wanted.at_time)
    held = _held(change, wanted, at)
    return _again(change, held, at) if held is not None else _met(change, wanted, at)


def _met(change: Change, wanted: EncounterWanted, at: Time) -> Met:
    present = present_at(change, wanted.meeting)
    title = wanted.title or default_title(present.participants, at)
    properties: dict[str, Any] = {"reliability": "dialogue"}
    if wanted.private_notes:
        properties["private_notes"] = wanted.private_notes
    draft = DocumentDraft("encounter", "encounter", "", title, None, None, change.now, wanted.content, properties)
    document = keep_lore(change, draft, passages_of(title, wanted.content), None)
    encounter = encounter_entity(change, title, document)
    properties |= meeting_properties(encounter, at, present)
    document = change.put_document(document._replace(properties=properties))
    made = {each.id: each for each in present.made}
    relating = partial(_state, change, document, made)
    relations = record_meeting(relating, encounter, at, present)
    occasion = Occasion(document, encounter, at, present)
    shared = tuple(share(change, each, occasion, relating) for each in wanted.shared)
    change.add_mentions(document.id, sorted(present.ids | {encounter.id}))
    return Met(encounter.id, document, at, present, relations, shared, True, tuple(made.values()))


def _state(change: Change, document: Document, made: dict[EntityId, Entity], wanted: Wanted) -> Related:
    source = Source(document.id, document.key, None, None, None, "given")
    related = relate(change, wanted, Voice(source, document.source_at, _nothing_said))
    made |= {each.id: each for each in related.made}
    return related


def _nothing_said(_: FactId, __: Statement) -> Assertion | None:
    return None


def _held(change: Change, wanted: EncounterWanted, at: Time) -> Document | None:
    """The encounter of the same people, time, place and words."""
    known = known_present(change, wanted.meeting)
    people = [known[name] for name in wanted.meeting.participants]
    place = known[wanted.meeting.location] if wanted.meeting.location else None
    if None in people or (wanted.meeting.location and place is None):
        return None
    ids, where = {each.id for each in people if each is not None}, place.id if place is not None else None
    rows = change.rows("encounters_with_text", content=content_hash(wanted.content))
    return next((each for each in map(document_of, rows) if _is_this(change, each, at, ids, where)), None)


def _is_this(change: Change, document: Document, at: Time, people: set[EntityId], place: EntityId | None) -> bool:
    said = document.properties
    if document.deleted is not None or said.get("at_time") != at.text:
        return False
    where = _now(change, said["location"]) if said.get("location") else None
    return where == place and {_now(change, each) for each in said.get("participants", ())} == people


def _now(change: Change, entity: str) -> EntityId:
    """The id that an entity goes by after merges."""
    held = change.survivor(EntityId(entity))
    return held.id if held is not None else EntityId(entity)


def _again(change: Change, document: Document, at: Time) -> Met:
    """An encounter that is written down already, as it was."""
    said = document.properties
    place = survivors(change, [said["location"]]) if said.get("location") else ()
    present = Present(
        survivors(change, said.get("participants", ())),
        survivors(change, said.get("witnesses", ())),
        place[0] if place else None,
    )
    encounter = _now(change, said["encounter"])
    facts = (change.fact(each.fact) for each in change.assertions_from(document.id))
    witnessed = [fact for fact in facts if fact is not None and _is_witness(fact, encounter)]
    shared = tuple(shared_before(change, document))
    return Met(encounter, document, at, present, tuple(_in_order(witnessed, present)), shared, False)


def _is_witness(fact: Fact, encounter: EntityId) -> bool:
    return fact.predicate == "witnessed" and fact.object == encounter


def _in_order(facts: Iterable[Fact], present: Present) -> list[FactId]:
    order: Mapping[EntityId, int] = {entity.id: place for place, entity in enumerate(present.all)}
    return [fact.id for fact in sorted(facts, key=lambda fact: (order.get(fact.subject, len(order)), fact.id))]
