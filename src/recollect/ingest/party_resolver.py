"""Resolves the people and companies of a record to entities, creating or renaming them as needed."""

from dataclasses import dataclass, field

from recollect.ingest.parties import Party, company_name, is_provider, name_from_address, registrable_domain
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.ids import EntityId
from recollect.model.names import NameKind, fold
from recollect.store.change import Change
from recollect.when.instant import Instant
from recollect.write.ends import End, EntityTest, add_alias, find_or_create
from recollect.write.entity_edits import edit_entity
from recollect.write.merge import merge
from recollect.write.property_sources import NAME_KEY, merge_properties, property_source_time, save_property_source

PERSON = "person"
COMPANY = "organization"
FROM_ADDRESS = "read_off_address"
"""Why an entity is there whose name was read off an address: a name that somebody gives replaces it."""
EXTRACTED = "extracted"
EXTRACTED_REASONS = frozenset({FROM_ADDRESS, EXTRACTED, "auto_created"})
"""Why entities are there that nobody described: a name that somebody gives replaces theirs."""


@dataclass(slots=True)
class PartyResolver:
    """Who appears in one record, each looked up once."""

    change: Change
    said_at: Instant
    providers: frozenset[str] = frozenset()
    created: set[EntityId] = field(default_factory=set)
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
        domain = registrable_domain(party.domain) if party.address else None
        if domain is None or is_provider(domain, self.providers):
            return None
        if domain not in self._companies:
            self._companies[domain] = self._find_company(domain)
        return domain, self._companies[domain]

    def resolved_ids(self) -> set[EntityId]:
        people = (self.change.survivor(each) for each in self._people.values() if each is not None)
        return {each.id for each in people if each is not None} | {each.id for each in self._companies.values()}

    def _find_person(self, party: Party) -> Entity | None:
        known = self._find_by_identifier(party.address, "email", PERSON, party.name) if party.address else None
        if known is not None and party.name is not None:
            return self._rename_if_earlier(merge_namesakes(self.change, known, party.name), party.name)
        if known is not None:
            return self._add_address_alias(known, party)
        if party.name is None:
            return self._make_from_address(party)
        named = _entities_called(self.change, party.name, PERSON)
        if party.address is not None:
            named = [each for each in named if not each.properties.get("email")]
        if len(named) > 1:
            exact = [each for each in named if each.folded == fold(party.name)]
            named = exact if len(exact) == 1 else named
        if len(named) == 1:
            return self._rename_if_earlier(self._complete(named[0], PERSON, "email", party.address), party.name)
        return None if named and party.address is None else self._make_person(party.name, party.address)

    def _find_by_identifier(self, value: str, kind: NameKind, type_: str, name: str | None) -> Entity | None:
        """The one with this address or domain; of several the one of that name, else the first."""
        found = [
            entity
            for known_as, entity in self.change.entities_named(fold(value))
            if known_as == kind and entity.type in (type_, UNKNOWN_TYPE)
        ]
        of_name = [entity for entity in found if name is not None and entity.folded == fold(name)]
        return min(of_name or found, key=lambda entity: entity.id, default=None)

    def _complete(self, entity: Entity, type_: str, key: str, value: str | None) -> Entity:
        """The entity with a type and an identifier that it lacked."""
        properties = entity.properties
        if value is not None and not properties.get(key):
            properties = {**properties, key: value}
        was_named_only = entity.reason == "auto_created"
        if was_named_only and type_ == PERSON:
            save_property_source(self.change, entity.id, NAME_KEY, self.said_at)
        return edit_entity(
            self.change,
            entity,
            entity._replace(
                type=type_ if entity.type == UNKNOWN_TYPE else entity.type,
                properties=properties,
                provisional=entity.provisional and entity.reason == FROM_ADDRESS,
                reason=EXTRACTED if was_named_only else entity.reason,
            ),
        )

    def _add_address_alias(self, entity: Entity, party: Party) -> Entity:
        """The person, also known by what the address spells: so it is whichever mail came first."""
        read = name_from_address(party)
        if read is not None:
            add_alias(self.change, entity, read.name)
        return entity

    def _rename_if_earlier(self, entity: Entity, name: str) -> Entity:
        """The person under the name that the earliest source gives; every other name is an alias."""
        held_at = property_source_time(self.change, entity.id, NAME_KEY)
        is_earlier = held_at is not None and (self.said_at, *_name_order(name)) < (held_at, *_name_order(entity.name))
        is_first = entity.reason == FROM_ADDRESS or (is_earlier and entity.reason in EXTRACTED_REASONS)
        if not is_first:
            add_alias(self.change, entity, name)
            return entity
        save_property_source(self.change, entity.id, NAME_KEY, self.said_at)
        if name == entity.name and entity.reason != FROM_ADDRESS:
            return entity
        return self._rename(entity, name)

    def _rename(self, entity: Entity, name: str) -> Entity:
        """The person under another name, worded with it from now on."""
        reword_facts(self.change, entity, name)
        given = entity._replace(name=name, provisional=False, reason=EXTRACTED)
        return edit_entity(self.change, entity, given)

    def _make_from_address(self, party: Party) -> Entity | None:
        read = name_from_address(party)
        if read is None:
            return None
        end = End(read.name, PERSON, (), {"email": party.address}, read.is_whole, FROM_ADDRESS, not read.is_whole)
        return self._make(end, None if read.is_whole else lambda entity: entity.folded == fold(read.name))

    def _make_person(self, name: str, address: str | None) -> Entity:
        properties = {"email": address} if address else {}
        made = self._make(End(name, PERSON, (), properties, True, EXTRACTED))
        save_property_source(self.change, made.id, NAME_KEY, self.said_at)
        return made

    def _make(self, end: End, fits: EntityTest | None = None) -> Entity:
        found = find_or_create(self.change, end, fits)
        if found.is_new:
            self.created.add(found.entity.id)
        return found.entity

    def _find_company(self, domain: str) -> Entity:
        name = company_name(domain)
        known = self._find_by_identifier(domain, "domain", COMPANY, None)
        if known is not None:
            return known
        named = [each for each in _entities_called(self.change, name, COMPANY) if not each.properties.get("domain")]
        exact = [each for each in named if each.folded == fold(name)]
        if len(exact) == 1:
            return self._complete(exact[0], COMPANY, "domain", domain)
        return self._make(End(name, COMPANY, (), {"domain": domain}, False, FROM_ADDRESS, stays_provisional=True))


def merge_namesakes(change: Change, known: Entity, name: str) -> Entity:
    """The person of an address, after taking over whoever had this name and no address: they were one all along."""
    for other in _entities_called(change, name, PERSON):
        if other.id == known.id or other.folded != fold(name) or other.properties.get("email"):
            continue
        properties = merge_properties(change, known, other)
        merge(change, other, known)
        was_given = other.reason not in EXTRACTED_REASONS and known.reason in EXTRACTED_REASONS
        if was_given:
            reword_facts(change, known, other.name)
        kept = known._replace(properties=properties, provisional=known.provisional and other.provisional)
        wanted = kept._replace(name=other.name, reason=other.reason) if was_given else kept
        known = edit_entity(change, kept, wanted)
        known = change.put_entity(known)
    return known


def reword_facts(change: Change, entity: Entity, name: str) -> None:
    """Let what the rules worded with the old name of a subject be worded with the new one."""
    for fact in change.facts_touching(entity.id):
        if fact.subject != entity.id or fact.words is None or not fact.words.startswith(entity.name):
            continue
        rest, said = fact.words[len(entity.name) :], change.assertions(fact.id)
        is_ours = bool(said) and all(each.extracted_by == "rules" for each in said)
        if is_ours and (rest.startswith(": ") or not any(each.quote for each in said)):
            change.put_fact(fact._replace(words=f"{name}{rest}"))


def _name_order(name: str) -> tuple[int, str]:
    """Of names given at one time the fuller comes first."""
    return -len(name), name


def _entities_called(change: Change, name: str, type_: str) -> list[Entity]:
    """Those known by a name, else those who have it as an alias."""
    known = change.entities_named(fold(name))
    for kind in ("name", "alias"):
        found = {each.id: each for known_as, each in known if known_as == kind and each.type in (type_, UNKNOWN_TYPE)}
        if found:
            typed = [each for each in found.values() if each.type == type_]
            return typed or list(found.values())
    return []


_IDENTIFIER_TYPES: tuple[tuple[NameKind, str], ...] = (("email", PERSON), ("domain", COMPANY))


def adopt_by_identifier(change: Change, end: End) -> None:
    """Let what was made of the end's address or domain bear its name, so that both are one whichever came first."""
    for kind, type_ in _IDENTIFIER_TYPES:
        value = end.properties.get(kind)
        if not isinstance(value, str) or not value.strip() or end.type not in (None, type_):
            continue
        made = [
            entity
            for known_as, entity in change.entities_named(fold(value))
            if known_as == kind and entity.type == type_ and entity.reason in EXTRACTED_REASONS
        ]
        if len(made) == 1 and made[0].folded != end.folded:
            _rename_extracted(change, made[0], end.name, kind)


def adopt_by_name(change: Change, end: End) -> None:
    """Let a person whom only records named bear the name that somebody gives, if they are known by it already."""
    known = change.entities_named(end.folded)
    for rung in ("name", "alias"):
        people = [entity for kind, entity in known if kind == rung and entity.type == PERSON]
        if people:
            if len(people) == 1 and people[0].reason in EXTRACTED_REASONS:
                _give_name(change, people[0], end.name)
            return


def _rename_extracted(change: Change, entity: Entity, name: str, kind: NameKind) -> None:
    for known_as, other in change.entities_named(fold(name)):
        if known_as != "name" or other.id == entity.id or other.type not in (entity.type, UNKNOWN_TYPE):
            continue
        if other.properties.get(kind):
            return
        entity = merge(change, other, entity)
    _give_name(change, entity, name)
    if entity.reason == FROM_ADDRESS and entity.type == COMPANY:
        for row in change.names_of(entity.id):
            if row.kind == "alias" and row.folded == entity.folded:
                change.end_name(row)


def _give_name(change: Change, entity: Entity, name: str) -> None:
    reword_facts(change, entity, name)
    edit_entity(change, entity, entity._replace(name=name, provisional=False, reason="given"))
