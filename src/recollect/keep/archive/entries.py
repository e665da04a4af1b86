"""The archive of an entity: what it holds, and how its entries are named."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from recollect.keep.archive.graph import Graph, graph_of
from recollect.keep.archive.zipped import MANIFEST
from recollect.keep.artifacts.versions import live
from recollect.keep.identity.files import LABEL, IdentityFile, Place, identity_files
from recollect.keep.memories.entry import Kept, MemoryDraft, entry_fields
from recollect.keep.memories.keeping import kept
from recollect.keep.memories.remembered import memory_documents
from recollect.store.view import View
from recollect.when.instant import Instant, say_millis

Part = Literal["identity", "memories", "graph"]
PARTS: tuple[Part, ...] = ("identity", "memories", "graph")
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
    """An identity file out of an archive; what the archive does not say is none."""

    place: Place
    text: str
    label: str | None
    version: int | None = None
    at: Instant | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class ArchivedMemory:
    """A memory out of an archive; without info its draft follows from its name and text."""

    draft: MemoryDraft
    text: str
    version: int | None
    has_info: bool

    @property
    def id(self) -> str:
        return self.draft.id


@dataclass(frozen=True, slots=True)
class Archive:
    """All that an archive holds of the parts its manifest flags; none for a part that it lacks."""

    files: Sequence[ArchivedFile] | None
    memories: Sequence[ArchivedMemory] | None
    graph: Graph | None
    has_labels: bool
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Packed:
    """An archive to be: its manifest, and its entries by name."""

    manifest: Mapping[str, Any]
    entries: Mapping[str, str]


def archive_of(view: View, parts: Iterable[Part]) -> Packed:
    """The present state of these parts, complete."""
    wanted = frozenset(parts)
    files = identity_files(view) if "identity" in wanted else []
    memories = kept(view, live(memory_documents(view))) if "memories" in wanted else []
    graph = graph_of(view) if "graph" in wanted else {"nodes": [], "edges": [], "statements": []}
    manifest = {
        "schema_version": SCHEMA_VERSION,
        "exported_at": say_millis(view.now),
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
    entries = {MANIFEST: say(manifest)}
    entries |= _identity_entries(files) if "identity" in wanted else {}
    entries |= _memory_entries(memories) if "memories" in wanted else {}
    entries |= {GRAPH: say(graph)} if "graph" in wanted else {}
    return Packed(manifest, entries)


def say(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1) + "\n"


def _identity_entries(files: Sequence[IdentityFile]) -> dict[str, str]:
    texts = {f"{IDENTITY}{file.place.key}": file.content for file in files}
    labels = {file.place.key: file.label for file in files if LABEL in file.document.properties}
    info = {
        file.place.key: {
            "version": file.version,
            "lastModified": say_millis(file.modified_at),
            "modifiedBy": file.modified_by,
        }
        for file in files
    }
    return texts | {LABELS: say(labels), IDENTITY_INFO: say(info)}


def _memory_entries(memories: Sequence[Kept]) -> dict[str, str]:
    texts = {entry_name(memory.draft): memory.content for memory in memories}
    return texts | {MEMORIES_INFO: say({memory.id: _info(memory) for memory in memories})}


def entry_name(draft: MemoryDraft) -> str:
    granularity = draft.period.granularity
    return f"{MEMORIES}{granularity}/{draft.id.removeprefix(f'{granularity}-')}.md"


def _info(memory: Kept) -> dict[str, Any]:
    """All of an entry but its text; whether a summary is stale is worked out anew wherever it lies."""
    info = {key: value for key, value in entry_fields(memory).items() if key != "content"}
    summary = memory.draft.summary
    return info if summary is None else {**info, "summary": summary.to_json()}
