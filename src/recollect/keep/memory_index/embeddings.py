"""Embeddings of memories: computed in bounded batches, dropped with their text, counted on a model change."""

from collections.abc import Collection
from dataclasses import dataclass

from recollect.embed.port import Embedder
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.progress import Phase, Progress, Rebuild
from recollect.store.binary_code_blocks import erase_codes_of
from recollect.store.change import Change
from recollect.store.memory_queries import (
    count_memory_vectors,
    drop_vectors_of_dead,
    hashes_of_dead_memories,
    vectors_of_other_models,
)
from recollect.store.passage_index import vector_progress
from recollect.store.view import View

REBUILD_JOB = "embedding-rebuild"
"""The job that stands in the queue while vectors are computed anew."""


def passage_hashes(view: View, document: Document) -> set[str]:
    """What the vectors of a memory's passages are kept under."""
    return {chunk.hash for chunk in view.chunks(document.id)}


def drop_dead_vectors(change: Change, hashes: Collection[str]) -> None:
    """Drop the vectors of passages that stand in no live document any more."""
    if not hashes:
        return
    with erase_codes_of(change, hashes):
        drop_vectors_of_dead(change, hashes)


def purge_vectors(change: Change) -> tuple[int, int]:
    """Drop the vectors that belong to no live memory; how many went, how many of live ones there are."""
    dead = hashes_of_dead_memories(change)
    drop_dead_vectors(change, dead)
    return len(dead), count_memory_vectors(change)


@dataclass(frozen=True, slots=True)
class EmbeddingLag:
    """How many passages this model has embedded, of those that another one had."""

    done: int
    total: int
    is_over: bool


@dataclass(slots=True)
class ModelChangeNotice:
    """Whether this process has said that the model was changed."""

    is_told: bool = False


def embedding_lag(view: View, embedder: Embedder) -> EmbeddingLag:
    progress = vector_progress(embedder)
    upto, done, _ = progress.read(view)
    others = vectors_of_other_models(view, progress.part)
    return EmbeddingLag(done, max(done, others.vectors), upto >= others.upto)


def report_model_change(memory: Memory, lag: EmbeddingLag) -> None:
    """Say that vectors are computed anew, how far that is, and that it is done; nothing if no model came before."""
    noticed = memory.cache.get_or_create(ModelChangeNotice)
    if not noticed.is_told:
        if lag.is_over:
            return
        _report(memory, lag, "model_change_detected", "The model was changed; I re-embed in the background.")
    else:
        _report(memory, lag, "done" if lag.is_over else "progress", f"{lag.done} re-embedded")
    noticed.is_told = not lag.is_over


def _report(memory: Memory, lag: EmbeddingLag, phase: Phase, message: str) -> None:
    memory.report_progress(Progress(lag.done, lag.total, message, Rebuild(phase, "all")))
