"""The relevance floor: what is too far from a question to be an answer."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import cache
from math import log10

from recollect.search.content_words import content_stems, question_forms, salient_tokens
from recollect.search.question_language import foreign_function_words
from recollect.search.related_words import answering_stems
from recollect.when.gregorian import MONTH_NAMES, WEEKDAYS

COSINE_FLOOR = 0.30
"""Least cosine of a text that shares no salient word with the question; see docs/decisions/recall.md."""
SMALL_STORE = 100
FLOOR_PER_DECADE = 0.05
"""Added for each tenfold of texts: the more there are, the nearer one of them is to an unrelated question."""
FLOOR_DECIMALS = 2
"""In steps, so that one text more in a large store, where those that were taken back count, leaves the floor alone."""
HIGHEST_FLOOR = 0.45
SHARED_WORD_FLOOR = 0.2
"""Least cosine of a text with a salient word or a related one; below it the word means something else there."""
NEXT_NEAREST_MARGIN = 0.05
"""How far below the floor the next nearest may lie where something is above it."""
UNKNOWN_NAME_MARGIN = 0.1
"""A question with a name that nothing here mentions is hardly about anything here."""
FOREIGN_FLOOR = 0.6
"""Least cosine of a text that shares no word with a question in a language that the encoder was not made for."""

IsKnown = Callable[[str], bool]
"""Whether any text or name holds a word."""
_ACRONYMS = frozenset(
    "API BIC CD CEO CFO CI COO CTO DB DNS DOB ETA FAQ GPS HR IBAN ID IP ISP IT OS PC PDF PIN PO PR QA SIM SLA SQL SSH "
    "SSID SSL TV UI URL USB UX VAT VPN".split()
)
"""Common nouns in capitals: such a word in a question is not a name."""
_WORD = re.compile(r"[^\W\d_]\w*(?:-\w+)*")


@dataclass(frozen=True, slots=True)
class RelevanceFloor:
    """The words of a question that tell what it is about, and what an answer must have in common with it."""

    salient: frozenset[str]
    meaning: float = COSINE_FLOOR
    shared_word: float = SHARED_WORD_FLOOR
    related: frozenset[str] = frozenset()
    """Words by which a text may answer that says none of the salient ones."""
    names: frozenset[str] = frozenset()
    """Names in the question that some text here has; a text with one of them may answer whatever its cosine."""

    @classmethod
    def of(cls, question: str, is_known: IsKnown, texts: int, *, is_foreign: bool = False) -> "RelevanceFloor":
        """The floor of a question to a store with so many embedded texts; `is_foreign` if their cosines tell little."""
        salient, meaning = salient_tokens(question_forms(question)), _cosine_floor(texts)
        related = answering_stems(salient)
        capitalised = _capitalised_words(question)
        known = [name for name in capitalised if is_known(name)]
        names = content_stems(" ".join(known))
        if is_foreign:
            return cls(salient - foreign_function_words(), FOREIGN_FLOOR, names=names - foreign_function_words())
        if len(known) < len(capitalised):
            return cls(salient, meaning + UNKNOWN_NAME_MARGIN, meaning, related)
        return cls(salient, meaning, related=related, names=names)

    def admits(self, words: Collection[str], cosine: float | None) -> bool:
        """Whether a text with these content tokens and this cosine may be an answer."""
        shares = not self.salient.isdisjoint(words)
        if cosine is None or not self.names.isdisjoint(words):
            return shares
        if self.is_near(cosine) or (shares and cosine >= self.shared_word) or self._holds_all(words):
            return True
        return self.may_be_related(cosine) and not self.related.isdisjoint(words)

    def _holds_all(self, words: Collection[str]) -> bool:
        """Whether a text has every salient word of a question that has several, or a code: INV-2041 has no meaning."""
        tells_much = len(self.salient) > 1 or any(map(str.isdigit, self.salient))
        return tells_much and self.salient.issubset(words)

    def lowered(self) -> "RelevanceFloor":
        """The floor of what stands beside an answer: that the question is answered here is known by then."""
        return replace(self, meaning=self.meaning - NEXT_NEAREST_MARGIN)

    def is_near(self, cosine: float | None) -> bool:
        """Whether a text with this cosine may be an answer whatever its words."""
        return (cosine or 0.0) >= self.meaning

    def may_be_related(self, cosine: float | None) -> bool:
        """Whether a text with this cosine may be an answer if it has a related word."""
        return bool(self.related) and (cosine or 0.0) >= self.shared_word


def _cosine_floor(texts: int) -> float:
    """The least cosine of an answer that shares no salient word, out of so many texts."""
    decades = log10(max(texts, SMALL_STORE) / SMALL_STORE)
    return min(HIGHEST_FLOOR, round(COSINE_FLOOR + FLOOR_PER_DECADE * decades, FLOOR_DECIMALS))


def _capitalised_words(question: str) -> list[str]:
    """Words that are written as names; the first word of a sentence is capitalised anyway."""
    found = [
        each[0] for each in _WORD.finditer(question) if each[0][0].isupper() and not _starts_sentence(question, each)
    ]
    return [word for word in found if len(word) > 1 and word not in _calendar_words() and word not in _ACRONYMS]


def _starts_sentence(text: str, word: re.Match[str]) -> bool:
    before = text[: word.start()].rstrip(" \"'“‘([")
    return not before or before[-1] in ".!?:;\n"


@cache
def _calendar_words() -> frozenset[str]:
    return frozenset((*MONTH_NAMES, *WEEKDAYS))
