"""`sync_status` and `plugin_status`: the state of sync, background work and extensions."""

import sys
from collections import Counter
from importlib.metadata import EntryPoint, distributions
from typing import NotRequired

from typing_extensions import TypedDict

from recollect.embed.port import Embedder
from recollect.ingest.experts.registry import ENTRY_POINT_GROUP as EXPERTS
from recollect.ingest.experts.registry import ExpertNotLoaded, load_expert, plugin_id
from recollect.keep.client_sync.pull import list_instances
from recollect.keep.document_versions import live_documents
from recollect.keep.graph.extraction_queue import is_rebuilding, queue_status
from recollect.keep.memories.consolidation import is_stale
from recollect.keep.memories.memory_store import load_memories, memory_documents
from recollect.keep.memory_index.stored_memory import SUMMARY_GRANULARITIES
from recollect.memory import Memory
from recollect.settings import Settings
from recollect.store.client_sync_queries import SyncInstance
from recollect.store.job_queries import extraction_health
from recollect.store.passage_index import count_unembedded_passages
from recollect.store.view import View
from recollect.surfaces.declarations import Result
from recollect.surfaces.dispatch import json_text
from recollect.surfaces.entity_core.surface import surface
from recollect.surfaces.views import instant_or_none
from recollect.when.instant import format_millis


class InstanceView(TypedDict):
    id: str
    lastSync: str
    type: str
    lastSyncVersion: int
    name: NotRequired[str]


class QueueView(TypedDict):
    pending: int
    waitingForModel: int
    failed: int
    oldest: str | None


class ExtractionView(TypedDict):
    llmAvailable: bool
    lastAttempt: str | None
    lastSuccess: str | None
    lastError: str | None
    lastErrorAt: str | None
    attemptsTotal: int
    successesTotal: int
    nodesCreatedTotal: int
    edgesCreatedTotal: int
    droppedTotal: int
    queue: QueueView


class EmbeddingView(TypedDict):
    model: str | None
    dimension: int | None
    pending: int
    rebuilding: bool


class SyncStatusResult(TypedDict):
    """How sync and background work stand."""

    serverVersion: int
    connectedInstances: list[InstanceView]
    extraction: ExtractionView
    embedding: EmbeddingView
    staleSummaries: int


@surface.tool("read", example={})
def sync_status(memory: Memory) -> SyncStatusResult:
    """I use this to see how the sync with my embodiments and my background work stand."""
    with memory.read() as view:
        return {
            "serverVersion": view.last_tx,
            "connectedInstances": [_render_instance(each) for each in list_instances(view)],
            "extraction": _render_extraction(view, can_read=memory.endpoint is not None),
            "embedding": _render_embedding(view, memory.embedder),
            "staleSummaries": _count_stale_summaries(view),
        }


def _render_instance(instance: SyncInstance) -> InstanceView:
    shown: InstanceView = {
        "id": instance.id,
        "lastSync": instant_or_none(instance.synced_at, format_millis) or "",
        "type": instance.type,
        "lastSyncVersion": instance.synced_tx,
    }
    return shown if instance.name is None else {**shown, "name": instance.name}


def _render_extraction(view: View, *, can_read: bool) -> ExtractionView:
    known, jobs = extraction_health(view), queue_status(view)
    return {
        "llmAvailable": can_read,
        "lastAttempt": instant_or_none(known.attempted_at, format_millis),
        "lastSuccess": instant_or_none(known.succeeded_at, format_millis),
        "lastError": known.error,
        "lastErrorAt": instant_or_none(known.failed_at, format_millis),
        "attemptsTotal": known.attempts,
        "successesTotal": known.successes,
        "nodesCreatedTotal": known.nodes,
        "edgesCreatedTotal": known.edges,
        "droppedTotal": known.dropped,
        "queue": {
            "pending": jobs.waiting if can_read else 0,
            "waitingForModel": 0 if can_read else jobs.waiting,
            "failed": jobs.failed,
            "oldest": instant_or_none(jobs.oldest, format_millis),
        },
    }


def _render_embedding(view: View, embedder: Embedder | None) -> EmbeddingView:
    return {
        "model": embedder.model if embedder else None,
        "dimension": embedder.dimensions if embedder else None,
        "pending": count_unembedded_passages(view, embedder),
        "rebuilding": is_rebuilding(view),
    }


def _count_stale_summaries(view: View) -> int:
    summaries = [each for each in live_documents(memory_documents(view)) if each.type in SUMMARY_GRANULARITIES]
    return sum(is_stale(view, each) for each in load_memories(view, summaries))


ENTRY_POINT_PREFIX = "recollect."


class PluginView(TypedDict):
    """One installed extension."""

    id: str
    name: str
    version: str
    enabled: bool
    active: bool
    degraded: bool
    restartRequired: bool
    warnings: list[str]
    entrypoints: list[str]
    capabilities: dict[str, int]
    lastError: str | None


@surface.tool("read", example={})
def plugin_status(memory: Memory) -> Result[list[PluginView]]:
    """I use this to see which extensions are installed with me."""
    found: dict[str, PluginView] = {}
    for package in distributions():
        points = [point for point in package.entry_points if point.group.startswith(ENTRY_POINT_PREFIX)]
        if points:
            shown = _render_plugin(package.metadata["Name"], package.version, points, memory.settings)
            found.setdefault(shown["id"], shown)
    plugins = [found[id_] for id_ in sorted(found)]
    return Result(plugins, json_text(plugins))  # hosts iterate the text; structured content must be an object


def _render_plugin(name: str, version: str, points: list[EntryPoint], settings: Settings) -> PluginView:
    """An extension from its package metadata, and whether it is active; its code is not loaded."""
    id_ = plugin_id(name)
    enabled = settings.flag(f"plugins.{id_}", default=True)
    running = [point for point in points if point.module in sys.modules]
    problem = next((why for point in running if (why := _load_problem(point))), None)
    return {
        "id": id_,
        "name": name,
        "version": version,
        "enabled": enabled,
        "active": bool(running),
        "degraded": problem is not None,
        "restartRequired": bool(running) and not enabled,
        "warnings": [],
        "entrypoints": sorted(f"{point.group}:{point.name}" for point in points),
        "capabilities": dict(sorted(Counter(point.group.removeprefix(ENTRY_POINT_PREFIX) for point in points).items())),
        "lastError": problem,
    }


def _load_problem(point: EntryPoint) -> str | None:
    """Why a loaded expert cannot be used."""
    if point.group != EXPERTS:
        return None
    try:
        load_expert(point)
    except ExpertNotLoaded as problem:
        return str(problem)
    return None
