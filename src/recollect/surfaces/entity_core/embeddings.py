"""Tools that purge and rebuild embeddings of memories and nodes, outside the transaction history."""

from recollect.keep.memories.embedding_rebuild import (
    RebuildCounts,
    RebuildProgress,
    count_memories,
    count_nodes,
    exclusive_rebuild,
    rebuild_memories,
    rebuild_nodes,
)
from recollect.keep.memory_index.index import index_memories, purge_vectors
from recollect.memory import Memory
from recollect.surfaces.entity_core.memory_types import EmbeddingPurgeResult, FullRebuildResult, MemoryRebuildResult
from recollect.surfaces.entity_core.surface import surface

REBUILD_RUNNING_MESSAGE = "I am re-embedding already; I wait for that."
NO_EMBEDDER_MESSAGE = "I have nothing to embed with; I am found by words."


@surface.tool("write", example={}, idempotent=True)
def memory_embedding_purge(memory: Memory) -> EmbeddingPurgeResult:
    """I use this to drop vectors that belong to none of my memories any more."""
    with memory.write() as change:
        index_memories(change)
        purged, remaining = purge_vectors(change)
    said = f"I dropped {purged} vectors." if purged else "My memory vectors are in order."
    return {"purged": purged, "remaining": remaining, "message": said}


@surface.tool("write", example={}, idempotent=True, reports_progress=True)
def memory_embedding_rebuild(memory: Memory) -> MemoryRebuildResult:
    """I use this to compute the vectors of all my memories anew."""
    embedder = memory.embedder
    if embedder is None:
        return _render_memory_rebuild(RebuildCounts(0, 0, count_memories(memory)), NO_EMBEDDER_MESSAGE, available=False)
    with exclusive_rebuild(memory) as is_free:
        if not is_free:
            return _render_memory_rebuild(RebuildCounts(), REBUILD_RUNNING_MESSAGE, running=True)
        course = RebuildProgress(memory, "memories")
        with course.reporting():
            done = rebuild_memories(memory, embedder, course)
    return _render_memory_rebuild(done, f"I re-embedded {done.done} memor{'y' if done.done == 1 else 'ies'}.")


def _render_memory_rebuild(
    done: RebuildCounts, message: str, *, running: bool = False, available: bool = True
) -> MemoryRebuildResult:
    return {
        "rebuilt": done.done,
        "failed": done.failed,
        "total": done.total,
        "message": message,
        "running": running,
        "vectorAvailable": available,
    }


@surface.tool("write", example={}, idempotent=True, reports_progress=True)
def embedding_rebuild_all(memory: Memory) -> FullRebuildResult:
    """I use this to compute the vectors of all my memories and of all nodes of my graph anew."""
    embedder = memory.embedder
    if embedder is None:
        counts = RebuildCounts(0, 0, count_memories(memory)), RebuildCounts(0, 0, count_nodes(memory))
        return _render_full_rebuild(*counts, NO_EMBEDDER_MESSAGE, available=False)
    with exclusive_rebuild(memory) as is_free:
        if not is_free:
            return _render_full_rebuild(RebuildCounts(), RebuildCounts(), REBUILD_RUNNING_MESSAGE, running=True)
        course = RebuildProgress(memory, "all")
        with course.reporting():
            memories, nodes = rebuild_memories(memory, embedder, course), rebuild_nodes(memory, embedder, course)
    return _render_full_rebuild(memories, nodes, f"I re-embedded {memories.done} memories and {nodes.done} nodes.")


def _render_full_rebuild(
    memories: RebuildCounts, nodes: RebuildCounts, message: str, *, running: bool = False, available: bool = True
) -> FullRebuildResult:
    return {
        "memoriesRebuilt": memories.done,
        "memoriesFailed": memories.failed,
        "memoriesTotal": memories.total,
        "nodesRebuilt": nodes.done,
        "nodesFailed": nodes.failed,
        "nodesTotal": nodes.total,
        "message": message,
        "running": running,
        "vectorAvailable": available,
    }
