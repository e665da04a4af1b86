"""Encounters: attendance, time and place, and the facts that were shared there."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from recollect.ingest.documents import DocumentDraft, offset_passages, store_lore_document
from recollect.ingest.drafts import NameRef
from recollect.ingest.lore.lore_errors import BadStatement, NoSuchRelation, WrongType
from recollect.ingest.lore.relation_ends import TimeInput, find_end, read_world_time, resolve_end
from recollect.ingest.lore.relations import (
    RelationInput,
    RelationResult,
    RelationSource,
    find_same_fact,
    write_relation,
)
from recollect.model.document import Document, content_hash
from recollect.model.entity import NAME_LIMIT, Entity
from recollect.model.fact import Assertion, Fact, Statement
from recollect.model.ids import EntityId, FactId, parse_fact_id
from recollect.model.labels import format_label, kind_of
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.store.ingest_queries import encounters_with_content
from recollect.store.write_queries import HearsayRecord, hearsay_in
from recollect.when.period import Time
from recollect.write.entity_refs import NamedRef, create
from recollect.write.fact_draft import GIVEN, document_source
from recollect.write.hearsay import add_hearsay
from recollect.write.lookup import entities_named

_PLACE_TYPES = frozenset({"location", "plane", "setting", "unknown"})

RelationWriter = Callable[[RelationInput], RelationResult]
"""Writes one statement of the document that records the encounter."""


class AttendanceInput(NamedTuple):
    """Who met where, by name."""

    participants: tuple[str, ...]
    witnesses: tuple[str, ...] = ()
    location: str | None = None


class Attendance(NamedTuple):
    """Who was there and where, with those who were not known before."""

    participants: tuple[Entity, ...]
    witnesses: tuple[Entity, ...]
    location: Entity | None
    created: tuple[Entity, ...] = ()

    @property
    def everyone(self) -> tuple[Entity, ...]:
        return self.participants + self.witnesses

    @property
    def ids(self) -> set[EntityId]:
        """Everybody, and the place."""
        return {each.id for each in self.everyone} | ({self.location.id} if self.location else set())


def encounter_time(change: Change, text: str | None) -> Time:
    """When it was: the time given, else the world's now, if it has one."""
    return read_world_time(change.world, text or "current", "at_time")


def default_encounter_title(participants: Sequence[Entity], at: Time) -> str:
    after = f" ({at})"
    names = ", ".join(each.name for each in participants)
    return f"Encounter: {names}"[: NAME_LIMIT - len(after)] + after


def find_attendees(change: Change, meeting: AttendanceInput) -> dict[str, Entity | None]:
    """Attendees by name, none for unknown ones; ambiguous names are rejected."""
    found: dict[str, Entity | None] = {}
    for field, names in (("participants", meeting.participants), ("witnesses", meeting.witnesses)):
        for name in names:
            found[name] = find_end(change, NameRef(name), {"person"}, field)
    if meeting.location:
        found[meeting.location] = find_end(change, NameRef(meeting.location), {"location"}, "location")
    return found


def resolve_attendance(change: Change, meeting: AttendanceInput) -> Attendance:
    """The people and the place; unknown ones become provisional entities. Each counts once."""
    made: list[Entity] = []
    seen: set[EntityId] = set()

    def who(name: str, guess: str, field: str) -> Entity:
        found = resolve_end(change, NameRef(name, guess=guess), find_end(change, NameRef(name), {guess}, field))
        made.extend([found.entity] if found.is_new else [])
        return found.entity

    def people(names: Sequence[str], field: str) -> Iterator[Entity]:
        for name in names:
            person = who(name, "person", field)
            if person.id not in seen:
                seen.add(person.id)
                yield person

    participants = tuple(people(meeting.participants, "participants"))
    witnesses = tuple(people(meeting.witnesses, "witnesses"))
    place = who(meeting.location, "location", "location") if meeting.location else None
    if place is not None and kind_of(place).type not in _PLACE_TYPES:
        raise WrongType(place.name, "location", format_label(kind_of(place).type), ["Location"])
    return Attendance(participants, witnesses, place, tuple(made))


def attendance_properties(encounter: Entity, at: Time, present: Attendance) -> dict[str, Any]:
    """The properties of a document that records an encounter."""
    return {
        "encounter": encounter.id,
        "at_time": at.text,
        "location": present.location.id if present.location else None,
        "participants": [each.id for each in present.participants],
        "witnesses": [each.id for each in present.witnesses],
    }


def write_attendance(relating: RelationWriter, encounter: Entity, at: Time, present: Attendance) -> tuple[FactId, ...]:
    """Write the time and place of an encounter and who was there; the relations of those."""
    when = TimeInput(at=at.text)
    relating(RelationInput(encounter, "occurred_during", NameRef(at.text)))
    if present.location is not None:
        relating(RelationInput(encounter, "occurred_at", present.location, when))
    witnessed = [
        relating(RelationInput(person, "witnessed", encounter, when, attributes={"role": role})).fact.id
        for role, people in (("participant", present.participants), ("witness", present.witnesses))
        for person in people
    ]
    return tuple(witnessed)


def find_or_make_encounter(change: Change, title: str, document: Document) -> Entity:
    """The entity of an encounter: the one its document had, else a new one with a unique name."""
    known = document.properties.get("encounter")
    survivor = change.survivor(EntityId(known)) if isinstance(known, str) else None
    if survivor is not None:
        return survivor
    is_taken = any(entity.type == "encounter" for _, entity in entities_named(change, fold(title)))
    properties: dict[str, Any] = {"document": document.id}
    if is_taken:
        properties["disambiguator"] = document.key
    return create(change, NamedRef(title[:NAME_LIMIT], "encounter", (), properties, confirmed=True, reason="given"))


class SharedFactInput(NamedTuple):
    """A shared fact: its id or its parts, the teller and the hearers."""

    relation_id: str | None = None
    subject: str | None = None
    relation: str | None = None
    target: str | None = None
    times: TimeInput = TimeInput()
    by: str | None = None
    heard_by: tuple[str, ...] | None = None


class SharedFact(NamedTuple):
    """A fact that was told at an encounter."""

    fact: FactId
    created: bool
    by: Entity | None
    heard_by: tuple[Entity, ...]


class Occasion(NamedTuple):
    """The encounter at which something was told."""

    document: Document
    encounter: Entity
    at: Time
    present: Attendance


def share_fact(change: Change, wanted: SharedFactInput, occasion: Occasion, relating: RelationWriter) -> SharedFact:
    """Record who heard a fact; the teller always knows it."""
    present = occasion.present
    by = _find_attendee(change, wanted.by, present.participants, "by") if wanted.by else None
    heard = present.everyone
    if wanted.heard_by is not None:
        heard = tuple(_find_attendee(change, name, present.everyone, "heard_by") for name in wanted.heard_by)
    in_order = heard if by is None or any(each.id == by.id for each in heard) else (by, *heard)
    hearers = tuple({each.id: each for each in in_order}.values())
    fact, created = _find_or_write_fact(change, wanted, relating)
    for hearer in hearers:
        teller = by.id if by is not None else None
        add_hearsay(
            change, HearsayRecord(hearer.id, fact, occasion.encounter.id, occasion.document.id, teller, occasion.at)
        )
    return SharedFact(fact, created, by, hearers)


def _find_attendee(change: Change, name: str, present: Sequence[Entity], key: str) -> Entity:
    known = find_end(change, NameRef(name), {"person"}, f"shared.{key}")
    found = next((each for each in present if known is not None and each.id == known.id), None)
    if found is None:
        raise BadStatement(f"{name!r} was not present, so cannot share or hear it", field=f"shared.{key}")
    return found


def _find_or_write_fact(change: Change, wanted: SharedFactInput, relating: RelationWriter) -> tuple[FactId, bool]:
    if wanted.relation_id is not None:
        return _fact_by_id(change, wanted.relation_id), False
    if not wanted.subject or not wanted.relation:
        raise BadStatement("a shared fact is a relation_id, or from, relation and to", field="shared")
    target = NameRef(wanted.target) if wanted.target else None
    stated = RelationInput(NameRef(wanted.subject), wanted.relation, target, wanted.times)
    known = find_same_fact(change, stated)
    if known is not None:
        # Telling a thing does not change how sure it is.
        return known.id, False
    return relating(stated._replace(attributes={"visibility": "private", "shared": True})).fact.id, True


def _fact_by_id(change: Change, text: str) -> FactId:
    fact = change.fact(id_) if (id_ := parse_fact_id(text, strict=True)) else None
    if fact is None or fact.is_retracted:
        raise NoSuchRelation(text, "shared.relation_id")
    return fact.id


def stored_shared_facts(change: Change, document: Document) -> Iterator[SharedFact]:
    """The facts shared at a stored encounter."""
    told: dict[FactId, list[HearsayRecord]] = {}
    for each in hearsay_in(change, document.id):
        told.setdefault(each.fact, []).append(each)
    for fact, rows in told.items():
        by = change.survivor(rows[0].teller) if rows[0].teller is not None else None
        yield SharedFact(fact, False, by, survivors(change, [each.hearer for each in rows]))


def survivors(change: Change, ids: Sequence[str]) -> tuple[Entity, ...]:
    """The live entities that these ids lead to, after merges."""
    found = (change.survivor(EntityId(each)) for each in ids)
    return tuple(each for each in found if each is not None)


class EncounterInput(NamedTuple):
    """An encounter as submitted; times and names are texts."""

    meeting: AttendanceInput
    content: str
    at_time: str | None = None
    title: str | None = None
    shared: tuple[SharedFactInput, ...] = ()
    private_notes: str | None = None


class EncounterResult(NamedTuple):
    """A stored encounter."""

    encounter: EntityId
    document: Document
    at: Time
    present: Attendance
    relations: tuple[FactId, ...]
    shared: tuple[SharedFact, ...]
    created: bool
    made: tuple[Entity, ...] = ()


def record_encounter(change: Change, wanted: EncounterInput) -> EncounterResult:
    """Store an encounter; the same people, time, place and text are the same encounter."""
    if not wanted.meeting.participants:
        raise BadStatement("an encounter needs a participant", field="participants")
    at = encounter_time(change, wanted.at_time)
    stored = _find_stored(change, wanted, at)
    return _stored_encounter(change, stored, at) if stored is not None else _write_encounter(change, wanted, at)


def _write_encounter(change: Change, wanted: EncounterInput, at: Time) -> EncounterResult:
    present = resolve_attendance(change, wanted.meeting)
    title = wanted.title or default_encounter_title(present.participants, at)
    properties: dict[str, Any] = {"reliability": "dialogue"}
    if wanted.private_notes:
        properties["private_notes"] = wanted.private_notes
    draft = DocumentDraft("encounter", "encounter", "", title, None, None, change.now, wanted.content, properties)
    document = store_lore_document(change, draft, offset_passages(title, wanted.content), None)
    encounter = find_or_make_encounter(change, title, document)
    properties |= attendance_properties(encounter, at, present)
    document = change.put_document(document._replace(properties=properties))
    made = {each.id: each for each in present.created}
    relating = partial(_state_relation, change, document, made)
    relations = write_attendance(relating, encounter, at, present)
    occasion = Occasion(document, encounter, at, present)
    shared = tuple(share_fact(change, each, occasion, relating) for each in wanted.shared)
    change.add_mentions(document.id, sorted(present.ids | {encounter.id}))
    return EncounterResult(encounter.id, document, at, present, relations, shared, True, tuple(made.values()))


def _state_relation(
    change: Change, document: Document, made: dict[EntityId, Entity], wanted: RelationInput
) -> RelationResult:
    source = document_source(document, GIVEN)._replace(url=None)
    related = write_relation(change, wanted, RelationSource(source, document.source_at, _no_earlier_assertion))
    made |= {each.id: each for each in related.created_entities}
    return related


def _no_earlier_assertion(_: FactId, __: Statement) -> Assertion | None:
    return None


def _find_stored(change: Change, wanted: EncounterInput, at: Time) -> Document | None:
    """The stored encounter of the same people, time, place and text."""
    known = find_attendees(change, wanted.meeting)
    people = [known[name] for name in wanted.meeting.participants]
    place = known[wanted.meeting.location] if wanted.meeting.location else None
    if None in people or (wanted.meeting.location and place is None):
        return None
    ids, where = {each.id for each in people if each is not None}, place.id if place is not None else None
    stored = encounters_with_content(change, content_hash(wanted.content))
    return next((each for each in stored if _is_same_encounter(change, each, at, ids, where)), None)


def _is_same_encounter(
    change: Change, document: Document, at: Time, people: set[EntityId], place: EntityId | None
) -> bool:
    said = document.properties
    if document.deleted is not None or said.get("at_time") != at.text:
        return False
    where = _surviving_id(change, said["location"]) if said.get("location") else None
    return where == place and {_surviving_id(change, each) for each in said.get("participants", ())} == people


def _surviving_id(change: Change, entity: str) -> EntityId:
    """The id of an entity after merges."""
    survivor = change.survivor(EntityId(entity))
    return survivor.id if survivor is not None else EntityId(entity)


def _stored_encounter(change: Change, document: Document, at: Time) -> EncounterResult:
    """The result for an encounter that is already stored."""
    said = document.properties
    place = survivors(change, [said["location"]]) if said.get("location") else ()
    present = Attendance(
        survivors(change, said.get("participants", ())),
        survivors(change, said.get("witnesses", ())),
        place[0] if place else None,
    )
    encounter = _surviving_id(change, said["encounter"])
    facts = (change.fact(each.fact) for each in change.assertions_from(document.id))
    witnessed = [fact for fact in facts if fact is not None and _is_witness(fact, encounter)]
    shared = tuple(stored_shared_facts(change, document))
    return EncounterResult(
        encounter, document, at, present, tuple(_sort_by_attendee(witnessed, present)), shared, False
    )


def _is_witness(fact: Fact, encounter: EntityId) -> bool:
    return fact.predicate == "witnessed" and fact.object == encounter


def _sort_by_attendee(facts: Iterable[Fact], present: Attendance) -> list[FactId]:
    order: Mapping[EntityId, int] = {entity.id: place for place, entity in enumerate(present.everyone)}
    return [fact.id for fact in sorted(facts, key=lambda fact: (order.get(fact.subject, len(order)), fact.id))]
