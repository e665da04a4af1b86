"""Vectors computed anew, one memory or node at a time, by one rebuild at a time; search answers throughout."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from recollect.embed.port import Embedder, EmbeddingFailed
from recollect.embed.prepared import Prepared
from recollect.keep.graph.vectors import GIVEN_VECTOR, keep_vectors, node_model, node_text, vector_key
from recollect.keep.memories.index import Entry, count_entries, index_memories
from recollect.keep.memories.vectors import REBUILD
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.progress import Phase, Progress, Rebuild, Scope
from recollect.store.change import Change
from recollect.store.codes import erasing
from recollect.store.index import embed_texts
from recollect.store.rows import entity_of
from recollect.when.instant import MINUTE

LEASE = 10 * MINUTE
AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """How many have new vectors, how many could not get them, and how many there are."""

    done: int = 0
    failed: int = 0
    total: int = 0

    def __add__(self, other: "Rebuilt") -> "Rebuilt":
        return Rebuilt(self.done + other.done, self.failed + other.failed, self.total + other.total)

    def __sub__(self, other: "Rebuilt") -> "Rebuilt":
        return Rebuilt(self.done - other.done, self.failed - other.failed, self.total - other.total)


ONE_DONE, ONE_FAILED = Rebuilt(1, 0, 1), Rebuilt(0, 1, 1)


class Course:
    """How far a rebuild is, told to whoever waits for it."""

    def __init__(self, memory: Memory, scope: Scope) -> None:
        self._tell = memory.tell
        self._scope = scope
        self._total = count_memories(memory) + (count_nodes(memory) if scope == "all" else 0)
        self.sum = Rebuilt()

    def add(self, one: Rebuilt) -> None:
        self.sum += one
        self._say("progress", f"{self.sum.total} done")

    @contextmanager
    def told(self) -> Iterator[None]:
        """The beginning, and how it ended."""
        self._say("started", "I begin to re-embed.")
        try:
            yield
        except BaseException:
            self._say("failed", "I had to stop.")
            raise
        is_vain = self.sum.failed > 0 and not self.sum.done
        self._say("failed" if is_vain else "done", f"{self.sum.done} re-embedded, {self.sum.failed} failed")

    def _say(self, phase: Phase, message: str) -> None:
        done = self.sum.total
        self._tell(Progress(done, max(done, self._total), message, Rebuild(phase, self._scope)))


@contextmanager
def only_rebuild(memory: Memory) -> Iterator[bool]:
    """Whether this is the only rebuild; one whose process died gives way after its lease."""
    with memory.write() as change:
        found = change.rows("job_one", id=REBUILD)
        is_free = not found or found[0][3] <= change.now
        if is_free:
            _extend(change)
    try:
        yield is_free
    finally:
        if is_free:
            with memory.write() as change:
                change.connection.run("job_drop", {"ws": change.ws, "id": REBUILD})


def _extend(change: Change) -> None:
    job = {"ws": change.ws, "id": REBUILD, "kind": REBUILD, "payload": json.dumps({}), "due_at": change.now + LEASE}
    change.connection.run("job_put", job)


def count_memories(memory: Memory) -> int:
    with memory.write() as change:
        index_memories(change)
        return count_entries(change)


def rebuild_memories(memory: Memory, embedder: Embedder, course: Course) -> Rebuilt:
    """Replace the vectors of every live memory."""
    before, behind = course.sum, 0
    while entries := _entries(memory, behind):
        for entry in entries:
            course.add(_rebuild_memory(memory, embedder, entry))
        behind = entries[-1].number
    memory.kept.matrices.clear()
    return course.sum - before


def _entries(memory: Memory, behind: int) -> list[Entry]:
    with memory.read() as view:
        return [Entry._make(row) for row in view.rows("entries_behind", behind=behind, limit=AT_ONCE)]


def _rebuild_memory(memory: Memory, embedder: Embedder, entry: Entry) -> Rebuilt:
    with memory.read() as view:
        texts = {chunk.hash: chunk.text for chunk in view.chunks(entry.document)}
    try:
        made = Prepared(embedder, list(texts.values()))
    except EmbeddingFailed:
        return ONE_FAILED
    with memory.write() as change:
        _extend(change)
        _drop(change, embedder.model, texts)
        embed_texts(change, made, texts)
    return ONE_DONE


def _drop(change: Change, model: str, hashes: Mapping[str, str]) -> None:
    rows = [{"ws": change.ws, "model": model, "hash": digest} for digest in sorted(hashes)]
    with erasing(change, hashes):
        change.connection.run_many("embedding_drop", rows)


def rebuild_nodes(memory: Memory, embedder: Embedder, course: Course) -> Rebuilt:
    """Replace the vectors of every live node; one that a caller gave stays."""
    before, behind = course.sum, ""
    while nodes := _nodes(memory, behind):
        for node in nodes:
            course.add(ONE_DONE if GIVEN_VECTOR in node.properties else _rebuild_node(memory, embedder, node))
        behind = nodes[-1].id
    memory.kept.matrices.clear()
    return course.sum - before


def _nodes(memory: Memory, behind: str) -> list[Entity]:
    with memory.read() as view:
        return [entity_of(row) for row in view.rows("nodes_behind", behind=behind, limit=AT_ONCE)]


def _rebuild_node(memory: Memory, embedder: Embedder, node: Entity) -> Rebuilt:
    try:
        vectors = embedder.embed([node_text(node)])
    except EmbeddingFailed:
        return ONE_FAILED
    with memory.write() as change:
        _extend(change)
        change.connection.run(
            "embedding_drop", {"ws": change.ws, "model": node_model(embedder), "hash": vector_key(node)}
        )
        keep_vectors(change, embedder, [node], vectors)
    return ONE_DONE


def count_nodes(memory: Memory) -> int:
    with memory.read() as view:
        return view.counts()["entities"]
