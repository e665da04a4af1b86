"""Export of an entity as an archive: its entries by name, and its graph with all assertions."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from recollect.keep.archive.zip_file import MANIFEST
from recollect.keep.document_versions import live_documents
from recollect.keep.graph.edges import edge_properties, evidence_of, weight_of
from recollect.keep.graph.nodes import (
    LEARNED_AT,
    SOURCE_MEMORY,
    aliases_by_node,
    creator_of,
    description_of,
    node_version,
    own_properties,
)
from recollect.keep.identity_files import LABEL, IdentityFile, IdentityPath, identity_files
from recollect.keep.memories.memory_store import load_memories, memory_documents
from recollect.keep.memory_index.stored_memory import MemoryDraft, StoredMemory, entry_fields
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Fact
from recollect.model.ids import DocumentId, format_entity_id, format_fact_id
from recollect.store import edge_queries
from recollect.store.activity_queries import instants_of
from recollect.store.edge_queries import EdgeQuery
from recollect.store.entity_queries import all_nodes
from recollect.store.view import View
from recollect.store.write_queries import facts_also_superseded
from recollect.when.instant import Instant, format_millis
from recollect.when.period import time_text

ArchiveGraph = dict[str, list[dict[str, Any]]]
OriginRecord = Mapping[str, Any]

NO_LIMIT: Final = 1 << 40
ORIGIN_KIND: Final = "artifact"
ORIGIN_KEY: Final = "entity-core/knowledge-graph"


def origins_of(view: View) -> dict[str, dict[str, Any]]:
    """By id, where imported nodes and facts came from: their version, last change and creator."""
    document = view.document_named(ORIGIN_KIND, ORIGIN_KEY)
    return {} if document is None or document.deleted else dict(document.properties["origins"])


def export_graph(view: View) -> ArchiveGraph:
    """All live nodes, the edges between them and the statements about them, each by id."""
    origins = origins_of(view)
    return {
        "nodes": _export_nodes(view, all_nodes(view), origins),
        "edges": _export_facts(view, sorted(all_edges(view), key=lambda fact: fact.id), origins),
        "statements": _export_facts(view, edge_queries.all_statements(view), origins),
    }


def all_edges(view: View) -> list[Fact]:
    """The facts of all live edges."""
    query = EdgeQuery(view.world.present, limit=NO_LIMIT)
    return [edge.fact for edge in edge_queries.find_edges(view, query).items]


def _export_nodes(view: View, nodes: Sequence[Entity], origins: Mapping[str, OriginRecord]) -> list[dict[str, Any]]:
    changed, aliases = instants_of(view, {node.tx_from for node in nodes}), aliases_by_node(view, nodes)
    versions = {node.id: node_version(view, node.id) for node in nodes}
    return [
        {
            **_export_node(node),
            "source_instance": creator_of(view, node.id),
            "version": versions[node.id],
            "updated_at": format_millis(changed[node.tx_from]),
            "aliases": aliases[node.id],
            **_origin_fields(origins.get(node.id), node.tx_from, versions[node.id]),
        }
        for node in nodes
    ]


def _origin_fields(origin: OriginRecord | None, tx: int, version: int) -> dict[str, Any]:
    """The fields of an imported item that differ from what this store would count."""
    if origin is None:
        return {}
    carried = {"version": version + origin["earlier"]}
    if "by" in origin:
        carried["source_instance"] = origin["by"]
    return carried | ({"updated_at": origin["updated_at"]} if origin["tx"] == tx else {})


def _export_node(node: Entity) -> dict[str, Any]:
    learned, memory = node.properties.get(LEARNED_AT), node.properties.get(SOURCE_MEMORY)
    return {
        "id": format_entity_id(node.id),
        "type": node.type,
        "label": node.name,
        "description": description_of(node),
        "properties": own_properties(node),
        "confidence": node.confidence,
        "source_memory_id": memory if isinstance(memory, str) else None,
        "created_at": format_millis(node.created_at),
        "first_learned_at": format_millis(Instant(learned) if isinstance(learned, int) else node.created_at),
        "last_confirmed_at": format_millis(node.confirmed_at),
        "provisional": node.provisional,
    }


def _export_facts(view: View, facts: Sequence[Fact], origins: Mapping[str, OriginRecord]) -> list[dict[str, Any]]:
    ids = [fact.id for fact in facts]
    versions, assertions = edge_queries.edge_versions(view, ids), view.assertions_of(ids)
    changed = instants_of(view, {fact.tx_from for fact in facts})
    documents = view.documents({each.document for said in assertions.values() for each in said if each.document})
    return [
        {
            **_export_fact(fact, assertions[fact.id]),
            "updated_at": format_millis(changed[fact.tx_from]),
            "version": versions[fact.id],
            "assertions": [_export_assertion(each, fact, documents) for each in assertions[fact.id]],
            **_superseded_ids(view, fact),
            **_origin_fields(origins.get(fact.id), fact.tx_from, versions[fact.id]),
        }
        for fact in facts
    ]


def _export_fact(fact: Fact, assertions: Sequence[Assertion]) -> dict[str, Any]:
    target = {"value": fact.literal} if fact.object is None else {"to_id": format_entity_id(fact.object)}
    return {
        "id": format_fact_id(fact.id),
        "from_id": format_entity_id(fact.subject),
        **target,
        "type": fact.predicate,
        "properties": edge_properties(fact),
        "weight": weight_of(fact),
        "evidence": evidence_of(fact, assertions),
        "occurred_at": time_text(fact.valid_from),
        "valid_until": time_text(fact.valid_until),
        "created_at": format_millis(fact.recorded_at),
        "instance_id": assertions[0].actor if assertions else None,
        "deleted": False,
        "confidence": fact.confidence,
        "last_confirmed_at": format_millis(fact.confirmed_at),
    }


def _superseded_ids(view: View, fact: Fact) -> dict[str, list[str]]:
    """The facts that this one was declared to supersede; the order of their sources does not imply it."""
    if fact.supersedes is None:
        return {}
    further = facts_also_superseded(view, fact.id)
    return {"supersedes": [format_fact_id(each) for each in (fact.supersedes, *further)]}


def _export_assertion(assertion: Assertion, fact: Fact, documents: Mapping[DocumentId, Document]) -> dict[str, Any]:
    document = documents.get(assertion.document) if assertion.document is not None else None
    return {
        "memory_id": document.key if document is not None and document.kind == "memory" else None,
        "source": assertion.source_key,
        "url": assertion.source_url,
        "given": assertion.given,
        "quote": assertion.quote,
        "evidence": assertion.evidence,
        "extracted_by": assertion.extracted_by,
        "surface": assertion.surface,
        "tool": assertion.tool,
        "instance_id": assertion.actor,
        "source_at": format_millis(assertion.source_at),
        "recorded_at": format_millis(assertion.recorded_at),
        "confidence": assertion.confidence,
        "certainty": assertion.certainty,
        "source_kind": assertion.source_kind,
        "occurred_at": time_text(assertion.valid_from),
        "valid_until": time_text(assertion.valid_until),
        "begins": assertion.begins,
        "properties": dict(assertion.attributes),
        "label": fact.label,
        "fact_type": fact.fact_type,
        "words": fact.words,
    }


Part = Literal["identity", "memories", "graph"]
PARTS: tuple[Part, ...] = get_args(Part)
SCHEMA_VERSION: Final = 1

ROOT = "entity-core/"
IDENTITY = f"{ROOT}identity/"
LABELS = f"{ROOT}identity-meta.json"
IDENTITY_INFO = f"{ROOT}identity-info.json"
MEMORIES = f"{ROOT}memories/"
MEMORIES_INFO = f"{MEMORIES}info.json"
GRAPH = f"{ROOT}knowledge-graph/graph-export.json"


@dataclass(frozen=True, slots=True)
class ArchivedFile:
    """An identity file of an archive; what the archive does not contain is none."""

    place: IdentityPath
    text: str
    label: str | None
    version: int | None = None
    at: Instant | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class ArchivedMemory:
    """A memory of an archive; without info its draft is derived from its name and text."""

    draft: MemoryDraft
    text: str
    version: int | None
    has_info: bool

    @property
    def id(self) -> str:
        return self.draft.id


@dataclass(frozen=True, slots=True)
class Archive:
    """The content of the parts that a manifest flags; none for a missing part."""

    files: Sequence[ArchivedFile] | None
    memories: Sequence[ArchivedMemory] | None
    graph: ArchiveGraph | None
    has_labels: bool
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ArchivePackage:
    """An archive to pack: its manifest, and its entries by name."""

    manifest: Mapping[str, Any]
    entries: Mapping[str, str]


def export_archive(view: View, parts: Iterable[Part]) -> ArchivePackage:
    """The complete current state of these parts."""
    wanted = frozenset(parts)
    files = identity_files(view) if "identity" in wanted else []
    memories = load_memories(view, live_documents(memory_documents(view))) if "memories" in wanted else []
    graph = export_graph(view) if "graph" in wanted else {"nodes": [], "edges": [], "statements": []}
    manifest = {
        "schema_version": SCHEMA_VERSION,
        "exported_at": format_millis(view.now),
        "parts": {
            "entity_core": {
                "identity": "identity" in wanted,
                "memories": "memories" in wanted,
                "knowledge_graph": "graph" in wanted,
            }
        },
        "counts": {
            "identity_files": len(files),
            "memory_entries": len(memories),
            "graph_nodes": len(graph["nodes"]),
            "graph_edges": len(graph["edges"]),
        },
        "format": "recollect",
        "server_version": view.last_tx,
    }
    entries = {MANIFEST: to_json_text(manifest)}
    entries |= _identity_entries(files) if "identity" in wanted else {}
    entries |= _memory_entries(memories) if "memories" in wanted else {}
    entries |= {GRAPH: to_json_text(graph)} if "graph" in wanted else {}
    return ArchivePackage(manifest, entries)


def to_json_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1) + "\n"


def _identity_entries(files: Sequence[IdentityFile]) -> dict[str, str]:
    texts = {f"{IDENTITY}{file.path.key}": file.content for file in files}
    labels = {file.path.key: file.label for file in files if LABEL in file.document.properties}
    info = {
        file.path.key: {
            "version": file.version,
            "lastModified": format_millis(file.modified_at),
            "modifiedBy": file.modified_by,
        }
        for file in files
    }
    return texts | {LABELS: to_json_text(labels), IDENTITY_INFO: to_json_text(info)}


def _memory_entries(memories: Sequence[StoredMemory]) -> dict[str, str]:
    texts = {entry_name(memory.draft): memory.content for memory in memories}
    return texts | {MEMORIES_INFO: to_json_text({memory.id: _memory_info(memory) for memory in memories})}


def entry_name(draft: MemoryDraft) -> str:
    granularity = draft.period.granularity
    return f"{MEMORIES}{granularity}/{draft.id.removeprefix(f'{granularity}-')}.md"


def _memory_info(memory: StoredMemory) -> dict[str, Any]:
    """All of an entry but its text; whether a summary is stale is computed by the importing store."""
    info = {key: value for key, value in entry_fields(memory).items() if key != "content"}
    summary = memory.draft.summary
    return info if summary is None else {**info, "summary": summary.to_json()}
