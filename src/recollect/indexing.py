"""Index maintenance: with each write, in the background, after an ingest, and in bounded steps before a read."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple, TypeVar

from recollect.embed.cached import PrecomputedEmbedder
from recollect.embed.port import Embedder, EmbeddingFailed
from recollect.errors import Unavailable
from recollect.keep.artifacts.artifact import artifacts_lag, index_artifacts
from recollect.keep.graph.node_vectors import NODES_PER_READ, index_nodes
from recollect.keep.memory_index.index import (
    drop_dead_vectors,
    embedding_lag,
    index_memories,
    is_caught_up,
    report_model_change,
)
from recollect.keep.memory_index.mentions import has_pending_links, link_new_names
from recollect.memory import Memory
from recollect.model.progress import Progress, ProgressListener, ignore_progress
from recollect.store.change import Change
from recollect.store.document_queries import hashes_ended_between
from recollect.store.fact_index import index_facts, is_fact_index_behind
from recollect.store.fact_vectors import (
    PendingFacts,
    count_unembedded_facts,
    has_pending_facts,
    newest_pending_facts,
    pending_facts,
    pending_facts_within,
    store_fact_vectors,
)
from recollect.store.name_index import index_plain_tokens, lacks_plain_tokens
from recollect.store.passage_index import (
    PendingPassages,
    count_unembedded_passages,
    embedded_upto,
    has_pending_passages,
    index_vectors,
    pending_passages,
    pending_passages_within,
)
from recollect.store.vector_codes import has_unquantized_vectors, missing_centroids, quantize_vectors
from recollect.store.view import View

EMBEDDINGS_PER_READ = 64
CHARACTERS_PER_READ = 8_000
"""A longer backlog is left alone by reads: its first texts would cost time and hardly be those that were asked for."""
CHARACTERS_BESIDE_INDEXER = 500
"""Of passages, and as many of facts, where a thread embeds the rest: about 0.1 s, enough for what is new."""
EMBEDDED_AT_ONCE = 64
NAME_LINKS_PER_READ = 64
WAIT_SECONDS = 0.5
"""How long a read that needs the newest facts waits for another writer."""
ATTEMPTS = 2
"""Another process may have stored some of the same vectors meanwhile; then there is one look at what still waits."""


class TextIndex(NamedTuple):
    """An index that needs no model: whether a view sees more than it does, and a step that brings it forward."""

    is_behind: Callable[[View], bool]
    step: Callable[[Change], object]


LINKS = TextIndex(has_pending_links, link_new_names)
DOCUMENT_INDEXES = (
    TextIndex(lambda view: not is_caught_up(view), index_memories),
    TextIndex(artifacts_lag, index_artifacts),
)
TEXT_INDEXES = (
    TextIndex(lacks_plain_tokens, index_plain_tokens),
    *DOCUMENT_INDEXES,
    LINKS,
    TextIndex(is_fact_index_behind, index_facts),
)
INDEXES_OF_A_READ = (*DOCUMENT_INDEXES, LINKS._replace(step=partial(link_new_names, names=NAME_LINKS_PER_READ)))


def _behind(indexes: Iterable[TextIndex], view: View) -> list[TextIndex]:
    return [each for each in indexes if each.is_behind(view)]


Texts = TypeVar("Texts", PendingPassages, PendingFacts)


class IndexLag(NamedTuple):
    """Which indexes are behind what a view sees."""

    indexes: Sequence[TextIndex]
    passages: PendingPassages | None
    facts: PendingFacts | None


def index_change(change: Change) -> None:
    """Index the memories and artifacts that a transaction wrote, before it is committed."""
    for each in _behind(DOCUMENT_INDEXES, change) if change.touched.documents else ():
        each.step(change)


def index_before_read(memory: Memory, *, by_meaning: bool = True, newest_facts: bool = False) -> None:
    """Index the little that a read may, unless another is writing; what still waits is found by its words.

    With `newest_facts` the newest facts are embedded even if too many wait to embed all of them, and a short write of
    another is waited for. Where a thread indexes in the background, it is woken for what is left.
    """
    embedder = memory.embedder if by_meaning else None
    wake = memory.cache.wake_indexer
    characters = CHARACTERS_PER_READ if wake is None else CHARACTERS_BESIDE_INDEXER
    for _ in range(ATTEMPTS):
        with memory.read() as view:
            lag = _index_lag(view, embedder, characters, newest_facts)
        if not memory.may_write or not any(lag):
            break
        with suppress(Unavailable):
            if _catch_up(memory, lag, embedder, wait=WAIT_SECONDS if newest_facts else 0) or not newest_facts:
                break
    if wake is not None and embedder is not None:
        _wake_for_rest(memory, embedder, wake)


def _wake_for_rest(memory: Memory, embedder: Embedder, wake: Callable[[], None]) -> None:
    with memory.read() as view:
        has_rest = has_pending_passages(view, embedder) or has_pending_facts(view, embedder)
    if has_rest:
        wake()


def _index_lag(view: View, embedder: Embedder | None, characters: int, newest_facts: bool) -> IndexLag:
    limits = EMBEDDINGS_PER_READ, characters
    passages = pending_passages_within(view, embedder, *limits) if embedder else None
    facts = pending_facts_within(view, embedder, *limits) if embedder else None
    if embedder and facts is None and newest_facts:
        facts = newest_pending_facts(view, embedder, *limits)
    return IndexLag(
        _behind(INDEXES_OF_A_READ, view),
        passages if passages and passages.is_worth_storing else None,
        facts if facts and facts.is_worth_storing else None,
    )


def _catch_up(memory: Memory, lag: IndexLag, embedder: Embedder | None, *, wait: float) -> bool:
    """Index what lags; false if another process was faster, so that some of it may still wait."""
    passages, facts = lag.passages, lag.facts
    texts = [*(passages.texts.values() if passages else ()), *(facts.texts.values() if facts else ())]
    made = _embed_texts(embedder, texts) if embedder and (passages or facts) else None
    with memory.write(wait=wait) as change:
        for each in lag.indexes:
            each.step(change)
        has_passages = not made or not passages or _store_passages(change, made, passages)
        has_facts = not made or not facts or store_fact_vectors(change, made, facts)
        return has_passages and has_facts


def _embed_texts(embedder: Embedder, texts: Sequence[str]) -> PrecomputedEmbedder | None:
    """The vectors of these texts, made before the store is locked; none if the model does not answer."""
    try:
        return PrecomputedEmbedder(embedder, texts)
    except EmbeddingFailed:
        return None


def _store_passages(change: Change, made: Embedder, passages: PendingPassages) -> bool:
    """Store vectors, unless another process was faster; passages that ended meanwhile leave none."""
    if embedded_upto(change, made) != passages.upto:
        return False
    index_vectors(change, made, passages.count)
    drop_dead_vectors(change, hashes_ended_between(change, passages.upto, embedded_upto(change, made)))
    return True


def embed_passages(memory: Memory, most: int = EMBEDDED_AT_ONCE) -> int:
    """Embed the next passages; how many there were, 0 when none is left."""
    if memory.embedder is not None:
        with memory.read() as view:
            report_model_change(memory, embedding_lag(view, memory.embedder))
    return _embed_next(memory, most, pending_passages, _store_passages)


def count_pending_texts(view: View, embedder: Embedder | None) -> int:
    """How many passages and facts have no vector of this model yet."""
    return count_unembedded_passages(view, embedder) + count_unembedded_facts(view, embedder)


def embed_facts(memory: Memory, most: int = EMBEDDED_AT_ONCE) -> int:
    """Embed the next facts; how many there were, at least 1 while more transactions are to be looked through."""
    return _embed_next(memory, most, pending_facts, store_fact_vectors)


def _embed_next(
    memory: Memory,
    most: int,
    find: Callable[[View, Embedder, int], Texts],
    store: Callable[[Change, Embedder, Texts], bool],
) -> int:
    embedder = memory.embedder
    if embedder is None:
        return 0
    with memory.read() as view:
        waiting = find(view, embedder, most)
    if waiting.count or waiting.is_worth_storing:
        made = PrecomputedEmbedder(embedder, list(waiting.texts.values()))
        with memory.write() as change:
            store(change, made, waiting)
    return waiting.count


def index_texts(memory: Memory) -> bool:
    """Take one step of what needs no model; whether more of it waits."""
    with memory.read() as view:
        behind = _behind(TEXT_INDEXES, view)
    if not behind:
        return False
    with memory.write() as change:
        for each in behind:
            each.step(change)
        return bool(_behind(TEXT_INDEXES, change))


def index_step(memory: Memory) -> bool:
    """Take one small step towards complete indexes; whether more may wait."""
    return (
        index_texts(memory)
        or embed_passages(memory) == EMBEDDED_AT_ONCE
        or embed_facts(memory) > 0
        or index_nodes(memory) >= NODES_PER_READ
        or index_names(memory)
        or build_vector_codes(memory)
    )


def index_names(memory: Memory) -> bool:
    """Embed some of the names that have no vector yet; whether there were any."""
    embedder, names = memory.embedder, memory.cache.names
    if embedder is None:
        return False
    with memory.read() as view:
        made = names.embed_unstored(view, embedder)
    if made:
        with memory.write() as change:
            names.store(change, embedder, made)
    return bool(made)


def build_vector_codes(memory: Memory) -> bool:
    """Let a large store's vectors be found without comparing with all; whether a step was taken and more may wait."""
    embedder = memory.embedder
    if embedder is None:
        return False
    with memory.read() as view:
        if not has_unquantized_vectors(view, embedder):
            return False
        centroids = missing_centroids(view, embedder)
    with memory.write() as change:
        return quantize_vectors(change, embedder, centroids)


def index_all(memory: Memory, on_progress: ProgressListener = ignore_progress, *, vectors: bool = True) -> str | None:
    """Index all that waits; why vectors are missing, if they are."""
    while index_texts(memory):
        pass
    if not vectors:
        return None
    try:
        _embed_all(memory, on_progress)
    except EmbeddingFailed as problem:
        return str(problem)
    return None


def _embed_all(memory: Memory, on_progress: ProgressListener) -> None:
    with memory.read() as view:
        total = count_pending_texts(view, memory.embedder)
    done = 0
    for embed in (embed_passages, embed_facts):
        while count := embed(memory, EMBEDDED_AT_ONCE * 4):
            done += count
            on_progress(Progress(done, max(done, total)))
    while index_names(memory) or build_vector_codes(memory):
        pass
