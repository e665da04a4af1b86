"""Searching a small library on every engine."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.conftest import MovingClock
from tests.search.library import BOOKS, Book, ask, keys, shelve
from tests.support.databases import new_postgres_database
from tests.support.hash_embedder import HashEmbedder

from recollect.embed import EmbeddingFailed, Vectors
from recollect.memory import Memory, create_workspace, open_memory
from recollect.settings import Settings
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import count_unembedded_passages, index_vectors, index_words

EMBEDDER = HashEmbedder(256)


def test_words_are_found_in_another_form(memory: Memory) -> None:
    shelve(memory, None)
    assert keys(ask(memory, "queens who married", None))[0] == "queen"


def test_without_an_embedder_search_goes_by_text_and_says_so(memory: Memory) -> None:
    shelve(memory, None)
    found = ask(memory, "charity races", None)
    assert keys(found)[0] == "race"
    assert (found.by_meaning, found.note is not None) == (False, True)
    assert found.hits[0].why.via == ("text",)


def test_a_hit_says_why_it_came(memory: Memory) -> None:
    shelve(memory, EMBEDDER)
    found = ask(memory, "When did Caroline go to the support group?", EMBEDDER)
    why = found.hits[0].why
    assert found.hits[0].chunk.key == "group"
    assert (why.words, why.names, why.text_rank) == (("support", "group"), ("Caroline",), 1)
    assert why.cosine is not None
    assert why.via == ("text", "meaning", "name", "context")


def test_the_name_of_an_author_prefers_what_the_author_said(memory: Memory) -> None:
    said = (Book("a", "We adopted a puppy.", author="Ada Lovelace"), Book("b", "We adopted a puppy.", author="Bo"))
    shelve(memory, EMBEDDER, said)
    assert keys(ask(memory, "What did Bo adopt?", EMBEDDER)) == ["b", "a"]
    assert keys(ask(memory, "What did Ada adopt?", EMBEDDER)) == ["a", "b"]


def test_a_document_named_by_its_title_comes_first(memory: Memory) -> None:
    books = (*BOOKS, Book("other", "It is told that Teutberga rode out with them.", title="Another"))
    shelve(memory, None, books)
    found = ask(memory, "Whom did Teutberga marry?", None)
    assert found.hits[0].chunk.key == "queen"
    assert found.hits[0].why.names == ("Teutberga",)


def test_a_time_in_the_query_prefers_what_was_said_then(memory: Memory) -> None:
    said = (
        Book("may", "I went hiking.", author="Ada", at="2023-05-08T10:00:00Z"),
        Book("july", "I went hiking.", author="Ada", at="2023-07-08T10:00:00Z"),
    )
    shelve(memory, EMBEDDER, said)
    found = ask(memory, "hiking in July 2023", EMBEDDER)
    assert keys(found) == ["july", "may"]
    assert (len(found.hits[0].why.times), found.hits[1].why.times) == (1, ())


def test_filters_act_before_ranking(memory: Memory) -> None:
    common = tuple(Book(f"n{at}", "A bridge, a bridge, a bridge.", at="2026-05-02T00:00:00Z") for at in range(300))
    shelve(memory, EMBEDDER, (*common, *BOOKS))
    query = "bridge, bridge, queen, kids, race, group"
    assert keys(ask(memory, query, EMBEDDER, PassageFilter(kinds=frozenset({"memory"})))) == ["bridge"]
    assert keys(ask(memory, query, EMBEDDER, PassageFilter(types=frozenset({"article"})))) == ["queen"]
    by_melanie = PassageFilter(authors=frozenset({"Melanie"}))
    assert set(keys(ask(memory, query, EMBEDDER, by_melanie))) == {"swamped", "race"}
    early = PassageFilter(until=1_690_000_000_000_000)
    assert set(keys(ask(memory, query, None, early))) == {"hello", "group", "swamped", "race"}


def test_another_workspace_is_never_seen(memory: Memory) -> None:
    shelve(memory, EMBEDDER)
    other = create_workspace(memory.engine, "other", memory.clock)
    elsewhere = Memory(memory.engine, other, memory.clock, memory.settings, memory.new_id)
    assert keys(ask(elsewhere, "bridge", EMBEDDER)) == []
    shelve(elsewhere, EMBEDDER, (Book("lone", "A lone bridge."),))
    assert keys(ask(elsewhere, "bridge", EMBEDDER)) == ["lone"]


def test_what_was_taken_away_is_found_only_as_of_before(memory: Memory) -> None:
    ids = shelve(memory, EMBEDDER)
    with memory.write() as change:
        change.end_chunks(ids["bridge"])
        held = change.document(ids["bridge"])
        assert held is not None
        change.put_document(held._replace(deleted="gone"))
    assert "bridge" not in keys(ask(memory, "bridge", EMBEDDER))
    assert keys(ask(memory, "bridge", EMBEDDER, as_of=1))[0] == "bridge"


def test_documents_that_are_nothing_but_titles_are_found(memory: Memory) -> None:
    shelve(memory, None, (Book("bare", "", title="Harbour plan"),))
    assert keys(ask(memory, "harbour", None)) == ["bare"]


def test_what_came_later_does_not_move_the_scores_of_before(memory: Memory) -> None:
    shelve(memory, None)
    before = [hit.score for hit in ask(memory, "charity bridge", None, as_of=1).hits]
    shelve(memory, None, (Book("later", "Another bridge, a long way off, and a longer story about it."),))
    assert [hit.score for hit in ask(memory, "charity bridge", None, as_of=1).hits] == before


def test_an_embedder_that_fails_leaves_the_text_search(memory: Memory) -> None:
    class Broken(HashEmbedder):
        def embed(self, texts: Sequence[str]) -> Vectors:
            raise EmbeddingFailed(self.model, f"out of order for {len(texts)}")

    shelve(memory, None)
    found = ask(memory, "bridge", Broken())
    assert (keys(found), found.by_meaning) == (["bridge"], False)
    assert "out of order" in (found.note or "")


def test_a_new_model_embeds_in_portions_while_search_answers(memory: Memory) -> None:
    shelve(memory, EMBEDDER)
    newer = HashEmbedder(128)
    with memory.write() as change:
        assert count_unembedded_passages(change, newer) == len(BOOKS)
        assert index_vectors(change, newer, limit=4) == 4
    assert keys(ask(memory, "bridge", newer))[0] == "bridge"
    with memory.write() as change:
        assert [index_vectors(change, newer, limit=4), index_vectors(change, newer, limit=4)] == [2, 0]
        assert count_unembedded_passages(change, newer) == 0


def test_indexing_words_again_changes_nothing(memory: Memory) -> None:
    shelve(memory, None)
    with memory.write() as change:
        assert index_words(change) == 0
        assert not change.has_changed


@pytest.mark.parametrize("text", ["", "?", "the", "' OR 1=1 --", 'a" AND (b', "\x01", "東京", "ß’s", "x" * 5000])
def test_any_query_gets_an_answer(memory: Memory, text: str) -> None:
    shelve(memory, EMBEDDER)
    assert ask(memory, text, EMBEDDER).by_meaning


def test_both_engines_give_the_same_rows(tmp_path: Path, postgres_server: str, clock: MovingClock) -> None:
    queries = (
        "When did Caroline go to the support group?",
        "kids and charity",
        "queen Teutberga",
        "Bridge plan in June",
    )
    answers = []
    for address in (str(tmp_path / "memory.db"), new_postgres_database(postgres_server)):
        memory = open_memory(address, settings=Settings(), clock=clock)
        shelve(memory, EMBEDDER)
        found = [hit for query in queries for hit in ask(memory, query, EMBEDDER).hits]
        answers.append([(hit.chunk.key, round(hit.score, 5), hit.why.via, hit.why.words) for hit in found])
        memory.close()
    assert answers[0] == answers[1]
