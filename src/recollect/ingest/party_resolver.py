"""Resolves the people and companies of a record to entities, creating or renaming them as needed."""

from dataclasses import dataclass, field

from recollect.ingest.parties import (
    Party,
    company_name,
    is_provider,
    name_from_address,
    parse_parties,
    parse_party,
    registrable_domain,
    short_name_in_address,
)
from recollect.ingest.record_types import CHAT_MESSAGE, document_field
from recollect.model.document import Document
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.ids import EntityId
from recollect.model.names import NameKind
from recollect.model.trust import lower_trust, with_name_trust
from recollect.store.change import Change
from recollect.when.instant import Instant
from recollect.write.claims import is_protected, vouch_for_address
from recollect.write.entity_edits import edit_entity
from recollect.write.entity_refs import NamedRef, find_or_create
from recollect.write.fact_draft import RULES
from recollect.write.lookup import (
    NAME,
    EntityTest,
    LookupPolicy,
    LookupStep,
    by_identifier,
    by_name_or_alias,
    has_type_or_none,
)
from recollect.write.merge import merge
from recollect.write.names import add_alias, name_text
from recollect.write.property_sources import NAME_KEY, merge_properties, property_source_time, save_property_source

PERSON = "person"
COMPANY = "organization"
FROM_ADDRESS = "read_off_address"
"""Reason of an entity whose name was read off an address: a declared name replaces it."""
EXTRACTED = "extracted"
EXTRACTED_REASONS = frozenset({FROM_ADDRESS, EXTRACTED, "auto_created"})
"""Reasons of entities that nobody declared: a declared name replaces theirs."""
_NAMED_PEOPLE = by_name_or_alias(PERSON, or_unknown=True)
_NAMED_COMPANIES = by_name_or_alias(COMPANY, or_unknown=True)


_LIST_FIELDS = frozenset({"recipients", "cc", "reviewers", "assignees"})


@dataclass(slots=True)
class PartyResolver:
    """The people and companies of one record; each field is parsed once and each party looked up once."""

    change: Change
    document: Document
    providers: frozenset[str] = frozenset()
    created: set[EntityId] = field(default_factory=set)
    _fields: dict[str, list[Party]] = field(default_factory=dict)
    _people: dict[Party, EntityId | None] = field(default_factory=dict)
    _companies: dict[str, Entity] = field(default_factory=dict)

    @property
    def said_at(self) -> Instant:
        return self.document.source_at

    def parties(self, key: str) -> list[Party]:
        """The people that a field of the record names."""
        if key not in self._fields:
            value = document_field(self.document, key)
            party = None if key in _LIST_FIELDS else parse_party(value)
            single = [party] if party is not None else []
            self._fields[key] = parse_parties(value) if key in _LIST_FIELDS else single
        return self._fields[key]

    def people(self, key: str) -> list[Entity]:
        found = (self.person(party) for party in self.parties(key))
        return [each for each in found if each is not None]

    def person_in(self, key: str) -> Entity | None:
        """The person in a field that holds one."""
        return next(iter(self.people(key)), None)

    def person(self, party: Party) -> Entity | None:
        """The person behind a name or an address; none for bots, role mailboxes and ambiguous names."""
        if party not in self._people:
            found = self._find_named(party) if party.is_person else None
            short = short_name_in_address(party) if found is not None else None
            if found is not None and short is not None:
                add_alias(self.change, found, short)
            self._people[party] = found.id if found is not None else None
        known = self._people[party]
        # Another party of the record may have renamed the person or merged it into another.
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

    def _find_named(self, party: Party) -> Entity | None:
        """The person of a field; the display name of a chat does not vouch for who wrote."""
        if self.document.type != CHAT_MESSAGE or party.address is not None:
            return self._find_person(party)
        with self.change.with_trust(lower_trust(self.change.voice, "unknown")):
            return self._find_person(party)

    def _find_person(self, party: Party) -> Entity | None:
        known = self._find_by_identifier(party.address, "email", PERSON, party.name) if party.address else None
        if known is not None and party.address is not None:
            known = vouch_for_address(self.change, known, party.address)
        if known is not None and party.name is not None:
            return self._rename_if_earlier(merge_namesakes(self.change, known, party.name), party.name)
        if known is not None:
            return self._add_address_alias(known, party)
        if party.name is None:
            return self._make_from_address(party)
        named = _NAMED_PEOPLE.find_all(self.change, party.name)
        if party.address is not None:
            named = [each for each in named if not each.properties.get("email")]
        if len(named) > 1:
            exact = [each for each in named if each.folded == name_text(party.name).folded]
            named = exact if len(exact) == 1 else named
        if len(named) == 1:
            completed = self._complete(named[0], PERSON, "email", party.address)
            return self._rename_if_earlier(completed, party.name)
        if named and party.address is None:
            return None
        return self._make_person(party.name, party.address)

    def _find_by_identifier(self, value: str, kind: NameKind, type_: str, name: str | None) -> Entity | None:
        """The one with this address or domain; of several the one of that name, else the first."""
        found = by_identifier(kind, type_).find_all(self.change, value)
        of_name = [entity for entity in found if name is not None and entity.folded == name_text(name).folded]
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
        is_first = is_first and not is_protected(self.change, entity)
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
        end = NamedRef(read.name, PERSON, (), {"email": party.address}, read.is_whole, FROM_ADDRESS, not read.is_whole)
        return self._make(end, None if read.is_whole else lambda entity: entity.folded == name_text(read.name).folded)

    def _make_person(self, name: str, address: str | None) -> Entity:
        properties = {"email": address} if address else {}
        made = self._make(NamedRef(name, PERSON, (), properties, True, EXTRACTED))
        save_property_source(self.change, made.id, NAME_KEY, self.said_at)
        return made

    def _make(self, end: NamedRef, fits: EntityTest | None = None) -> Entity:
        found = find_or_create(self.change, end, fits)
        if found.is_new:
            self.created.add(found.entity.id)
        return found.entity

    def _find_company(self, domain: str) -> Entity:
        name = company_name(domain)
        known = self._find_by_identifier(domain, "domain", COMPANY, None)
        if known is not None:
            return known
        named = [each for each in _NAMED_COMPANIES.find_all(self.change, name) if not each.properties.get("domain")]
        exact = [each for each in named if each.folded == name_text(name).folded]
        if len(exact) == 1:
            return self._complete(exact[0], COMPANY, "domain", domain)
        return self._make(NamedRef(name, COMPANY, (), {"domain": domain}, False, FROM_ADDRESS, stays_provisional=True))


def merge_namesakes(change: Change, known: Entity, name: str) -> Entity:
    """The person of an address, after taking over whoever had this name and no address: they were one all along."""
    for other in _NAMED_PEOPLE.find_all(change, name):
        if other.id == known.id or other.folded != name_text(name).folded or other.properties.get("email"):
            continue
        if is_protected(change, other):
            continue
        merged = merge_properties(change, known, other)
        properties = with_name_trust(merged, merge(change, other, known).trust)
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
        is_ours = bool(said) and all(each.extracted_by == RULES for each in said)
        if is_ours and (rest.startswith(": ") or not any(each.quote for each in said)):
            change.put_fact(fact._replace(words=f"{name}{rest}"))


def _name_order(name: str) -> tuple[int, str]:
    """Of names given at one time the fuller comes first."""
    return -len(name), name


def _extracted_with(kind: NameKind, type_: str) -> LookupPolicy:
    """Extracted entities of a type with an identifier of this kind."""
    return LookupPolicy(
        (LookupStep(frozenset({kind}), lambda entity: entity.type == type_ and entity.reason in EXTRACTED_REASONS),)
    )


_IDENTIFIER_TYPES: tuple[tuple[NameKind, str], ...] = (("email", PERSON), ("domain", COMPANY))


def adopt_by_identifier(change: Change, end: NamedRef) -> None:
    """Give an extracted entity with the end's address or domain the end's name, so that both are one entity."""
    for kind, type_ in _IDENTIFIER_TYPES:
        value = end.properties.get(kind)
        if not isinstance(value, str) or not value.strip() or end.type not in (None, type_):
            continue
        found = _extracted_with(kind, type_).find_only(change, value)
        if found is not None and found.folded != end.folded and not is_protected(change, found):
            _rename_extracted(change, found, end.name, kind)


def adopt_by_name(change: Change, end: NamedRef) -> None:
    """Give an extracted person the spelling of a declared name that they are known by."""
    person = by_name_or_alias(PERSON).find_only(change, end.name)
    if person is not None and person.reason in EXTRACTED_REASONS:
        _give_name(change, person, end.name)


def adopt_by_alias(change: Change, end: NamedRef) -> None:
    """Give an extracted person who goes by one of the end's aliases the end's name, unless that is somebody's."""
    if by_name_or_alias(PERSON).find_all(change, end.name):
        return
    for alias in end.aliases:
        person = by_name_or_alias(PERSON).find_only(change, alias)
        if person is not None and person.reason in EXTRACTED_REASONS and person.folded == name_text(alias).folded:
            _give_name(change, person, end.name)
            return


def _rename_extracted(change: Change, entity: Entity, name: str, kind: NameKind) -> None:
    namesakes = LookupPolicy((LookupStep(NAME, has_type_or_none(entity.type)),)).find_all(change, name)
    for other in namesakes:
        if other.id == entity.id:
            continue
        if other.properties.get(kind) or is_protected(change, other):
            return
        entity = merge(change, other, entity)
    _give_name(change, entity, name)
    if entity.reason == FROM_ADDRESS and entity.type == COMPANY:
        for row in change.names_of(entity.id):
            if row.kind == "alias" and row.folded == entity.folded:
                change.end_name(row)


def _give_name(change: Change, entity: Entity, name: str) -> None:
    if is_protected(change, entity):
        return
    reword_facts(change, entity, name)
    edit_entity(change, entity, entity._replace(name=name, provisional=False, reason="given"))
