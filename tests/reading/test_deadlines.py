"""The day by which something is due, in the words people use."""

from datetime import date

import pytest

from recollect.reading.clause_time import event_phrase
from recollect.reading.context import Context
from recollect.reading.reader import read_block
from tests.reading.sentences import WEDNESDAY, facts_in

READ = {
    "by 2026-03-16": "2026-03-16",
    "on 16 March 2026": "2026-03-16",
    "by March 16, 2026": "2026-03-16",
    "by Mar. 16th": "2026-03-16",
    "on 16/3": "2026-03-16",
    "a week on Friday": "2026-03-20",
    "by end of 2026": "2026-12-31",
    "by 16th of March": "2026-03-16",
    "by the 16th of March": "2026-03-16",
    "on Monday, March 16": "2026-03-16",
    "by Sunday 15 March": "2026-03-15",
    "on 3 Sept": "2026-09-03",
    "in 3 business days": "2026-03-16",
    "within two working days": "2026-03-13",
    "today": "2026-03-11",
    "tonight": "2026-03-11",
    "it is due EOD": "2026-03-11",
    "by end of day": "2026-03-11",
    "by the close of business": "2026-03-11",
    "by COB": "2026-03-11",
    "by EOD Friday": "2026-03-13",
    "by Friday EOD": "2026-03-13",
    "by end of day on 16 March": "2026-03-16",
    "by end of day tomorrow": "2026-03-12",
    "by tomorrow": "2026-03-12",
    "until tomorrow": "2026-03-12",
    "by March 10": "2027-03-10",
    "by 11 March": "2026-03-11",
    "by Feb 29": "2028-02-29",
    "by Wednesday": "2026-03-11",
    "on Tuesday": "2026-03-17",
    "this Friday": "2026-03-13",
    "by Fri": "2026-03-13",
    "next Friday": "2026-03-20",
    "by next Monday": "2026-03-16",
    "by EOW": "2026-03-13",
    "by the end of the week": "2026-03-13",
    "by EOM": "2026-03-31",
    "by the end of the month": "2026-03-31",
    "by end of March": "2026-03-31",
    "by the end of February": "2027-02-28",
    "in 3 days": "2026-03-14",
    "within two weeks": "2026-03-25",
    "within twelve days": "2026-03-23",
    "due Friday": "2026-03-13",
    "no later than 3 April": "2026-04-03",
    "before Friday": "2026-03-12",
    "before 16 March": "2026-03-15",
    "by 5pm on Thursday": "2026-03-12",
    "by noon tomorrow": "2026-03-12",
    "the Monday list by Friday": "2026-03-13",
    "by Tue, Mar 31": "2026-03-31",
    "by Friday (27 March)": "2026-03-27",
    "on Friday the 27th": "2026-03-27",
    "by Friday next week": "2026-03-20",
    "on or before 16 March": "2026-03-16",
    "by end of March 2028": "2028-03-31",
    "by 5pm CET on Friday": "2026-03-13",
    "by 9am ET Monday": "2026-03-16",
    "by EOD PST Friday": "2026-03-13",
    "from the call on Monday by Friday": "2026-03-13",
    "with Lee today, by Friday": "2026-03-13",
    "next Friday, on Monday": "2026-03-20",
    "tomorrow": "2026-03-12",
    "in March": "2026-03-31",
    "next week": "2026-03-22",
    "in a week": "2026-03-18",
    "on the 16th": "2026-03-16",
    "EOW": "2026-03-13",
    "by Monday week": "2026-03-23",
    "by the end of next week": "2026-03-20",
    "in a fortnight": "2026-03-25",
    "before the 3rd": "2026-04-02",
    "by 03/16/2026": "2026-03-16",
}
NOT_READ = (
    "the Monday report",
    "Friday was fine",
    "by Friday after next",
    "thu+fri",
    "in thirteen minutes",
    "by Feb 30",
    "by 2026-02-30",
    "by the way",
    "today's list",
    "by Tuesday's meeting",
    "in 9999999 days",
    "by the end of the quarter",
    "on Mondays and Fridays",
    "by 2026-W12",
    "on Friday the 28th",
)


def deadline(words: str, day: date = WEDNESDAY) -> date | None:
    [promise] = [each for each in facts_in(f"I will send it {words}.", day) if each.act == "commitment"]
    return promise.time.until


@pytest.mark.parametrize(("words", "day"), READ.items())
def test_a_deadline_is_read(words: str, day: str) -> None:
    assert deadline(words) == date.fromisoformat(day)


@pytest.mark.parametrize("words", NOT_READ)
def test_what_is_no_deadline_is_not_read(words: str) -> None:
    assert deadline(words) is None


@pytest.mark.parametrize(("day", "friday"), [(14, 20), (15, 20), (13, 13), (9, 13)])
def test_the_end_of_the_week_is_friday_and_on_a_weekend_the_next_one(day: int, friday: int) -> None:
    assert deadline("by EOW", date(2026, 3, day)) == date(2026, 3, friday)


def test_dates_at_the_end_of_time_are_no_deadlines() -> None:
    assert deadline("in 3 days", date(9999, 12, 31)) is None


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("i'll send the plan before the wedding.", "before the wedding"),
        ("i'll pay it by the next full moon.", "by the next full moon"),
        ("i'll do it by harvest", "by harvest"),
        ("i'll bring it after the holidays, promise", "after the holidays"),
        ("i'll send it by post", None),
        ("i'll do it after all", None),
    ],
)
def test_an_event_that_something_is_due_before_keeps_its_words(text: str, phrase: str | None) -> None:
    assert event_phrase(text) == phrase


def test_what_we_are_given_on_a_day_is_no_promise() -> None:
    context = Context("note", date(2026, 11, 12))
    for text in ("we get space 14 from 1 January", "I receive the results on Friday", "We have the keys from Monday"):
        assert [each.act for each in read_block(text, context)] != ["commitment"], text
    for text in ("I get it done by Friday", "I get you the keys on Monday"):
        assert [each.act for each in read_block(text, context)] == ["commitment"], text


@pytest.mark.parametrize(
    ("sentence", "act", "day"),
    [
        ("By Friday, I'll send Eva the plan.", "commitment", date(2026, 3, 13)),
        ("Tomorrow, I'll call the bank.", "commitment", date(2026, 3, 12)),
        ("On Monday, we will paint the fence.", "commitment", date(2026, 3, 16)),
        ("Tomorrow, please call the bank.", "request", date(2026, 3, 12)),
        ("Yesterday, I paid the invoice.", "completion", date(2026, 3, 10)),
        ("Yesterday I paid the invoice.", "completion", date(2026, 3, 10)),
        ("The day before yesterday I signed the lease.", "completion", date(2026, 3, 9)),
        ("On Monday I sent the contract to Eva.", "completion", date(2026, 3, 9)),
    ],
)
def test_a_time_ahead_of_the_clause_is_its_time(sentence: str, act: str, day: date) -> None:
    [reading] = read_block(sentence, Context("note", WEDNESDAY))
    assert (reading.act, reading.time.until or reading.time.start) == (act, day)


@pytest.mark.parametrize("sentence", ["Yesterday was fun.", "Today I am tired.", "Monday sounds good, thanks."])
def test_a_time_that_is_only_talked_about_tells_of_nothing_done(sentence: str) -> None:
    readings = read_block(sentence, Context("note", WEDNESDAY))
    assert {each.act for each in readings}.isdisjoint({"commitment", "request", "completion"})


@pytest.mark.parametrize(
    ("language", "sentence", "day"),
    [
        ("es", "Tengo que llamar al médico mañana.", date(2026, 3, 12)),
        ("es", "Debo enviar la factura a Diego antes del viernes.", date(2026, 3, 12)),
        ("it", "Devo pagare l'affitto entro venerdì.", date(2026, 3, 13)),
        ("pt", "Tenho de pagar a renda até sexta-feira.", date(2026, 3, 13)),
        ("sv", "Jag måste betala hyran senast fredag.", date(2026, 3, 13)),
        ("pl", "Muszę wysłać raport do piątku.", date(2026, 3, 13)),
    ],
)
def test_what_somebody_must_do_is_to_be_done_in_notes_of_other_languages(
    language: str, sentence: str, day: date
) -> None:
    [reading] = read_block(sentence, Context("note", WEDNESDAY, language=language))
    assert (reading.act, reading.time.until) == ("commitment", day)


@pytest.mark.parametrize("sentence", ["No tengo que llamar al médico.", "Tengo que decir que me gusta mucho."])
def test_what_nobody_must_do_is_not_to_be_done(sentence: str) -> None:
    readings = read_block(sentence, Context("note", WEDNESDAY, language="es"))
    assert {each.act for each in readings} == {None}
