"""Decisions: what was decided, when it was first stated and by whom, from the facts linked to a decision."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

from recollect.model.ids import EntityId, FactId, format_entity_id, format_fact_id
from recollect.model.trust import OWNER, Trust, higher_trust, trust_in
from recollect.reason.fact_links import AssertionMoment, AssertionSummary, FactLink, LinkEnd, links_by_end

DECIDED_IN = "decided_in"
BELONGS_TO = "belongs_to"
DECISION_PREDICATES = (DECIDED_IN, BELONGS_TO)
FOLLOW_UP_PREDICATES = ("resolved_by", "depends_on", "blocked_by")

_DECISION_TYPES = frozenset({"concept", "source"})
_DECIDER_TYPES = frozenset({"person", "project"})


class Decision(NamedTuple):
    """One decision: an entity, or a fact that names it by another thing or a literal.

    `id` is printed, that of the entity or of the naming fact; `thing` is the entity behind it, none for a literal.
    """

    id: str
    thing: LinkEnd | None
    name: str
    first: AssertionMoment
    decided_by: tuple[LinkEnd, ...]
    confidence: float
    source: str | None
    trust: Trust = OWNER
    """The level of the most trusted fact behind it."""


class DecisionEntity(NamedTuple):
    """A decision entity and when it was created."""

    entity: LinkEnd
    at: AssertionMoment


def decision_named_by(link: FactLink, project: EntityId | None) -> LinkEnd | None:
    """The concept or source that a `decided_in` fact, of this project if there is one, names as decided."""
    if link.predicate != DECIDED_IN or link.object is None:
        return None
    if project is not None:
        other = link.other(project)
        return other if link.touches(project) and other is not None and other.type in _DECISION_TYPES else None
    for thing, opposite in ((link.subject, link.object), (link.object, link.subject)):
        if thing.type in _DECISION_TYPES and opposite.type in _DECIDER_TYPES:
            return thing
    return None


def is_literal_decision(link: FactLink, project: EntityId | None) -> bool:
    return link.predicate == DECIDED_IN and link.object is None and project in (None, link.subject.id)


def find_decided_things(links: Iterable[FactLink], project: EntityId | None) -> set[LinkEnd]:
    """The decision entities linked to the project, and the concepts and sources named as decided."""
    found: set[LinkEnd] = set()
    for link in links:
        other = link.other(project) if project is not None and link.touches(project) else None
        named = other if other is not None and other.type == "decision" else decision_named_by(link, project)
        if named is not None:
            found.add(named)
    return found


class DecisionLinks:
    """Links by their ends, with a summary of the assertions of each."""

    def __init__(
        self, links: Sequence[FactLink], summaries: Mapping[FactId, AssertionSummary], project: EntityId | None
    ) -> None:
        self.summaries = summaries
        self.project = project
        self._by_end = links_by_end(links)

    def of(self, entity: EntityId, *predicates: str) -> list[FactLink]:
        """The links of an entity with one of these predicates, first stated first."""
        return self.in_order(link for link in self._by_end.get(entity, ()) if link.predicate in predicates)

    def in_order(self, links: Iterable[FactLink]) -> list[FactLink]:
        return sorted(links, key=lambda link: (self.summaries[link.id].first, link.id))

    def first(self, entity: LinkEnd) -> AssertionMoment:
        """When an entity that is linked was first linked."""
        return self.summaries[self.of(entity.id, *DECISION_PREDICATES)[0].id].first

    def source(self, links: Sequence[FactLink]) -> str | None:
        """The first source there is, facts of the project before others."""
        mine = [link for link in links if self.project is not None and link.touches(self.project)]
        found = (self.summaries[link.id].source for link in (*mine, *links))
        return next((source for source in found if source), None)

    def confidence(self, links: Sequence[FactLink]) -> float:
        return max((self.summaries[link.id].confidence for link in links), default=1.0)

    def trust(self, links: Sequence[FactLink]) -> Trust:
        return reduce(higher_trust, (trust_in(link.marks) for link in links)) if links else OWNER


def find_decisions(
    links: Sequence[FactLink],
    summaries: Mapping[FactId, AssertionSummary],
    *,
    project: EntityId | None = None,
    entities: Iterable[DecisionEntity] = (),
) -> list[Decision]:
    """Every decision in these links, latest first.

    With a project only its own, from its links and those of the things they name; otherwise the given entities too.
    """
    index = DecisionLinks(links, summaries, project)
    named: dict[LinkEnd, list[FactLink]] = {}
    for link in index.in_order(links):
        thing = decision_named_by(link, project)
        if thing is not None:
            named.setdefault(thing, []).append(link)
    created = {each.entity: each.at for each in entities}
    if project is not None:
        created |= {
            thing: index.first(thing) for thing in find_decided_things(links, project) if thing.type == "decision"
        }
    found = [_entity_decision(index, thing, at) for thing, at in created.items()]
    found += [_named_decision(index, thing, naming) for thing, naming in named.items()]
    found += [_literal_decision(index, link) for link in links if is_literal_decision(link, project)]
    return sorted(sorted(found, key=lambda decision: decision.id), key=lambda decision: decision.first, reverse=True)


def _entity_decision(index: DecisionLinks, entity: LinkEnd, created: AssertionMoment) -> Decision:
    linking = index.of(entity.id, *DECISION_PREDICATES)
    first = index.summaries[linking[0].id].first if linking else created
    by = _decided_by(index, entity)
    known = index.confidence(linking), index.source(linking), index.trust(linking)
    return Decision(format_entity_id(entity.id), entity, entity.name, first, by, *known)


def _named_decision(index: DecisionLinks, thing: LinkEnd, naming: Sequence[FactLink]) -> Decision:
    """A decision named by a concept, which links everything decided in it, or by a source."""
    linking = index.of(thing.id, DECIDED_IN) if thing.type == "concept" else naming
    first = index.summaries[linking[0].id].first
    by = _decided_by(index, thing)
    known = index.confidence(linking), index.source(linking), index.trust(linking)
    return Decision(format_fact_id(naming[0].id), thing, thing.name, first, by, *known)


def _literal_decision(index: DecisionLinks, link: FactLink) -> Decision:
    summary = index.summaries[link.id]
    by = (link.subject,) if link.subject.type == "person" else ()
    known = summary.confidence, summary.source, trust_in(link.marks)
    return Decision(format_fact_id(link.id), None, link.target, summary.first, by, *known)


def _decided_by(index: DecisionLinks, thing: LinkEnd) -> tuple[LinkEnd, ...]:
    """Every person linked to the thing, and every concept that is the subject, earliest first, then by name."""
    first: dict[LinkEnd, AssertionMoment] = {}
    for link in index.of(thing.id, DECIDED_IN):
        other = link.other(thing.id)
        if other is None or other.id == thing.id:
            continue
        if other.type == "person" or (other.type == "concept" and other == link.subject):
            first.setdefault(other, index.summaries[link.id].first)
    return tuple(sorted(first, key=lambda ref: (first[ref], ref.name, ref.id)))


def has_follow_up(decision: Decision, links: Iterable[FactLink]) -> bool:
    """Whether a follow-up fact touched this decision after it was first stated."""
    thing = decision.thing
    return thing is not None and any(link.touches(thing.id) and link.latest > decision.first for link in links)
