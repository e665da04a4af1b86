"""What was decided, when first said and by whom, from the facts that join a decision to the rest."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from recollect.model.ids import EntityId, FactId, say_entity, say_fact
from recollect.reason.links import Link, Moment, Ref, Told, by_end

DECIDED_IN = "decided_in"
BELONGS_TO = "belongs_to"
LINKING = (DECIDED_IN, BELONGS_TO)
FOLLOWING = ("resolved_by", "depends_on", "blocked_by")

_NAMES_A_DECISION = frozenset({"concept", "source"})
_DECIDES = frozenset({"person", "project"})


class Decision(NamedTuple):
    """One decision: an entity, or a fact that names it by another thing or a literal.

    `id` is printed, that of the entity or of the naming fact; `thing` is the entity behind it, none for a literal.
    """

    id: str
    thing: Ref | None
    name: str
    first: Moment
    decided_by: tuple[Ref, ...]
    confidence: float
    source: str | None


class Created(NamedTuple):
    """A decision entity and when it was made."""

    entity: Ref
    at: Moment


def named_by(link: Link, project: EntityId | None) -> Ref | None:
    """The concept or source that a `decided_in` fact, of this project if there is one, names as decided."""
    if link.predicate != DECIDED_IN or link.object is None:
        return None
    if project is not None:
        other = link.other(project)
        return other if link.touches(project) and other is not None and other.type in _NAMES_A_DECISION else None
    for thing, opposite in ((link.subject, link.object), (link.object, link.subject)):
        if thing.type in _NAMES_A_DECISION and opposite.type in _DECIDES:
            return thing
    return None


def is_literal_decision(link: Link, project: EntityId | None) -> bool:
    return link.predicate == DECIDED_IN and link.object is None and project in (None, link.subject.id)


def things_decided(links: Iterable[Link], project: EntityId | None) -> set[Ref]:
    """The decision entities joined to the project, and the concepts and sources named as decided."""
    found: set[Ref] = set()
    for link in links:
        other = link.other(project) if project is not None and link.touches(project) else None
        named = other if other is not None and other.type == "decision" else named_by(link, project)
        if named is not None:
            found.add(named)
    return found


class Said:
    """Links by their ends, and what the assertions of each tell."""

    def __init__(self, links: Sequence[Link], told: Mapping[FactId, Told], project: EntityId | None) -> None:
        self.told = told
        self.project = project
        self._of = by_end(links)

    def of(self, entity: EntityId, *predicates: str) -> list[Link]:
        """The links of an entity with one of these predicates, first said first."""
        return self.in_order(link for link in self._of.get(entity, ()) if link.predicate in predicates)

    def in_order(self, links: Iterable[Link]) -> list[Link]:
        return sorted(links, key=lambda link: (self.told[link.id].first, link.id))

    def first(self, entity: Ref) -> Moment:
        """When an entity that is linked was first linked."""
        return self.told[self.of(entity.id, *LINKING)[0].id].first

    def source(self, links: Sequence[Link]) -> str | None:
        """The first source there is, facts of the project before others."""
        mine = [link for link in links if self.project is not None and link.touches(self.project)]
        found = (self.told[link.id].source for link in (*mine, *links))
        return next((source for source in found if source), None)

    def confidence(self, links: Sequence[Link]) -> float:
        return max((self.told[link.id].confidence for link in links), default=1.0)


def decisions(
    links: Sequence[Link],
    told: Mapping[FactId, Told],
    *,
    project: EntityId | None = None,
    entities: Iterable[Created] = (),
) -> list[Decision]:
    """Every decision that these links tell of, latest first.

    With a project only its own, from its links and those of the things they name; else also the entities given.
    """
    said = Said(links, told, project)
    named: dict[Ref, list[Link]] = {}
    for link in said.in_order(links):
        thing = named_by(link, project)
        if thing is not None:
            named.setdefault(thing, []).append(link)
    made = {each.entity: each.at for each in entities}
    if project is not None:
        made |= {thing: said.first(thing) for thing in things_decided(links, project) if thing.type == "decision"}
    found = [_of_entity(said, thing, at) for thing, at in made.items()]
    found += [_of_thing(said, thing, naming) for thing, naming in named.items()]
    found += [_of_literal(said, link) for link in links if is_literal_decision(link, project)]
    return sorted(sorted(found, key=lambda decision: decision.id), key=lambda decision: decision.first, reverse=True)


def _of_entity(said: Said, entity: Ref, created: Moment) -> Decision:
    linking = said.of(entity.id, *LINKING)
    first = said.told[linking[0].id].first if linking else created
    by = _decided_by(said, entity)
    confidence, source = said.confidence(linking), said.source(linking)
    return Decision(say_entity(entity.id), entity, entity.name, first, by, confidence, source)


def _of_thing(said: Said, thing: Ref, naming: Sequence[Link]) -> Decision:
    """A decision named by a concept, to which all is linked that was decided in it, or by a source."""
    linking = said.of(thing.id, DECIDED_IN) if thing.type == "concept" else naming
    first = said.told[linking[0].id].first
    by = _decided_by(said, thing)
    confidence, source = said.confidence(linking), said.source(linking)
    return Decision(say_fact(naming[0].id), thing, thing.name, first, by, confidence, source)


def _of_literal(said: Said, link: Link) -> Decision:
    told = said.told[link.id]
    by = (link.subject,) if link.subject.type == "person" else ()
    return Decision(say_fact(link.id), None, link.target, told.first, by, told.confidence, told.source)


def _decided_by(said: Said, thing: Ref) -> tuple[Ref, ...]:
    """Every person joined to the thing, and every concept that is the subject, earliest first, then by name."""
    first: dict[Ref, Moment] = {}
    for link in said.of(thing.id, DECIDED_IN):
        other = link.other(thing.id)
        if other is None or other.id == thing.id:
            continue
        if other.type == "person" or (other.type == "concept" and other == link.subject):
            first.setdefault(other, said.told[link.id].first)
    return tuple(sorted(first, key=lambda ref: (first[ref], ref.name, ref.id)))


def has_follow_up(decision: Decision, links: Iterable[Link]) -> bool:
    """Whether anything that follows on decisions touched this one after it was first said."""
    thing = decision.thing
    return thing is not None and any(link.touches(thing.id) and link.latest > decision.first for link in links)
