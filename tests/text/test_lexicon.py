"""Closed word classes: each is one set, which its readers share."""

import pytest

from recollect.ingest.extract.text_people import initials_of
from recollect.model.sentence import fact_sentence
from recollect.reason.closures.completion_terms import completion_terms
from recollect.text.lexicon import AUXILIARIES, DETERMINERS, FORMS_OF_BE, PREPOSITIONS, TIME_PREPOSITIONS


@pytest.mark.parametrize(
    ("predicate", "sentence"),
    [
        ("member_since", "Ada is member since 2020"),
        ("follow_up", "Ada's follow up is 2020"),
        ("day_off", "Ada's day off is 2020"),
    ],
)
def test_a_predicate_that_ends_in_a_preposition_leads_to_its_target(predicate: str, sentence: str) -> None:
    assert fact_sentence("Ada", predicate, "2020") == sentence


def test_every_particle_of_a_name_is_left_out_of_its_initials() -> None:
    assert initials_of("Anne du Pont") == "AP"
    assert initials_of("Femke de Wit") == "FW"


def test_a_report_may_begin_with_any_irregular_past_form() -> None:
    assert completion_terms("hid the presents", ()) == completion_terms("sent the presents", ())


def test_classes_lie_in_each_other() -> None:
    assert FORMS_OF_BE < AUXILIARIES
    assert TIME_PREPOSITIONS < PREPOSITIONS
    assert not DETERMINERS & PREPOSITIONS
