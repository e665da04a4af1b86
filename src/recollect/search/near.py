"""The documents nearest to a text: by the cosine of their best passage, or by the words they share with it."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from recollect.embed.port import Vectors
from recollect.model.ids import DocumentId
from recollect.search.port import Index
from recollect.store.found import Filter, FoundChunk
from recollect.store.view import View

SAME = 6
"""Decimal places to which scores are compared, so that engines agree."""
WIDEST = 65_536


class Near(NamedTuple):
    """A document with its score and the passage that gave it."""

    document: DocumentId
    score: float
    start: int = 0
    stop: int = 0


def nearest(index: Index, vector: Vectors, model: str, where: Filter, limit: int) -> list[Near]:
    """The best documents by cosine, and all that tie with the last of them; best first, ties in no order."""
    look = limit * 4
    while True:
        hits = index.nearest(vector, model, where, look)
        found = _best(hits, index.chunks([number for number, _ in hits], where))
        if len(hits) < look or look >= WIDEST or _is_enough(found, round(hits[-1][1], SAME), limit):
            return cut(found, limit)
        look *= 4


def nearest_among(
    view: View, index: Index, vector: Vectors, model: str, documents: Collection[DocumentId], limit: int
) -> list[Near]:
    """The same, of a few documents that are known."""
    rows = view.rows("passages_of", documents=sorted(documents)) if documents else []
    cosines = index.cosines(vector, model, [row[0] for row in rows])
    best: dict[DocumentId, Near] = {}
    for number, document, start, stop in sorted(rows):
        score = round(cosines[number], SAME) if number in cosines else None
        if score is not None and (document not in best or score > best[document].score):
            best[document] = Near(document, score, start, stop)
    return cut(sorted(best.values(), key=lambda each: -each.score), limit)


def _best(hits: Iterable[tuple[int, float]], chunks: dict[int, FoundChunk]) -> list[Near]:
    best: dict[DocumentId, Near] = {}
    for number, cosine in hits:
        chunk = chunks.get(number)
        if chunk is not None and chunk.document not in best:
            best[chunk.document] = Near(chunk.document, round(cosine, SAME), chunk.start, chunk.stop)
    return sorted(best.values(), key=lambda each: -each.score)


def _is_enough(found: list[Near], last: float, limit: int) -> bool:
    """Whether nothing further down can come before or tie with the last that is wanted."""
    return len(found) >= limit and found[limit - 1].score > last


def cut(found: list[Near], limit: int) -> list[Near]:
    """The best so many, and all that tie with the last of them."""
    floor = found[limit - 1].score if len(found) > limit else float("-inf")
    return [each for each in found if each.score >= floor]
