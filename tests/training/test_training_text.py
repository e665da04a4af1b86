"""Training examples, evaluation files and general text made from a tiny world."""

import json
from random import Random

from tests.training.test_corpus import TINY
from training.articles import article_pool
from training.corpus import parse_world
from training.eval_files import lines
from training.general_text import general_texts
from training.pairs import build_pool, without_names

from recollect.search.eval_file import read_eval_lines

WORLD = parse_world(TINY)


def test_every_question_points_to_the_passages_of_its_evidence() -> None:
    pool = build_pool(WORLD, Random(0), vary=False)
    assert pool.passages[0] == "new oven comes thursday. i'll be there to sign for it"
    assert pool.passages[2].startswith("Flour\nHi Ada,")
    assert [each.gold for each in pool.queries] == [(0,), (0, 2)]


def test_a_varied_draw_adds_statements_and_properties_and_keeps_their_evidence() -> None:
    for seed in range(20):
        pool = build_pool(WORLD, Random(seed))
        found = {each.kind: [pool.passages[at] for at in each.gold] for each in pool.queries}
        assert any("oven" in text for text in found["statement"])
        assert any("31 a sack" in text for text in found["property"])


def test_names_are_removed_unless_little_would_be_left() -> None:
    assert without_names("What did Ada's oven cost in the end?", ["Ada"]) == "What did oven cost in the end?"
    assert without_names("Who is Ada?", ["Ada"]) == "Who is Ada?"


def test_a_world_becomes_a_valid_evaluation_file_in_every_layout() -> None:
    for layout, docs in (("turns", 4), ("mixed", 3), ("sessions", 2)):
        held = read_eval_lines(json.dumps(line) for line in lines([WORLD], layout))
        assert (len(held.docs), len(held.queries), held.unknown_gold) == (docs, 2, 0)


def test_general_text_is_the_same_for_the_same_seed() -> None:
    words = ["river", "stone", "green", "walked", "##ing", "ab"]
    assert general_texts(words, 16, 3) == general_texts(words, 16, 3)
    assert len(general_texts(words, 16, 3)) == 16


def test_articles_answer_their_questions_and_are_the_same_for_the_same_seed() -> None:
    pool = article_pool(Random(5))
    assert pool == article_pool(Random(5))
    assert len(set(pool.passages)) == len(pool.passages) == 160
    assert all(0 <= at < 160 for query in pool.queries for at in query.gold)
