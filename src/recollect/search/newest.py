"""What is newer first, among passages that say something of the same thing."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from recollect.search.bm25 import TextScores
from recollect.search.fuse import Candidate, are_one_talk
from recollect.search.hit import Hit
from recollect.when.instant import DAY, Instant

LOOKED_AT = 10
IN_COMMON = 0.35
NEAR = 0.5
PASSES = 2


def newest_first(hits: Sequence[Hit], text: TextScores, at: Instant, turns: Collection[int]) -> list[Hit]:
    """The hits, a newer one moved before the first older one of the same thing.

    Two say something of the same thing when both hold words that make up a third of the query's weight and the newer
    is at least half as good. What comes after the day asked about is no news, and turns of a talk keep their order.
    """
    order = list(hits[:LOOKED_AT])
    for _ in range(PASSES):
        order = _passed(order, text, Instant(at + DAY), turns)
    return [*order, *hits[LOOKED_AT:]]


def _passed(hits: Iterable[Hit], text: TextScores, until: Instant, turns: Collection[int]) -> list[Hit]:
    order: list[Hit] = []
    for hit in hits:
        is_news = hit.chunk.source_at <= until and hit.chunk.number not in turns
        place = next((at for at, other in enumerate(order) if is_news and _replaces(hit, other, text)), len(order))
        best = order[place].score if place < len(order) else hit.score
        order.insert(place, replace(hit, score=max(best, hit.score)))
    return order


def _replaces(hit: Hit, other: Hit, text: TextScores) -> bool:
    is_newer = hit.chunk.source_at > other.chunk.source_at
    is_near = hit.why.score >= NEAR * other.why.score
    return is_newer and is_near and text.in_common(hit.chunk.number, other.chunk.number) >= IN_COMMON


def turns_among(candidates: Iterable[Candidate], beside: Iterable[tuple[int, int]]) -> set[int]:
    """Passages that are turns, each a document of its own, of a talk that goes on before or after them."""
    chunks = {each.chunk.number: each.chunk for each in candidates}
    found: set[int] = set()
    for one, other in beside:
        if one in chunks and other in chunks and chunks[one].document != chunks[other].document:
            found |= {one, other} if are_one_talk(chunks[one], chunks[other]) else set()
    return found
