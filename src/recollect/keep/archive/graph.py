"""The graph as an archive holds it: nodes, edges and statements with the assertions behind them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from recollect.keep.artifacts.versions import instants_of
from recollect.keep.graph.edges import EdgesWanted, edge_versions, evidence_of, find_edges, properties_of, weight_of
from recollect.keep.graph.nodes import (
    LEARNED_AT,
    SOURCE_MEMORY,
    aliases_by_node,
    creator_of,
    description_of,
    node_version,
    own_properties,
)
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Fact
from recollect.model.ids import DocumentId, say_entity, say_fact
from recollect.store.rows import entity_of, fact_of
from recollect.store.view import View
from recollect.when.instant import Instant, say_millis
from recollect.when.period import Time

Graph = dict[str, list[dict[str, Any]]]
Before = Mapping[str, Any]

ALL: Final = 1 << 40
ORIGIN_KIND: Final = "artifact"
ORIGIN_KEY: Final = "entity-core/knowledge-graph"


def origins_of(view: View) -> dict[str, dict[str, Any]]:
    """By id, what imported nodes and facts were elsewhere: their version, last change and maker."""
    document = view.document_named(ORIGIN_KIND, ORIGIN_KEY)
    return {} if document is None or document.deleted else dict(document.properties["origins"])


def graph_of(view: View) -> Graph:
    """All live nodes, the edges between them and what else is said of them, each by id."""
    nodes = sorted((entity_of(row) for row in view.rows("archive_nodes")), key=lambda node: node.id)
    found = find_edges(view, EdgesWanted(view.world.now.span, limit=ALL)).edges
    edges = sorted((edge.fact for edge in found), key=lambda fact: fact.id)
    statements = sorted((fact_of(row) for row in view.rows("archive_statements")), key=lambda fact: fact.id)
    origins = origins_of(view)
    return {
        "nodes": _nodes(view, nodes, origins),
        "edges": _facts(view, edges, origins),
        "statements": _facts(view, statements, origins),
    }


def _nodes(view: View, nodes: Sequence[Entity], origins: Mapping[str, Before]) -> list[dict[str, Any]]:
    changed, aliases = instants_of(view, {node.tx_from for node in nodes}), aliases_by_node(view, nodes)
    versions = {node.id: node_version(view, node.id) for node in nodes}
    return [
        {
            **_node(node),
            "source_instance": creator_of(view, node.id),
            "version": versions[node.id],
            "updated_at": say_millis(changed[node.tx_from]),
            "aliases": aliases[node.id],
            **_since(origins.get(node.id), node.tx_from, versions[node.id]),
        }
        for node in nodes
    ]


def _since(origin: Before | None, tx: int, version: int) -> dict[str, Any]:
    """What an imported thing says of itself instead of what this store would count."""
    if origin is None:
        return {}
    carried = {"version": version + origin["earlier"]}
    if "by" in origin:
        carried["source_instance"] = origin["by"]
    return carried | ({"updated_at": origin["updated_at"]} if origin["tx"] == tx else {})


def _node(node: Entity) -> dict[str, Any]:
    learned, memory = node.properties.get(LEARNED_AT), node.properties.get(SOURCE_MEMORY)
    return {
        "id": say_entity(node.id),
        "type": node.type,
        "label": node.name,
        "description": description_of(node),
        "properties": own_properties(node),
        "confidence": node.confidence,
        "source_memory_id": memory if isinstance(memory, str) else None,
        "created_at": say_millis(node.created_at),
        "first_learned_at": say_millis(Instant(learned) if isinstance(learned, int) else node.created_at),
        "last_confirmed_at": say_millis(node.confirmed_at),
        "provisional": node.provisional,
    }


def _facts(view: View, facts: Sequence[Fact], origins: Mapping[str, Before]) -> list[dict[str, Any]]:
    ids = [fact.id for fact in facts]
    versions, assertions = edge_versions(view, ids), view.assertions_of(ids)
    changed = instants_of(view, {fact.tx_from for fact in facts})
    documents = view.documents({each.document for said in assertions.values() for each in said if each.document})
    return [
        {
            **_fact(fact, assertions[fact.id]),
            "updated_at": say_millis(changed[fact.tx_from]),
            "version": versions[fact.id],
            "assertions": [_assertion(each, fact, documents) for each in assertions[fact.id]],
            **_superseded(view, fact),
            **_since(origins.get(fact.id), fact.tx_from, versions[fact.id]),
        }
        for fact in facts
    ]


def _fact(fact: Fact, assertions: Sequence[Assertion]) -> dict[str, Any]:
    target = {"value": fact.literal} if fact.object is None else {"to_id": say_entity(fact.object)}
    return {
        "id": say_fact(fact.id),
        "from_id": say_entity(fact.subject),
        **target,
        "type": fact.predicate,
        "properties": properties_of(fact),
        "weight": weight_of(fact),
        "evidence": evidence_of(fact, assertions),
        "occurred_at": _text(fact.valid_from),
        "valid_until": _text(fact.valid_until),
        "created_at": say_millis(fact.recorded_at),
        "instance_id": assertions[0].actor if assertions else None,
        "deleted": False,
        "confidence": fact.confidence,
        "last_confirmed_at": say_millis(fact.confirmed_at),
    }


def _superseded(view: View, fact: Fact) -> dict[str, list[str]]:
    """The facts that this one was declared to replace, which no order of their sources would tell."""
    if fact.supersedes is None:
        return {}
    further = (row[0] for row in view.rows("facts_superseded_further", fact=fact.id))
    return {"supersedes": [say_fact(each) for each in (fact.supersedes, *further)]}


def _assertion(said: Assertion, fact: Fact, documents: Mapping[DocumentId, Document]) -> dict[str, Any]:
    document = documents.get(said.document) if said.document is not None else None
    return {
        "memory_id": document.key if document is not None and document.kind == "memory" else None,
        "source": said.source_key,
        "url": said.source_url,
        "given": said.given,
        "quote": said.quote,
        "evidence": said.evidence,
        "extracted_by": said.extracted_by,
        "surface": said.surface,
        "tool": said.tool,
        "instance_id": said.actor,
        "source_at": say_millis(said.source_at),
        "recorded_at": say_millis(said.recorded_at),
        "confidence": said.confidence,
        "certainty": said.certainty,
        "source_kind": said.source_kind,
        "occurred_at": _text(said.valid_from),
        "valid_until": _text(said.valid_until),
        "begins": said.begins,
        "properties": dict(said.attributes),
        "label": fact.label,
        "fact_type": fact.fact_type,
        "words": fact.words,
    }


def _text(time: Time | None) -> str | None:
    return None if time is None else time.text
