"""The graph projected onto this surface's vocabulary, and how facts and decisions print."""

from collections.abc import Collection, Iterable
from datetime import tzinfo
from functools import cached_property
from typing import NamedTuple

from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId, format_entity_id, format_fact_id
from recollect.model.trust import SOURCE_TRUST
from recollect.reason.closures.open_items import ItemFact, as_blocker
from recollect.reason.decisions import DECISION_PREDICATES, Decision, DecisionEntity
from recollect.reason.entity_overview import NewestFacts, newest_facts
from recollect.reason.fact_links import (
    AssertionMoment,
    AssertionSummary,
    FactLink,
    LinkEnd,
    source_text_of,
    summarize_assertions,
)
from recollect.reason.items.item_lookup import closed_items, to_items
from recollect.resolve.port import NameCandidate, Resolution
from recollect.resolve.resolver import resolve
from recollect.resolve.suggestions import suggest
from recollect.store import item_queries, link_queries
from recollect.store.fact_rows import FactFilter
from recollect.store.link_queries import LinkRow
from recollect.store.view import View
from recollect.surfaces.cognitive_graph.error_codes import quote
from recollect.surfaces.cognitive_graph.vocabulary import (
    MAX_OTHER_FACTS,
    EntityType,
    Projection,
    projection_from,
)
from recollect.surfaces.views import TrustMarks, mark_trust, render_scored, trust_note
from recollect.when.instant import Instant, format_instant, local_date

_REPORTED_BLOCKER = "blocker"


class NeighbourCount(NamedTuple):
    """An entity and the number of facts that link it to another."""

    entity: LinkEnd
    facts: int


class ProjectedGraph:
    """A view of the graph, projected onto the surface's vocabulary."""

    def __init__(self, memory: Memory, view: View) -> None:
        self.view = view
        self._memory = memory
        self._closed: dict[EntityId, frozenset[FactId]] = {}

    @cached_property
    def projection(self) -> Projection:
        return projection_from(self._memory.settings_in(self.view))

    def ref_of(self, entity: Entity) -> LinkEnd:
        return LinkEnd(entity.id, self.projection.type_of(entity.type), entity.name)

    def resolve(self, text: str, type_: EntityType | None = None) -> Resolution:
        """Resolve a name among the entities that print with this type."""
        names = self._memory.names(self.view)
        return resolve(names, text, self.projection.stored_types(type_)) if type_ else resolve(names, text)

    def suggestions(self, text: str) -> tuple[NameCandidate, ...]:
        """Entities whose names share a word or spelling with a text that resolves to nothing."""
        return suggest(self._memory.names(self.view), text, limit=5)

    def facts_of(self, entity: EntityId, limit: int) -> list[FactLink]:
        """The current facts of an entity, newest record first."""
        known, closed = self.projection.stored_predicates(), self.closed_of(entity)
        rows = link_queries.links_of_entity(self.view, entity, known, limit, closed)
        return [self._link(row) for row in rows]

    def others_about(self, entity: EntityId) -> NewestFacts:
        """The newest current facts of an entity whose predicates are outside the vocabulary."""
        known = frozenset(self.projection.stored_predicates())
        at = self.view.world.present
        wanted = FactFilter(at, limit=MAX_OTHER_FACTS, closed=self.closed_of(entity), without=known)
        return newest_facts(self.view, entity, wanted)

    def closed_of(self, entity: EntityId) -> frozenset[FactId]:
        """The closed items of an entity, read once."""
        if entity not in self._closed:
            self._closed[entity] = frozenset(closed_items(self.view, {entity}))
        return self._closed[entity]

    def neighbours(self, entity: EntityId, limit: int) -> list[NeighbourCount]:
        """The entities that share most facts with this one."""
        known, closed = self.projection.stored_predicates(), self.closed_of(entity)
        rows = link_queries.link_neighbours(self.view, entity, known, limit, closed)
        return [NeighbourCount(self._ref(row.id, row.type, row.name), row.facts) for row in rows]

    def facts_touching(self, entities: Collection[EntityId], *predicates: str) -> list[FactLink]:
        """The facts of any of these entities with one of these predicates."""
        if not entities:
            return []
        rows = link_queries.links_of_entities(self.view, entities, self.projection.stored_predicates(predicates))
        return [self._link(row) for row in rows]

    def facts_with(self, predicate: str, *, since: Instant | None = None, literal: str | None = None) -> list[FactLink]:
        """The facts of the whole workspace with this predicate."""
        known = self.projection.stored_predicates((predicate,))
        rows = link_queries.links_with_predicates(self.view, known, since, literal)
        return [self._link(row) for row in rows]

    def reported_blockers(self, entities: Collection[EntityId] | None = None) -> list[FactLink]:
        """Blockers told in a sentence, anywhere or of these entities, from what is blocked to what blocks it."""
        if entities is None:
            rows = link_queries.sentences_with_predicates(self.view, [_REPORTED_BLOCKER])
        else:
            rows = link_queries.sentences_of_entities(self.view, entities, [_REPORTED_BLOCKER])
        told = item_queries.item_facts_by_id(self.view, [row.id for row in rows], [_REPORTED_BLOCKER])
        items = {item.id: item for item in to_items(told)}
        return [self._reported_blocker(row, items[row.id]) for row in rows if row.id in items]

    def decisions_since(self, since: Instant) -> list[DecisionEntity]:
        """Decision entities that were created, or linked to anything, since then."""
        types = sorted(self.projection.stored_types("decision").listed)
        known = self.projection.stored_predicates(DECISION_PREDICATES)
        rows = link_queries.entities_linked_since(self.view, types, known, since)
        return [
            DecisionEntity(self._ref(row.id, row.type, row.name), AssertionMoment(row.created_at, row.tx))
            for row in rows
        ]

    def latest_assertions(self, links: Iterable[FactLink]) -> dict[FactId, AssertionSummary]:
        """A summary of the assertions of each fact; only facts with several are queried."""
        by_id = {link.id: link for link in links}
        repeated = [link.id for link in by_id.values() if link.source_count != 1]
        assertions = self.view.assertions_of(repeated) if repeated else {}
        return {
            fact: summarize_assertions(assertions[fact]) if assertions.get(fact) else link.newest
            for fact, link in by_id.items()
        }

    def _ref(self, entity: EntityId, type_: str, name: str) -> LinkEnd:
        return LinkEnd(entity, self.projection.type_of(type_), name)

    def _reported_blocker(self, row: LinkRow, item: ItemFact) -> FactLink:
        blocker = as_blocker(item._replace(text=item.own_text.strip()))
        by = None if blocker.object is None else self._ref(*blocker.object)
        return self._link(row, "blocked_by")._replace(
            subject=self._ref(*blocker.subject), object=by, literal=blocker.literal
        )

    def _link(self, row: LinkRow, predicate: str | None = None) -> FactLink:
        latest = AssertionMoment(row.source_at, row.tx)
        source = source_text_of(row.given, row.document, row.source_url, row.source_key)
        return FactLink(
            row.id,
            predicate or self.projection.predicate_of(row.predicate),
            self._ref(row.subject, row.subject_type, row.subject_name),
            None if row.object is None else self._ref(row.object, row.object_type or "", row.object_name or ""),
            row.literal,
            row.recorded_at,
            latest,
            AssertionSummary(latest, row.confidence, source),
            row.source_count,
            row.marks,
        )


class EntityReference(TypedDict):
    type: str
    id: str
    name: str


class LiteralView(TypedDict):
    literal: str


class CurrentFactView(TrustMarks):
    id: str
    subject: EntityReference
    predicate: str
    object: EntityReference | LiteralView
    confidence: float
    recorded_at: str
    source: str | None


class DecisionView(TrustMarks):
    id: str
    name: str
    decided_on: str
    decided_by: list[EntityReference]
    confidence: float
    source: str | None


def render_reference(ref: LinkEnd) -> EntityReference:
    return {"type": ref.type, "id": format_entity_id(ref.id), "name": ref.name}


def render_object(link: FactLink) -> EntityReference | LiteralView:
    """The object of a fact: an entity or a literal."""
    return render_reference(link.object) if link.object is not None else {"literal": link.literal or ""}


def render_fact(link: FactLink, assertions: AssertionSummary) -> CurrentFactView:
    shown: CurrentFactView = {
        "id": format_fact_id(link.id),
        "subject": render_reference(link.subject),
        "predicate": link.predicate,
        "object": render_object(link),
        "confidence": assertions.confidence,
        "recorded_at": format_instant(link.recorded_at),
        "source": assertions.source,
    }
    mark_trust(shown, link.marks, f"{link.subject.name}\n{link.target}")
    return shown


def render_decision(decision: Decision, zone: tzinfo) -> DecisionView:
    shown: DecisionView = {
        "id": decision.id,
        "name": decision.name,
        "decided_on": local_date(decision.first.at, zone).isoformat(),
        "decided_by": [render_reference(ref) for ref in decision.decided_by],
        "confidence": decision.confidence,
        "source": decision.source,
    }
    names = (decision.name, *(ref.name for ref in decision.decided_by))
    mark_trust(shown, {SOURCE_TRUST: decision.trust}, "\n".join(names))
    return shown


def render_candidates_block(graph: ProjectedGraph, text: str, found: Resolution) -> tuple[str, ...]:
    """A text block with the candidates for an ambiguous name, or with names that resemble an unknown one."""
    if found.is_ambiguous:
        candidates, heading = found.candidates, f"{quote(text)} may mean one of these; ask again with the id:"
    else:
        candidates, heading = graph.suggestions(text), f"{quote(text)} is not known; these names resemble it:"
    entities = graph.view.entities({candidate.entity for candidate in candidates})
    refs = render_scored(candidates, entities, lambda entity, _: graph.ref_of(entity))
    lines = [f"{ref.type}, {ref.name}{trust_note(entities[ref.id].trust)}, {format_entity_id(ref.id)}" for ref in refs]
    return ("\n".join((heading, *lines)),) if lines else ()
