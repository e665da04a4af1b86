"""Times of messy sentences: which days they name, seen from the day of the sender."""

from datetime import date

import pytest

from recollect.reading.clause_time import clause_time
from recollect.reading.context import Context
from recollect.when.english.day_order import DateOrder

WEDNESDAY = date(2026, 9, 2)


def due(text: str, order: DateOrder | None = None, language: str = "en") -> date | None:
    context = Context("mail", WEDNESDAY, date_order=order, language=language)
    return clause_time(text.lower(), context, "commitment").until


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("by mon", "2026-09-07"), ("til the 15th", "2026-09-15"), ("before the 25th", "2026-09-24"),
        ("before mon", "2026-09-06"), ("before weds", "2026-09-08"), ("eod", "2026-09-02"), ("tmrw", "2026-09-03"),
        ("end of next week", "2026-09-11"), ("mid march", "2027-03-20"), ("by the end of the month", "2026-09-30"),
        ("on monday the 12th", "2026-10-12"), ("fri 30 oct afternoon", "2026-10-30"), ("next friday", "2026-09-11"),
        ("in two weeks", "2026-09-16"), ("within 3 days", "2026-09-05"), ("by 2026-10-19", "2026-10-19"),
        ("no later than Friday 9 October", "2026-10-09"), ("by oct 5th", "2026-10-05"), ("in week 41", "2026-10-11"),
        ("by 12.6.", "2027-06-12"), ("by 13/10", "2026-10-13"), ("by christmas", "2026-12-25"),
        ("by tomorrow noon", "2026-09-03"), ("by 5pm", "2026-09-02"), ("this weekend", "2026-09-06"),
        ("from 1 nov until end of march", "2027-03-31"), ("28 nov–3 dec", "2026-12-03"), ("due 1 dec", "2026-12-01"),
        ("by eod friday", "2026-09-04"), ("by 5pm cet on friday", "2026-09-04"), ("on friday the 25th", "2026-09-25"),
        ("in the week of 23 november", "2026-11-29"), ("the week of the 15th", "2026-09-20"),
        ("24.-26.11.", "2026-11-26"), ("before noon friday", "2026-09-04"), ("next autumn", "2027-11-30"),
        ("on the last day of the month", "2026-09-30"), ("on the first monday of december", "2026-12-07"),
        ("the last friday of september", "2026-09-25"), ("on the 2nd tuesday of next month", "2026-10-13"),
        ("on the first monday of may 2028", "2028-05-01"), ("on the second friday of august", "2027-08-13"),
        ("from 2027 to 2029", "2029-12-31"), ("between 2027 and 2029", "2029-12-31"),
        ("order the vials, mon 14", "2026-09-14"), ("plan final, fri 25!", "2026-09-25"),
        ("on fri 25 chairs", "2026-09-04"),
        ("fri 4, 6 of us", "2026-09-04"), ("fri 12, 6 of us", "2026-09-04"), ("paid by fri, 1,150", "2026-09-04"),
        ("the january bill on friday", "2026-09-04"), ("scaffold down mon!", "2026-09-07"),
        ("lanyards, 21st", "2026-09-21"), ("receipts to maura — 19th at the latest", "2026-09-19"),
        ("poles to brother, sat", "2026-09-05"), ("before the month's out", "2026-09-30"),
        ("before the end of the month", "2026-09-30"),
        ("by monday week", "2026-09-14"),
        ("a week on friday", "2026-09-11"), ("by noon", "2026-09-02"), ("week on friday", "2026-09-11"),
        ("typed for monday's rehearsal", "2026-09-07"), ("by thursday night the 17th", "2026-09-17"),
        ("by halloween", "2026-10-31"), ("on easter saturday", "2027-03-27"), ("on boxing day", "2026-12-26"),
        ("your sheets for july by friday", "2026-09-04"), ("in july", "2027-07-31"),
    ],
)  # fmt: skip
def test_a_deadline_is_counted_from_the_anchor(text: str, day: str) -> None:
    assert due(text) == date.fromisoformat(day)


@pytest.mark.parametrize(
    "text",
    [
        "the cat sat on it",
        "may i ask",
        "24/7",
        "8 bikes",
        "at 3 comments",
        "good morning",
        "by friday's meeting",
        "the monday list",
        "send monday's list",
    ],
)
def test_words_that_only_look_like_times_are_none(text: str) -> None:
    assert clause_time(text, Context("mail", WEDNESDAY), None).status == "none"


@pytest.mark.parametrize("text", ["pay bart july", "the invoices for august"])
def test_a_month_just_over_tells_what_is_wanted_and_not_when(text: str) -> None:
    assert clause_time(text, Context("mail", WEDNESDAY), "request").status == "none"


def test_day_and_month_with_a_slash_follow_the_order_of_the_workspace() -> None:
    assert due("by 12/6", "dmy") == date(2027, 6, 12)
    assert due("by 12/6", "mdy") == date(2026, 12, 6)


def test_an_ambiguous_date_is_pending_and_keeps_its_words() -> None:
    time = clause_time("by 12/6", Context("mail", WEDNESDAY), "request")
    assert (time.status, time.phrase, time.until) == ("pending", "by 12/6", None)


def test_a_relative_time_without_an_anchor_is_pending() -> None:
    time = clause_time("i'll call tomorrow", Context("note"), "commitment")
    assert (time.status, time.phrase) == ("pending", "tomorrow")


def test_a_full_date_needs_no_anchor() -> None:
    assert clause_time("by 5 june 2027", Context("note"), "commitment").until == date(2027, 6, 5)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("the tasting moves from 10/28 to 11/12", date(2026, 11, 12)),
        ("the tasting moves from 28/10 to 11/12", date(2026, 12, 11)),
    ],
)
def test_a_day_that_shows_its_order_tells_that_of_the_others(text: str, start: date) -> None:
    assert clause_time(text, Context("note", WEDNESDAY), "event").start == start


def test_what_moved_has_its_new_day_and_the_former_one() -> None:
    time = clause_time("2.4 release moved from 22 to 26 oct", Context("note", WEDNESDAY), "event")
    assert (time.start, time.until) == (date(2026, 10, 26), date(2026, 10, 26))
    assert time.moved_from == (date(2026, 10, 22), date(2026, 10, 22))


def test_a_weekday_of_something_done_lies_behind() -> None:
    assert clause_time("paid it monday", Context("chat", WEDNESDAY), "completion").start == date(2026, 8, 31)


def test_what_was_booked_for_a_day_lies_ahead() -> None:
    assert clause_time("booked for sat 30 may", Context("chat", WEDNESDAY), "completion").start == date(2027, 5, 30)


@pytest.mark.parametrize(
    ("language", "text", "day"),
    [
        ("de", "bis spätestens 15. Oktober", "2026-10-15"), ("de", "bis zum 3.11.", "2026-11-03"),
        ("fr", "avant le 20 juin", "2027-06-19"), ("fr", "d'ici vendredi", "2026-09-04"),
        ("es", "antes del 15 de octubre", "2026-10-14"), ("es", "para el viernes", "2026-09-04"),
        ("pt", "até sexta", "2026-09-04"), ("pt", "até 10 de junho", "2027-06-10"),
        ("it", "entro il 15 giugno", "2027-06-15"), ("it", "entro il 30/6", "2027-06-30"),
        ("nl", "uiterlijk vrijdag", "2026-09-04"), ("sv", "senast 15 oktober", "2026-10-15"),
        ("pl", "do 15 października", "2026-10-15"), ("pl", "do piątku", "2026-09-04"),
        ("it", "entro il 28", "2026-09-28"), ("fr", "d'ici le 22", "2026-09-22"), ("es", "el jueves 10", "2026-09-10"),
        ("pt", "até dia 30 quanto dinheiro há", "2026-09-30"), ("fr", "prévoyez 20 kilos pour le 12", "2026-09-12"),
    ],
)  # fmt: skip
def test_other_languages_name_days_in_their_words(language: str, text: str, day: str) -> None:
    assert due(text, None, language) == date.fromisoformat(day)


def test_a_weekday_and_a_day_that_disagree_are_pending() -> None:
    assert clause_time("on friday the 26th", Context("mail", WEDNESDAY), "request").status == "pending"


def test_on_a_weekend_the_end_of_the_week_is_the_next_friday() -> None:
    time = clause_time("by the end of the week", Context("mail", date(2026, 9, 5)), "commitment")
    assert time.until == date(2026, 9, 11)
