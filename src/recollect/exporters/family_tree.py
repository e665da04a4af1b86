"""The people with family relations as GEDCOM, 5.5.1 or 7.0."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from recollect.exporters.gedcom_lines import GedcomVersion, date_lines, tag_lines
from recollect.exporters.graph import ExportedEntity, ExportedFact, ExportedGraph
from recollect.ingest.gedcom.tree import NOTES, OTHER_EVENTS, SURNAME
from recollect.model.ids import EntityId
from recollect.model.relations import relation_from_predicate
from recollect.model.similarity import to_snake_case

PARENT, COUPLES = "parent_of", ("spouse_of", "partner_of")
_EVENTS = {"born": "BIRT", "died": "DEAT", "baptised": "BAPM", "buried_at": "BURI"}
_RESIDENCE = "resided_in"
_VALUES = {"occupation": "OCCU", "holds_title": "TITL"}
_PROPERTIES = {"sex": "SEX", "caste": "CAST", "description": "DSCR", "education": "EDUC"}
_PROPERTIES |= {"nationality": "NATI", "religion": "RELI", "reference_number": "REFN", NOTES: "NOTE"}
_XREF = re.compile(r"[A-Z][A-Z0-9]{0,18}")
_EVENT_TAGS = {tag.lower(): tag for tag in OTHER_EVENTS}
_PEDIGREES = ("adopted", "birth", "foster", "sealing")
_PLACES = ("location", "place", "settlement", "region")
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
        self._quotes: dict[tuple[EntityId, EntityId], str] = {}
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
            self._quotes[fact.subject, other] = fact.quote or ""

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

    def note_of(self, family: GedcomFamily) -> str:
        """The quote that all its parent relations share: the notes of a family that was imported."""
        links = [(parent, child.person) for parent in family.parents for child in family.children]
        quotes = {self._quotes.get(each, "") for each in links}
        return quotes.pop() if len(quotes) == 1 else ""

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
        return tag_lines(level, tag, value, self._version)

    def _person(self, person: ExportedEntity) -> Iterator[str]:
        yield f"0 @{self._xrefs[person.id]}@ INDI\n"
        yield from self._name(person)
        for name in person.aliases:
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

    def _name(self, person: ExportedEntity) -> Iterator[str]:
        """The name with its surname between slashes, where that is known."""
        surname = str(person.properties.get(SURNAME, ""))
        found = re.search(rf"(?<!\w){re.escape(surname)}(?!\w)(?!.*(?<!\w){re.escape(surname)}(?!\w))", person.name)
        if not surname or found is None:
            yield from self._line(1, "NAME", person.name)
            return
        before, after = person.name[: found.start()].strip(), person.name[found.end() :].strip()
        yield from self._line(1, "NAME", " ".join(filter(None, (before, f"/{surname}/", after))))
        pieces = {"GIVN": before or after, "SURN": surname, "NSFX": after if before else ""}
        for tag, value in pieces.items():
            yield from self._line(2, tag, value) if value else ()

    def _membership(self, family: GedcomFamily, kind: str) -> Iterator[str]:
        yield f"1 FAMC @{family.xref}@\n"
        if kind in _PEDIGREES:
            yield from self._line(2, "PEDI", kind if self._version == "5.5.1" else kind.upper())
        elif kind and self._version == "7.0":
            yield "2 PEDI OTHER\n"
            yield from self._line(3, "PHRASE", kind)
        elif kind:
            # Version 5.5.1 has no other word for it; programs keep what is not a standard one.
            yield from self._line(2, "_PEDI", kind)

    def _event(self, fact: ExportedFact) -> Iterator[str]:
        target = self._graph.entities[fact.object].name if fact.object is not None else fact.value
        if fact.predicate in (PARENT, *COUPLES):
            return
        if fact.predicate in _VALUES and target:
            yield from self._line(1, _VALUES[fact.predicate], target)
        elif _is_residence(fact):
            yield "1 RESI\n"
            yield from self._line(2, "PLAC", target) if target else ()
        elif fact.predicate in _EVENTS:
            is_known = bool(target or fact.valid_from or fact.valid_until or fact.attributes.get("date_text"))
            yield f"1 {_EVENTS[fact.predicate]}{'' if is_known else ' Y'}\n"
            yield from self._line(2, "PLAC", target) if target else ()
        elif fact.value:
            yield from self._line(1, "FACT", fact.value)
            yield from self._line(2, "TYPE", _type_of(fact))
        elif self._is_event(fact):
            yield from self._other_event(fact, target)
        else:
            self._graph.left_out["facts skipped: GEDCOM has no tag for them"] += 1
            return
        yield from self._details(fact)

    def _is_event(self, fact: ExportedFact) -> bool:
        """Whether something happened, perhaps at a place, that has no words of its own."""
        target = self._graph.entities[fact.object] if fact.object is not None else None
        return fact.said is None if target is None else target.type in _PLACES

    def _other_event(self, fact: ExportedFact, place: str | None) -> Iterator[str]:
        tag = _EVENT_TAGS.get(fact.predicate.removesuffix("_event"), "EVEN")
        told = str(fact.attributes.get("text") or "")
        is_known = bool(place or fact.valid_from or fact.valid_until or told)
        yield from self._line(1, tag, told if tag == "EVEN" else "" if is_known else "Y")
        yield from self._line(2, "TYPE", _type_of(fact)) if tag == "EVEN" else ()
        yield from self._line(2, "PLAC", place) if place else ()
        yield from self._line(2, "NOTE", told) if told and tag != "EVEN" else ()

    def _details(self, fact: ExportedFact) -> Iterator[str]:
        yield from date_lines(fact, self._version)
        is_typed = (
            fact.predicate in _EVENTS
            or _is_residence(fact)
            or fact.predicate in _VALUES
            or fact.predicate in _EVENT_TAGS
        )
        for key, tag in (("type", "TYPE"), ("cause", "CAUS"), ("agency", "AGNC")):
            if fact.attributes.get(key) and (key != "type" or is_typed):
                yield from self._line(2, tag, str(fact.attributes[key]))
        yield from self._line(2, "NOTE", fact.quote) if fact.quote else ()

    def _family(self, family: GedcomFamily) -> Iterator[str]:
        yield f"0 @{family.xref}@ FAM\n"
        for person, tag in zip(family.parents, self._parent_tags(family), strict=True):
            yield f"1 {tag} @{self._xrefs[person]}@\n"
        for union in family.unions:
            yield from self._union(union)
        for child in family.children:
            yield f"1 CHIL @{self._xrefs[child.person]}@\n"
        note = self._tree.note_of(family)
        yield from self._line(1, "NOTE", note) if note else ()

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
        ended_by = fact.attributes.get("ended_by")
        if fact.predicate == "spouse_of":
            yield from self._wedding(fact, is_over=bool(ended_by))
        if ended_by:
            yield f"1 {'ANUL' if ended_by == 'annulment' else 'DIV'}{'' if fact.valid_until else ' Y'}\n"
            yield from date_lines(fact._replace(valid_from=fact.valid_until, attributes={}), self._version)

    def _wedding(self, fact: ExportedFact, *, is_over: bool) -> Iterator[str]:
        place = str(fact.attributes.get("place") or "")
        is_dated = bool(fact.valid_from or fact.attributes.get("date_text") or place)
        yield f"1 MARR{'' if is_dated else ' Y'}\n"
        yield from self._line(2, "PLAC", place) if place else ()
        is_point = is_over or fact.valid_until is None
        yield from date_lines(fact._replace(valid_until=fact.valid_from) if is_point else fact, self._version)
        yield from self._line(2, "NOTE", fact.quote) if fact.quote else ()


def _is_residence(fact: ExportedFact) -> bool:
    """Whether a person lived somewhere, by whichever name of that relation."""
    relation = relation_from_predicate(fact.predicate)
    return relation.name == _RESIDENCE and not relation.swapped


def _type_of(fact: ExportedFact) -> str:
    """The type of an event or fact that has no tag: as it was written, else the words of its predicate."""
    given = str(fact.attributes.get("type") or "")
    plain = fact.predicate.removesuffix("_event")
    return given if to_snake_case(given) == plain else plain.replace("_", " ")


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
