"""A memory that a search found, and the order of several."""

from collections.abc import Iterable
from dataclasses import dataclass

from recollect.keep.memories.query import Asked, Signals
from recollect.model.ids import DocumentId

PLACES = 6


@dataclass(frozen=True, slots=True)
class Found:
    """A memory with what speaks for it; `has_vector` says whether a vector of it took part."""

    document: DocumentId
    key: str
    last_day: int
    signals: Signals
    has_vector: bool


def best_first(found: Iterable[Found], asked: Asked) -> list[Found]:
    """Those that reach the least score: by score, then the later period, then id; as many as were asked for."""
    enough = [each for each in found if each.signals.relevance > 0 and each.signals.score >= asked.min_score]
    # Cosines of equal texts differ in their last digits, which must not decide between them.
    ranked = sorted(enough, key=lambda each: (-round(each.signals.score, PLACES), -each.last_day, each.key))
    return ranked[: asked.most]
