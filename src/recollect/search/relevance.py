"""The relevance floor: what is too far from a question to be an answer."""

import calendar
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache

from recollect.search.content_words import question_forms, telling_tokens

COSINE_FLOOR = 0.28
"""What shares no telling word with the question must be at least so near in meaning; see docs/decisions/recall.md."""
SHARED_WORD_FLOOR = 0.12
"""What shares one must be at least so near, else the word means something else there."""
UNKNOWN_NAME_FLOOR = 0.38
"""A question with a name that nothing here mentions is hardly about anything here."""

IsKnown = Callable[[str], bool]
"""Whether any text or name holds a word."""
_WORD = re.compile(r"[^\W\d_]\w*(?:-\w+)*")


@dataclass(frozen=True, slots=True)
class RelevanceFloor:
    """The words of a question that tell what it is about, and what an answer must have in common with it."""

    telling: frozenset[str]
    has_unknown_name: bool = False

    @classmethod
    def of(cls, question: str, is_known: IsKnown) -> "RelevanceFloor":
        unknown = any(not is_known(name) for name in _capitalised_words(question))
        return cls(telling_tokens(question_forms(question)), unknown)

    def admits(self, words: Collection[str], cosine: float | None) -> bool:
        """Whether a text with these content tokens and this cosine may be an answer."""
        shares = not self.telling.isdisjoint(words)
        if cosine is None:
            return shares
        shared_word, meaning = SHARED_WORD_FLOOR, COSINE_FLOOR
        if self.has_unknown_name:
            shared_word, meaning = COSINE_FLOOR, UNKNOWN_NAME_FLOOR
        return cosine >= meaning or (shares and cosine >= shared_word)


def _capitalised_words(question: str) -> list[str]:
    """Words that are written as names; the first word of a sentence is capitalised anyway."""
    found = [
        each[0] for each in _WORD.finditer(question) if each[0][0].isupper() and not _starts_sentence(question, each)
    ]
    return [word for word in found if len(word) > 1 and word not in _calendar_words()]


def _starts_sentence(text: str, word: re.Match[str]) -> bool:
    before = text[: word.start()].rstrip(" \"'“‘([")
    return not before or before[-1] in ".!?:;\n"


@cache
def _calendar_words() -> frozenset[str]:
    return frozenset((*calendar.month_name, *calendar.day_name))
