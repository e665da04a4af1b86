"""How common a word is: counted, unless the engine knows from its statistics that there are many."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from tests.surfaces.carabase.asking import edge, take_line

from recollect.ingest.documents import DocumentDraft, store_document
from recollect.memory import Memory
from recollect.search.fact_search import search_facts
from recollect.store import fact_index, passage_index, word_counts
from recollect.store.fact_index import FactIndex, index_all_facts
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.text_index import TermAlternatives
from recollect.store.view import View

MANY = 20
"""From here on there are just many, so that a test needs few rows."""
FACTS = 120
LANTERN, HARBOUR, WHALE, UNHEARD = [("lantern",)], [("harbour",)], [("whale",)], [("zeppelin",)]
TOGETHER = [("lantern", "whale")]


@pytest.fixture
def low_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fact_index, "COUNT_LIMIT", MANY)
    monkeypatch.setattr(passage_index, "POSTING_LIMIT", MANY)


@pytest.fixture
def harbour(memory: Memory, address: str) -> Memory:
    """Every fact and passage tells of lanterns, one in twelve of the harbour, one of a whale."""
    tell_of_the_harbour(memory)
    analyze(address)
    return memory


def tell_of_the_harbour(memory: Memory) -> None:
    texts = [said(number) for number in range(FACTS)]
    for number, text in enumerate(texts):
        take_line(memory, {"facts": [edge(f"Keeper {number}", "noted", {"literal": text})]})
    with memory.write() as change:
        for number, text in enumerate(texts):
            store_document(change, DocumentDraft("record", "note", f"n{number}", None, None, None, change.now, text))
        index_all_facts(change)


def said(number: int) -> str:
    harbour, whale = " harbour" if number % 12 == 0 else "", " whale" if number == 7 else ""
    return f"lantern {number}{harbour}{whale}"


def analyze(address: str) -> None:
    if address.startswith("postgres"):
        with psycopg.connect(address, autocommit=True) as raw:
            raw.execute("ANALYZE fact_word, chunk_word")


@contextmanager
def counted_queries(view: View) -> Iterator[list[str]]:
    """The queries that run meanwhile and count words."""
    found: list[str] = []
    rows = view.rows

    def noting(query: str, /, **parameters: Any) -> list[Any]:
        if query.endswith("words_counted"):
            found.append(parameters["matching"])
        return rows(query, **parameters)

    view.rows = noting  # type: ignore[method-assign]
    yield found
    del view.rows


def of_facts(view: View) -> Callable[[TermAlternatives], int]:
    return FactIndex(view).holding


def of_passages(view: View) -> Callable[[TermAlternatives], int]:
    return StoredPassageIndex(view).holding


INDEXES = pytest.mark.parametrize("holding", [of_facts, of_passages])
Holding = Callable[[View], Callable[[TermAlternatives], int]]


@INDEXES
@pytest.mark.usefixtures("low_limit")
def test_both_engines_tell_as_many_rows_and_from_a_limit_on_just_many(harbour: Memory, holding: Holding) -> None:
    with harbour.read() as view:
        found = [holding(view)(each) for each in (LANTERN, HARBOUR, WHALE, UNHEARD, TOGETHER, [*WHALE, *HARBOUR])]
    assert found == [MANY, 10, 1, 0, 1, 11]


@INDEXES
@pytest.mark.usefixtures("low_limit")
def test_a_word_that_is_common_by_the_statistics_is_not_counted(
    harbour: Memory, holding: Holding, address: str
) -> None:
    with harbour.read() as view, counted_queries(view) as counted:
        count = holding(view)
        assert [count(LANTERN), count([*LANTERN, *WHALE])] == [MANY, MANY]
        assert len(counted) == (0 if address.startswith("postgres") else 2)
        assert [count(WHALE), count(UNHEARD), count(TOGETHER)] == [1, 0, 1]
    assert len(counted) == (3 if address.startswith("postgres") else 5)


@pytest.fixture
def no_statistics(address: str) -> Iterator[None]:
    """None of the words, and none to come."""
    if not address.startswith("postgres"):
        yield
        return
    with psycopg.connect(address, autocommit=True) as raw:
        for table in ("fact_word", "chunk_word"):
            raw.execute(f"ALTER TABLE {table} SET (autovacuum_enabled = off)")
            raw.execute(f"SELECT pg_clear_attribute_stats('public', '{table}', 'words', FALSE)")
        yield
        for table in ("fact_word", "chunk_word"):
            raw.execute(f"ALTER TABLE {table} RESET (autovacuum_enabled)")


@INDEXES
@pytest.mark.usefixtures("low_limit", "no_statistics")
def test_words_are_counted_as_long_as_there_are_no_statistics(memory: Memory, holding: Holding) -> None:
    tell_of_the_harbour(memory)
    with memory.read() as view, counted_queries(view) as counted:
        assert [holding(view)(each) for each in (LANTERN, HARBOUR, WHALE)] == [MANY, 10, 1]
    assert len(counted) == 3


def test_a_small_store_is_counted_whatever_the_statistics_say(harbour: Memory) -> None:
    with harbour.read() as view, counted_queries(view) as counted:
        assert [of_facts(view)(each) for each in (LANTERN, HARBOUR)] == [FACTS, 10]
    assert len(counted) == 2


@pytest.mark.usefixtures("low_limit")
def test_what_is_found_is_the_same_by_counting_and_by_statistics(
    memory: Memory, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell_of_the_harbour(memory)
    asked = ("whale lanterns", "lanterns in the harbour", "lanterns", "zeppelin lantern")

    def answers() -> list[list[tuple[str, float]]]:
        with memory.read() as view:
            return [[(hit.seen.text, hit.score) for hit in search_facts(view, text, 5)] for text in asked]

    with monkeypatch.context() as patched:
        patched.setattr(word_counts.WordCounts, "_is_known_as_common", lambda *_: False)
        by_counting = answers()
    analyze(address)
    assert answers() == by_counting
