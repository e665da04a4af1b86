"""Every index behind one door: filled by writes, by the background, by `ingest`, and a little before a read.

Words of passages and facts are indexed by the transaction that writes them, and so are memories and artifacts. What
needs a model, or a look at many older texts, waits: it is done in small steps outside of any transaction, each of which
is stored on its own, so that it can stop at any time. None of this takes a transaction number.
"""

from typing import NamedTuple

from recollect.embed.port import Embedder, EmbeddingFailed
from recollect.embed.prepared import Prepared
from recollect.errors import Unavailable
from recollect.keep.artifacts.index import artifacts_lag, index_artifacts
from recollect.keep.graph.indexing import MOST_BESIDE, index_nodes
from recollect.keep.memories.index import index_memories, is_caught_up
from recollect.keep.memories.mentions import link_new_names, links_wait
from recollect.keep.memories.model_change import lag_of, tell_of_change
from recollect.keep.memories.vectors import drop_dead_vectors
from recollect.memory import Memory
from recollect.model.progress import Progress, Told, tell_nobody
from recollect.search.indexing import build_codes
from recollect.store.change import Change
from recollect.store.fact_words import index_fact_words, lags
from recollect.store.index import (
    Waiting,
    embedded_upto,
    few_waiting_passages,
    index_meanings,
    waiting,
    waiting_passages,
)
from recollect.store.view import View

EMBEDDED_BY_A_READ = 64
CHARACTERS_BY_A_READ = 8_000
"""A longer backlog is left alone by reads: its first texts would cost time and hardly be those that were asked for."""
EMBEDDED_AT_ONCE = 64
NAMES_LINKED_BY_A_READ = 64


class Lag(NamedTuple):
    """Which indexes are behind what a view sees."""

    documents: bool
    links: bool
    passages: Waiting | None


def index_written(change: Change) -> None:
    """Index the memories and artifacts that a transaction wrote, before it is committed."""
    if change.touched.documents:
        _index_documents(change)


def _index_documents(change: Change) -> None:
    if not is_caught_up(change):
        index_memories(change)
    if artifacts_lag(change):
        index_artifacts(change)


def index_before_read(memory: Memory, *, by_meaning: bool = True) -> None:
    """Index the little that a read may, unless another is writing; what still waits is found by its words."""
    embedder = memory.embedder if by_meaning else None
    with memory.read() as view:
        lag = _lag(view, embedder)
    if not memory.may_write or not any(lag):
        return
    try:
        _catch_up(memory, lag, embedder)
    except Unavailable:
        return


def _lag(view: View, embedder: Embedder | None) -> Lag:
    limits = EMBEDDED_BY_A_READ, CHARACTERS_BY_A_READ
    passages = few_waiting_passages(view, embedder, *limits) if embedder else None
    documents = not is_caught_up(view) or artifacts_lag(view)
    return Lag(documents, links_wait(view), passages if passages and passages.count else None)


def _catch_up(memory: Memory, lag: Lag, embedder: Embedder | None) -> None:
    made = _prepared(embedder, lag.passages) if embedder and lag.passages else None
    with memory.write(wait=False) as change:
        if lag.documents:
            _index_documents(change)
        if lag.links:
            link_new_names(change, names=NAMES_LINKED_BY_A_READ)
        if made and lag.passages:
            _store(change, made, lag.passages)


def _prepared(embedder: Embedder, passages: Waiting) -> Prepared | None:
    """The vectors of these passages, made before the store is locked; none if the model does not answer."""
    try:
        return Prepared(embedder, list(passages.unknown.values()))
    except EmbeddingFailed:
        return None


def _store(change: Change, made: Prepared, passages: Waiting) -> None:
    """Store vectors, unless another process was faster; passages that ended meanwhile leave none."""
    if embedded_upto(change, made) != passages.upto:
        return
    index_meanings(change, made, passages.count)
    ended = change.rows("hashes_ended_between", low=passages.upto, high=embedded_upto(change, made))
    drop_dead_vectors(change, [row[0] for row in ended])


def embed_passages(memory: Memory, most: int = EMBEDDED_AT_ONCE) -> int:
    """Embed the next passages; how many there were, 0 when none is left."""
    embedder = memory.embedder
    if embedder is None:
        return 0
    with memory.read() as view:
        tell_of_change(memory, lag_of(view, embedder))
        passages = waiting_passages(view, embedder, most)
    if passages.count:
        made = Prepared(embedder, list(passages.unknown.values()))
        with memory.write() as change:
            _store(change, made, passages)
    return passages.count


def index_texts(memory: Memory) -> bool:
    """Take one step of what needs no model; whether more of it waits."""
    with memory.read() as view:
        documents = not is_caught_up(view) or artifacts_lag(view)
        links, facts = links_wait(view), lags(view)
    if not (documents or links or facts):
        return False
    with memory.write() as change:
        _index_documents(change)
        link_new_names(change)
        more = index_fact_words(change)
        return more or links_wait(change)


def index_step(memory: Memory) -> bool:
    """Take one small step towards complete indexes; whether more may wait."""
    return (
        index_texts(memory)
        or embed_passages(memory) == EMBEDDED_AT_ONCE
        or index_nodes(memory) >= MOST_BESIDE
        or index_names(memory)
        or build_codes(memory)
    )


def index_names(memory: Memory) -> bool:
    """Embed some of the names that have no vector yet; whether there were any."""
    embedder, names = memory.embedder, memory.kept.names
    if embedder is None:
        return False
    with memory.read() as view:
        made = names.embed_unstored(view, embedder)
    if made:
        with memory.write() as change:
            names.store(change, embedder, made)
    return bool(made)


def index_rest(memory: Memory, tell: Told = tell_nobody, *, vectors: bool = True) -> str | None:
    """Index all that waits; why vectors are missing, if they are."""
    while index_texts(memory):
        pass
    if not vectors:
        return None
    try:
        _embed_rest(memory, tell)
    except EmbeddingFailed as problem:
        return str(problem)
    return None


def _embed_rest(memory: Memory, tell: Told) -> None:
    with memory.read() as view:
        total = waiting(view, memory.embedder)
    done = 0
    while count := embed_passages(memory, EMBEDDED_AT_ONCE * 4):
        done += count
        tell(Progress(done, max(done, total)))
    while index_names(memory) or build_codes(memory):
        pass
