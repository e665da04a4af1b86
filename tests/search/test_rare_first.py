"""Words in a large store: the rare ones say where to look, and what is found is what a look at everything finds."""

from collections.abc import Sequence

import pytest
from tests.search.library import Book, ask, keys, shelve

from recollect.memory import Memory
from recollect.search import bm25
from recollect.search import document_search as by_words_module
from recollect.search.document_search import nearest_by_words
from recollect.search.index_terms import items_with_most_tokens
from recollect.store import passage_index as index_module
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.text_index import TermAlternatives

WEATHER = ("sunny", "rainy", "windy")
SHELF = tuple(
    Book(
        f"day-{number}",
        f"A {WEATHER[number % 3]} day at the harbour, entry {number}.",
        kind="memory" if number % 2 else "record",
    )
    for number in range(60)
)
ODD_ONES = (
    Book("whale", "A whale came into the harbour.", at="2026-05-02T10:00:00Z"),
    Book("whale-sun", "A whale on a sunny day at the harbour.", at="2026-05-03T10:00:00Z"),
    Book("far", "Whales were seen far out.", at="2026-05-04T10:00:00Z"),
)


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store counts as large from fifty passages on, a word as common that more than five hold."""
    for module in (bm25, by_words_module, index_module):
        monkeypatch.setattr(module, "LARGE_STORE", 50)
    for module in (bm25, by_words_module):
        monkeypatch.setattr(module, "RARE_POSTINGS", 5)


@pytest.fixture
def harbour(memory: Memory) -> Memory:
    shelve(memory, None, (*ODD_ONES, *SHELF))
    return memory


QUERIES = ("whale at the harbour", "a whale on a sunny day", "sunny whale harbour 12", "entry 7")


@pytest.mark.parametrize("query", QUERIES)
def test_a_rare_word_leads_to_what_everything_looked_at_would_give(
    harbour: Memory, query: str, request: pytest.FixtureRequest
) -> None:
    small = ask(harbour, query, None)
    request.getfixturevalue("large")
    found = ask(harbour, query, None)
    assert keys(found)[:3] == keys(small)[:3]
    assert [round(hit.score, 6) for hit in found.hits[:3]] == [round(hit.score, 6) for hit in small.hits[:3]]
    assert [hit.why.words for hit in found.hits[:3]] == [hit.why.words for hit in small.hits[:3]]


@pytest.mark.usefixtures("large")
def test_the_answer_says_which_words_were_too_common_to_look_up(harbour: Memory) -> None:
    assert ask(harbour, "whale at the harbour", None).common == ("harbour",)


def test_a_small_store_looks_everything_up(harbour: Memory) -> None:
    assert ask(harbour, "whale at the harbour", None).common == ()


@pytest.mark.usefixtures("large")
def test_common_words_alone_bring_the_newest_that_hold_all_of_them(
    harbour: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bm25, "MAX_READ", 6)
    found = keys(ask(harbour, "windy harbour", None))
    assert sorted(found) == sorted(f"day-{number}" for number in (59, 56, 53, 50, 47, 44))


@pytest.mark.usefixtures("large")
def test_a_filter_acts_before_the_newest_are_taken(harbour: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bm25, "MAX_READ", 4)
    found = keys(ask(harbour, "windy harbour", None, PassageFilter(kinds=frozenset({"memory"}))))
    assert sorted(found) == sorted(f"day-{number}" for number in (59, 53, 47, 41))


def _by_words(memory: Memory, text: str, where: PassageFilter = PassageFilter()) -> dict[str, float]:  # noqa: B008 frozen
    with memory.read() as view:
        found = nearest_by_words(view, StoredPassageIndex(view), text, where, 3)
        return {document.key: near.score for near in found if (document := view.document(near.document))}


@pytest.mark.parametrize("query", ["whale harbour", "sunny whale", "whale far harbour", "entry 7 harbour"])
def test_documents_share_as_many_words_as_when_all_are_looked_at(
    harbour: Memory, query: str, request: pytest.FixtureRequest
) -> None:
    small = _by_words(harbour, query)
    request.getfixturevalue("large")
    assert _by_words(harbour, query) == small


@pytest.mark.usefixtures("large")
def test_words_of_all_passages_of_a_document_count_together(memory: Memory) -> None:
    long = "The zeppelin landed.\n\n" + "Nothing of note happened that evening. " * 25 + "\n\nThe harbour was calm."
    shelve(memory, None, (*SHELF, Book("long", long)))
    assert _by_words(memory, "zeppelin harbour")["long"] == 1.0


def test_passages_with_one_common_word_are_not_looked_for_where_enough_hold_several() -> None:
    asked: list[list[int]] = []

    def find_all(tokens: Sequence[TermAlternatives], limit: int) -> list[int]:
        asked.append([len(token) for token in tokens])
        return list(range(100 - 20 * len(tokens)))[:limit]

    common: list[TermAlternatives] = [[["owner"]], [["note"]], [["tag"]]]
    assert len(items_with_most_tokens(find_all, common, 90, enough=60)) == 60
    assert asked == [[1, 1, 1], [1, 1]]
    asked.clear()
    assert len(items_with_most_tokens(find_all, common, 90, enough=61)) == 80
    assert asked == [[1, 1, 1], [1, 1], [1, 2], [1]]
    asked.clear()
    assert len(items_with_most_tokens(find_all, common, 90)) == 80
    assert asked == [[1, 1, 1], [1, 1], [1]]
