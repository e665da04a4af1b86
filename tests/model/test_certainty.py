"""How sure: every row of the table, then what several assertions add up to."""

import itertools

import pytest

from recollect.model.certainty import CERTAINTIES, SOURCE_KINDS, complete_confidence, first_kind, stronger


@pytest.mark.parametrize(
    ("word", "kind", "confidence"),
    [
        ("verified", "extracted", 1.0),
        ("stated", "extracted", 0.9),
        ("inferred", "inferred", 0.6),
        ("retracted", "extracted", 0.0),
    ],
)
def test_a_certainty_word_gives_the_rest(word: str, kind: str, confidence: float) -> None:
    assert complete_confidence(certainty=word) == (word, kind, confidence)


@pytest.mark.parametrize(
    ("kind", "certainty", "confidence"),
    [("inferred", "inferred", 0.6), ("extracted", "stated", 0.9), ("ambiguous", "stated", 0.9)],
)
def test_a_source_kind_gives_the_rest(kind: str, certainty: str, confidence: float) -> None:
    assert complete_confidence(source_kind=kind) == (certainty, kind, confidence)


@pytest.mark.parametrize(
    ("number", "certainty", "kind"),
    [
        (0.0, "inferred", "inferred"),
        (0.74, "inferred", "inferred"),
        (0.7499999, "inferred", "inferred"),
        (0.75, "stated", "extracted"),
        (1.0, "stated", "extracted"),
    ],
)
def test_a_number_gives_the_rest(number: float, certainty: str, kind: str) -> None:
    assert complete_confidence(confidence=number) == (certainty, kind, number)


def test_nothing_given_is_stated_and_extracted() -> None:
    assert complete_confidence() == ("stated", "extracted", 0.9)


@pytest.mark.parametrize("number", [0.0, 0.2, 0.75, 1.0])
@pytest.mark.parametrize("kind", SOURCE_KINDS)
@pytest.mark.parametrize("word", CERTAINTIES)
def test_what_was_given_is_kept(word: str, kind: str, number: float) -> None:
    assert complete_confidence(word, kind, number) == (word, kind, number)


def test_the_word_decides_before_the_kind_and_the_kind_before_the_number() -> None:
    assert complete_confidence(certainty="verified", source_kind="inferred") == ("verified", "inferred", 1.0)
    assert complete_confidence(certainty="inferred", confidence=0.99) == ("inferred", "inferred", 0.99)
    assert complete_confidence(source_kind="inferred", confidence=0.99) == ("inferred", "inferred", 0.99)
    assert complete_confidence(source_kind="ambiguous", confidence=0.1) == ("stated", "ambiguous", 0.1)


def test_the_strongest_certainty_counts_in_any_order() -> None:
    in_order = ("retracted", "inferred", "stated", "verified")
    for weak, strong in itertools.combinations_with_replacement(in_order, 2):
        assert stronger(weak, strong) == stronger(strong, weak) == strong  # type: ignore[arg-type]


def test_the_first_of_extracted_inferred_ambiguous_counts_in_any_order() -> None:
    for first, later in itertools.combinations_with_replacement(("extracted", "inferred", "ambiguous"), 2):
        assert first_kind(first, later) == first_kind(later, first) == first  # type: ignore[arg-type]
