"""Posting lists as columns: what a word adds up to, which passages are allowed, and which lists are kept."""

import pytest

from recollect.store import posting_lists
from recollect.store.posting_lists import (
    PostingCache,
    PostingList,
    highest_first,
    lengths_from_rows,
    posting_list,
    posting_list_from_places,
    sum_by_passage,
)


def test_places_are_counted_for_allowed_passages_only() -> None:
    found = posting_list_from_places("7,3,3,9,40", lengths_from_rows([(3, 120), (9, 80), (11, 5)]))
    assert found.chunks.tolist() == [3, 9]
    assert found.times.tolist() == [2, 1]
    assert found.lengths.tolist() == [120, 80]


def test_a_word_that_nobody_holds_has_an_empty_list() -> None:
    assert len(posting_list_from_places(None, lengths_from_rows([(3, 120)]))) == 0
    assert len(posting_list_from_places("3", lengths_from_rows([]))) == 0


def test_only_passages_of_a_restriction_stay() -> None:
    assert posting_list([(3, 1, 10), (4, 2, 20)]).among({4, 5}).numbers() == {4}


def test_scores_add_up_and_equal_ones_keep_the_order_of_passages() -> None:
    one, other = posting_list([(3, 1, 10), (4, 1, 20)]), posting_list([(4, 1, 20), (2, 1, 5)])
    scores = sum_by_passage([(one.chunks, one.times * 0.5), (other.chunks, other.times * 0.5)])
    assert scores == {2: 0.5, 3: 0.5, 4: 1.0}
    assert highest_first(scores, 2) == [4, 2]
    assert sum_by_passage([]) == {}


def test_the_oldest_lists_go_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting_lists, "MOST_POSTINGS", 5)
    cache, read = PostingCache(), list[str]()

    def ask(word: str) -> None:
        def find() -> PostingList:
            read.append(word)
            return posting_list([(1, 1, 1), (2, 1, 1)])

        cache.postings(word, find)

    for word in ("kiln", "glaze", "kiln", "glaze"):
        ask(word)
    assert read == ["kiln", "glaze", "kiln", "glaze"]
    ask("glaze")
    assert len(read) == 4
