"""Rebuild of all vectors of memories and nodes under a lease, while search keeps answering."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from recollect.embed.cached import PrecomputedEmbedder
from recollect.embed.port import Embedder, EmbeddingFailed
from recollect.keep.graph.node_vectors import GIVEN_VECTOR, node_model, node_text, put_vectors, vector_key
from recollect.keep.memory_index.embeddings import REBUILD_JOB
from recollect.keep.memory_index.index import count_entries, index_memories
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.progress import Phase, Progress, Rebuild, Scope
from recollect.store.binary_code_blocks import erase_codes_of
from recollect.store.change import Change
from recollect.store.memory_queries import IndexEntry
from recollect.store.passage_index import embed_texts
from recollect.store.rows import entity_of
from recollect.when.instant import MINUTE

LEASE = 10 * MINUTE
BATCH_SIZE = 100


@dataclass(frozen=True, slots=True)
class RebuildCounts:
    """How many have new vectors, how many could not get them, and how many there are."""

    done: int = 0
    failed: int = 0
    total: int = 0

    def __add__(self, other: "RebuildCounts") -> "RebuildCounts":
        return RebuildCounts(self.done + other.done, self.failed + other.failed, self.total + other.total)

    def __sub__(self, other: "RebuildCounts") -> "RebuildCounts":
        return RebuildCounts(self.done - other.done, self.failed - other.failed, self.total - other.total)


ONE_DONE, ONE_FAILED = RebuildCounts(1, 0, 1), RebuildCounts(0, 1, 1)


class RebuildProgress:
    """How far a rebuild is, told to whoever waits for it."""

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
        """The beginning, and how it ended."""
        self._report("started", "I begin to re-embed.")
        try:
            yield
        except BaseException:
            self._report("failed", "I had to stop.")
            raise
        is_vain = self.counts.failed > 0 and not self.counts.done
        self._report("failed" if is_vain else "done", f"{self.counts.done} re-embedded, {self.counts.failed} failed")

    def _report(self, phase: Phase, message: str) -> None:
        done = self.counts.total
        self._progress(Progress(done, max(done, self._total), message, Rebuild(phase, self._scope)))


@contextmanager
def exclusive_rebuild(memory: Memory) -> Iterator[bool]:
    """Whether this is the only rebuild; one whose process died gives way after its lease."""
    with memory.write() as change:
        found = change.rows("job_one", id=REBUILD_JOB)
        is_free = not found or found[0][3] <= change.now
        if is_free:
            _extend_lease(change)
    try:
        yield is_free
    finally:
        if is_free:
            with memory.write() as change:
                change.connection.run("job_drop", {"ws": change.ws, "id": REBUILD_JOB})


def _extend_lease(change: Change) -> None:
    job = {
        "ws": change.ws,
        "id": REBUILD_JOB,
        "kind": REBUILD_JOB,
        "payload": json.dumps({}),
        "due_at": change.now + LEASE,
    }
    change.connection.run("job_put", job)


def count_memories(memory: Memory) -> int:
    with memory.write() as change:
        index_memories(change)
        return count_entries(change)


def rebuild_memories(memory: Memory, embedder: Embedder, course: RebuildProgress) -> RebuildCounts:
    """Replace the vectors of every live memory."""
    before, behind = course.counts, 0
    while entries := _next_entries(memory, behind):
        for entry in entries:
            course.add(_rebuild_memory(memory, embedder, entry))
        behind = entries[-1].number
    memory.cache.vectors.clear()
    return course.counts - before


def _next_entries(memory: Memory, behind: int) -> list[IndexEntry]:
    with memory.read() as view:
        return [IndexEntry._make(row) for row in view.rows("entries_behind", behind=behind, limit=BATCH_SIZE)]


def _rebuild_memory(memory: Memory, embedder: Embedder, entry: IndexEntry) -> RebuildCounts:
    with memory.read() as view:
        texts = {chunk.hash: chunk.text for chunk in view.chunks(entry.document)}
    try:
        made = PrecomputedEmbedder(embedder, list(texts.values()))
    except EmbeddingFailed:
        return ONE_FAILED
    with memory.write() as change:
        _extend_lease(change)
        _drop_vectors(change, embedder.model, texts)
        embed_texts(change, made, texts)
    return ONE_DONE


def _drop_vectors(change: Change, model: str, hashes: Mapping[str, str]) -> None:
    rows = [{"ws": change.ws, "model": model, "hash": digest} for digest in sorted(hashes)]
    with erase_codes_of(change, hashes):
        change.connection.run_many("embedding_drop", rows)


def rebuild_nodes(memory: Memory, embedder: Embedder, course: RebuildProgress) -> RebuildCounts:
    """Replace the vectors of every live node; one that a caller gave stays."""
    before, behind = course.counts, ""
    while nodes := _next_nodes(memory, behind):
        for node in nodes:
            course.add(ONE_DONE if GIVEN_VECTOR in node.properties else _rebuild_node(memory, embedder, node))
        behind = nodes[-1].id
    memory.cache.vectors.clear()
    return course.counts - before


def _next_nodes(memory: Memory, behind: str) -> list[Entity]:
    with memory.read() as view:
        return [entity_of(row) for row in view.rows("nodes_behind", behind=behind, limit=BATCH_SIZE)]


def _rebuild_node(memory: Memory, embedder: Embedder, node: Entity) -> RebuildCounts:
    try:
        vectors = embedder.embed([node_text(node)])
    except EmbeddingFailed:
        return ONE_FAILED
    with memory.write() as change:
        _extend_lease(change)
        change.connection.run(
            "embedding_drop", {"ws": change.ws, "model": node_model(embedder), "hash": vector_key(node)}
        )
        put_vectors(change, embedder, [node], vectors)
    return ONE_DONE


def count_nodes(memory: Memory) -> int:
    with memory.read() as view:
        return view.counts()["entities"]
