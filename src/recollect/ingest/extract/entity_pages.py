"""Notes about one person, company or project: whom the page is about, and what its front matter says of it."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from recollect.ingest.extract.facts import PROJECT
from recollect.ingest.extract.passages import UNDATED, note_folders
from recollect.ingest.extract.text_people import TextPeople, adopt_first_name, looks_like_name
from recollect.ingest.party_resolver import COMPANY, EXTRACTED, PERSON
from recollect.model.document import Document
from recollect.model.entity import NAME_LIMIT, UNKNOWN_TYPE, Entity
from recollect.model.names import clean, fold
from recollect.model.similarity import to_snake_case
from recollect.model.trust import without_marks
from recollect.model.vocabulary import PREDICATE_LIMIT, built_in_predicates
from recollect.reading.heading_dates import day_in_name
from recollect.store.change import Change
from recollect.text.fold import plain_letters
from recollect.write.entity_refs import AmbiguousName, NamedRef, find_or_create
from recollect.write.lookup import (
    NAME_OR_ALIAS,
    LookupPolicy,
    LookupStep,
    any_entity,
    by_name_or_alias,
    may_be_known_as,
)

ALIASES = "aliases"
FRONT_MATTER = "front_matter"
"""Property of a note whose front matter could not be read: its text."""
_TYPE_WORDS = {
    PERSON: "person people persons contact contacts team family friend friends colleague colleagues personen kontakte "
    "kollegen freunde personne personnes personas persona contactos pessoas pessoa contatos persone contatti mensen "
    "contacten personer kontakter osoba osoby ludzie kontakty",
    COMPANY: "company companies organization organizations organisation organisations org orgs client clients customer "
    "customers supplier suppliers vendor vendors firm firms firma firmen kunde kunden lieferanten "
    "entreprise entreprises "
    "empresa empresas clientes cliente azienda aziende clienti bedrijf bedrijven klanten foretag kunder firmy klienci",
    PROJECT: "project projects projekt projekte projet projets proyecto proyectos projeto projetos progetto progetti "
    "projecten projekty",
}
_GROUP_WORDS = frozenset(
    "team family friend friends colleague colleagues kollegen freunde amis amigos vrienden".split()
)
"""Words for groups of people: a note so tagged or filed is a page about a person only if its title is a full name."""
_TECHNICAL_KEYS = frozenset(
    "tags tag aliases alias aka links cssclass cssclasses publish permalink template banner icon cover layout draft up "
    "related id uid uuid created updated modified date title name type kind category categories language lang author "
    "url source description position undated folder classification noise_signal headers front_matter "
    "kanban_plugin excalidraw_plugin".split()
)
_ROLE_TYPES = {
    "person": "contact owner lead boss manager assignee spouse partner wife husband mother father son daughter sister "
    "brother friend contractor consultant doctor physio teacher landlord accountant lawyer agent coach mentor author "
    "reports_to successor predecessor",
    "organization": "client customer company employer supplier vendor organization organisation bank insurer publisher "
    "school works_at",
}
_LINK = re.compile(r"\[\[([^\]|#]+)(?:[|#][^\]]*)?\]\]")
_NAMED = LookupPolicy((LookupStep(NAME_OR_ALIAS, any_entity),))
_MOST_PROPERTIES = 50
_MOST_LITERAL = 500


class PropertyFact(NamedTuple):
    """What the front matter or a line of a page says about its entity."""

    predicate: str
    target: Entity | None
    literal: str | None


@cache
def _types() -> dict[str, str]:
    return {word: type_ for type_, words in _TYPE_WORDS.items() for word in words.split()}


@cache
def _role_types() -> dict[str, str]:
    return {word: type_ for type_, words in _ROLE_TYPES.items() for word in words.split()}


def type_of_word(word: str) -> str | None:
    """The type that a folder, a tag or a `type` names: `people` holds persons."""
    return _types().get(plain_letters(fold(word.split("/")[-1].strip("[]# "))))


def page_type(document: Document) -> str | None:
    """The type of what a note is about, by its `type`, its tags or its folder; none if it is about no one thing."""
    fields = document.properties
    given = [fields.get("type"), fields.get("kind"), fields.get("category")]
    tags = fields.get("tags")
    words = [str(each) for each in (*given, *(tags if isinstance(tags, list) else ())) if isinstance(each, str)]
    title = clean(document.title or "")
    is_full_name = " " in title and looks_like_name(title)
    for word in (*words, *note_folders(document)[-1:]):
        found = type_of_word(word)
        if found is not None and (is_full_name or fold(word) not in _GROUP_WORDS):
            return found
    return None


def _is_of_day(document: Document, name: str) -> bool:
    """Whether a note is that of a day, by its title or the name of its file."""
    file = document.key.rpartition("/")[2] if document.key.startswith("note:") else ""
    return day_in_name(name) is not None or day_in_name(file) is not None


def page_entity(change: Change, document: Document, people: TextPeople) -> Entity | None:
    """The entity that a note is about; created if the note says what it is."""
    name = clean(document.title or "")[:NAME_LIMIT]
    if document.type != "generic" or not name or _is_of_day(document, name):
        return None
    type_ = page_type(document)
    if type_ is None:
        return _titled_entity(change, document, name)
    found = _find_or_create(change, name, type_, _aliases(document), people)
    if found is not None and type_ == PERSON:
        found = adopt_first_name(change, found, people.directory)
        people.add([found])
        for alias in _aliases(document):
            is_vouched = change.is_known_as(found.id, fold(alias), "alias")
            if may_be_known_as(found, "alias" if is_vouched else "claimed"):
                people.directory.note_alias(found.id, alias)
    return found


def _titled_entity(change: Change, document: Document, name: str) -> Entity | None:
    """A known person whose name is the title, or the topic of a note with a name as title or with properties."""
    is_name = looks_like_name(name) and " " in name
    known = by_name_or_alias(PERSON).find_only(change, name) if is_name else None
    is_own = document.properties.get(UNDATED) and document.author is None
    is_topic = is_own and (is_name or any(_properties(document)))
    if known is not None or not is_topic:
        return known
    return _find_or_create(change, name, None, _aliases(document), None)


def _find_or_create(
    change: Change, name: str, type_: str | None, aliases: tuple[str, ...], people: TextPeople | None
) -> Entity | None:
    if type_ == PERSON and people is not None and " " not in name:
        known = people.resolve(name)
        if known is not None:
            return known
    try:
        found = find_or_create(change, NamedRef(name, type_, aliases, {}, type_ is not None, EXTRACTED))
    except AmbiguousName:
        return None
    if found.is_new and people is not None:
        people.created.add(found.entity.id)
    return found.entity


def _aliases(document: Document) -> tuple[str, ...]:
    given = [value for key in (ALIASES, "aka", "alias") for value in _listed(document.properties.get(key))]
    return tuple(dict.fromkeys(alias for each in given if (alias := clean(each)[:NAME_LIMIT])))


def _listed(value: Any) -> list[str]:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",")]
    return [str(each) for each in value if isinstance(each, str | int)] if isinstance(value, list) else []


def _properties(document: Document) -> Iterator[tuple[str, Any]]:
    for key, value in list(without_marks(document.properties).items())[:_MOST_PROPERTIES]:
        name = to_snake_case(key)
        if name and fold(key) not in _TECHNICAL_KEYS and name not in _TECHNICAL_KEYS and len(name) <= PREDICATE_LIMIT:
            known = built_in_predicates().get(name)
            if value not in (None, "", [], {}) and (known is None or known.label == "AFFILIATED"):
                yield name, value


def front_matter_facts(change: Change, document: Document, people: TextPeople) -> Iterator[PropertyFact]:
    """What the front matter says: a relation where the value is a linked or known name, else a property."""
    for name, value in _properties(document):
        for each in value if isinstance(value, list) else [value]:
            text = str(each).strip() if isinstance(each, str | int | float | bool) else None
            if text:
                yield property_fact(change, name, text, people)


def property_fact(change: Change, predicate: str, text: str, people: TextPeople) -> PropertyFact:
    """A property with this value, or a relation where the value is a linked or known name."""
    link = _LINK.fullmatch(text)
    name = clean(link[1] if link else text)[:NAME_LIMIT]
    role = _role_types().get(predicate)
    target = _target(change, name, role, people, is_link=link is not None) if not name.isdigit() else None
    return PropertyFact(predicate, target, None if target is not None else text[:_MOST_LITERAL])


def _target(change: Change, name: str, role: str | None, people: TextPeople, *, is_link: bool) -> Entity | None:
    known = _NAMED.find_only(change, name) if is_link or role is not None or " " in name else None
    if known is not None:
        return known
    if role == PERSON and looks_like_name(name):
        return people.resolve(name, may_create=True)
    if not is_link and role is None:
        return None
    if role == COMPANY and not is_link and not name[:1].isupper():
        return None
    if not is_link and role == PERSON:
        return None
    return _find_or_create(change, name, role, (), people)


def is_about_somebody(entity: Entity) -> bool:
    """Whether the lines of a page may be taken as being about it: people and companies, not projects."""
    return entity.type in (PERSON, COMPANY, UNKNOWN_TYPE)


def key_value(text: str) -> tuple[str, str] | None:
    """A line such as `boss = Gunnar Frisk` or `birthday: 9 May` on a page about somebody."""
    found = re.fullmatch(r"\s*([^\W\d_][\w -]{1,24}?)\s*(?:=|:|::)\s+(\S[^\n]{0,200})", text)
    return (found[1], found[2].strip()) if found is not None else None
