"""Who was present at an encounter, and the relations that say so."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from recollect.ingest.lore.bounds import Times, read
from recollect.ingest.lore.draft import Named
from recollect.ingest.lore.ends import end, known_end
from recollect.ingest.lore.problems import WrongType
from recollect.ingest.lore.relate import Related, Wanted
from recollect.model.document import Document
from recollect.model.entity import NAME_LIMIT, Entity
from recollect.model.ids import EntityId, FactId
from recollect.model.labels import kind_of, say_label
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.when.period import Time
from recollect.write.ends import End, make

_PLACES = frozenset({"location", "plane", "setting", "unknown"})

Relating = Callable[[Wanted], Related]
"""Writes one statement of the document that tells of the encounter."""


class Meeting(NamedTuple):
    """Who met where, by name."""

    participants: tuple[str, ...]
    witnesses: tuple[str, ...] = ()
    location: str | None = None


class Present(NamedTuple):
    """Who was there and where, with those who were not known before."""

    participants: tuple[Entity, ...]
    witnesses: tuple[Entity, ...]
    location: Entity | None
    made: tuple[Entity, ...] = ()

    @property
    def all(self) -> tuple[Entity, ...]:
        return self.participants + self.witnesses

    @property
    def ids(self) -> set[EntityId]:
        """Everybody, and the place."""
        return {each.id for each in self.all} | ({self.location.id} if self.location else set())


def moment(change: Change, text: str | None) -> Time:
    """When it was: the time given, else the world's now, if it has one."""
    return read(change.world, text or "current", "at_time")


def default_title(participants: Sequence[Entity], at: Time) -> str:
    behind = f" ({at})"
    names = ", ".join(each.name for each in participants)
    return f"Encounter: {names}"[: NAME_LIMIT - len(behind)] + behind


def known_present(change: Change, meeting: Meeting) -> dict[str, Entity | None]:
    """Everybody by the name given, none where somebody is new; ambiguous names are refused."""
    found: dict[str, Entity | None] = {}
    for field, names in (("participants", meeting.participants), ("witnesses", meeting.witnesses)):
        for name in names:
            found[name] = known_end(change, Named(name), {"person"}, field)
    if meeting.location:
        found[meeting.location] = known_end(change, Named(meeting.location), {"location"}, "location")
    return found


def present_at(change: Change, meeting: Meeting) -> Present:
    """The people and the place; unknown ones are brought in provisionally. Nobody counts twice."""
    made: list[Entity] = []
    seen: set[EntityId] = set()

    def who(name: str, guess: str, field: str) -> Entity:
        found = end(change, Named(name, guess=guess), known_end(change, Named(name), {guess}, field))
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
    if place is not None and kind_of(place).type not in _PLACES:
        raise WrongType(place.name, "location", say_label(kind_of(place).type), ["Location"])
    return Present(participants, witnesses, place, tuple(made))


def meeting_properties(encounter: Entity, at: Time, present: Present) -> dict[str, Any]:
    """What a document says of the encounter it records."""
    return {
        "encounter": encounter.id,
        "at_time": at.text,
        "location": present.location.id if present.location else None,
        "participants": [each.id for each in present.participants],
        "witnesses": [each.id for each in present.witnesses],
    }


def record_meeting(relating: Relating, encounter: Entity, at: Time, present: Present) -> tuple[FactId, ...]:
    """Write the time and place of an encounter and who was there; the relations of those."""
    when = Times(at=at.text)
    relating(Wanted(encounter, "occurred_during", Named(at.text)))
    if present.location is not None:
        relating(Wanted(encounter, "occurred_at", present.location, when))
    witnessed = [
        relating(Wanted(person, "witnessed", encounter, when, attributes={"role": role})).fact.id
        for role, people in (("participant", present.participants), ("witness", present.witnesses))
        for person in people
    ]
    return tuple(witnessed)


def encounter_entity(change: Change, title: str, document: Document) -> Entity:
    """The entity of an encounter: the one its document had, else a new one, told apart from its namesakes."""
    known = document.properties.get("encounter")
    held = change.survivor(EntityId(known)) if isinstance(known, str) else None
    if held is not None:
        return held
    is_taken = any(entity.type == "encounter" for _, entity in change.entities_named(fold(title)))
    properties: dict[str, Any] = {"document": document.id}
    if is_taken:
        properties["disambiguator"] = document.key
    return make(change, End(title[:NAME_LIMIT], "encounter", (), properties, confirmed=True, reason="given"))
