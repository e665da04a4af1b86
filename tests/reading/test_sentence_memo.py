"""Sentences that are read once for every text: only where nothing of the text around them matters."""

from dataclasses import replace
from datetime import date

import pytest

from recollect.reading import reader, sentence_memo
from recollect.reading.context import Context, Person
from recollect.reading.reader import read_sentence
from recollect.reading.sentence_memo import Readings

MONDAY, FRIDAY = date(2026, 9, 28), date(2026, 10, 2)
TOBIAS = Person("Tobias Lindner", ("Tobias",))
MAIL = Context("mail", MONDAY)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sentences that are analysed."""
    analysed: list[str] = []
    inner = reader._read_sentence
    monkeypatch.setattr(sentence_memo, "_read", {})

    def noted(text: str, low: str, context: Context) -> Readings:
        analysed.append(text)
        return inner(text, low, context)

    monkeypatch.setattr(reader, "_read_sentence", noted)
    return analysed


def test_a_sentence_without_a_time_is_analysed_once(read: list[str]) -> None:
    text = "Please send me the signed contract."
    assert read_sentence(text, MAIL) == read_sentence(text, replace(MAIL, anchor=FRIDAY, people=(TOBIAS,)))
    assert read == [text]


@pytest.mark.parametrize("text", ["I'll send the list tomorrow.", "Our office was in Porto.", "The rent is 900."])
def test_what_a_day_may_change_is_read_on_every_day(read: list[str], text: str) -> None:
    monday, friday = (read_sentence(text, Context("note", day)) for day in (MONDAY, FRIDAY))
    assert len(read) == 2
    assert [each.text for each in monday] == [each.text for each in friday]


def test_a_name_is_read_by_the_people_of_the_text(read: list[str]) -> None:
    text = "tobias can you take the call"
    known, unknown = (read_sentence(text, replace(MAIL, people=people)) for people in ((TOBIAS,), ()))
    assert len(read) == 2
    assert known != unknown


def test_no_more_than_so_many_are_kept(read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentence_memo, "_MOST_SENTENCES", 2)
    for thing in ("contract", "list", "key", "form"):
        read_sentence(f"Please send me the {thing}.", MAIL)
    assert len(sentence_memo._read) <= 2
    assert len(read) == 4
