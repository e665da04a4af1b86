"""The reader of messages and the reader of English times give the same words the same days."""

from datetime import UTC, date, datetime

import pytest

from recollect.reading.context import Context
from recollect.reading.date_ranges import TimeDirection
from recollect.reading.times import find_time_phrases
from recollect.when.english.mentions import find_times
from recollect.when.instant import Instant, date_of_day, local_day

WEDNESDAY = date(2026, 5, 20)
NOON = Instant(int(datetime(2026, 5, 20, 12, tzinfo=UTC).timestamp()) * 1_000_000)
Days = tuple[date, date]

SAME = (
    "today", "tomorrow", "yesterday", "tonight", "the day after tomorrow", "the day before yesterday", "on Friday",
    "on Fri", "by Tues", "by Monday", "next Friday", "last Friday", "this Friday", "Friday week", "a week on Friday",
    "a week from Monday", "a week from today", "a fortnight from Monday", "next Tuesday week", "a week ago",
    "two weeks ago", "three days ago", "a month ago", "two years ago", "in two weeks", "in three days",
    "in a fortnight", "in six months", "in a year", "ten days from now", "three weeks from now", "this week",
    "next week", "last week", "the week after next", "this weekend", "next weekend", "last weekend", "this month",
    "next month", "last month", "this year", "next year", "last year", "next quarter", "last quarter", "this quarter",
    "in Q3", "in Q3 2026", "in Q1 2025", "the third quarter of 2026", "on the 22nd", "by the 15th", "by 22 May",
    "on 3 June", "on June 3", "on June 3rd", "on the 3rd of June", "on 3 June 2026", "on June 3, 2026", "on 3 Jun 26",
    "on 2026-06-03", "on 6/25/2026", "on 25/6/2026", "June 2-5", "2-5 June", "2 to 5 June", "from 2 to 5 June",
    "from June 2 to June 5", "between 2 June and 5 June", "from Monday to Wednesday", "between Monday and Wednesday",
    "in June", "in June 2026", "by June", "since March", "until August", "early June", "mid June", "mid-June",
    "late June", "the end of May", "the beginning of June", "the middle of June", "early next week", "early 2027",
    "late 2025", "the end of 2026", "in 2027", "since 2021", "from 2021 to 2024", "in the summer", "next summer",
    "last winter", "in spring", "in the summer of 2025", "the first Monday of June", "the last Friday of May",
    "the first Monday of next month", "on Friday the 22nd", "EOD", "by EOW",
    "by EOM", "the last day of the month", "by Christmas", "on Christmas Eve", "by Halloween", "by Labor Day",
    "by Thanksgiving", "in week 30", "the week of 1 June", "the week of June 1", "in three business days",
    "two days before 7 June", "a week after 7 June", "the Monday before 7 June", "the day after 7 June",
    "two weeks after 31 May", "this morning", "last night", "on Sat 30", "later this week",
    "earlier this month", "the rest of the week", "Monday next week", "on Tuesday of next week", "next week Friday",
    "in summer 2025", "in the fall of 2027", "in May", "on Easter Monday", "by New Year", "in two working days",
    "by Q4", "in two months", "the second Tuesday of July", "on 1 January", "by 31 December", "Wednesday",
    "on Wednesday",
)  # fmt: skip
SAME_AHEAD = ("on Friday, 22 May", "on Fri 22 May", "Sat 30 May")
"""In a message the weekday tells the year even where the sentence is in the past."""
SAME_END = (
    "by end of year", "in the next two weeks", "late next week", "the end of next month", "the end of next week",
    "the end of the month", "the end of the week", "the end of the year", "within 5 days",
)  # fmt: skip
"""In a message these are deadlines, of which only the last day counts; elsewhere they are stretches of days."""
ONLY_ONE_READS = {
    "the 22nd": "without a word that leads it, a rank in prose",
    "at Easter": "in a question the days around the feast are meant as well",
    "in some days": "pending in a message, and no time to search for",
    "in the last two weeks": "a window up to today, which messages tell no day by",
    "in the past month": "a window up to today, which messages tell no day by",
    "the 1990s": "a decade, which is no day of a message",
    "in the nineties": "a decade, which is no day of a message",
    "fiscal year 2026": "a label in messages, whose year begins when the company says",
}


def in_message(phrase: str, direction: TimeDirection) -> Days | None:
    found = find_time_phrases(f"it is {phrase}.".lower(), Context("mail", WEDNESDAY), lambda *_: direction)
    assert len(found) <= 1
    return found[0].days[:2] if found and found[0].days is not None else None


def in_english(phrase: str, direction: TimeDirection) -> Days | None:
    assert direction != "near"
    found = find_times(f"It is {phrase}.", NOON, UTC, prefer=direction)
    assert len(found) <= 1
    return (_day(found[0].lo), _day(found[0].hi)) if found else None


def _day(at: Instant) -> date:
    return date_of_day(local_day(at, UTC))


@pytest.mark.parametrize("direction", ["future", "past"])
@pytest.mark.parametrize("phrase", SAME)
def test_both_readers_give_the_same_days(phrase: str, direction: TimeDirection) -> None:
    found = in_message(phrase, direction)
    assert found is not None
    assert found == in_english(phrase, direction)


@pytest.mark.parametrize("phrase", SAME_AHEAD)
def test_a_weekday_beside_a_date_tells_its_year_in_a_message(phrase: str) -> None:
    assert in_message(phrase, "past") == in_message(phrase, "future") == in_english(phrase, "future") is not None


@pytest.mark.parametrize("direction", ["future", "past"])
@pytest.mark.parametrize("phrase", SAME_END)
def test_both_readers_give_a_deadline_the_same_last_day(phrase: str, direction: TimeDirection) -> None:
    message, english = in_message(phrase, direction), in_english(phrase, direction)
    assert message is not None
    assert english is not None
    assert message[1] == english[1]


@pytest.mark.parametrize("phrase", ONLY_ONE_READS)
def test_one_reader_declines_with_a_reason(phrase: str) -> None:
    assert None in (in_message(phrase, "future"), in_english(phrase, "future"))
    assert ONLY_ONE_READS[phrase]
