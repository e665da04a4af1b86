"""How many rows of a full-text index hold a word; words that the engine knows to be common are not counted."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from recollect.store.text_index import TermAlternatives, full_text_query
from recollect.store.view import View

CERTAINLY_MANY = 2
"""A table must be expected to have so many times the limit before any of its words is taken for common."""
LISTED_SHARE = 4
"""A word is not counted if the statistics give at least the limit divided by this, beyond what an unlisted word gets:
counting reads every row up to the limit, and a sample of 30,000 rows tells such words to about a tenth."""
NEWEST_READ = 20_000
"""So many of the newest rows are looked through for words that are all common, before an index is asked."""
# Every lexeme begins with the number of its workspace, so this one stands nowhere.
_NO_WORD, _ANY_WORD = "nowhere", "!nowhere"


class WordQueries(NamedTuple):
    """The queries of one full-text index: its matches counted up to a limit, and all of them."""

    counted: str
    matches: str


class WordCounts:
    """The tokens of a full-text index by how many rows hold them.

    PostgreSQL reads all matches of a word before it can stop counting, so a word of a million rows takes a hundred
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
        return self._view.fetch_number(self._queries.counted, matching=matching, limit=self._limit)

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
