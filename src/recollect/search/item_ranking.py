"""Ranking of short texts that are already in memory against a question, by BM25 over their content words."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from recollect.search.bm25 import score_postings
from recollect.store.passage_filter import CorpusSize
from recollect.store.posting_lists import posting_list
from recollect.text.stop_words import is_stop_word
from recollect.text.tokens import terms, words

# A time is one token: second_tide.year_45 does not match "tide".
_TIME_FORM = re.compile(
    r"(?<!\w)[^\W_]++(?:_[^\W_]++)*+\.year_\d+(?:\.(?:month|day)_\d+)*|\b\d{4}-\d{2}(?:-\d{2})?\b", re.ASCII
)


class RankedItem(NamedTuple):
    """A text to rank; of equal scores the one learned first wins, then the one with the smaller id."""

    text: str
    learned: int
    id: str


def content_words(text: str) -> Counter[str]:
    """Stems of the words that are not stop words, and times as they are written."""
    times = [found.lower() for found in _TIME_FORM.findall(text)]
    content = [word for word in words(_TIME_FORM.sub(" ", text)) if not is_stop_word(word)]
    return Counter([*terms(" ".join(content)), *times])


def rank_items(question: str | None, lists: Sequence[Sequence[RankedItem]], limit: int) -> list[list[int]]:
    """The indices of matching items of each list, best first; without a question every item matches."""
    every = [item for items in lists for item in items]
    scores = dict.fromkeys(range(len(every)), 0.0) if question is None else _score_items(question, every)
    ordered = sorted(scores, key=lambda at: (-round(scores[at], 6), every[at].learned, every[at].id))
    first = 0
    found = []
    for items in lists:
        found.append([at - first for at in ordered if first <= at < first + len(items)][:limit])
        first += len(items)
    return found


def _score_items(question: str, items: Sequence[RankedItem]) -> Mapping[int, float]:
    """Scores of the items that share a word with the question, by their index."""
    bags = [content_words(item.text) for item in items]
    lengths = [max(1, len(item.text)) for item in items]
    population = CorpusSize(len(items), sum(lengths) / len(items) if items else 1.0)
    postings = [
        (word, posting_list([(at, words[word], lengths[at]) for at, words in enumerate(bags) if word in words]))
        for word in content_words(question)
    ]
    return score_postings(postings, population).by_chunk
