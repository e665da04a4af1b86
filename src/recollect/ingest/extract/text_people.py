"""People named in a text: first names, initials and nicknames, resolved in the document first and then in the graph."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import inf

from recollect.ingest.party_resolver import COMPANY, PERSON
from recollect.model.entity import NAME_LIMIT, UNKNOWN_TYPE, Entity
from recollect.model.ids import EntityId
from recollect.model.names import PEOPLE, Types, clean, fold
from recollect.reading.context import Person
from recollect.store.change import Change
from recollect.store.entity_queries import names_of_entities
from recollect.store.name_index import StoredNameIndex
from recollect.store.view import View
from recollect.text.fold import fold_text
from recollect.text.lexicon import NAME_PARTICLES
from recollect.text.stop_words import STOP_WORDS
from recollect.text.tokens import name_tokens
from recollect.write.entity_refs import NamedRef, create
from recollect.write.lookup import believed, by_name_or_alias, entities_named, may_be_known_as
from recollect.write.merge import merge

NAMED_IN_TEXT = "named_in_text"
"""The reason of an entity that only the words of a text name."""
MOST_PEOPLE = 3_000
"""Initials are looked up among so many people at most."""
_MOST_NAMESAKES = 8
_PEOPLE_TYPES = Types(frozenset(PEOPLE), others=False)
_NAMED_PEOPLE = by_name_or_alias(PERSON, or_unknown=True)
_NAMED_COMPANIES = by_name_or_alias(COMPANY)
_INITIALS = re.compile(r"[A-ZÀ-Þ]{2,3}")
_WORD = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*")
POSSESSIVE = re.compile(r"['’]s?$")
_NAME_WORD = re.compile(r"[A-ZÀ-ÞŁŚŻŹĆŠŽČ][\w'’.-]*")
_NOT_NAMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun january "
    "february march april may june july august september october november december jan feb mar apr jun jul aug sep "
    "sept oct nov dec todo done action decision note everyone everybody nobody somebody someone all team "
    "today tomorrow "
    "yesterday boss landlord customer client supplier bank school doctor mom mum dad mama papa grandma "
    "grandpa hi hello "
    "hey dear thanks thank please ok okay yes no re fwd fw ps pps sorry sure great good question answer update status "
    "also then next first second third finally english german french spanish new old".split()
)

_COMPANY_FORMS = frozenset("ag bv corp gmbh inc llc ltd nv oy plc".split())


def initials_of(name: str) -> str:
    """The first letters of the words of a name, without particles: `FW` of Femke de Wit."""
    return "".join(
        word[0] for word in name_tokens(fold(name)) if word not in NAME_PARTICLES and word[0].isalpha()
    ).upper()


def all_initials(name: str) -> tuple[str, ...]:
    """The initials of a name: a double first name counts as one word or as two, `MC` and `MLC` of Mei-Lin Chow."""
    joined = "".join(word[0] for word in fold(name).split() if word not in NAME_PARTICLES and word[0].isalpha()).upper()
    return tuple(dict.fromkeys((initials_of(name), joined)))


def first_name(name: str) -> str | None:
    """The folded first word of a name of several words."""
    words = name_tokens(fold(name))
    return words[0] if len(words) > 1 else None


@dataclass(slots=True)
class PeopleDirectory:
    """The first names and initials of the people of a workspace; kept for one run."""

    _by_first: dict[str, set[EntityId]] = field(default_factory=dict)
    _by_initials: dict[str, set[EntityId]] = field(default_factory=dict)
    _stored_first: dict[str, frozenset[EntityId]] = field(default_factory=dict)
    _noted: dict[tuple[EntityId, str], int] = field(default_factory=dict)
    """In which transaction a name was noted: records of later ones are read with it."""
    _by_word: dict[str, set[EntityId]] = field(default_factory=dict)
    """People by the first word of their name or alias, for finding them in a text."""
    _aliases: dict[EntityId, set[str]] = field(default_factory=dict)
    _persons: dict[EntityId, Person] = field(default_factory=dict)
    _is_loaded: bool = False

    def noted_in(self, entity: EntityId, folded: str) -> float:
        """The transaction in which a name was noted; infinite if it was not."""
        return self._noted.get((entity, folded), inf)

    def note(self, entity: Entity, tx: int) -> None:
        """Add a person who was resolved in this run."""
        if (entity.id, entity.folded) in self._noted or entity.type not in PEOPLE:
            return
        self._noted[entity.id, entity.folded] = tx
        self._note_name(entity.id, entity.folded)
        first = first_name(entity.name)
        if first is not None:
            self._by_first.setdefault(first, set()).add(entity.id)
            for initials in all_initials(entity.name):
                self._by_initials.setdefault(initials, set()).add(entity.id)

    def with_first_name(self, change: Change, word: str) -> list[Entity]:
        """The people of several names whose first one is this."""
        if word not in self._stored_first:
            rows = StoredNameIndex(change).with_word(word, _PEOPLE_TYPES, _MOST_NAMESAKES * 4)
            held = (row for row in rows if first_name(row.folded) == word)
            held_by = (row.entity for row in held if may_be_known_as(change.entity(row.entity), row.known_as))
            self._stored_first[word] = frozenset(held_by)
        return _survivors(change, self._by_first.get(word, set()) | self._stored_first[word])

    def note_alias(self, entity: EntityId, alias: str) -> None:
        """Add another name of a person."""
        self._aliases.setdefault(entity, set()).add(alias)
        self._persons.pop(entity, None)
        self._note_name(entity, fold(alias))

    def _note_name(self, entity: EntityId, folded: str) -> None:
        words = name_tokens(folded)
        if words and len(words[0]) > 2 and words[0] not in STOP_WORDS:
            self._by_word.setdefault(words[0], set()).add(entity)

    def as_person(self, entity: Entity) -> Person:
        """A person with the first name, initials and aliases that a text may use."""
        known = self._persons.get(entity.id)
        if known is None or known.name != entity.name:
            found = as_person(entity)
            forms = dict.fromkeys((*found.forms, *sorted(self._aliases.get(entity.id, ()))))
            known = self._persons[entity.id] = Person(found.name, tuple(forms))
        return known

    def people_in(self, change: Change, text: str) -> list[Entity]:
        """The people whose first name or whole name a text may hold."""
        self._load(change)
        found = self._by_word.keys() & set(_WORD.findall(fold_text(text)))
        return _survivors(change, {each for word in found for each in self._by_word[word]})

    def with_initials(self, change: Change, initials: str) -> list[Entity]:
        self._load(change)
        return _survivors(change, self._by_initials.get(initials, set()))

    def _load(self, change: Change) -> None:
        if not self._is_loaded:
            self._is_loaded = True
            people = {each.id: each for each in change.entities_of_types(PEOPLE, MOST_PEOPLE)}
            for entity in people.values():
                self.note(entity, change.tx)
            for name in names_of_entities(change, people):
                if name.kind == "alias" and may_be_known_as(people[name.entity], name.known_as):
                    self.note_alias(name.entity, name.spelling)


def _survivors(view: View, entities: Collection[EntityId]) -> list[Entity]:
    found = (view.survivor(each) for each in sorted(entities))
    return list({each.id: each for each in found if each is not None}.values())


@dataclass(slots=True)
class TextPeople:
    """The people of one document, and the resolution of names in its text."""

    change: Change
    directory: PeopleDirectory
    full_names: Mapping[str, str] = field(default_factory=dict)
    """By first name, the full name under which the document has introduced somebody."""
    created: set[EntityId] = field(default_factory=set)
    _known: dict[EntityId, Entity] = field(default_factory=dict)
    _resolved: dict[str, EntityId | None] = field(default_factory=dict)

    def add(self, entities: Iterable[Entity]) -> None:
        for entity in entities:
            self._known[entity.id] = entity
            self.directory.note(entity, self.change.tx)

    def persons_in(self, text: str) -> tuple[Person, ...]:
        """The people of the document, and others whom its text may name."""
        named = {each.id: each for each in self.directory.people_in(self.change, text)}
        return tuple(self.directory.as_person(each) for each in (named | self._known).values())

    def known_words(self) -> set[str]:
        """The words of the names of the document's people, which no later name has to explain."""
        return {word for each in self._known.values() for word in name_tokens(each.folded)}

    def resolve(self, written: str, *, may_create: bool = False, may_be_thing: bool = False) -> Entity | None:
        """Whom a name means; none if it is ambiguous or unknown. A name that acts may become a new entity."""
        name = POSSESSIVE.sub("", clean(written).strip(' ,.;:!?()[]*_"“”'))[:NAME_LIMIT]
        name = self.full_names.get(name, name)
        if not name:
            return None
        if name not in self._resolved:
            found = self._find(name)
            self._resolved[name] = found.id if found is not None else None
        known = self._resolved[name]
        if known is not None:
            return self.change.survivor(known)
        return self._create(name, may_be_thing=may_be_thing) if may_create and self._is_free(name) else None

    def _find(self, name: str) -> Entity | None:
        here = self._in_document(name)
        if here:
            return here[0] if len(here) == 1 else None
        exact = _NAMED_PEOPLE.find_all(self.change, name)
        longer = self._by_part(name)
        declared = [each for each in exact if each.reason != NAMED_IN_TEXT]
        for candidates in (declared, longer, exact):
            if candidates:
                return candidates[0] if len(candidates) == 1 else None
        return _NAMED_COMPANIES.find_only(self.change, name)

    def _in_document(self, name: str) -> list[Entity]:
        folded = fold(name)
        return [each for each in self._known.values() if folded in _forms(each, name)]

    def _by_part(self, name: str) -> list[Entity]:
        words = name_tokens(fold(name))
        if len(words) != 1:
            return []
        if _INITIALS.fullmatch(name):
            return believed(self.change, self.directory.with_initials(self.change, name))
        found = self.directory.with_first_name(self.change, words[0]) if len(name) > 1 else []
        return believed(self.change, found)

    def _is_free(self, name: str) -> bool:
        """Whether nobody has this name, so that it may be the name of somebody new."""
        return not self._in_document(name) and not _NAMED_PEOPLE.find_all(self.change, name) and not self._by_part(name)

    def _create(self, name: str, *, may_be_thing: bool) -> Entity | None:
        if not looks_like_name(name) or entities_named(self.change, fold(name)):
            return None  # what has this name already is no person
        type_ = _type_in(name)
        type_ = UNKNOWN_TYPE if may_be_thing and type_ == PERSON and " " not in name else type_
        made = create(self.change, NamedRef(name, type_, reason=NAMED_IN_TEXT, stays_provisional=True))
        self.created.add(made.id)
        self._resolved[name] = made.id
        self.add([made])
        return made


def _type_in(name: str) -> str:
    """The type that a name tells, a person otherwise: `Project Wren`, `Acme GmbH`."""
    words = name_tokens(fold(name))
    if len(words) < 2:
        return PERSON
    return "project" if words[0] == "project" else COMPANY if words[-1] in _COMPANY_FORMS else PERSON


def looks_like_name(name: str) -> bool:
    """Whether these words can be somebody's name: one to four words with capitals, none of them a common word."""
    words = name.split()
    folded = [fold(word).strip(".") for word in words]
    if not 1 <= len(words) <= 4 or any(word in STOP_WORDS - NAME_PARTICLES or word in _NOT_NAMES for word in folded):
        return False
    if len(words) == 1 and (len(name) < 3 or name.isupper()):
        return False
    return all(_NAME_WORD.fullmatch(word) or fold(word) in NAME_PARTICLES for word in words)


def as_person(entity: Entity) -> Person:
    """An entity with the forms of its name that a text may use."""
    forms = [form for form in (_spelled_first(entity.name), *all_initials(entity.name)) if form and len(form) > 1]
    return Person(entity.name, tuple(dict.fromkeys(forms)))


def _spelled_first(name: str) -> str | None:
    words = name.split()
    return words[0] if len(words) > 1 else None


def _forms(entity: Entity, written: str) -> Iterator[str]:
    yield entity.folded
    words = name_tokens(entity.folded)
    if len(words) > 1:
        yield words[0]
        yield words[-1]
        if _INITIALS.fullmatch(written):
            yield from map(fold, all_initials(entity.name))


def adopt_first_name(change: Change, entity: Entity, directory: PeopleDirectory) -> Entity:
    """A person under a full name, who takes over what texts said of the same first name, if nobody else has it."""
    first = first_name(entity.name)
    if first is None or entity.type not in PEOPLE | {UNKNOWN_TYPE}:
        return entity
    named = [each for each in _NAMED_PEOPLE.find_all(change, first) if each.reason == NAMED_IN_TEXT]
    others = [each for each in directory.with_first_name(change, first) if each.id != entity.id]
    if len(named) == 1 and named[0].id != entity.id and not others:
        return merge(change, named[0], entity)
    return entity
