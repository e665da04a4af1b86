"""Keeping the vectors of memories and nodes in order; none of this is a transaction."""

from recollect.keep.memories.index import index_memories
from recollect.keep.memories.vectors import purge_vectors
from recollect.keep.rebuilding import (
    Course,
    Rebuilt,
    count_memories,
    count_nodes,
    only_rebuild,
    rebuild_memories,
    rebuild_nodes,
)
from recollect.memory import Memory
from recollect.surfaces.entity_core.memory_results import AllRebuilt, MemoriesRebuilt, Purged
from recollect.surfaces.entity_core.surface import surface

RUNNING = "I am re-embedding already; I wait for that."
NO_EMBEDDER = "I have nothing to embed with; I am found by words."


@surface.tool("write", example={}, idempotent=True)
def memory_embedding_purge(memory: Memory) -> Purged:
    """I use this to drop vectors that belong to none of my memories any more."""
    with memory.write() as change:
        index_memories(change)
        purged, remaining = purge_vectors(change)
    said = f"I dropped {purged} vectors." if purged else "My memory vectors are in order."
    return {"purged": purged, "remaining": remaining, "message": said}


@surface.tool("write", example={}, idempotent=True, tells=True)
def memory_embedding_rebuild(memory: Memory) -> MemoriesRebuilt:
    """I use this to compute the vectors of all my memories anew."""
    embedder = memory.embedder
    if embedder is None:
        return _memories(Rebuilt(0, 0, count_memories(memory)), NO_EMBEDDER, available=False)
    with only_rebuild(memory) as is_free:
        if not is_free:
            return _memories(Rebuilt(), RUNNING, running=True)
        course = Course(memory, "memories")
        with course.told():
            done = rebuild_memories(memory, embedder, course)
    return _memories(done, f"I re-embedded {done.done} memor{'y' if done.done == 1 else 'ies'}.")


def _memories(done: Rebuilt, message: str, *, running: bool = False, available: bool = True) -> MemoriesRebuilt:
    return {
        "rebuilt": done.done,
        "failed": done.failed,
        "total": done.total,
        "message": message,
        "running": running,
        "vectorAvailable": available,
    }


@surface.tool("write", example={}, idempotent=True, tells=True)
def embedding_rebuild_all(memory: Memory) -> AllRebuilt:
    """I use this to compute the vectors of all my memories and of all nodes of my graph anew."""
    embedder = memory.embedder
    if embedder is None:
        counts = Rebuilt(0, 0, count_memories(memory)), Rebuilt(0, 0, count_nodes(memory))
        return _all(*counts, NO_EMBEDDER, available=False)
    with only_rebuild(memory) as is_free:
        if not is_free:
            return _all(Rebuilt(), Rebuilt(), RUNNING, running=True)
        course = Course(memory, "all")
        with course.told():
            memories, nodes = rebuild_memories(memory, embedder, course), rebuild_nodes(memory, embedder, course)
    return _all(memories, nodes, f"I re-embedded {memories.done} memories and {nodes.done} nodes.")


def _all(
    memories: Rebuilt, nodes: Rebuilt, message: str, *, running: bool = False, available: bool = True
) -> AllRebuilt:
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
