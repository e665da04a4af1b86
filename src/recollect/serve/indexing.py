"""Bringing the search index up to date: words first, which is quick, then meanings."""

from recollect.embed.port import EmbeddingFailed
from recollect.memory import Memory
from recollect.model.progress import Progress, Told, tell_nobody
from recollect.search.indexing import build_codes
from recollect.store.index import index_meanings, index_words, waiting


def catch_up(memory: Memory, tell: Told = tell_nobody) -> str | None:
    """Index what came in since the last time; why meanings are missing, if they are. No transaction."""
    with memory.write() as change:
        index_words(change)
    if memory.embedder is None:
        return None
    try:
        _embed(memory, tell)
        while build_codes(memory):
            pass
    except EmbeddingFailed as problem:
        return str(problem)
    return None


def _embed(memory: Memory, tell: Told) -> None:
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
        tell(Progress(done, total))
