"""How sync and background work stand."""

from typing import NotRequired

from typing_extensions import TypedDict

from recollect.embed.port import Embedder
from recollect.keep.artifacts.versions import live
from recollect.keep.memories.entry import SUMMARIES
from recollect.keep.memories.keeping import kept
from recollect.keep.memories.remembered import memory_documents
from recollect.keep.reading.health import health, is_rebuilding, queue
from recollect.keep.summaries.periods import is_stale
from recollect.keep.sync.instances import Instance, instances
from recollect.memory import Memory
from recollect.store.index import waiting
from recollect.store.view import View
from recollect.surfaces.entity_core.surface import surface
from recollect.when.instant import Instant, say_millis


class InstanceShown(TypedDict):
    id: str
    lastSync: str
    type: str
    lastSyncVersion: int
    name: NotRequired[str]


class QueueShown(TypedDict):
    pending: int
    waitingForModel: int
    failed: int
    oldest: str | None


class ExtractionShown(TypedDict):
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
    queue: QueueShown


class EmbeddingShown(TypedDict):
    model: str | None
    dimension: int | None
    pending: int
    rebuilding: bool


class SyncStatus(TypedDict):
    """How sync and background work stand."""

    serverVersion: int
    connectedInstances: list[InstanceShown]
    extraction: ExtractionShown
    embedding: EmbeddingShown
    staleSummaries: int


@surface.tool("read", example={})
def sync_status(memory: Memory) -> SyncStatus:
    """I use this to see how the sync with my embodiments and my background work stand."""
    with memory.read() as view:
        return {
            "serverVersion": view.last_tx,
            "connectedInstances": [_instance(each) for each in instances(view)],
            "extraction": _extraction(view, can_read=memory.endpoint is not None),
            "embedding": _embedding(view, memory.embedder),
            "staleSummaries": _stale(view),
        }


def _instance(instance: Instance) -> InstanceShown:
    shown: InstanceShown = {
        "id": instance.id,
        "lastSync": _moment(instance.synced_at) or "",
        "type": instance.type,
        "lastSyncVersion": instance.synced_tx,
    }
    return shown if instance.name is None else {**shown, "name": instance.name}


def _extraction(view: View, *, can_read: bool) -> ExtractionShown:
    known, jobs = health(view), queue(view)
    return {
        "llmAvailable": can_read,
        "lastAttempt": _moment(known.attempted_at),
        "lastSuccess": _moment(known.succeeded_at),
        "lastError": known.error,
        "lastErrorAt": _moment(known.failed_at),
        "attemptsTotal": known.attempts,
        "successesTotal": known.successes,
        "nodesCreatedTotal": known.nodes,
        "edgesCreatedTotal": known.edges,
        "droppedTotal": known.dropped,
        "queue": {
            "pending": jobs.waiting if can_read else 0,
            "waitingForModel": 0 if can_read else jobs.waiting,
            "failed": jobs.failed,
            "oldest": _moment(jobs.oldest),
        },
    }


def _embedding(view: View, embedder: Embedder | None) -> EmbeddingShown:
    return {
        "model": embedder.model if embedder else None,
        "dimension": embedder.dimensions if embedder else None,
        "pending": waiting(view, embedder),
        "rebuilding": is_rebuilding(view),
    }


def _stale(view: View) -> int:
    summaries = [each for each in live(memory_documents(view)) if each.type in SUMMARIES]
    return sum(is_stale(view, each) for each in kept(view, summaries))


def _moment(instant: Instant | None) -> str | None:
    return None if instant is None else say_millis(instant)
