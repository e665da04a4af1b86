"""The relevance floor: what is too far from a question to be an answer."""

from collections.abc import Collection
from dataclasses import dataclass

from recollect.search.content_words import question_forms, telling_tokens

COSINE_FLOOR = 0.3
"""What shares no telling word with the question must be at least so near in meaning; see docs/decisions/recall.md."""
SHARED_WORD_FLOOR = 0.12
"""What shares one must be at least so near, else the word means something else there."""


@dataclass(frozen=True, slots=True)
class RelevanceFloor:
    """The words of a question that tell what it is about, and what an answer must have in common with it."""

    telling: frozenset[str]

    @classmethod
    def of(cls, question: str) -> "RelevanceFloor":
        return cls(telling_tokens(question_forms(question)))

    def admits(self, words: Collection[str], cosine: float | None) -> bool:
        """Whether a text with these content tokens and this cosine may be an answer."""
        if cosine is not None and cosine >= COSINE_FLOOR:
            return True
        return not self.telling.isdisjoint(words) and (cosine is None or cosine >= SHARED_WORD_FLOOR)
