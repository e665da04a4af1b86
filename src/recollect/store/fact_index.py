"""Full-text index of facts on both engines, built lazily and caught up in steps."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from recollect.model.ids import FactId
from recollect.store.index_progress import IndexProgress
from recollect.store.text_index import TermAlternatives, WordCounts, WordQueries, full_text_query, index_texts
from recollect.store.view import View
from recollect.text.tokens import index_terms

if TYPE_CHECKING:
    from recollect.store.change import Change

FACT_INDEX = IndexProgress("facts")
FACTS_PER_STEP = 20_000
"""So many facts are indexed in one go; all of one transaction together."""
COUNT_LIMIT = 20_000
COUNTED_EXACTLY = 500
"""Of a word that no more facts ever held, those that stand are counted: one more or less changes what it weighs."""
MANY_FACTS = 32
"""A transaction with at least this many facts indexes them itself."""
EVERY = 64
"""Every 64th transaction indexes what smaller ones before it left unindexed."""
MOST_UNINDEXED = EVERY * MANY_FACTS
_QUERIES = WordQueries("fact_words_counted", "fact_words_indexed", "fact_words_held")


class FactIndex:
    """Facts by words."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._counts = WordCounts(view, _QUERIES, COUNT_LIMIT)

    def document_frequency(self, token: TermAlternatives) -> int:
        """How many facts hold a token; from some number on there are just many.

        What was taken back, and how far the index has come, changes no count of a word that few facts hold: else an
        undone write would leave other weights behind.
        """
        ever = self._counts.document_frequency(token)
        if ever > COUNTED_EXACTLY:
            return ever
        return (self._count_standing(token) if ever else 0) + len(self.unindexed_containing(token))

    def unindexed_containing(self, token: TermAlternatives) -> list[FactId]:
        """The facts that hold a token and came in since the index was brought up to date."""
        return [id_ for id_, terms in self._unindexed if _holds(terms, token)]

    def _count_standing(self, token: TermAlternatives) -> int:
        """A fact whose words changed is indexed by those it had before, too, and counts by those it has."""
        parameters = {"matching": full_text_query(self._view, [token]), "upto": self._upto, "limit": COUNTED_EXACTLY}
        [[standing, reworded]] = self._view.rows("fact_words_standing", **parameters)
        if not reworded:
            return int(standing)
        rows = self._view.rows("fact_words_reworded", **parameters)
        return int(standing) - sum(not _holds(index_terms(_searchable_text(*claim)), token) for claim in rows)

    @cached_property
    def _upto(self) -> int:
        return FACT_INDEX.read(self._view).upto

    @cached_property
    def _unindexed(self) -> list[tuple[FactId, frozenset[str]]]:
        until = _next_batch_end(self._view, self._upto, MOST_UNINDEXED)
        if until is None:
            return []
        rows = self._view.rows("facts_standing_between", upto=self._upto, until=until)
        return [(FactId(id_), frozenset(index_terms(_searchable_text(*claim)))) for id_, *claim in rows]

    def containing_all(self, tokens: Sequence[TermAlternatives], limit: int) -> list[FactId]:
        """The newest facts that hold every token in one of its ways, whatever became of them since."""
        rows = self._view.rows("facts_containing_all", **self._counts.matching(tokens), limit=limit)
        return [FactId(row[0]) for row in rows]


def is_fact_index_behind(view: View) -> bool:
    """Whether a fact came in since the index was brought up to date."""
    return _next_batch_end(view, FACT_INDEX.read(view).upto, 1) is not None


def unindexed_facts(view: View) -> list[FactId]:
    """The facts that came in since the index was brought up to date, no more than small transactions leave."""
    upto = FACT_INDEX.read(view).upto
    until = _next_batch_end(view, upto, MOST_UNINDEXED)
    rows = view.rows("facts_begun_between", upto=upto, until=until) if until is not None else ()
    return [FactId(row[0]) for row in rows[:MOST_UNINDEXED]]


def index_facts_if_due(change: "Change") -> None:
    """Index facts at the end of a transaction, if it has many or it is its turn."""
    if change.has_changed and (len(change.touched.facts) >= MANY_FACTS or change.tx % EVERY == 0):
        index_all_facts(change)


def index_all_facts(change: "Change") -> None:
    """Bring the index up to this moment."""
    while index_facts(change):
        pass


def index_facts(change: "Change") -> bool:
    """Enter the words of the next facts; whether more wait. No transaction."""
    upto = FACT_INDEX.read(change).upto
    until = _next_batch_end(change, upto, FACTS_PER_STEP)
    if until is None:
        return False
    _index_between(change, upto, until)
    FACT_INDEX.save(change, until)
    return _next_batch_end(change, until, 1) is not None


def drop_fact_index(change: "Change") -> None:
    """Drop the whole index, so that no word of what is erased stays in it; the caller builds it again."""
    for query in ("fact_words_drop", "fact_numbers_drop"):
        change.run(query)
    FACT_INDEX.drop(change)


def _index_between(change: "Change", upto: int, until: int) -> None:
    """Number the facts of some transactions that have no number yet, and index them by the words of all versions."""
    last = change.fetch_number("fact_number_last")
    change.run("fact_numbers_add", upto=upto, until=until)
    said: dict[int, dict[str, None]] = {}
    for query in ("facts_numbered_between", "facts_reworded_between"):
        for number, *claim in change.rows(query, upto=upto, until=until, above=last):
            said.setdefault(number, {})[_searchable_text(*claim)] = None
    texts = index_texts(change, [" ".join(each) for each in said.values()])
    added = [{"number": number, "words": text} for number, text in zip(said, texts, strict=True)]
    change.run_many("fact_words_add", added)


def _searchable_text(predicate: str, literal: str | None, words: str | None, evidence: str | None) -> str:
    """What a fact says but for the names of its ends, which the index of names holds."""
    claim, spoken = predicate.replace("_", " "), words or evidence
    claim = f"{claim} {literal}" if literal else claim
    return f"{claim} {spoken}" if spoken else claim


def _holds(terms: Iterable[str], token: TermAlternatives) -> bool:
    held = frozenset(terms)
    return any(held.issuperset(way) for way in token)


def _next_batch_end(view: View, upto: int, limit: int) -> int | None:
    [[until]] = view.rows("facts_begun_until", upto=upto, limit=limit)
    return None if until is None else int(until)
