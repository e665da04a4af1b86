"""Sentences that are read once for every text: only where nothing of the text around them matters."""

from dataclasses import replace
from datetime import date

import pytest

from recollect.reading import reader
from recollect.reading.clause_reading import ClauseReading
from recollect.reading.context import Context, Person
from recollect.reading.reader import read_sentence

MONDAY, FRIDAY = date(2026, 9, 28), date(2026, 10, 2)
TOBIAS = Person("Tobias Lindner", ("Tobias",))
MAIL = Context("mail", MONDAY)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sentences that are analysed."""
    analysed: list[str] = []
    inner = reader._read_sentence
    reader._read_on_any_day.cache_clear()

    def noted(text: str, low: str, context: Context) -> tuple[ClauseReading, ...]:
        found = inner(text, low, context)
        analysed.append(text)
        return found

    monkeypatch.setattr(reader, "_read_sentence", noted)
    return analysed


def test_a_sentence_without_a_time_is_analysed_once(read: list[str]) -> None:
    text = "Please send me the signed contract."
    assert read_sentence(text, MAIL) == read_sentence(text, replace(MAIL, anchor=FRIDAY, people=(TOBIAS,)))
    assert read == [text]


@pytest.mark.parametrize("text", ["I'll send the list tomorrow.", "Our office was in Porto.", "Our rent was 900."])
def test_what_a_day_may_change_is_read_on_every_day(read: list[str], text: str) -> None:
    monday, friday = (read_sentence(text, Context("note", day)) for day in (MONDAY, FRIDAY))
    assert len(read) == 2
    assert [each.text for each in monday] == [each.text for each in friday]


def test_a_name_is_read_by_the_people_of_the_text(read: list[str]) -> None:
    text = "tobias can you take the call"
    known, unknown = (read_sentence(text, replace(MAIL, people=people)) for people in ((TOBIAS,), ()))
    assert len(read) == 2
    assert known != unknown


@pytest.mark.parametrize("text", ["Please check the last page.", "Send me 2 forms?"])
def test_words_that_could_be_times_and_are_none_cost_nothing(read: list[str], text: str) -> None:
    assert read_sentence(text, MAIL) == read_sentence(text, replace(MAIL, anchor=FRIDAY))
    assert read == [text]


def test_a_turn_is_read_by_who_speaks() -> None:
    text = "Tobias: I live in Porto."
    own, other = (read_sentence(text, replace(MAIL, speaker=speaker)) for speaker in (TOBIAS, None))
    assert [bool(each[-1].states) for each in (own, other)] == [True, False]


def test_a_sentence_that_names_a_time_is_analysed_no_second_time(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    inner = reader._read_sentence
    reader._read_on_any_day.cache_clear()

    def noted(text: str, low: str, context: Context) -> tuple[ClauseReading, ...]:
        begun.append(text)
        return inner(text, low, context)

    monkeypatch.setattr(reader, "_read_sentence", noted)
    text = "I'll send the list, and Tobias will call you tomorrow."
    read_sentence(text, MAIL)
    assert begun == [text]
