"""Measures worked out by hand."""

from dataclasses import replace
from math import log2

import pytest

from recollect.search.evaluation import (
    NewestShare,
    Quality,
    mean_quality,
    ndcg,
    newest_above_older,
    recall,
    reciprocal_rank,
)

RANKED = ["a", "b", "c", "d", "e", "f"]


def test_recall_is_the_share_of_the_gold_that_was_found() -> None:
    assert [recall(RANKED, frozenset("bfz"), depth) for depth in (1, 2, 6)] == [0, 1 / 3, 2 / 3]


def test_the_first_gold_document_sets_the_reciprocal_rank() -> None:
    assert reciprocal_rank(RANKED, frozenset("cf")) == 1 / 3
    assert reciprocal_rank(RANKED, frozenset("z")) == 0


def test_gain_is_discounted_by_place_and_measured_against_the_best_order() -> None:
    best = 1 + 1 / log2(3)
    assert ndcg(RANKED, frozenset("ac"), 10) == pytest.approx((1 + 1 / 2) / best)
    assert ndcg(RANKED, frozenset("ab"), 10) == 1
    assert ndcg(RANKED, frozenset("f"), 5) == 0


def test_means_are_over_queries() -> None:
    found = mean_quality([(RANKED, ["a", "f"]), (RANKED, ["z"])])
    gain = (1 + 1 / log2(7)) / (1 + 1 / log2(3)) / 2
    assert replace(found, ndcg_10=0) == Quality(0.25, 0.25, 0.25, 0.5, 0.5, 0.5, 0.0, 0.5, 0, 2)
    assert found.ndcg_10 == pytest.approx(gain)


def test_a_document_ranked_twice_counts_at_its_first_place() -> None:
    assert mean_quality([(["b", "b", "a"], ["a"])]).recall_2 == 1


def test_no_query_gives_zeros() -> None:
    assert mean_quality([]) == Quality(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)


def test_the_newest_gold_counts_only_where_gold_is_of_several_times() -> None:
    cases = [
        (["new", "old"], {"old": 1, "new": 2}),
        (["old", "new"], {"old": 1, "new": 2}),
        (["other"], {"old": 1, "new": 2}),
        (["one"], {"one": 1}),
    ]
    assert newest_above_older(cases) == NewestShare(1 / 3, 3)
    assert newest_above_older(cases[3:]) is None
