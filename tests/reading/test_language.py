"""The language of short sentences, by their words, letters and endings."""

import pytest

from recollect.reading.language import detect_language, language_of_sentence


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fr", "La réunion est annulée."), ("es", "La reunión ha sido cancelada."), ("pt", "A reunião foi cancelada."),
        ("it", "La riunione è stata annullata."), ("nl", "De vergadering is geannuleerd."),
        ("sv", "Mötet är inställt."),
        ("pl", "Spotkanie zostało odwołane."), ("pl", "Wyślę umowę do piątku."), ("de", "Die Sitzung ist abgesagt."),
    ],
)  # fmt: skip
def test_a_short_sentence_tells_its_language(language: str, text: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "Call Björn",
        "Ring Åsa tmrw",
        "price list Łukasz",
        "Zoë: price list",
        "café invoice",
        "extinguishers hung, both.",
    ],
)
def test_names_and_loan_words_in_english_tell_nothing(text: str) -> None:
    assert detect_language(text) == "en"


def test_one_word_does_not_make_a_sentence_foreign() -> None:
    assert language_of_sentence("hedge plan out, the ward reviews till thu", "en") == "en"
    assert language_of_sentence("Je vous envoie les six vases avant le 12 octobre.", "en") == "fr"
