"""The people with family relations as GEDCOM, 5.5.1 or 7.0; times as its dates, else as phrases."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from recollect.exporters.graph import ExportedEntity, ExportedFact, ExportedGraph
from recollect.ingest.gedcom.dates import parse_date, parse_unit
from recollect.model.ids import EntityId
from recollect.when.gregorian import MONTH_NAMES

GedcomVersion = Literal["5.5.1", "7.0"]
_ISO = re.compile(r"(?P<year>-?\d{4,})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?(?:T\S*)?")
_RANGE = re.compile(r"\[(?P<first>[^\[\]]*)\.\.(?P<last>[^\[\]]*)\]")
_ESCAPE = re.compile(r"@#D(?P<name>[^@]*)@")


def date_lines(fact: ExportedFact, version: GedcomVersion) -> Iterator[str]:
    """The DATE of a fact, at the second level; none if it has no time."""
    kept = str(fact.attributes.get("date_text") or "")
    told = _original(kept, version) or _span(fact.valid_from, fact.valid_until, version)
    phrase = kept or " ".join(filter(None, (fact.valid_from, fact.valid_until)))
    if told is not None:
        yield f"2 DATE {told}\n"
    elif phrase and version == "7.0":
        yield f"2 DATE\n3 PHRASE {phrase}\n"
    elif phrase:
        yield f"2 DATE ({phrase.strip('()')})\n"


def _original(kept: str, version: GedcomVersion) -> str | None:
    """The date as the file it came from wrote it, if it is one."""
    if not kept or "(" in kept or parse_date(kept).is_unread:
        return None
    return kept if version == "5.5.1" else _ESCAPE.sub(lambda found: found["name"].replace(" ", "_"), kept)


def _span(first: str | None, last: str | None, version: GedcomVersion) -> str | None:
    if first == last or first is None or last is None:
        known = first or last
        single = _single(known, version) if known is not None else None
        if single is None or first == last:
            return single
        word = "FROM" if last is None else "TO"
        plain = _unit(known or "", version)
        return f"{word} {plain}" if plain is not None else None
    start, end = _unit(first, version), _unit(last, version)
    return f"FROM {start} TO {end}" if start is not None and end is not None else None


def _single(time: str, version: GedcomVersion) -> str | None:
    """One time: a date, about a date, or a time within a range."""
    found = _RANGE.fullmatch(time)
    if found is not None:
        return _range(found["first"], found["last"], version)
    unit = _unit(time.removesuffix("~"), version)
    return f"ABT {unit}" if unit is not None and time.endswith("~") else unit


def _range(first: str, last: str, version: GedcomVersion) -> str | None:
    start, end = _unit(first, version), _unit(last, version)
    if first and last:
        return f"BET {start} AND {end}" if start is not None and end is not None else None
    unit = parse_unit(_unit(first or last, "5.5.1") or "")
    if unit is None:
        return None
    beyond = _unit(unit.before if first else unit.after, version)
    return f"{'AFT' if first else 'BEF'} {beyond}"


def _unit(text: str, version: GedcomVersion) -> str | None:
    """A year, month or day of the Gregorian calendar."""
    found = _ISO.fullmatch(text)
    if found is None:
        return None
    year = int(found["year"])
    epoch = "" if year > 0 else " BC" if version == "5.5.1" else " BCE"
    number = str(year if year > 0 else 1 - year)
    month = MONTH_NAMES[int(found["month"]) - 1][:3].upper() if found["month"] else ""
    day = str(int(found["day"])) if found["day"] else ""
    return " ".join(part for part in (day, month, number) if part) + epoch


PARENT, COUPLES = "parent_of", ("spouse_of", "partner_of")
_EVENTS = {"born": "BIRT", "died": "DEAT", "baptised": "BAPM", "buried_at": "BURI", "resided_in": "RESI"}
_VALUES = {"occupation": "OCCU", "holds_title": "TITL"}
_PROPERTIES = {"sex": "SEX", "caste": "CAST", "description": "DSCR", "education": "EDUC"}
_PROPERTIES |= {"nationality": "NATI", "religion": "RELI", "reference_number": "REFN"}
_XREF = re.compile(r"[A-Z][A-Z0-9]{0,18}")
_LONGEST_LINE = 200
_ROLE_TAGS = {"father": "HUSB", "mother": "WIFE", "M": "HUSB", "F": "WIFE"}


class ChildLink(NamedTuple):
    person: EntityId
    kind: str
    """How it belongs to the family, where that is not by birth."""


@dataclass(slots=True)
class GedcomFamily:
    """Up to two parents, their children, and the facts that make them a couple."""

    xref: str
    parents: tuple[EntityId, ...]
    children: list[ChildLink] = field(default_factory=list)
    unions: list[ExportedFact] = field(default_factory=list)


class FamilyTreeIndex:
    """The families that relations between people make, and who belongs to them."""

    def __init__(self, graph: ExportedGraph) -> None:
        self.families: dict[frozenset[EntityId], GedcomFamily] = {}
        self.roles: dict[EntityId, str] = {}
        self._parents: dict[tuple[EntityId, str], list[EntityId]] = {}
        people = {id_ for id_, entity in graph.entities.items() if entity.type == "person"}
        for fact in graph.facts:
            if fact.object is not None and {fact.subject, fact.object} <= people:
                self._add(fact, fact.object)
        self._add_children()

    def _add(self, fact: ExportedFact, other: EntityId) -> None:
        if fact.predicate in COUPLES:
            self._family(fact.subject, other).unions.append(fact)
        elif fact.predicate == PARENT:
            role = fact.attributes.get("role")
            if role in _ROLE_TAGS:
                self.roles[fact.subject] = str(role)
            parents = self._parents.setdefault((other, str(fact.attributes.get("kind", ""))), [])
            parents.extend([] if fact.subject in parents else [fact.subject])

    def _add_children(self) -> None:
        """Put each child into the family of its parents; of more than two, couples go together."""
        for (child, kind), parents in self._parents.items():
            left = list(parents)
            while left:
                first = left.pop(0)
                second = next((each for each in left if frozenset({first, each}) in self.families), None)
                second = left[0] if second is None and len(parents) == 2 and left else second
                if second is not None:
                    left.remove(second)
                self._family(*(each for each in (first, second) if each)).children.append(ChildLink(child, kind))

    def _family(self, *parents: EntityId) -> GedcomFamily:
        key = frozenset(parents)
        return self.families.setdefault(key, GedcomFamily(f"F{len(self.families) + 1}", parents))

    def families_of(self, person: EntityId) -> list[GedcomFamily]:
        """The families that somebody is a parent or partner in."""
        return self._by_parent.get(person, [])

    def childhoods_of(self, person: EntityId) -> list[tuple[GedcomFamily, str]]:
        """The families that somebody is a child of, and how."""
        return self._by_child.get(person, [])

    @cached_property
    def _by_parent(self) -> dict[EntityId, list[GedcomFamily]]:
        found: dict[EntityId, list[GedcomFamily]] = {}
        for family in self.families.values():
            for parent in family.parents:
                found.setdefault(parent, []).append(family)
        return found

    @cached_property
    def _by_child(self) -> dict[EntityId, list[tuple[GedcomFamily, str]]]:
        found: dict[EntityId, list[tuple[GedcomFamily, str]]] = {}
        for family in self.families.values():
            for child in family.children:
                found.setdefault(child.person, []).append((family, child.kind))
        return found


def gedcom_lines(graph: ExportedGraph, version: GedcomVersion) -> Iterator[str]:
    """The whole file, line by line."""
    return _GedcomWriter(graph, version).lines()


class _GedcomWriter:
    def __init__(self, graph: ExportedGraph, version: GedcomVersion) -> None:
        self._graph = graph
        self._version: GedcomVersion = version
        self._tree = FamilyTreeIndex(graph)
        self._people = [each for each in graph.entities.values() if self._belongs(each)]
        self._xrefs = _person_xrefs(self._people)
        self._facts = graph.facts_by_subject()

    def _belongs(self, entity: ExportedEntity) -> bool:
        is_person = entity.type == "person"
        tree = self._tree
        is_member = bool(tree.families_of(entity.id) or tree.childhoods_of(entity.id))
        is_listed = is_member or "gedcom_id" in entity.properties
        if is_person and not is_listed:
            self._graph.left_out["people skipped: no family relations"] += 1
        return is_person and is_listed

    def lines(self) -> Iterator[str]:
        yield from self._head()
        for person in self._people:
            yield from self._person(person)
        for family in self._tree.families.values():
            yield from self._family(family)
        yield "0 TRLR\n"

    def _head(self) -> Iterator[str]:
        # Version 7 names no encoding; the mark tells programs that read older versions too.
        yield "0 HEAD\n" if self._version == "5.5.1" else "\ufeff0 HEAD\n"
        yield from ("1 GEDC\n", f"2 VERS {self._version}\n")
        if self._version == "5.5.1":
            yield from ("2 FORM LINEAGE-LINKED\n", "1 CHAR UTF-8\n")
        yield from ("1 SOUR RECOLLECT\n", "1 SUBM @U1@\n", "0 @U1@ SUBM\n", "1 NAME Recollect\n")

    def _line(self, level: int, tag: str, value: str = "") -> Iterator[str]:
        """A line, continued where it is too long or has several lines."""
        for number, part in enumerate(value.splitlines() or [""]):
            yield from self._continued(level + (number > 0), "CONT" if number else tag, part)

    def _continued(self, level: int, tag: str, text: str) -> Iterator[str]:
        is_old = self._version == "5.5.1"
        text = text.replace("@", "@@") if is_old else re.sub("^@", "@@", text)
        size = _LONGEST_LINE if is_old else len(text) + 1
        rest = text[size:]
        yield f"{level} {tag} {text[:size]}\n" if text else f"{level} {tag}\n"
        while rest:
            yield f"{level + (tag != 'CONT')} CONC {rest[:size]}\n"
            rest = rest[size:]

    def _person(self, person: ExportedEntity) -> Iterator[str]:
        yield f"0 @{self._xrefs[person.id]}@ INDI\n"
        for name in (person.name, *person.aliases):
            yield from self._line(1, "NAME", name)
        for key, tag in _PROPERTIES.items():
            if person.properties.get(key):
                yield from self._line(1, tag, str(person.properties[key]))
        for fact in self._facts[person.id]:
            yield from self._event(fact)
        for family in self._tree.families_of(person.id):
            yield f"1 FAMS @{family.xref}@\n"
        for family, kind in self._tree.childhoods_of(person.id):
            yield from self._membership(family, kind)

    def _membership(self, family: GedcomFamily, kind: str) -> Iterator[str]:
        yield f"1 FAMC @{family.xref}@\n"
        if kind:
            yield from self._line(2, "PEDI", kind if self._version == "5.5.1" else kind.upper())

    def _event(self, fact: ExportedFact) -> Iterator[str]:
        target = self._graph.entities[fact.object].name if fact.object is not None else fact.value
        if fact.predicate in _VALUES and target:
            yield from self._line(1, _VALUES[fact.predicate], target)
        elif fact.predicate in _EVENTS:
            is_known = bool(target or fact.valid_from or fact.valid_until or fact.attributes.get("date_text"))
            yield f"1 {_EVENTS[fact.predicate]}{'' if is_known or fact.predicate == 'resided_in' else ' Y'}\n"
            yield from self._line(2, "PLAC", target) if target else ()
        elif fact.predicate not in (PARENT, *COUPLES):
            self._graph.left_out["facts skipped: GEDCOM has no tag for them"] += 1
            return
        else:
            return
        yield from self._details(fact)

    def _details(self, fact: ExportedFact) -> Iterator[str]:
        yield from date_lines(fact, self._version)
        for key, tag in (("type", "TYPE"), ("cause", "CAUS")):
            if fact.attributes.get(key):
                yield from self._line(2, tag, str(fact.attributes[key]))

    def _family(self, family: GedcomFamily) -> Iterator[str]:
        yield f"0 @{family.xref}@ FAM\n"
        for person, tag in zip(family.parents, self._parent_tags(family), strict=True):
            yield f"1 {tag} @{self._xrefs[person]}@\n"
        for union in family.unions:
            yield from self._union(union)
        for child in family.children:
            yield f"1 CHIL @{self._xrefs[child.person]}@\n"

    def _parent_tags(self, family: GedcomFamily) -> Iterable[str]:
        tags = [self._parent_tag(each) for each in family.parents]
        if len(tags) == 2 and (tags[0] == tags[1] or None in tags):
            first = tags[0] or ("WIFE" if tags[1] == "HUSB" else "HUSB")
            return (first, "WIFE" if first == "HUSB" else "HUSB")
        return [each or "HUSB" for each in tags]

    def _parent_tag(self, person: EntityId) -> str | None:
        sex = str(self._graph.entities[person].properties.get("sex", ""))[:1].upper()
        return _ROLE_TAGS.get(self._tree.roles.get(person) or sex)

    def _union(self, fact: ExportedFact) -> Iterator[str]:
        """A marriage and its end; a couple that is not married has no line of its own."""
        if fact.predicate != "spouse_of":
            return
        is_dated = bool(fact.valid_from or fact.attributes.get("date_text") or fact.attributes.get("place"))
        yield f"1 MARR{'' if is_dated else ' Y'}\n"
        if fact.attributes.get("place"):
            yield from self._line(2, "PLAC", str(fact.attributes["place"]))
        ended_by = fact.attributes.get("ended_by")
        is_point = ended_by or fact.valid_until is None
        yield from date_lines(fact._replace(valid_until=fact.valid_from) if is_point else fact, self._version)
        if ended_by:
            yield f"1 {'ANUL' if ended_by == 'annulment' else 'DIV'}{'' if fact.valid_until else ' Y'}\n"
            yield from date_lines(fact._replace(valid_from=fact.valid_until, attributes={}), self._version)


def _person_xrefs(people: Iterable[ExportedEntity]) -> dict[EntityId, str]:
    """What each person is pointed at by: the id it came with, if that is one and its own."""
    found: dict[EntityId, str] = {}
    taken: set[str] = set()
    for number, person in enumerate(people, start=1):
        own = str(person.properties.get("gedcom_id", "")).rpartition("#")[2]
        xref = own if _XREF.fullmatch(own) and own not in taken and own[0] == "I" else f"P{number}"
        taken.add(xref)
        found[person.id] = xref
    return found
