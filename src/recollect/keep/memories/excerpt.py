"""The part of a memory that a search shows."""

from recollect.keep.identity.blocks import blocks
from recollect.keep.memories.entry import Kept
from recollect.keep.memories.query import QueryVector
from recollect.keep.memories.words import findable, is_found
from recollect.model.document import Chunk
from recollect.store.index import StoredIndex
from recollect.store.view import View

WHOLE = 2_000
SIGNIFICANT = 10_000
CUT = "…"


def excerpt(view: View, index: StoredIndex, memory: Kept, query: QueryVector | None, terms: tuple[str, ...]) -> str:
    """The whole text if it is short, else its title line and the passage that answers best."""
    most = SIGNIFICANT if memory.draft.period.granularity == "significant" else WHOLE
    if len(memory.content) <= most or most == SIGNIFICANT:
        return cut(memory.content, most)
    title = next((block.text for block in blocks(memory.content) if block.kind == "heading"), None)
    chunk = best_chunk(index, view.chunks(memory.document.id), query, terms)
    passage = memory.content[chunk.start : chunk.stop] if chunk else memory.content
    return cut(passage if title is None or passage.startswith(title) else f"{title}\n\n{passage}", most)


def best_chunk(
    index: StoredIndex, chunks: list[Chunk], query: QueryVector | None, terms: tuple[str, ...]
) -> Chunk | None:
    """The passage nearest in meaning, where there are vectors; else the one with most of the words."""
    cosines: dict[int, float] = {}
    if query is not None and query.model is not None:
        cosines = index.cosines(query.vector, query.model, [chunk.number for chunk in chunks])

    def worth(chunk: Chunk) -> tuple[float, int, int]:
        words = findable(chunk.text)
        return cosines.get(chunk.number, -1.0), sum(is_found(term, words) for term in terms), -chunk.seq

    return max(chunks, key=worth, default=None)


def cut(text: str, most: int) -> str:
    """The text, or as much of it as fits, up to the end of a word and marked."""
    if len(text) <= most:
        return text
    kept = text[: most - 1]
    shorter = kept.rstrip() if text[most - 1].isspace() else kept.rsplit(None, 1)[0]
    return (shorter if len(shorter) > most // 2 else kept) + CUT
