"""What a family tree says of parents, children and couples."""

from collections.abc import Iterator, Mapping
from math import inf
from typing import NamedTuple

from recollect.ingest.gedcom.events import Event, Reader, is_denied
from recollect.ingest.gedcom.lines import VOID, Node
from recollect.ingest.lore.draft import Keyed, RelationDraft, Unread

_ROLES = {"HUSB": "father", "WIFE": "mother"}
_BY_SEX = {"M": "father", "F": "mother"}
_BY_BIRTH = frozenset({"", "birth", "natural", "biological", "unknown"})


class Parent(NamedTuple):
    xref: str
    role: str | None


class Child(NamedTuple):
    """A child of a family, and how each parent came to it, if not by birth."""

    xref: str
    line: int
    kinds: Mapping[str | None, str]


class Household(NamedTuple):
    """Who belongs to a family, by its own record and by those of its people."""

    parents: tuple[Parent, ...]
    children: tuple[Child, ...]


class People:
    """The INDI records by xref, and which families they say that they belong to."""

    def __init__(self, records: Mapping[str, Node]) -> None:
        self.records = records
        self.spouses: dict[str, list[str]] = {}
        self.offspring: dict[str, list[str]] = {}
        self._by_xref: dict[str, list[str]] = {}
        for key, record in records.items():
            self._by_xref.setdefault(record.xref or "", []).append(key)
            for tag, held in (("FAMS", self.spouses), ("FAMC", self.offspring)):
                for node in record.all(tag):
                    if node.pointer:
                        held.setdefault(node.pointer, []).append(key)

    def pointed(self, xref: str, family: str, belonging: Mapping[str, list[str]]) -> str | None:
        """The person of an xref; of several, the one that names the family too."""
        found = self._by_xref.get(xref, [])
        return next((key for key in found if key in belonging.get(family, ())), found[0] if found else None)


def about_family(record: Node, people: People, reader: Reader) -> Iterator[RelationDraft]:
    """The relations that a FAM record states."""
    household = _household(record, people, reader)
    name = f"family {record.xref}"
    quote = reader.notes.quote(name, record)
    for child in household.children:
        for parent in household.parents:
            yield _parent_of(parent, child, name, quote)
    yield from _couple(record, household, name, reader)


def _parent_of(parent: Parent, child: Child, name: str, quote: str | None) -> RelationDraft:
    kind = child.kinds.get(parent.role) or child.kinds.get(None)
    attributes = {key: value for key, value in (("role", parent.role), ("kind", kind)) if value}
    return RelationDraft(
        Keyed(parent.xref),
        "parent_of",
        Keyed(child.xref),
        child.line,
        f"{name} CHIL {child.xref}",
        attributes=attributes,
        quote=quote,
        extraction="gedcom",
    )


def _household(record: Node, people: People, reader: Reader) -> Household:
    xref = record.xref or ""
    parents: dict[str, Parent] = {}
    for node in record.all("HUSB", "WIFE"):
        pointed = _pointed(node, xref, people, people.spouses, reader)
        if pointed is not None:
            parents.setdefault(pointed, Parent(pointed, _ROLES[node.tag]))
    for other in people.spouses.get(xref, ()):
        parents.setdefault(other, Parent(other, _BY_SEX.get(people.records[other].said("SEX").upper()[:1])))
    return Household(tuple(parents.values()), tuple(_children(record, people, reader, parents)))


def _children(record: Node, people: People, reader: Reader, parents: Mapping[str, Parent]) -> Iterator[Child]:
    xref = record.xref or ""
    found: dict[str, Child] = {}
    for node in record.all("CHIL"):
        pointed = _pointed(node, xref, people, people.offspring, reader)
        if pointed is not None:
            kinds = {**_pedigree(people.records[pointed], xref), **_told_by_child_line(node)}
            found.setdefault(pointed, Child(pointed, node.line, kinds))
    for other in people.offspring.get(xref, ()):
        found.setdefault(other, Child(other, people.records[other].line, _pedigree(people.records[other], xref)))
    for child in found.values():
        if child.xref in parents:
            reader.unread.append(Unread(child.line, f"{record.xref} CHIL {child.xref}", "is its own parent"))
        else:
            yield child


def _pointed(node: Node, family: str, people: People, belonging: Mapping[str, list[str]], reader: Reader) -> str | None:
    """The person that a line points at; one that is not in the file is reported."""
    if node.pointer == VOID:
        return None
    found = people.pointed(node.pointer, family, belonging) if node.pointer else None
    if found is not None:
        return found
    reader.unread.append(Unread(node.line, f"{node.tag} {node.text}"[:200], "points at no person of this file"))
    return None


def _pedigree(person: Node, family: str) -> dict[str | None, str]:
    """How a child came to the family, by its own record."""
    for node in person.all("FAMC"):
        if node.pointer == family:
            pedi = node.first("PEDI")
            word = (pedi.said("PHRASE") or pedi.text).lower() if pedi else ""
            if word not in _BY_BIRTH:
                return {None: word}
    for adoption in person.all("ADOP"):
        for node in adoption.all("FAMC"):
            if node.pointer == family:
                return _adopted(node.said("ADOP").upper())
    return {}


def _adopted(by: str) -> dict[str | None, str]:
    return {_ROLES[by]: "adopted"} if by in _ROLES else {None: "adopted"}


def _told_by_child_line(node: Node) -> dict[str | None, str]:
    said = {"father": node.said("_FREL").lower(), "mother": node.said("_MREL").lower()}
    return {role: word for role, word in said.items() if word not in _BY_BIRTH}


def _couple(record: Node, household: Household, name: str, reader: Reader) -> Iterator[RelationDraft]:
    if len(household.parents) != 2:
        return
    weddings = [_placed(reader, reader.event(name, node)) for node in record.all("MARR") if not is_denied(node)]
    endings = [
        reader.event(name, node)._replace(attributes={"ended_by": "annulment" if node.tag == "ANUL" else "divorce"})
        for node in record.all("DIV", "ANUL")
        if not is_denied(node)
    ]
    relation = "spouse_of" if weddings else "partner_of"
    line = next((node.line for node in record.all("MARR")), record.line)
    for wedding, ending in _paired(weddings, endings):
        yield _tie(household, relation, line, name, wedding, ending)


def _placed(reader: Reader, wedding: Event) -> Event:
    """A wedding that says where it was: the tie it begins has no place of its own."""
    if wedding.place is None:
        return wedding
    return wedding._replace(attributes={**wedding.attributes, "place": reader.places.name(wedding.place)})


def _paired(weddings: list[Event], endings: list[Event]) -> Iterator[tuple[Event | None, Event | None]]:
    """Each wedding with the first ending after it; a couple without a wedding stands once."""
    in_order = sorted(endings, key=_day)
    if not weddings:
        yield None, (in_order[0] if in_order else None)
    for wedding in weddings:
        yield wedding, next((ending for ending in in_order if _is_after(ending, wedding)), None)


def _is_after(ending: Event, wedding: Event) -> bool:
    return wedding.date.first_day is None or _day(ending) >= wedding.date.first_day


def _day(event: Event) -> float:
    """Where an event falls, one without a date behind all others."""
    return inf if event.date.first_day is None else event.date.first_day


def _tie(
    household: Household, relation: str, line: int, name: str, wedding: Event | None, ending: Event | None
) -> RelationDraft:
    one, other = household.parents
    attributes = {**(ending.attributes if ending else {}), **(wedding.attributes if wedding else {})}
    starts = wedding.date.start if wedding else None
    ends = ending.date.point if ending else None
    if ends is None and wedding is not None and wedding.date.end != wedding.date.start:
        ends = wedding.date.end
    return RelationDraft(
        Keyed(one.xref),
        relation,
        Keyed(other.xref),
        line,
        f"{name} {'MARR' if wedding else 'HUSB WIFE'}",
        starts,
        ends,
        attributes=attributes,
        quote=wedding.quote if wedding else None,
        extraction="gedcom",
    )
