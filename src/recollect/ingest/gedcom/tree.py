"""Parser of a whole GEDCOM file: people, places and families as drafts."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from recollect.errors import Refused
from recollect.ingest.drafts import (
    DraftTarget,
    EntityDraft,
    KeyRef,
    LiteralTarget,
    NameRef,
    RelationDraft,
    SourceDraft,
    UnreadableItem,
)
from recollect.ingest.gedcom.families import PersonIndex, family_relations
from recollect.ingest.gedcom.records import (
    EventReader,
    GedcomEvent,
    GedcomNode,
    NoteIndex,
    PlaceIndex,
    is_denied,
    parse_records,
)
from recollect.ingest.line_parts import LITERAL_LIMIT
from recollect.model.entity import NAME_LIMIT
from recollect.model.names import clean, fold
from recollect.model.relations import is_writable, relation_from_predicate
from recollect.model.similarity import to_snake_case
from recollect.model.vocabulary import built_in_predicates

_PROPERTY_TAGS = {
    "CAST": "caste",
    "DSCR": "description",
    "EDUC": "education",
    "NATI": "nationality",
    "RELI": "religion",
    "REFN": "reference_number",
}
_KNOWN_EVENTS = {"BIRT": "born", "DEAT": "died", "CHR": "baptised", "BAPM": "baptised", "BURI": "buried_at"}
OTHER_EVENTS = frozenset(
    "CREM ADOP BARM BASM BATM BLES CHRA CONF FCOM ORDN NATU EMIG IMMI CENS PROB WILL GRAD RETI EVEN".split()
)
SURNAME, NOTES = "surname", "notes"
_LONGEST_NOTES = 2_000
"""Of a person; longer ones are passages only, since tools print the properties of an entity."""
_SLASHED = re.compile(r"/([^/]*)/")
_NAME_TAGS = ("NICK", "_MARNM", "_MARN", "_MARNAM", "_AKA", "_AKAN", "FONE", "ROMN", "TRAN", "ALIA")


def person_draft(title: str, record: GedcomNode, notes: NoteIndex) -> EntityDraft:
    """The person that an INDI record describes."""
    spellings = [name for name in (_spelled_name(node) for node in record.children_tagged("NAME")) if name]
    name = spellings[0] if spellings else f"Unnamed ({record.key})"
    others = [*spellings[1:], *_other_names(record)]
    aliases = {fold(each): each for each in others if fold(each) != fold(name)}
    properties = {word: record.child_text(tag) for tag, word in _PROPERTY_TAGS.items() if record.child_text(tag)}
    if record.child_text("SEX"):
        properties["sex"] = record.child_text("SEX")
    surname = next(map(_surname, record.children_tagged("NAME")), "")
    properties |= {SURNAME: surname} if surname else {}
    about = "\n\n".join(notes.notes_of(record))
    properties |= {NOTES: about} if 0 < len(about) <= _LONGEST_NOTES else {}
    properties["gedcom_id"] = f"{title}#{record.key}"
    return EntityDraft(name, "person", record.line, tuple(aliases.values()), properties, record.key)


def _spelled_name(node: GedcomNode) -> str:
    """A name without slashes; where the line is empty, its pieces."""
    name = _plain_name(node.text)
    pieces = (
        node.child_text("NPFX"),
        node.child_text("GIVN"),
        node.child_text("SPFX"),
        node.child_text("SURN"),
        node.child_text("NSFX"),
    )
    return (name or _plain_name(" ".join(pieces)))[:NAME_LIMIT]


def _surname(node: GedcomNode) -> str:
    """What stands between slashes, else the piece that says so."""
    found = _SLASHED.search(node.text)
    return _plain_name(found[1] if found else node.child_text("SURN"))[:NAME_LIMIT]


def _plain_name(text: str) -> str:
    """Without the slashes around a surname, and with spaces for the underscores that some programs write for them."""
    return clean(text.replace("/", " ").replace("_", " "))


def _other_names(record: GedcomNode) -> Iterator[str]:
    for holder in (*record.children_tagged("NAME"), record):
        for node in holder.children_tagged(*_NAME_TAGS):
            name = "" if node.pointer else _plain_name(node.text)[:NAME_LIMIT]
            if name:
                yield name


def person_relations(name: str, record: GedcomNode, reader: EventReader) -> Iterator[RelationDraft]:
    """The relations that an INDI record states."""
    who = KeyRef(record.key)
    reader.notes.quote(name, record)
    for node in record.children:
        if is_denied(node):
            continue
        if node.tag in _KNOWN_EVENTS:
            yield from _known_event_relations(who, name, node, reader)
        elif node.tag in ("OCCU", "TITL", "RESI", "FACT"):
            yield from _attribute_relations(who, name, node, reader)
        elif node.tag in OTHER_EVENTS or _is_custom_event(node):
            yield _other_event_relation(who, name, node, reader)


def _known_event_relations(who: KeyRef, name: str, node: GedcomNode, reader: EventReader) -> Iterator[RelationDraft]:
    event = reader.event(name, node)
    relation = _KNOWN_EVENTS[node.tag]
    if event.is_empty and relation != "died" and node.text.upper() not in ("Y", "YES"):
        return
    if relation in ("born", "died"):
        yield _person_relation(who, relation, event.place, node, name, event, (event.date.point, event.date.point))
    else:
        bounds = (event.date.start, event.date.end)
        yield _person_relation(who, relation, event.place, node, name, event, bounds)._replace(is_event=True)


def _attribute_relations(who: KeyRef, name: str, node: GedcomNode, reader: EventReader) -> Iterator[RelationDraft]:
    event, value = reader.event(name, node), node.text
    bounds = (event.date.start, event.date.end)
    if node.tag == "OCCU" and value:
        yield _person_relation(who, "occupation", LiteralTarget(value[:LITERAL_LIMIT]), node, name, event, bounds)
    if node.tag == "TITL" and value:
        title = NameRef(value[:NAME_LIMIT], "title")
        yield _person_relation(who, "holds_title", title, node, name, event, bounds)
    if node.tag == "FACT" and value:
        yield _person_relation(who, _event_name(node), LiteralTarget(value[:LITERAL_LIMIT]), node, name, event, bounds)
    if node.tag == "RESI":
        place = event.place or _residence_place(node, reader)
        if place is not None:
            yield _person_relation(who, "resided_in", place, node, name, event, bounds)


def _residence_place(node: GedcomNode, reader: EventReader) -> KeyRef | None:
    """The place of residence: the value of the line, else its address."""
    address = node.first("ADDR")
    lines = address.words.splitlines() if address else []
    text = node.text or ", ".join(line.strip() for line in lines if line.strip())
    return reader.places.place(text, node.line) if text and text.upper() not in ("Y", "YES") else None


def _other_event_relation(who: KeyRef, name: str, node: GedcomNode, reader: EventReader) -> RelationDraft:
    event = reader.event(name, node)
    bounds = (event.date.start, event.date.end)
    draft = _person_relation(who, _event_name(node), event.place, node, name, event, bounds)
    text = "" if node.text.upper() in ("Y", "YES") else node.text
    attributes = {**draft.attributes, "text": text} if text else draft.attributes
    return draft._replace(is_event=True, attributes=attributes)


def _event_name(node: GedcomNode) -> str:
    """The predicate of an event or fact: its tag, or the TYPE of an EVEN or FACT."""
    types = {"EVEN": node.child_text("TYPE") or node.text, "FACT": node.child_text("TYPE")}
    word = to_snake_case(types.get(node.tag) or node.tag)
    if not word or not is_writable(word):
        return "fact" if node.tag == "FACT" else "even"
    # A word that is already a relation must not be mistaken for it.
    return f"{word}_event" if word in built_in_predicates() or relation_from_predicate(word).name != word else word


def _is_custom_event(node: GedcomNode) -> bool:
    return node.tag.startswith("_") and any(node.first(tag) is not None for tag in ("DATE", "PLAC"))


def _person_relation(
    who: KeyRef,
    relation: str,
    target: DraftTarget,
    node: GedcomNode,
    name: str,
    event: GedcomEvent,
    bounds: tuple[str | None, str | None],
) -> RelationDraft:
    return RelationDraft(
        who,
        relation,
        target,
        node.line,
        f"{name} {node.tag}",
        bounds[0],
        bounds[1],
        attributes=event.attributes,
        quote=event.quote,
        extraction="gedcom",
    )


class NotGedcom(Refused):
    code = "bad_input"

    def __init__(self) -> None:
        super().__init__("not a GEDCOM file: it has no record such as '0 HEAD' or '0 @I1@ INDI'", field="content")


class FamilyTree(NamedTuple):
    """The statements of a file, its text, and the number of people and families."""

    reading: SourceDraft
    text: str
    people: int
    families: int


def parse_tree(title: str, text: str) -> FamilyTree:
    """Parse a GEDCOM text; `title` distinguishes its people from those of other trees."""
    records = parse_records(text)
    if not any(root.tag == "HEAD" or root.xref for root in records.roots):
        raise NotGedcom
    unread = list(records.unread)
    warnings: list[str] = []
    people = _index_by_xref(records.roots, "INDI", warnings, unread)
    families = _index_by_xref(records.roots, "FAM", warnings, unread)
    places, notes = PlaceIndex(), NoteIndex(records.roots)
    reader = EventReader(places, notes, unread)
    for head in (root for root in records.roots if root.tag == "HEAD"):
        notes.quote("", GedcomNode(head.line, "HEAD", children=list(head.children_tagged("NOTE", "SNOTE"))))
    entities = {xref: person_draft(title, record, notes) for xref, record in people.items()}
    relations = _tree_relations(people, families, entities, reader)
    notes.add_unreferenced()
    relations += places.relations()
    reading = SourceDraft(
        (*entities.values(), *places.entities()), tuple(relations), (), tuple(unread), tuple(warnings)
    )
    return FamilyTree(reading, notes.text, len(people), len(families))


def _tree_relations(
    people: dict[str, GedcomNode],
    families: dict[str, GedcomNode],
    entities: dict[str, EntityDraft],
    reader: EventReader,
) -> list[RelationDraft]:
    found: list[RelationDraft] = []
    for xref, record in people.items():
        found += person_relations(entities[xref].name, record, reader)
    belonging = PersonIndex(people)
    for record in families.values():
        found += family_relations(record, belonging, reader)
    return found


def _index_by_xref(
    roots: list[GedcomNode], tag: str, warnings: list[str], unread: list[UnreadableItem]
) -> dict[str, GedcomNode]:
    """The records of one kind by unique key; a repeated xref gets a number."""
    found: dict[str, GedcomNode] = {}
    for root in roots:
        if root.tag != tag:
            continue
        if root.xref is None:
            unread.append(UnreadableItem(root.line, tag, "skipped: it has no xref"))
            continue
        key, number = root.xref, 1
        while key in found:
            number += 1
            key = f"{root.xref}~{number}"
        if number > 1:
            warnings.append(
                f"line {root.line}: {tag} @{root.xref}@ occurs more than once; this one is imported as {key}"
            )
        root.key = key
        found[key] = root
    return found
