"""How nodes and edges print on this surface."""

from collections.abc import Collection, Sequence

from recollect.keep.graph.edges import assertion_text, edge_properties, evidence_of, weight_of
from recollect.keep.graph.nodes import (
    LEARNED_AT,
    SOURCE_MEMORY,
    creator_of,
    description_of,
    node_version,
    own_properties,
)
from recollect.keep.memory_formats import GRANULARITIES
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Fact, default_text
from recollect.model.ids import DocumentId, format_entity_id, format_fact_id
from recollect.reason.closures.open_items import ITEM_PREDICATES
from recollect.reason.items.item_lookup import closings_of
from recollect.store.activity_queries import changes_of_entities, changes_of_facts, instants_of
from recollect.store.edge_queries import EdgeSummary, GraphEdge, edge_versions
from recollect.store.view import View
from recollect.surfaces.entity_core.graph_results import (
    DescribedNodeRef,
    EdgeAssertionView,
    EdgeRef,
    GraphEdgeView,
    ListedNodeView,
    NodeRef,
    NodeView,
    StatementView,
)
from recollect.surfaces.views import mark_entity, mark_trust
from recollect.when.instant import Instant, format_millis
from recollect.when.period import Time, time_text


def node_ref(entity: Entity) -> NodeRef:
    shown: NodeRef = {"id": format_entity_id(entity.id), "type": entity.type, "label": entity.name}
    mark_entity(shown, entity)
    return shown


def described_ref(entity: Entity) -> DescribedNodeRef:
    return {**node_ref(entity), "description": description_of(entity)}


def render_nodes(view: View, entities: Collection[Entity]) -> list[ListedNodeView]:
    """Nodes as list entries."""
    changed = changes_of_entities(view, entities)
    instants = instants_of(view, set(changed.values()))
    return [_render_listed(entity, instants[changed[entity.id]]) for entity in entities]


def _render_listed(entity: Entity, changed_at: Instant) -> ListedNodeView:
    return {
        **described_ref(entity),
        "confidence": entity.confidence,
        "properties": own_properties(entity),
        "createdAt": format_millis(entity.created_at),
        "updatedAt": format_millis(changed_at),
        "provisional": entity.provisional,
        "deleted": entity.deleted is not None,
    }


def render_node(view: View, entity: Entity) -> NodeView:
    """A node with all its own fields."""
    [listed] = render_nodes(view, (entity,))
    learned, memory = entity.properties.get(LEARNED_AT), entity.properties.get(SOURCE_MEMORY)
    return {
        **listed,
        "sourceInstance": creator_of(view, entity.id),
        "sourceMemoryId": memory if isinstance(memory, str) else None,
        "firstLearnedAt": format_millis(Instant(learned) if isinstance(learned, int) else entity.created_at),
        "lastConfirmedAt": format_millis(entity.confirmed_at),
        "version": node_version(view, entity.id),
        "aliases": view.aliases(entity),
    }


def render_statement(entity: Entity, fact: Fact) -> StatementView:
    shown: StatementView = {
        "id": format_fact_id(fact.id),
        "type": fact.predicate,
        "text": fact.words or fact.evidence or default_text(entity.name, fact.predicate, fact.literal),
        "value": fact.literal,
        "occurredAt": time_text(fact.valid_from),
        "validUntil": time_text(fact.valid_until),
    }
    mark_trust(shown, fact.attributes, shown["text"])
    return shown


def render_join(join: EdgeSummary) -> EdgeRef:
    return {
        "id": format_fact_id(join.fact),
        "fromId": format_entity_id(join.subject),
        "toId": format_entity_id(join.object),
        "type": join.predicate,
        "weight": join.weight,
    }


def render_edges(view: View, edges: Sequence[GraphEdge], at: Time) -> list[GraphEdgeView]:
    """Edges with their sources, as of a time."""
    facts = [edge.fact.id for edge in edges]
    versions, assertions = edge_versions(view, facts), view.assertions_of(facts)
    changed = changes_of_facts(view, [edge.fact for edge in edges])
    instants = instants_of(view, set(changed.values()))
    cited = {each.document for told_by in assertions.values() for each in told_by if each.document is not None}
    documents = view.documents(cited)
    closed = closings_of(view, [edge.fact for edge in edges if edge.fact.predicate in ITEM_PREDICATES])
    return [
        {
            **_render_edge(edge._replace(is_closed=edge.fact.id in closed), assertions[edge.fact.id], at),
            "updatedAt": format_millis(instants[changed[edge.fact.id]]),
            "version": versions[edge.fact.id],
            "sources": [_render_assertion(each, documents) for each in assertions[edge.fact.id]],
        }
        for edge in edges
    ]


def render_edge(view: View, fact: Fact, at: Time) -> GraphEdgeView:
    """One edge between live nodes."""
    return render_edges(view, (GraphEdge(fact, True),), at)[0]


def _render_edge(edge: GraphEdge, assertions: Sequence[Assertion], at: Time) -> GraphEdgeView:
    fact = edge.fact
    shown: GraphEdgeView = {
        "id": format_fact_id(fact.id),
        "fromId": format_entity_id(fact.subject),
        "toId": format_entity_id(fact.object or ""),
        "type": fact.predicate,
        "weight": weight_of(fact),
        "evidence": evidence_of(fact, assertions),
        "occurredAt": time_text(fact.valid_from),
        "validUntil": time_text(fact.valid_until),
        "createdAt": format_millis(fact.recorded_at),
        "updatedAt": "",
        "version": 0,
        "properties": edge_properties(fact),
        "valid": edge.is_valid(at.span),
        "stale": fact.stale,
        "disputed": fact.disputed,
        "deleted": edge.is_deleted,
        "confidence": fact.confidence,
        "lastConfirmedAt": format_millis(fact.confirmed_at),
        "sources": [],
    }
    mark_trust(shown, fact.attributes, shown["evidence"] or "")
    return shown


def _render_assertion(assertion: Assertion, documents: dict[DocumentId, Document]) -> EdgeAssertionView:
    shown: EdgeAssertionView = {
        "instanceId": assertion.actor,
        "evidence": assertion_text(assertion),
        "confidence": assertion.confidence,
        "recordedAt": format_millis(assertion.recorded_at),
    }
    document = documents.get(assertion.document) if assertion.document is not None else None
    if document is None:
        if assertion.given:
            shown["source"] = assertion.given
        return {"tool": assertion.source_key, **shown}
    if document.kind == "memory" and document.type in GRANULARITIES:
        return {"memoryId": document.key, **shown}
    return {"record": document.key, **shown}
