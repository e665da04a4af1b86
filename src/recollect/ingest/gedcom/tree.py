"""A whole family tree: its people, places and families as drafts."""

from typing import NamedTuple

from recollect.errors import Refused
from recollect.ingest.gedcom.events import Reader
from recollect.ingest.gedcom.families import People, about_family
from recollect.ingest.gedcom.lines import Node, read_records
from recollect.ingest.gedcom.notes import Notes
from recollect.ingest.gedcom.people import about_person, person
from recollect.ingest.gedcom.places import Places
from recollect.ingest.lore.draft import EntityDraft, Reading, RelationDraft, Unread


class NotGedcom(Refused):
    code = "bad_input"

    def __init__(self) -> None:
        super().__init__("this is no GEDCOM: it has no record such as '0 HEAD' or '0 @I1@ INDI'", field="content")


class Tree(NamedTuple):
    """What the file states, the words in it, and how many people and families it has."""

    reading: Reading
    text: str
    people: int
    families: int


def read_tree(title: str, text: str) -> Tree:
    """The family tree in a GEDCOM text; a `title` tells its people apart from those of other trees."""
    records = read_records(text)
    if not any(root.tag == "HEAD" or root.xref for root in records.roots):
        raise NotGedcom
    unread = list(records.unread)
    warnings: list[str] = []
    people = _by_xref(records.roots, "INDI", warnings, unread)
    families = _by_xref(records.roots, "FAM", warnings, unread)
    places, notes = Places(), Notes(records.roots)
    reader = Reader(places, notes, unread)
    for head in (root for root in records.roots if root.tag == "HEAD"):
        notes.quote("", Node(head.line, "HEAD", children=list(head.all("NOTE", "SNOTE"))))
    entities = {xref: person(title, record) for xref, record in people.items()}
    relations = _relations(people, families, entities, reader)
    notes.keep_records()
    relations += places.relations()
    reading = Reading((*entities.values(), *places.entities()), tuple(relations), (), tuple(unread), tuple(warnings))
    return Tree(reading, notes.text, len(people), len(families))


def _relations(
    people: dict[str, Node], families: dict[str, Node], entities: dict[str, EntityDraft], reader: Reader
) -> list[RelationDraft]:
    found: list[RelationDraft] = []
    for xref, record in people.items():
        found += about_person(entities[xref].name, record, reader)
    belonging = People(people)
    for record in families.values():
        found += about_family(record, belonging, reader)
    return found


def _by_xref(roots: list[Node], tag: str, warnings: list[str], unread: list[Unread]) -> dict[str, Node]:
    """The records of one kind by a key of their own; one whose xref is taken is told apart by a number."""
    found: dict[str, Node] = {}
    for root in roots:
        if root.tag != tag:
            continue
        if root.xref is None:
            unread.append(Unread(root.line, tag, "has no xref"))
            continue
        key, number = root.xref, 1
        while key in found:
            number += 1
            key = f"{root.xref}~{number}"
        if number > 1:
            warnings.append(f"line {root.line}: {tag} @{root.xref}@ is there more than once; this one is {key}")
        root.key = key
        found[key] = root
    return found
