"""The people and companies of a record: found by address, then by name; made if new; never guessed."""

from dataclasses import dataclass, field

from recollect.ingest.extract.domains import company_name, is_provider, registrable
from recollect.ingest.extract.party import Party, name_of_address
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.ids import EntityId
from recollect.model.names import NameKind, fold
from recollect.store.change import Change
from recollect.when.instant import Instant
from recollect.write.edit import edit_entity
from recollect.write.ends import End, Fits, add_alias, find_or_make
from recollect.write.merge import merge
from recollect.write.said import NAME, joined_properties, note_said, said_at

PERSON = "person"
COMPANY = "organization"
READ_OFF = "read_off_address"
"""Why an entity is there whose name was read off an address: a name that somebody gives replaces it."""
EXTRACTED = "extracted"
MADE_BY_READING = frozenset({READ_OFF, EXTRACTED, "auto_created"})
"""Why entities are there that nobody described: a name that somebody gives replaces theirs."""


@dataclass(slots=True)
class Cast:
    """Who appears in one record, each looked up once."""

    change: Change
    said_at: Instant
    providers: frozenset[str] = frozenset()
    fresh: set[EntityId] = field(default_factory=set)
    _people: dict[Party, EntityId | None] = field(default_factory=dict)
    _companies: dict[str, Entity] = field(default_factory=dict)

    def person(self, party: Party) -> Entity | None:
        """The person behind a name or an address; none for bots, roles, and names that several have."""
        if party not in self._people:
            found = self._find_person(party) if party.is_person else None
            self._people[party] = found.id if found is not None else None
        known = self._people[party]
        # Somebody else in the record may have brought a name to light, or that two are one.
        return self.change.survivor(known) if known is not None else None

    def company_of(self, party: Party) -> tuple[str, Entity] | None:
        """The mail domain of a person's address and its company; none for a provider that everybody uses."""
        domain = registrable(party.domain) if party.address else None
        if domain is None or is_provider(domain, self.providers):
            return None
        if domain not in self._companies:
            self._companies[domain] = self._find_company(domain)
        return domain, self._companies[domain]

    def everyone(self) -> set[EntityId]:
        people = (self.change.survivor(each) for each in self._people.values() if each is not None)
        return {each.id for each in people if each is not None} | {each.id for each in self._companies.values()}

    def _find_person(self, party: Party) -> Entity | None:
        known = self._known(party.address, "email", PERSON, party.name) if party.address else None
        if known is not None and party.name is not None:
            return self._called(absorb(self.change, known, party.name), party.name)
        if known is not None:
            return self._spelled(known, party)
        if party.name is None:
            return self._read_off(party)
        named = _named(self.change, party.name, PERSON)
        if party.address is not None:
            named = [each for each in named if not each.properties.get("email")]
        if len(named) > 1:
            exact = [each for each in named if each.folded == fold(party.name)]
            named = exact if len(exact) == 1 else named
        if len(named) == 1:
            return self._called(self._with(named[0], PERSON, "email", party.address), party.name)
        return None if named and party.address is None else self._make_person(party.name, party.address)

    def _known(self, value: str, kind: NameKind, type_: str, name: str | None) -> Entity | None:
        """The one with this address or domain; of several the one of that name, else the first."""
        found = [
            entity
            for known_as, entity in self.change.entities_named(fold(value))
            if known_as == kind and entity.type in (type_, UNKNOWN_TYPE)
        ]
        of_name = [entity for entity in found if name is not None and entity.folded == fold(name)]
        return min(of_name or found, key=lambda entity: entity.id, default=None)

    def _with(self, entity: Entity, type_: str, key: str, value: str | None) -> Entity:
        """The entity with a type and an identifier that it lacked."""
        properties = entity.properties
        if value is not None and not properties.get(key):
            properties = {**properties, key: value}
        was_named_only = entity.reason == "auto_created"
        if was_named_only and type_ == PERSON:
            note_said(self.change, entity.id, NAME, self.said_at)
        return edit_entity(
            self.change,
            entity,
            entity._replace(
                type=type_ if entity.type == UNKNOWN_TYPE else entity.type,
                properties=properties,
                provisional=entity.provisional and entity.reason == READ_OFF,
                reason=EXTRACTED if was_named_only else entity.reason,
            ),
        )

    def _spelled(self, entity: Entity, party: Party) -> Entity:
        """The person, also known by what the address spells: so it is whichever mail came first."""
        read = name_of_address(party)
        if read is not None:
            add_alias(self.change, entity, read.name)
        return entity

    def _called(self, entity: Entity, name: str) -> Entity:
        """The person under the name that the earliest source gives; every other name is an alias."""
        held_at = said_at(self.change, entity.id, NAME)
        is_earlier = held_at is not None and (self.said_at, *_plainness(name)) < (held_at, *_plainness(entity.name))
        is_first = entity.reason == READ_OFF or (is_earlier and entity.reason in MADE_BY_READING)
        if not is_first:
            add_alias(self.change, entity, name)
            return entity
        note_said(self.change, entity.id, NAME, self.said_at)
        if name == entity.name and entity.reason != READ_OFF:
            return entity
        return self._renamed(entity, name)

    def _renamed(self, entity: Entity, name: str) -> Entity:
        """The person under another name, worded with it from now on."""
        reword(self.change, entity, name)
        given = entity._replace(name=name, provisional=False, reason=EXTRACTED)
        return edit_entity(self.change, entity, given)

    def _read_off(self, party: Party) -> Entity | None:
        read = name_of_address(party)
        if read is None:
            return None
        end = End(read.name, PERSON, (), {"email": party.address}, read.is_whole, READ_OFF, not read.is_whole)
        return self._make(end, None if read.is_whole else lambda entity: entity.folded == fold(read.name))

    def _make_person(self, name: str, address: str | None) -> Entity:
        properties = {"email": address} if address else {}
        made = self._make(End(name, PERSON, (), properties, True, EXTRACTED))
        note_said(self.change, made.id, NAME, self.said_at)
        return made

    def _make(self, end: End, fits: Fits | None = None) -> Entity:
        found = find_or_make(self.change, end, fits)
        if found.is_new:
            self.fresh.add(found.entity.id)
        return found.entity

    def _find_company(self, domain: str) -> Entity:
        name = company_name(domain)
        known = self._known(domain, "domain", COMPANY, None)
        if known is not None:
            return known
        named = [each for each in _named(self.change, name, COMPANY) if not each.properties.get("domain")]
        exact = [each for each in named if each.folded == fold(name)]
        if len(exact) == 1:
            return self._with(exact[0], COMPANY, "domain", domain)
        return self._make(End(name, COMPANY, (), {"domain": domain}, False, READ_OFF, stays_provisional=True))


def absorb(change: Change, known: Entity, name: str) -> Entity:
    """The person of an address, after taking over whoever had this name and no address: they were one all along."""
    for other in _named(change, name, PERSON):
        if other.id == known.id or other.folded != fold(name) or other.properties.get("email"):
            continue
        properties = joined_properties(change, known, other)
        merge(change, other, known)
        was_given = other.reason not in MADE_BY_READING and known.reason in MADE_BY_READING
        if was_given:
            reword(change, known, other.name)
        kept = known._replace(properties=properties, provisional=known.provisional and other.provisional)
        wanted = kept._replace(name=other.name, reason=other.reason) if was_given else kept
        known = edit_entity(change, kept, wanted)
        known = change.put_entity(known)
    return known


def reword(change: Change, entity: Entity, name: str) -> None:
    """Let what the rules worded with the old name of a subject be worded with the new one."""
    for fact in change.facts_touching(entity.id):
        if fact.subject != entity.id or fact.words is None or not fact.words.startswith(entity.name):
            continue
        rest, said = fact.words[len(entity.name) :], change.assertions(fact.id)
        is_ours = bool(said) and all(each.extracted_by == "rules" for each in said)
        if is_ours and (rest.startswith(": ") or not any(each.quote for each in said)):
            change.put_fact(fact._replace(words=f"{name}{rest}"))


def _plainness(name: str) -> tuple[int, str]:
    """Of names given at one time the fuller comes first."""
    return -len(name), name


def _named(change: Change, name: str, type_: str) -> list[Entity]:
    """Those known by a name, else those who have it as an alias."""
    known = change.entities_named(fold(name))
    for kind in ("name", "alias"):
        found = {each.id: each for known_as, each in known if known_as == kind and each.type in (type_, UNKNOWN_TYPE)}
        if found:
            typed = [each for each in found.values() if each.type == type_]
            return typed or list(found.values())
    return []
