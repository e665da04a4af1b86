"""Relations of families: parents, children and couples."""

from collections.abc import Iterator, Mapping
from math import inf
from typing import NamedTuple

from recollect.ingest.drafts import KeyRef, RelationDraft, UnreadableItem
from recollect.ingest.gedcom.records import VOID_POINTER, EventReader, GedcomEvent, GedcomNode, is_denied

_ROLES = {"HUSB": "father", "WIFE": "mother"}
_BY_SEX = {"M": "father", "F": "mother"}
_BY_BIRTH = frozenset({"", "birth", "natural", "biological", "unknown"})


class FamilyParent(NamedTuple):
    xref: str
    role: str | None


class FamilyChild(NamedTuple):
    """A child of a family, and its relation to each parent, if not by birth."""

    xref: str
    line: int
    kinds: Mapping[str | None, str]


class FamilyMembers(NamedTuple):
    """The members of a family, by its own record and by those of its people."""

    parents: tuple[FamilyParent, ...]
    children: tuple[FamilyChild, ...]


class PersonIndex:
    """The INDI records by xref, and the families they name."""

    def __init__(self, records: Mapping[str, GedcomNode]) -> None:
        self.records = records
        self.spouses: dict[str, list[str]] = {}
        self.offspring: dict[str, list[str]] = {}
        self._by_xref: dict[str, list[str]] = {}
        for key, record in records.items():
            self._by_xref.setdefault(record.xref or "", []).append(key)
            for tag, held in (("FAMS", self.spouses), ("FAMC", self.offspring)):
                for node in record.children_tagged(tag):
                    if node.pointer:
                        held.setdefault(node.pointer, []).append(key)

    def resolve_xref(self, xref: str, family: str, belonging: Mapping[str, list[str]]) -> str | None:
        """The person of an xref; of several, the one that names the family too."""
        found = self._by_xref.get(xref, [])
        return next((key for key in found if key in belonging.get(family, ())), found[0] if found else None)


def family_relations(record: GedcomNode, people: PersonIndex, reader: EventReader) -> Iterator[RelationDraft]:
    """The relations that a FAM record states."""
    household = _make_household(record, people, reader)
    name = f"family {record.xref}"
    quote = reader.notes.quote(name, record)
    for child in household.children:
        for parent in household.parents:
            yield _parent_relation(parent, child, name, quote)
    yield from _couple_relations(record, household, name, reader)


def _parent_relation(parent: FamilyParent, child: FamilyChild, name: str, quote: str | None) -> RelationDraft:
    kind = child.kinds.get(parent.role) or child.kinds.get(None)
    attributes = {key: value for key, value in (("role", parent.role), ("kind", kind)) if value}
    return RelationDraft(
        KeyRef(parent.xref),
        "parent_of",
        KeyRef(child.xref),
        child.line,
        f"{name} CHIL {child.xref}",
        attributes=attributes,
        quote=quote,
        extraction="gedcom",
    )


def _make_household(record: GedcomNode, people: PersonIndex, reader: EventReader) -> FamilyMembers:
    xref = record.xref or ""
    parents: dict[str, FamilyParent] = {}
    for node in record.children_tagged("HUSB", "WIFE"):
        pointed = _resolve_pointer(node, xref, people, people.spouses, reader)
        if pointed is not None:
            parents.setdefault(pointed, FamilyParent(pointed, _ROLES[node.tag]))
    for other in people.spouses.get(xref, ()):
        parents.setdefault(other, FamilyParent(other, _BY_SEX.get(people.records[other].child_text("SEX").upper()[:1])))
    return FamilyMembers(tuple(parents.values()), tuple(_family_children(record, people, reader, parents)))


def _family_children(
    record: GedcomNode, people: PersonIndex, reader: EventReader, parents: Mapping[str, FamilyParent]
) -> Iterator[FamilyChild]:
    xref = record.xref or ""
    found: dict[str, FamilyChild] = {}
    for node in record.children_tagged("CHIL"):
        pointed = _resolve_pointer(node, xref, people, people.offspring, reader)
        if pointed is not None:
            kinds = {**_pedigree(people.records[pointed], xref), **_child_line_kinds(node)}
            found.setdefault(pointed, FamilyChild(pointed, node.line, kinds))
    for other in people.offspring.get(xref, ()):
        found.setdefault(other, FamilyChild(other, people.records[other].line, _pedigree(people.records[other], xref)))
    for child in found.values():
        if child.xref in parents:
            reader.unread.append(UnreadableItem(child.line, f"{record.xref} CHIL {child.xref}", "is its own parent"))
        else:
            yield child


def _resolve_pointer(
    node: GedcomNode, family: str, people: PersonIndex, belonging: Mapping[str, list[str]], reader: EventReader
) -> str | None:
    """The person that a line points at; one that is not in the file is reported."""
    if node.pointer == VOID_POINTER:
        return None
    found = people.resolve_xref(node.pointer, family, belonging) if node.pointer else None
    if found is not None:
        return found
    reader.unread.append(
        UnreadableItem(node.line, f"{node.tag} {node.text}"[:200], "points at a person who is not in this file")
    )
    return None


def _pedigree(person: GedcomNode, family: str) -> dict[str | None, str]:
    """How a child belongs to the family, by its own record."""
    for node in person.children_tagged("FAMC"):
        if node.pointer == family:
            pedi = node.first("PEDI", "_PEDI")
            word = (pedi.child_text("PHRASE") or pedi.text).lower() if pedi else ""
            if word not in _BY_BIRTH:
                return {None: word}
    for adoption in person.children_tagged("ADOP"):
        for node in adoption.children_tagged("FAMC"):
            if node.pointer == family:
                return _adoption_kinds(node.child_text("ADOP").upper())
    return {}


def _adoption_kinds(by: str) -> dict[str | None, str]:
    return {_ROLES[by]: "adopted"} if by in _ROLES else {None: "adopted"}


def _child_line_kinds(node: GedcomNode) -> dict[str | None, str]:
    said = {"father": node.child_text("_FREL").lower(), "mother": node.child_text("_MREL").lower()}
    return {role: word for role, word in said.items() if word not in _BY_BIRTH}


def _couple_relations(
    record: GedcomNode, household: FamilyMembers, name: str, reader: EventReader
) -> Iterator[RelationDraft]:
    if len(household.parents) != 2:
        return
    weddings = [
        _with_place_name(reader, reader.event(name, node))
        for node in record.children_tagged("MARR")
        if not is_denied(node)
    ]
    endings = [
        reader.event(name, node)._replace(attributes={"ended_by": "annulment" if node.tag == "ANUL" else "divorce"})
        for node in record.children_tagged("DIV", "ANUL")
        if not is_denied(node)
    ]
    relation = "spouse_of" if weddings else "partner_of"
    line = next((node.line for node in record.children_tagged("MARR")), record.line)
    for wedding, ending in _pair_weddings(weddings, endings):
        yield _couple_relation(household, relation, line, name, wedding, ending)


def _with_place_name(reader: EventReader, wedding: GedcomEvent) -> GedcomEvent:
    """A wedding with a place: the relation it begins has no place of its own."""
    if wedding.place is None:
        return wedding
    return wedding._replace(attributes={**wedding.attributes, "place": reader.places.name(wedding.place)})


def _pair_weddings(
    weddings: list[GedcomEvent], endings: list[GedcomEvent]
) -> Iterator[tuple[GedcomEvent | None, GedcomEvent | None]]:
    """Each wedding with the first ending after it; a couple without a wedding appears once."""
    in_order = sorted(endings, key=_event_day)
    if not weddings:
        yield None, (in_order[0] if in_order else None)
    for wedding in weddings:
        yield wedding, next((ending for ending in in_order if _is_after(ending, wedding)), None)


def _is_after(ending: GedcomEvent, wedding: GedcomEvent) -> bool:
    return wedding.date.first_day is None or _event_day(ending) >= wedding.date.first_day


def _event_day(event: GedcomEvent) -> float:
    """Sort key of an event; one without a date comes last."""
    return inf if event.date.first_day is None else event.date.first_day


def _couple_relation(
    household: FamilyMembers,
    relation: str,
    line: int,
    name: str,
    wedding: GedcomEvent | None,
    ending: GedcomEvent | None,
) -> RelationDraft:
    one, other = household.parents
    attributes = {**(ending.attributes if ending else {}), **(wedding.attributes if wedding else {})}
    starts = wedding.date.start if wedding else None
    ends = ending.date.point if ending else None
    if ends is None and wedding is not None and wedding.date.end != wedding.date.start:
        ends = wedding.date.end
    return RelationDraft(
        KeyRef(one.xref),
        relation,
        KeyRef(other.xref),
        line,
        f"{name} {'MARR' if wedding else 'HUSB WIFE'}",
        starts,
        ends,
        attributes=attributes,
        quote=wedding.quote if wedding else None,
        extraction="gedcom",
    )
