"""Labelled sentences as the sentence reader gets them, and the calibration of what it says."""

import numpy as np
from training.calibrate_reading import calibration_error, of_equal_width, rising_curve
from training.corpus import parse_world
from training.corpus_checks import similar_texts
from training.inbox_examples import HELD, clause_examples, item_examples
from training.labelled_sentences import OWNERS, examples, single_sentences

from recollect.text_models.sentence import ACTS

WORLD = """@world w
@doc c1 2025-03-04 chat
1 Ada 09:12 > new oven comes thursday. || i'll be there to sign for it
= event time="thursday" ; commitment owner=Ada
2 Bo 09:14 > can Leo pay it?
= request owner=Leo
@doc a1 2025-03-05 assistant
1 Assistant > I can help with that.
= none
2 Ada > ok
= none
"""


def test_a_sentence_comes_with_the_one_before_it_and_who_said_that() -> None:
    first, second, third, assistant, answer = examples([parse_world(WORLD)])
    assert first.sentence.context == "chat"
    assert second.sentence.context == "chat me: new oven comes thursday."
    assert third.sentence.context == "chat them: i'll be there to sign for it"
    assert assistant.sentence.kind == "assistant"
    assert answer.sentence.context == "chat them: I can help with that."


def test_the_owner_is_the_author_or_somebody_named() -> None:
    labels = [(ACTS[each.act], OWNERS[each.owner]) for each in examples([parse_world(WORLD)])]
    assert labels[:3] == [("event", "none"), ("commitment", "author"), ("request", "named")]


def test_all_single_sentences_are_valid() -> None:
    found = single_sentences()
    assert len(found) > 500
    assert {ACTS[each.act] for each in found} == set(ACTS)


def test_a_calibration_curve_rises_and_corrects_overconfidence() -> None:
    sure = np.linspace(0.5, 1.0, 400)
    right = np.arange(400) % 2 == 0
    shares = [share for _, share in rising_curve(sure, right, of_equal_width(sure))]
    assert shares == sorted(shares)
    assert abs(shares[-1] - 0.5) < 0.1
    assert calibration_error(sure, right) > 0.2


def test_examples_of_inboxes_have_labels_and_sets_to_measure_by() -> None:
    clauses, items = clause_examples(), item_examples()
    assert all(abs(sum(each.acts) - 1) < 0.01 for each in clauses)
    assert {each.group for each in clauses} > HELD
    learned = [each for each in items if each.group not in HELD]
    assert 0.01 < sum(each.outcome > 0 for each in learned) / len(learned) < 0.2


def test_nearly_equal_texts_are_found_without_a_model() -> None:
    one, other = "the oven comes on Thursday at ten past nine", "the oven comes on Thursday at ten past eight"
    assert similar_texts([one, "nobody has seen the keys since last Friday", other]) == [(one, other)]
