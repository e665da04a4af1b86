"""Index terms as both engines store and match them, cut here so that their results are equal."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import accumulate

from recollect.store.sqlite_connection import SqliteConnection
from recollect.store.view import View
from recollect.text.tokens import index_terms, index_words, terms_of_word

MAX_POSITIONS = 255
MOST_ENTRIES = 100_000
_RANK_ERROR = 1e-7


def is_sqlite(view: View) -> bool:
    """Whether the store is a file in this process."""
    return isinstance(view.connection, SqliteConnection)


def index_texts(view: View, texts: Iterable[str]) -> list[str]:
    """The words of texts as the engine of the store indexes them."""
    ws, document = view.ws, fts5_document if is_sqlite(view) else tsvector_document
    return [document(ws, text) for text in texts]


def workspace_term(ws: int, term: str) -> str:
    """A stem as the indexes hold it: no two workspaces share a list of places."""
    return f"{ws}_{term}"


def fts5_document(ws: int, text: str) -> str:
    """The words of a text for FTS5: each as often as it occurs."""
    return " ".join(map(_entries(ws).__getitem__, index_words(text)))


class _Entries(dict[str, str]):
    """What stands for a word in the index of a workspace: looked up for every word of what an import brings."""

    def __init__(self, ws: int) -> None:
        super().__init__()
        self._ws = ws

    def __missing__(self, word: str) -> str:
        if len(self) >= MOST_ENTRIES:
            self.clear()
        entry = self[word] = " ".join(workspace_term(self._ws, term) for term in terms_of_word(word))
        return entry


@lru_cache(8)
def _entries(ws: int) -> _Entries:
    return _Entries(ws)


def tsvector_document(ws: int, text: str) -> str:
    """The words of a text for a tsvector: only how many places a word has will count."""
    counts = Counter(index_terms(text))
    places = (",".join(map(str, range(1, min(count, MAX_POSITIONS) + 1))) for count in counts.values())
    return " ".join(
        f"{quote_term(workspace_term(ws, term))}:{place}" for term, place in zip(counts, places, strict=True)
    )


def term_frequency_from_rank(rank: float) -> int:
    """How often a word stands in a tsvector, from the rank that a query for it alone gives."""
    return min(bisect_left(_ranks(), rank - _RANK_ERROR) + 1, MAX_POSITIONS)


@cache
def _ranks() -> list[float]:
    """PostgreSQL adds a tenth for the first place of a word, a quarter of that for its second, and so on by squares."""
    return list(accumulate(0.1 / 1.64493406685 / place**2 for place in range(1, MAX_POSITIONS + 1)))


TermAlternatives = Sequence[Sequence[str]]
"""The ways in which a token may stand in an index, each some stems that must all be there."""


def match_expression(ws: int, tokens: Sequence[TermAlternatives], both: str, either: str, quote: str) -> str:
    """What asks an index for passages that hold every token in one of its ways."""
    ways = (
        [both.join(f"{quote}{workspace_term(ws, term)}{quote}" for term in way) for way in token] for token in tokens
    )
    return both.join(f"({either.join(f'({way})' for way in token)})" for token in ways)


def full_text_query(view: View, tokens: Sequence[TermAlternatives]) -> str:
    """The expression for the engine of a view."""
    return match_expression(view.ws, tokens, *((" AND ", " OR ", '"') if is_sqlite(view) else (" & ", " | ", "'")))


def quote_term(word: str) -> str:
    return "'" + word.replace("\\", "\\\\").replace("'", "''") + "'"
