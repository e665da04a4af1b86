"""The layers of the stop word list."""

from recollect.text.stop_words import (
    FUNCTION_WORDS,
    QUALIFIERS,
    QUESTION_WORDS,
    STATEMENT_STOP_WORDS,
    STOP_WORDS,
    is_stop_word,
)


def test_the_layers_do_not_overlap() -> None:
    assert len(STOP_WORDS) == len(FUNCTION_WORDS) + len(QUESTION_WORDS) + len(QUALIFIERS)


def test_a_statement_keeps_the_words_that_change_its_meaning() -> None:
    assert STATEMENT_STOP_WORDS.isdisjoint({"not", "no", "never", "before", "after", "all", "who", "when"})


def test_a_stop_word_is_recognised_in_capitals_and_with_a_possessive() -> None:
    assert all(map(is_stop_word, ("The", "WHO’s", "other's", "Their")))
    assert not any(map(is_stop_word, ("May", "Ida's", "東")))
