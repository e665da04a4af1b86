"""Bringing the search index up to date: words first, which is quick, then meanings."""

from collections.abc import Callable

from recollect.embed.port import EmbeddingFailed
from recollect.keep.artifacts.index import catch_up as index_artifacts
from recollect.memory import Memory
from recollect.search.indexing import build_codes
from recollect.store.index import index_meanings, index_words, waiting

Told = Callable[[int, int], None]


def catch_up(memory: Memory, tell: Told | None = None, *, meanings: bool = True) -> str | None:
    """Index what came in since the last time; why meanings are missing, if they are. No transaction."""
    with memory.write() as change:
        index_words(change)
    index_artifacts(memory)
    if not meanings or memory.embedder is None:
        return None
    try:
        _embed(memory, tell)
        while build_codes(memory):
            pass
    except EmbeddingFailed as problem:
        return str(problem)
    return None


def _embed(memory: Memory, tell: Told | None) -> None:
    embedder = memory.embedder
    with memory.read() as view:
        total = waiting(view, embedder)
    done = 0
    while embedder is not None and done < total:
        with memory.write() as change:
            count = index_meanings(change, embedder)
        if not count:
            return
        done += count
        if tell is not None:
            tell(done, total)
