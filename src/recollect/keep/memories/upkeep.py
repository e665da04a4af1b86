"""Bringing the indexes of memories up to date before they are asked, a bounded part of what waits at a time."""

from recollect.embed.port import Embedder, EmbeddingFailed
from recollect.embed.prepared import Prepared
from recollect.errors import Unavailable
from recollect.keep.memories.index import index_memories, is_caught_up
from recollect.keep.memories.mentions import link_new_names, links_wait
from recollect.keep.memories.model_change import lag_of, tell_of_change
from recollect.keep.memories.vectors import drop_dead_vectors
from recollect.memory import Memory
from recollect.store.change import Change
from recollect.store.index import index_meanings
from recollect.store.view import View

PASSAGES_AT_ONCE = 64


def catch_up(memory: Memory) -> None:
    """Index what waits, as far as this process may write; what stays behind is found by its words."""
    embedder = memory.embedder
    with memory.read() as view:
        lags = not is_caught_up(view) or links_wait(view) or _meanings_wait(view, embedder)
    if lags:
        _bring_up(memory, embedder)


def catch_up_links(memory: Memory) -> None:
    """Link older memories to the names learned since, as far as this process may write."""
    with memory.read() as view:
        lags = links_wait(view)
    if lags:
        _bring_up(memory, None)


def _bring_up(memory: Memory, embedder: Embedder | None) -> None:
    if not memory.may_write:
        return
    try:
        with memory.write() as change:
            index_memories(change)
            link_new_names(change)
            _embed(change, embedder)
    except Unavailable:
        return


def embed_waiting(memory: Memory, most: int = PASSAGES_AT_ONCE) -> int:
    """Embed the next passages, outside any transaction; how many there were, 0 when none is left."""
    embedder = memory.embedder
    if embedder is None:
        return 0
    with memory.read() as view:
        tell_of_change(memory, lag_of(view, embedder))
        rows = view.rows("chunks_after", upto=_embedded(view, embedder), limit=most)
        hashes = sorted(row[1] for row in rows)
        known = {row[0] for row in view.rows("embeddings_known", model=embedder.model, hashes=hashes)} if rows else ()
    if rows:
        made = Prepared(embedder, [row[2] for row in rows if row[1] not in known])
        with memory.write() as change:
            _embed(change, made, len(rows))
    return len(rows)


def _meanings_wait(view: View, embedder: Embedder | None) -> bool:
    return embedder is not None and bool(view.rows("chunks_after", upto=_embedded(view, embedder), limit=1))


def _embedded(view: View, embedder: Embedder) -> int:
    found = view.rows("indexed", part=f"meaning:{embedder.model}")
    return int(found[0][0]) if found else 0


def _embed(change: Change, embedder: Embedder | None, most: int = PASSAGES_AT_ONCE) -> None:
    """Embed the next passages; those that ended while they waited leave no vector."""
    if embedder is None:
        return
    low = _embedded(change, embedder)
    try:
        index_meanings(change, embedder, most)
    except EmbeddingFailed:
        return
    ended = change.rows("hashes_ended_between", low=low, high=_embedded(change, embedder))
    drop_dead_vectors(change, [row[0] for row in ended])
