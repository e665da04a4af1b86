"""How common a word is: counted, unless the engine knows from its statistics that there are many."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from tests.conftest import Build
from tests.surfaces.carabase.asking import edge, take_line

from recollect.ingest.documents import DocumentDraft, store_document
from recollect.memory import Memory
from recollect.search.fact_search import search_facts
from recollect.store import fact_index, passage_index, text_index
from recollect.store.fact_index import FactIndex, index_all_facts
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.postgres import PostgresConnection
from recollect.store.queries import postgres_queries
from recollect.store.text_index import TermAlternatives
from recollect.store.view import View

MANY = 20
"""From here on there are just many, so that a test needs few rows."""
FACTS = 120
LANTERN, HARBOUR, WHALE, UNHEARD = [("lantern",)], [("harbour",)], [("whale",)], [("zeppelin",)]
EVEN = [("even",)]
TOGETHER = [("lantern", "whale")]


@pytest.fixture
def low_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fact_index, "COUNT_LIMIT", MANY)
    monkeypatch.setattr(fact_index, "COUNTED_EXACTLY", MANY - 1)
    monkeypatch.setattr(passage_index, "POSTING_LIMIT", MANY)


@pytest.fixture
def harbour(filled: Callable[[Build], Memory], address: str) -> Memory:
    """Every fact and passage tells of lanterns, every other is even, one in twelve has the harbour, one a whale."""
    memory = filled(tell_of_the_harbour)
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
    told = {"even": number % 2 == 0, "harbour": number % 12 == 0, "whale": number == 7}
    return " ".join(["lantern", str(number), *(word for word, is_so in told.items() if is_so)])


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
    return FactIndex(view).document_frequency


def of_passages(view: View) -> Callable[[TermAlternatives], int]:
    return StoredPassageIndex(view).document_frequency


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


@INDEXES
@pytest.mark.usefixtures("low_limit")
def test_a_word_below_the_limit_is_not_counted_if_the_statistics_tell_how_common_it_is(
    harbour: Memory, holding: Holding, address: str
) -> None:
    with harbour.read() as view, counted_queries(view) as counted:
        assert holding(view)(HARBOUR) == 10
    assert len(counted) == (0 if address.startswith("postgres") else 1)


@INDEXES
def test_a_word_of_many_rows_is_counted_by_an_index_that_finds_them(
    harbour: Memory, address: str, holding: Holding, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not address.startswith("postgres"):
        pytest.skip("SQLite has no such index")
    monkeypatch.setattr(text_index, "COUNTED_BY_ROWS", 5)
    with psycopg.connect(address, autocommit=True) as raw:
        raw.execute("VACUUM ANALYZE fact_word, chunk_word")  # of what earlier tests left in the index
    monkeypatch.setattr(text_index.WordCounts, "_known_by_statistics", lambda *_: None)
    with harbour.read() as view:
        assert isinstance(view.connection, PostgresConnection)
        for other in ("seqscan", "indexscan"):  # which are quicker in so small a table
            view.connection._raw.execute(f"SET LOCAL enable_{other} = off".encode())
        with counted_queries(view) as counted:
            assert [holding(view)(each) for each in (EVEN, HARBOUR, WHALE, UNHEARD)] == [FACTS // 2, 10, 1, 0]
    assert len(counted) == 4


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
@pytest.mark.parametrize("newest", [1, 30, FACTS])
def test_common_words_bring_the_newest_facts_that_hold_all_of_them(
    harbour: Memory, monkeypatch: pytest.MonkeyPatch, newest: int
) -> None:
    monkeypatch.setattr(text_index, "NEWEST_READ", newest)
    with harbour.read() as view:
        index = FactIndex(view)
        assert [index.document_frequency(each) for each in (LANTERN, EVEN)] == [MANY, MANY]
        found = {row.fact.id: str(row.fact.literal) for row in view.fact_rows(index.containing_all([LANTERN, EVEN], 5))}
        asked = [[LANTERN, EVEN], [LANTERN], [EVEN, HARBOUR], [LANTERN, UNHEARD]]
        counts = [len(index.containing_all(each, FACTS)) for each in asked]
    assert sorted(found.values()) == sorted(said(number) for number in (118, 116, 114, 112, 110))
    assert counts == [60, 120, 10, 0]


def test_an_index_is_not_read_where_the_newest_facts_hold_common_words(harbour: Memory) -> None:
    with harbour.read() as view:
        if not isinstance(view.connection, PostgresConnection):
            pytest.skip("SQLite reads an index from its end")
        sql = f"EXPLAIN (ANALYZE, FORMAT JSON) {postgres_queries()['facts_containing_all'].sql}"
        asked = {"ws": view.ws, "matching": "'1_lantern' & '1_even'", "many": 1, "newest": 50}
        few, all_of_them = (
            view.connection._raw.execute(sql.encode(), {**asked, "limit": limit}).fetchone() for limit in (5, FACTS)
        )
    assert runs_of(few, "CTE held") == 0
    assert runs_of(all_of_them, "CTE held") == 1


def runs_of(explained: Any, part: str) -> int:
    """How often the scan below a part of a plan was run."""

    def below(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
        yield node
        for each in node.get("Plans", ()):
            yield from below(each)

    [found] = [node for node in below(explained[0][0]["Plan"]) if node.get("Subplan Name") == part]
    scans = [node for node in below(found) if node.get("Relation Name") == "fact_word"]
    return max(int(node["Actual Loops"]) for node in scans)


@pytest.mark.usefixtures("low_limit")
def test_what_is_found_is_the_same_by_counting_and_by_statistics(
    memory: Memory, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell_of_the_harbour(memory)
    asked = ("whale lanterns", "lanterns in the harbour", "lanterns", "zeppelin lantern")

    def answers() -> list[list[tuple[str, float]]]:
        with memory.read() as view:
            return [[(hit.row.text, hit.score) for hit in search_facts(view, text, 5)] for text in asked]

    with monkeypatch.context() as patched:
        patched.setattr(text_index.WordCounts, "_known_by_statistics", lambda *_: None)
        by_counting = answers()
    analyze(address)
    assert answers() == by_counting


@pytest.mark.parametrize(
    "query", ["postings", "postings_open", "passages_containing_all_versions", "passages_containing_all"]
)
def test_a_plan_for_any_word_finds_passages_by_their_words(harbour: Memory, query: str) -> None:
    with harbour.read() as view:
        if not isinstance(view.connection, PostgresConnection):
            pytest.skip("SQLite reads an index from its end")
        explained = view.connection._raw.execute(f"EXPLAIN (GENERIC_PLAN) {with_numbers(query)}".encode()).fetchall()
    plan = "\n".join(row[0] for row in explained)
    # No limit reaches what is materialised, so that reading the passages from the newest on has nothing to gain.
    assert "CTE held" in plan


def with_numbers(query: str) -> str:
    """A query whose parameters have numbers, as a prepared statement has them."""
    names: list[str] = []

    def number(found: re.Match[str]) -> str:
        names.extend(() if found[1] in names else (found[1],))
        return f"${names.index(found[1]) + 1}"

    return re.sub(r"%\((\w+)\)s", number, postgres_queries()[query].sql)


@pytest.mark.usefixtures("low_limit")
@pytest.mark.parametrize("newest", [1, 30, FACTS])
def test_common_words_bring_the_newest_passages_that_hold_all_of_them(
    harbour: Memory, monkeypatch: pytest.MonkeyPatch, newest: int
) -> None:
    monkeypatch.setattr(text_index, "NEWEST_READ", newest)
    with harbour.read() as view:
        index = StoredPassageIndex(view)
        every = index.containing_all([LANTERN], PassageFilter(), FACTS)
        assert index.document_frequency(LANTERN) == index.document_frequency(EVEN) == MANY
        assert index.containing_all([LANTERN, EVEN], PassageFilter(), 3) == every[1:7:2]
        assert index.containing_all_versions([LANTERN, EVEN], 30) == every[1:60:2]
