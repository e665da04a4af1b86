"""A model may say it better, but nothing else: sentences that cite nothing or bring in something new are dropped."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from recollect.llm.fence import RULE, fenced
from recollect.llm.port import Ask, Model, ModelUnavailable
from recollect.model.ids import EntityId
from recollect.model.stop_words import STOP_WORDS
from recollect.reason.lore.telling.sentences import Sentence
from recollect.resolve.spot import spot
from recollect.store.view import View

SYSTEM = (
    "You retell numbered sentences as one flowing text. Use only what they say: no other name, number, time or event."
    " Write names and times exactly as they stand. End every sentence with the numbers in brackets of the sentences it"
    " rests on, before the full stop, such as: House Orrin ruled Halden from second_tide.year_25 [3]."
    " Answer with the text alone. " + RULE
)
LONGEST_ANSWER = 4000

_CITED = re.compile(r"\[(\d+(?:\s*,\s*\d+)*)\]")
_LATE = re.compile(r"([.!?])\s*((?:\[[\d,\s]+\]\s*)+)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_FIGURE = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_COUNTS = frozenset(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million dozen dozens hundreds "
    "thousands twice thrice decade decades century centuries".split()
)
_OPENINGS = frozenset(
    "later soon meanwhile afterwards finally eventually thus hence therefore still yet once since during upon "
    "earlier together likewise also however although though thereafter".split()
)
_OPENING_ENDS = ("ing", "ed", "ly")


class Rewritten(NamedTuple):
    """What is left of a model's text, and how many of its sentences are not."""

    text: str
    dropped: int


def rewritten(view: View, model: Model, sentences: Sequence[Sentence], numbered: str) -> Rewritten | None:
    """A model's version of the numbered sentences; none if it did not answer or nothing of it holds."""
    try:
        answer = model.answer(Ask(SYSTEM, fenced(numbered, "SENTENCES"), None, LONGEST_ANSWER))
    except ModelUnavailable:
        return None
    cited = dict(enumerate(sentences, 1))
    paragraphs = [cut(each) for each in _PARAGRAPH.split(answer)]
    kept = [[each for each in said if holds(view, each, cited)] for said in paragraphs]
    dropped = sum(map(len, paragraphs)) - sum(map(len, kept))
    text = "\n\n".join(" ".join(each) for each in kept if each)
    return Rewritten(text, dropped) if text else None


def cut(text: str) -> list[str]:
    """A text in sentences; numbers behind a full stop belong to what stands before it."""
    joined = _LATE.sub(lambda found: f" {found[2].strip()}{found[1]} ", text)
    return [each.strip() for each in _SENTENCE_END.split(joined) if each.strip()]


def holds(view: View, said: str, cited: Mapping[int, Sentence]) -> bool:
    """Whether a sentence cites what exists, and names and counts nothing that is not there."""
    numbers = {int(number) for found in _CITED.findall(said) for number in found.split(",")}
    if not numbers or not numbers <= cited.keys():
        return False
    sources = [cited[number] for number in sorted(numbers)]
    bare = _CITED.sub(" ", said)
    return _counts_nothing_new(bare, sources) and _names_nothing_new(view, bare, sources)


def _counts_nothing_new(bare: str, sources: Sequence[Sentence]) -> bool:
    known = " ".join(each.said.statement for each in sources)
    figures = set(_FIGURE.findall(bare)) <= set(_FIGURE.findall(known))
    counts = _COUNTS & set(_words(bare)) <= set(_words(known))
    return figures and counts


def _names_nothing_new(view: View, bare: str, sources: Sequence[Sentence]) -> bool:
    ends = {end for each in sources for end in each.relation.ends}
    known = " ".join(each.said.statement for each in sources)
    found = ((bare[each.start : each.stop], each.entities) for each in spot(view, bare))
    if not all(_is_known(text, entities, ends, known) for text, entities in found):
        return False
    words, names = set(_words(known)), _capitals(bare)
    return all(name.casefold() in words for name in names)


def _is_known(text: str, entities: Collection[EntityId], ends: Collection[EntityId], known: str) -> bool:
    return bool(set(entities) & set(ends)) or text.casefold() in known.casefold()


def _capitals(bare: str) -> Iterable[str]:
    """Words that look like names; the first word may be no more than the first."""
    words = _WORD.findall(bare)
    for at, word in enumerate(words):
        if word[:1].isupper() and word != "I" and not (at == 0 and _may_open(word)):
            yield word


def _may_open(word: str) -> bool:
    folded = word.casefold()
    return folded in STOP_WORDS or folded in _OPENINGS or folded.endswith(_OPENING_ENDS)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
