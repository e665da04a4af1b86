"""Index terms as both engines store and match them, and how many rows hold each."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, cached_property, lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

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


CERTAINLY_MANY = 2
"""A table must be expected to have so many times the limit before any of its words is taken for common."""
LISTED_SHARE = 4
"""A word is not counted if the statistics give at least the limit divided by this, beyond what an unlisted word gets:
counting reads every row up to the limit, and a sample of 30,000 rows tells such words to about a tenth."""
COUNTED_BY_ROWS = 500
"""A word of no more rows is counted by reading them; of one with more an index is asked, where it can tell: it also
counts rows that went since the last vacuum."""
NEWEST_READ = 20_000
"""So many of the newest rows are looked through for words that are all common, before an index is asked."""
# Every lexeme begins with the number of its workspace, so this one stands nowhere.
_NO_WORD, _ANY_WORD = "nowhere", "!nowhere"


class WordQueries(NamedTuple):
    """The queries of one full-text index: its matches counted up to a limit, found but not read, and all of them."""

    counted: str
    indexed: str
    matches: str


class WordCounts:
    """The tokens of a full-text index by how many rows hold them.

    PostgreSQL finds all matches of a word before it can stop counting, so a word of a million rows takes a hundred
    times as long as it takes to learn that there are many. Its planner has statistics of the common words.
    """

    def __init__(self, view: View, queries: WordQueries, limit: int) -> None:
        self._view = view
        self._queries = queries
        self._limit = limit
        self._common: set[str] = set()

    def document_frequency(self, token: TermAlternatives) -> int:
        """How many rows hold a token; from the limit on there are just many."""
        matching = full_text_query(self._view, [token])
        expected = self._known_by_statistics(token)
        count = self._count(matching) if expected is None else min(expected, self._limit)
        if count >= self._limit:
            self._common.add(matching)
        return count

    def are_common(self, tokens: Sequence[TermAlternatives]) -> bool:
        """Whether each of the tokens was asked for before, and is held by so many rows that they were not counted."""
        return all(full_text_query(self._view, [token]) in self._common for token in tokens)

    def matching(self, tokens: Sequence[TermAlternatives]) -> dict[str, Any]:
        """What the queries are asked that look for rows with every token, among the newest ones if there are many."""
        many = int(self.are_common(tokens))
        return {"matching": full_text_query(self._view, tokens), "many": many, "newest": NEWEST_READ}

    def _count(self, matching: str) -> int:
        """Rows lie all over a table, so that twenty thousand of them are as many reads from disk; in an index a few."""
        first = min(self._limit, COUNTED_BY_ROWS)
        count = self._read_up_to(matching, first)
        if count < first or first == self._limit:
            return count
        indexed = self._rows_in_index(matching)
        return self._read_up_to(matching, self._limit) if indexed is None else min(max(indexed, count), self._limit)

    def _read_up_to(self, matching: str, limit: int) -> int:
        return self._view.fetch_number(self._queries.counted, matching=matching, limit=limit)

    def _rows_in_index(self, matching: str) -> int | None:
        return None if is_sqlite(self._view) else self._view.rows_in_index(self._queries.indexed, matching=matching)

    def _known_by_statistics(self, token: TermAlternatives) -> int | None:
        """How many rows hold a token, if it is common enough for the planner's statistics to tell."""
        # Of words that must stand together the planner knows only how common each is.
        words = [way for way in token if len(way) == 1]
        if not words or self._expected_of_unlisted is None:
            return None
        # Each of the words may stand in the same rows, and all but one may be without statistics.
        least = len(words) * (self._limit // LISTED_SHARE + self._expected_of_unlisted)
        expected = self._expected_rows(full_text_query(self._view, [words])) or 0
        return expected // len(words) if expected >= least else None

    @cached_property
    def _expected_of_unlisted(self) -> int | None:
        """How many rows are expected of a word without statistics; none where no word can be common."""
        everything = self._expected_rows(_ANY_WORD)
        if everything is None or everything < CERTAINLY_MANY * self._limit:
            return None
        return self._expected_rows(_NO_WORD)

    def _expected_rows(self, matching: str) -> int | None:
        return self._view.expected_rows(self._queries.matches, matching=matching)
