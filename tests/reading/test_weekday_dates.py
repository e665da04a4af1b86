"""A weekday beside a day of the month is decided by that day, and never comes out a week early or late."""

from datetime import date

import pytest

from recollect.reading.clause_reading import TimeReading
from recollect.reading.context import Context
from recollect.reading.reader import read_block

FRIDAY = date(2026, 3, 20)


def time_of(text: str, day: date = FRIDAY, language: str = "en") -> TimeReading:
    """The time of the one clause that has one."""
    read = read_block(text, Context("mail", day, language=language, date_order="dmy"))
    [found] = [each.time for each in read if each.time.status != "none"]
    return found


@pytest.mark.parametrize(
    ("text", "start", "until"),
    [
        ("we'll stay fri 27 to mon 30", date(2026, 3, 27), date(2026, 3, 30)),
        ("I'll be there fri 27 at noon", None, date(2026, 3, 27)),
        ("I'll deliver it tue 31 in the morning", None, date(2026, 3, 31)),
        ("I'll print it Thursday 26th", None, date(2026, 3, 26)),
        ("I'll deliver on Friday 10 chairs", None, date(2026, 3, 20)),
        ("I'll bring it fri 27 pm", None, date(2026, 3, 27)),
        ("the lab is closed thu 26 + fri 27", date(2026, 3, 26), date(2026, 3, 26)),
        ("the yard is closed from fri 27 march to mon 30", date(2026, 3, 27), date(2026, 3, 30)),
        ("I'll send it next Thursday", None, date(2026, 3, 26)),
    ],
)
def test_a_weekday_has_the_number_beside_it(text: str, start: date | None, until: date) -> None:
    found = time_of(text)
    assert (found.status, found.start, found.until) == ("read", start, until)


@pytest.mark.parametrize("text", ["I'll be there fri 28 at noon", "I'll bring it on Fri 21"])
def test_a_weekday_that_does_not_fit_its_number_is_not_read(text: str) -> None:
    assert time_of(text).status == "pending"


@pytest.mark.parametrize(
    ("text", "language", "until"),
    [
        ("I'll bring it Monday or Tuesday", "en", date(2026, 3, 24)),
        ("I'll bring it next week or the week after", "en", date(2026, 4, 5)),
        ("Ich schicke es Montag oder Dienstag", "de", date(2026, 3, 24)),
        ("Je l'envoie lundi ou mardi", "fr", date(2026, 3, 24)),
    ],
)
def test_of_two_days_to_choose_from_the_later_one_ends_the_time(text: str, language: str, until: date) -> None:
    assert time_of(text, language=language).until == until


def test_the_week_after_nothing_that_was_told_is_kept_with_its_words() -> None:
    assert (time_of("I'll send it the week after").status, time_of("I'll send it the week after").phrase) == (
        "pending",
        "the week after",
    )


@pytest.mark.parametrize(
    "text", ["Rang Mossie on Monday, he hasn't cut the timber", "Spoke to Jo on Monday, the results aren't back"]
)
def test_a_report_stands_apart_from_what_is_denied_behind_it(text: str) -> None:
    first, second = read_block(text, Context("mail", FRIDAY))
    assert (first.polarity, second.polarity) == ("positive", "negative")
