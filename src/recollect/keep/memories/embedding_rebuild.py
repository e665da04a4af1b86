"""Rebuild of all vectors of memories and nodes under a lease, while search keeps answering."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from recollect.deadline import without_deadline
from recollect.embed.cached import PrecomputedEmbedder
from recollect.embed.port import Embedder, EmbeddingFailed
from recollect.keep.graph.node_vectors import GIVEN_VECTOR, node_model, node_text, put_vectors, vector_key
from recollect.keep.memory_index.index import REBUILD_JOB, count_entries, index_memories
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import DocumentId
from recollect.model.progress import Phase, Progress, Rebuild, Scope
from recollect.store import entity_queries, job_queries, memory_queries
from recollect.store.binary_code_blocks import erase_codes_of
from recollect.store.change import Change
from recollect.store.memory_queries import IndexedMemory
from recollect.store.passage_index import embed_texts
from recollect.when.instant import MINUTE

LEASE = 10 * MINUTE
BATCH_SIZE = 100


@dataclass(frozen=True, slots=True)
class RebuildCounts:
    """How many items were re-embedded, how many failed, and how many there are."""

    done: int = 0
    failed: int = 0
    total: int = 0

    def __add__(self, other: "RebuildCounts") -> "RebuildCounts":
        return RebuildCounts(self.done + other.done, self.failed + other.failed, self.total + other.total)

    def __sub__(self, other: "RebuildCounts") -> "RebuildCounts":
        return RebuildCounts(self.done - other.done, self.failed - other.failed, self.total - other.total)


ONE_DONE, ONE_FAILED = RebuildCounts(1, 0, 1), RebuildCounts(0, 1, 1)


class RebuildProgress:
    """Reports how far a rebuild is."""

    def __init__(self, memory: Memory, scope: Scope) -> None:
        self._progress = memory.report_progress
        self._scope = scope
        self._total = count_memories(memory) + (count_nodes(memory) if scope == "all" else 0)
        self.counts = RebuildCounts()

    def add(self, one: RebuildCounts) -> None:
        self.counts += one
        self._report("progress", f"{self.counts.total} done")

    @contextmanager
    def reporting(self) -> Iterator[None]:
        """Report the start and the outcome."""
        self._report("started", "I begin to re-embed.")
        try:
            yield
        except BaseException:
            self._report("failed", "I had to stop.")
            raise
        has_failed = self.counts.failed > 0 and not self.counts.done
        self._report("failed" if has_failed else "done", f"{self.counts.done} re-embedded, {self.counts.failed} failed")

    def _report(self, phase: Phase, message: str) -> None:
        done = self.counts.total
        self._progress(Progress(done, max(done, self._total), message, Rebuild(phase, self._scope)))


@contextmanager
def exclusive_rebuild(memory: Memory) -> Iterator[bool]:
    """Whether this is the only rebuild; the lease of one whose process died expires."""
    with memory.write() as change:
        running = job_queries.job_with_id(change, REBUILD_JOB)
        is_free = running is None or running.is_due(change.now)
        if is_free:
            _extend_lease(change)
    try:
        yield is_free
    finally:
        if is_free:
            with without_deadline(), memory.write() as change:
                job_queries.drop_job(change, REBUILD_JOB)


def _extend_lease(change: Change) -> None:
    job_queries.put_job(change, REBUILD_JOB, REBUILD_JOB, json.dumps({}), change.now + LEASE)


def count_memories(memory: Memory) -> int:
    with memory.write() as change:
        index_memories(change)
        return count_entries(change)


def rebuild_memories(memory: Memory, embedder: Embedder, course: RebuildProgress) -> RebuildCounts:
    """Replace the vectors of every live memory."""
    before, last = course.counts, 0
    while memories := _next_memories(memory, last):
        for each in memories:
            course.add(_rebuild_memory(memory, embedder, each.document))
        last = memories[-1].number
    memory.cache.vectors.clear()
    return course.counts - before


def _next_memories(memory: Memory, last: int) -> list[IndexedMemory]:
    with memory.read() as view:
        return memory_queries.memories_after(view, last, BATCH_SIZE)


def _rebuild_memory(memory: Memory, embedder: Embedder, document: DocumentId) -> RebuildCounts:
    with memory.read() as view:
        texts = {chunk.hash: chunk.text for chunk in view.chunks(document)}
    try:
        embedded = PrecomputedEmbedder(embedder, list(texts.values()))
    except EmbeddingFailed:
        return ONE_FAILED
    with memory.write() as change:
        _extend_lease(change)
        with erase_codes_of(change, texts):
            memory_queries.drop_embeddings(change, embedder.model, texts)
        embed_texts(change, embedded, texts)
    return ONE_DONE


def rebuild_nodes(memory: Memory, embedder: Embedder, course: RebuildProgress) -> RebuildCounts:
    """Replace the vectors of every live node, except those that a caller supplied."""
    before, last = course.counts, ""
    while nodes := _next_nodes(memory, last):
        for node in nodes:
            course.add(ONE_DONE if GIVEN_VECTOR in node.properties else _rebuild_node(memory, embedder, node))
        last = nodes[-1].id
    memory.cache.vectors.clear()
    return course.counts - before


def _next_nodes(memory: Memory, last: str) -> list[Entity]:
    with memory.read() as view:
        return entity_queries.entities_after(view, last, BATCH_SIZE)


def _rebuild_node(memory: Memory, embedder: Embedder, node: Entity) -> RebuildCounts:
    try:
        vectors = embedder.embed([node_text(node)])
    except EmbeddingFailed:
        return ONE_FAILED
    with memory.write() as change:
        _extend_lease(change)
        memory_queries.drop_embeddings(change, node_model(embedder), [vector_key(node)])
        put_vectors(change, embedder, [node], vectors)
    return ONE_DONE


def count_nodes(memory: Memory) -> int:
    with memory.read() as view:
        return view.counts()["entities"]
