"""Which known things a question is about: by its words, weighed against the known things and nothing else."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from recollect.model.stop_words import STOP_WORDS
from recollect.search.bm25 import score
from recollect.store.found import Population, Posting
from recollect.store.words import fold, terms

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
# A time is one word: second_tide.year_45 has nothing to do with a tide.
_TIME = re.compile(r"[^\W_]+(?:_[^\W_]+)*\.year_\d+(?:\.(?:month|day)_\d+)*|\b\d{4}-\d{2}(?:-\d{2})?\b", re.ASCII)
_POSSESSIVE = re.compile(r"['’]s?$")


class Item(NamedTuple):
    """A known thing as a question meets it: its words, when it was learned, and its id."""

    text: str
    learned: int
    id: str


def content_words(text: str) -> Counter[str]:
    """The stems of the words that carry meaning, and the times as they are written."""
    times = [found.lower() for found in _TIME.findall(text)]
    words = [word for word in _WORD.findall(_TIME.sub(" ", text)) if not _is_stop(word)]
    return Counter([*terms(" ".join(words)), *times])


def _is_stop(word: str) -> bool:
    return fold(_POSSESSIVE.sub("", word)) in STOP_WORDS


def chosen(question: str | None, lists: Sequence[Sequence[Item]], limit: int) -> list[list[int]]:
    """Of each list the places of the items that count, best first; without a question all of them."""
    every = [item for items in lists for item in items]
    scores = dict.fromkeys(range(len(every)), 0.0) if question is None else _matching(question, every)
    ordered = sorted(scores, key=lambda at: (-round(scores[at], 6), every[at].learned, every[at].id))
    first = 0
    found = []
    for items in lists:
        found.append([at - first for at in ordered if first <= at < first + len(items)][:limit])
        first += len(items)
    return found


def _matching(question: str, items: Sequence[Item]) -> Mapping[int, float]:
    """The items that share a word with the question, by their place, with their score."""
    held = [content_words(item.text) for item in items]
    lengths = [max(1, len(item.text)) for item in items]
    population = Population(len(items), sum(lengths) / len(items) if items else 1.0)
    postings = [
        (word, [Posting(at, words[word], lengths[at]) for at, words in enumerate(held) if word in words])
        for word in content_words(question)
    ]
    return score(postings, population).by_chunk
