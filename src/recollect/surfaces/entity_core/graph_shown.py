"""How nodes and edges print on this surface."""

from collections.abc import Collection, Sequence

from recollect.keep.artifacts.versions import instants_of
from recollect.keep.graph.edges import Edge, edge_versions, evidence_of, properties_of, weight_of, words_of
from recollect.keep.graph.nodes import (
    LEARNED_AT,
    SOURCE_MEMORY,
    creator_of,
    description_of,
    node_version,
    own_properties,
)
from recollect.keep.memories.dates import GRANULARITIES
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Fact, default_text
from recollect.model.ids import DocumentId, say_entity, say_fact
from recollect.reason.traverse import Join
from recollect.store.view import View
from recollect.surfaces.entity_core.graph_results import (
    EdgeRef,
    EdgeShown,
    NodeListed,
    NodeRef,
    NodeShown,
    NodeTold,
    SourceShown,
    StatementShown,
)
from recollect.when.instant import Instant, say_millis
from recollect.when.period import Time


def ref(entity: Entity) -> NodeRef:
    return {"id": say_entity(entity.id), "type": entity.type, "label": entity.name}


def told(entity: Entity) -> NodeTold:
    return {**ref(entity), "description": description_of(entity)}


def list_nodes(view: View, entities: Collection[Entity]) -> list[NodeListed]:
    """Nodes as a list shows them."""
    changed = instants_of(view, {entity.tx_from for entity in entities})
    return [_listed(entity, changed[entity.tx_from]) for entity in entities]


def _listed(entity: Entity, changed_at: Instant) -> NodeListed:
    return {
        **told(entity),
        "confidence": entity.confidence,
        "properties": own_properties(entity),
        "createdAt": say_millis(entity.created_at),
        "updatedAt": say_millis(changed_at),
        "provisional": entity.provisional,
        "deleted": entity.deleted is not None,
    }


def show_node(view: View, entity: Entity) -> NodeShown:
    """A node with all its own fields."""
    [listed] = list_nodes(view, (entity,))
    learned, memory = entity.properties.get(LEARNED_AT), entity.properties.get(SOURCE_MEMORY)
    return {
        **listed,
        "sourceInstance": creator_of(view, entity.id),
        "sourceMemoryId": memory if isinstance(memory, str) else None,
        "firstLearnedAt": say_millis(Instant(learned) if isinstance(learned, int) else entity.created_at),
        "lastConfirmedAt": say_millis(entity.confirmed_at),
        "version": node_version(view, entity.id),
        "aliases": view.aliases(entity),
    }


def show_statement(entity: Entity, fact: Fact) -> StatementShown:
    return {
        "id": say_fact(fact.id),
        "type": fact.predicate,
        "text": fact.words or fact.evidence or default_text(entity.name, fact.predicate, fact.literal),
        "value": fact.literal,
        "occurredAt": _text(fact.valid_from),
        "validUntil": _text(fact.valid_until),
    }


def show_join(join: Join) -> EdgeRef:
    return {
        "id": say_fact(join.fact),
        "fromId": say_entity(join.subject),
        "toId": say_entity(join.object),
        "type": join.predicate,
        "weight": join.weight,
    }


def show_edges(view: View, edges: Sequence[Edge], at: Time) -> list[EdgeShown]:
    """Edges with their sources, as they look at a time."""
    facts = [edge.fact.id for edge in edges]
    versions, assertions = edge_versions(view, facts), view.assertions_of(facts)
    changed = instants_of(view, {edge.fact.tx_from for edge in edges})
    cited = {each.document for told_by in assertions.values() for each in told_by if each.document is not None}
    documents = view.documents(cited)
    return [
        {
            **_edge(edge, assertions[edge.fact.id], at),
            "updatedAt": say_millis(changed[edge.fact.tx_from]),
            "version": versions[edge.fact.id],
            "sources": [_source(each, documents) for each in assertions[edge.fact.id]],
        }
        for edge in edges
    ]


def show_edge(view: View, fact: Fact, at: Time) -> EdgeShown:
    """One edge between live nodes."""
    return show_edges(view, (Edge(fact, True),), at)[0]


def _edge(edge: Edge, assertions: Sequence[Assertion], at: Time) -> EdgeShown:
    fact = edge.fact
    return {
        "id": say_fact(fact.id),
        "fromId": say_entity(fact.subject),
        "toId": say_entity(fact.object or ""),
        "type": fact.predicate,
        "weight": weight_of(fact),
        "evidence": evidence_of(fact, assertions),
        "occurredAt": _text(fact.valid_from),
        "validUntil": _text(fact.valid_until),
        "createdAt": say_millis(fact.recorded_at),
        "updatedAt": "",
        "version": 0,
        "properties": properties_of(fact),
        "valid": edge.is_valid(at.span),
        "stale": fact.stale,
        "disputed": fact.disputed,
        "deleted": edge.is_deleted,
        "confidence": fact.confidence,
        "lastConfirmedAt": say_millis(fact.confirmed_at),
        "sources": [],
    }


def _source(assertion: Assertion, documents: dict[DocumentId, Document]) -> SourceShown:
    shown: SourceShown = {
        "instanceId": assertion.actor,
        "evidence": words_of(assertion),
        "confidence": assertion.confidence,
        "recordedAt": say_millis(assertion.recorded_at),
    }
    document = documents.get(assertion.document) if assertion.document is not None else None
    if document is None:
        if assertion.given:
            shown["source"] = assertion.given
        return {"tool": assertion.source_key, **shown}
    if document.kind == "memory" and document.type in GRANULARITIES:
        return {"memoryId": document.key, **shown}
    return {"record": document.key, **shown}


def _text(time: Time | None) -> str | None:
    return None if time is None else time.text
