"""Dates in English text, read on Wednesday 18 March 2026."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.when.worlds import BERLIN, NOW, UTC

from recollect.when.english import words
from recollect.when.english.mentions import TimeMention, find_times, window
from recollect.when.english.sentence import DatePreference
from recollect.when.gregorian import MONTH_NAMES, WEEKDAYS
from recollect.when.instant import MAX, MIN, day_period, format_instant, local_date, read_date


def found(text: str, prefer: DatePreference = "past") -> list[tuple[str, str, str]]:
    mentions = find_times(text, NOW, UTC, prefer=prefer)
    return [(m.text, str(local_date(m.lo, UTC)), str(local_date(m.hi, UTC))) for m in mentions]


def the_period(text: str, prefer: DatePreference = "past") -> str:
    periods = [first if first == last else f"{first}..{last}" for _, first, last in found(text, prefer)]
    assert len(periods) == 1, periods
    return periods[0]


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("done today", "2026-03-18"),
        ("last night", "2026-03-17"),
        ("this morning", "2026-03-18"),
        ("the day before yesterday", "2026-03-16"),
        ("the day after tomorrow", "2026-03-20"),
        ("last Tuesday", "2026-03-17"),
        ("last Wednesday", "2026-03-11"),
        ("last Friday", "2026-03-13"),
        ("this Friday", "2026-03-20"),
        ("next Friday", "2026-03-27"),
        ("the coming Friday", "2026-03-20"),
        ("Friday next week", "2026-03-27"),
        ("next week on Friday", "2026-03-27"),
        ("on Monday of last week", "2026-03-09"),
        ("Friday the 13th", "2026-03-13"),
        ("3 weeks ago", "2026-02-25"),
        ("a couple of days ago", "2026-03-16"),
        ("two years, 1 month and 3 days ago", "2024-02-15"),
        ("a fortnight ago", "2026-03-04"),
        ("four days from now", "2026-03-22"),
        ("a week from tomorrow", "2026-03-26"),
        ("two days before yesterday", "2026-03-15"),
        ("two weeks before 11 August 2023", "2023-07-28"),
        ("in 3 weeks", "2026-04-08"),
        ("in two weeks' time", "2026-04-01"),
        ("because we have a talk in 3 weeks", "2026-04-08"),
        ("in four business days", "2026-03-24"),
        ("two Sundays from now", "2026-03-29"),
        ("the Sunday before October 25, 2022", "2022-10-23"),
        ("the Sunday after October 23, 2022", "2022-10-30"),
        ("the day after 3 May 2025", "2025-05-04"),
        ("the week before 9 June 2023", "2023-05-29..2023-06-04"),
        ("the weekend before 7 March 2026", "2026-02-28..2026-03-01"),
        ("the weekend after 7 March 2026", "2026-03-14..2026-03-15"),
        ("the first Friday of July 2025", "2025-07-04"),
        ("the last Monday of next month", "2026-04-27"),
        ("the second Monday in January", "2026-01-12"),
        ("the 20th of next month", "2026-04-20"),
        ("March 16, 2026", "2026-03-16"),
        ("Mar. 16th", "2026-03-16"),
        ("Dec 1,2023", "2023-12-01"),
        ("Monday, March the sixteenth 2026", "2026-03-16"),
        ("16 March 2026", "2026-03-16"),
        ("the second of August", "2025-08-02"),
        ("September 10, nineteen zero one", "1901-09-10"),
        ("September the twenty-first nineteen seventy eight", "1978-09-21"),
        ("2026-03-16", "2026-03-16"),
        ("2026/3/16", "2026-03-16"),
        ("16.3.2026", "2026-03-16"),
        ("3/16/26", "2026-03-16"),
        ("5/5/89", "1989-05-05"),
        ("2019-sep-1", "2019-09-01"),
        ("on 4/22", "2025-04-22"),
        ("on 4-22", "2025-04-22"),
        ("Feb 29", "2024-02-29"),
        ("May 2023", "2023-05-01..2023-05-31"),
        ("in March", "2026-03-01..2026-03-31"),
        ("in March and April 2025", "2025-03-01..2025-04-30"),
        ("in May, June or July", "2025-05-01..2025-07-31"),
        ("in December and January", "2025-12-01..2026-01-31"),
        ("14 and 16 March", "2026-03-14..2026-03-16"),
        ("on March 3 and 4.", "2026-03-03..2026-03-04"),
        ("last summer", "2025-06-01..2025-08-31"),
        ("last winter", "2025-12-01..2026-02-28"),
        ("this spring", "2026-03-01..2026-05-31"),
        ("next fall", "2026-09-01..2026-11-30"),
        ("in spring 2025", "2025-03-01..2025-05-31"),
        ("the autumn of last year", "2025-09-01..2025-11-30"),
        ("summer '24", "2024-06-01..2024-08-31"),
        ("the winter of 2024/25", "2024-12-01..2025-02-28"),
        ("in the fall", "2025-09-01..2025-11-30"),
        ("between spring and autumn 2025", "2025-03-01..2025-11-30"),
        ("in May", "2025-05-01..2025-05-31"),
        ("August '99", "1999-08-01..1999-08-31"),
        ("2016, nov", "2016-11-01..2016-11-30"),
        ("3/2015", "2015-03-01..2015-03-31"),
        ("2015 - 3", "2015-03-01..2015-03-31"),
        ("June last year", "2025-06-01..2025-06-30"),
        ("next June", "2026-06-01..2026-06-30"),
        ("last September", "2025-09-01..2025-09-30"),
        ("this September", "2026-09-01..2026-09-30"),
        ("this week", "2026-03-16..2026-03-22"),
        ("last week", "2026-03-09..2026-03-15"),
        ("next month", "2026-04-01..2026-04-30"),
        ("last year", "2025-01-01..2025-12-31"),
        ("last quarter", "2025-10-01..2025-12-31"),
        ("this decade", "2020-01-01..2029-12-31"),
        ("this century", "2000-01-01..2099-12-31"),
        ("last weekend", "2026-03-14..2026-03-15"),
        ("over the weekend", "2026-03-14..2026-03-15"),
        ("in the last month", "2026-02-18..2026-03-18"),
        ("from Monday to Friday", "2026-03-16..2026-03-20"),
        ("between Friday and Sunday", "2026-03-13..2026-03-15"),
        ("for the 17.", "2026-03-17"),
        ("on October. 2", "2025-10-02"),
        ("the past month", "2026-02-18..2026-03-18"),
        ("the week after next", "2026-03-30..2026-04-05"),
        ("the month before last", "2026-01-01..2026-01-31"),
        ("the last 3 weeks", "2026-02-25..2026-03-18"),
        ("next 2 days", "2026-03-19..2026-03-20"),
        ("within 5 days", "2026-03-18..2026-03-23"),
        ("within the next 2 weeks", "2026-03-18..2026-04-01"),
        ("within 2 weeks from today", "2026-03-18..2026-04-01"),
        ("less than 2 weeks ago", "2026-03-04..2026-03-18"),
        ("Q2 2024", "2024-04-01..2024-06-30"),
        ("2024 Q2", "2024-04-01..2024-06-30"),
        ("Q2 '24", "2024-04-01..2024-06-30"),
        ("Q2", "2025-04-01..2025-06-30"),
        ("Q1", "2026-01-01..2026-03-31"),
        ("H1 2024", "2024-01-01..2024-06-30"),
        ("the second half of 2024", "2024-07-01..2024-12-31"),
        ("the third quarter of last year", "2025-07-01..2025-09-30"),
        ("week 10", "2026-03-02..2026-03-08"),
        ("week 10 of 2025", "2025-03-03..2025-03-09"),
        ("the third week of July 2025", "2025-07-14..2025-07-20"),
        ("the last week of 2015", "2015-12-28..2016-01-03"),
        ("the first week of 2015", "2014-12-29..2015-01-04"),
        ("the week of March 5", "2026-03-02..2026-03-08"),
        ("w/c 2 Feb", "2026-02-02..2026-02-08"),
        ("the month of May 2nd 2025", "2025-05-01..2025-05-31"),
        ("in 2024", "2024-01-01..2024-12-31"),
        ("in nineteen twenty eight", "1928-01-01..1928-12-31"),
        ("since two thousand and eighteen", "2018-01-01..2018-12-31"),
        ("in one thousand seven hundred and eighty nine", "1789-01-01..1789-12-31"),
        ("year 247", "0247-01-01..0247-12-31"),
        ("year two hundred and sixty seven", "0267-01-01..0267-12-31"),
        ("the 1970s", "1970-01-01..1979-12-31"),
        ("the '40s", "1940-01-01..1949-12-31"),
        ("in 70's", "1970-01-01..1979-12-31"),
        ("the noughties", "2000-01-01..2009-12-31"),
        ("the two thousands", "2000-01-01..2009-12-31"),
        ("the nineteen seventies", "1970-01-01..1979-12-31"),
        ("the 15th century", "1400-01-01..1499-12-31"),
        ("early next week", "2026-03-23..2026-03-24"),
        ("late last year", "2025-09-01..2025-12-31"),
        ("mid-June 2025", "2025-06-11..2025-06-20"),
        ("the end of March 2025", "2025-03-21..2025-03-31"),
        ("the beginning of 2000", "2000-01-01..2000-04-30"),
        ("the end of the month", "2026-03-21..2026-03-31"),
        ("the rest of the week", "2026-03-18..2026-03-22"),
        ("earlier this month", "2026-03-01..2026-03-17"),
        ("later in the year", "2026-03-18..2026-12-31"),
        ("between May 2 and May 5", "2025-05-02..2025-05-05"),
        ("from May 2, 2024 to May 5, 2025", "2024-05-02..2025-05-05"),
        ("May 2 - June 5", "2025-05-02..2025-06-05"),
        ("from Feb 1st to March 2019", "2019-02-01..2019-03-31"),
        ("from 3 Feb 2019 to 5 January", "2019-02-03..2020-01-05"),
        ("from 10/25 to 01/25", "2025-10-25..2026-01-25"),
        ("between June and August", "2025-06-01..2025-08-31"),
        ("June to August 2024", "2024-06-01..2024-08-31"),
        ("from April until June", "2025-04-01..2025-06-30"),
        ("between 2014 and 2018", "2014-01-01..2018-12-31"),
        ("2014-2018", "2014-01-01..2018-12-31"),
        ("between March 2 and now", "2026-03-02..2026-03-18"),
        ("from today to 3 days later", "2026-03-18..2026-03-21"),
        ("from 4 to 22 January, 1995", "1995-01-04..1995-01-22"),
        ("between 3 and 12 of September", "2025-09-03..2025-09-12"),
        ("4 to 23 next month", "2026-04-04..2026-04-23"),
        ("November 19-20", "2025-11-19..2025-11-20"),
        ("from 4 to January 22, 1995", "1995-01-04..1995-01-22"),
        ("last week between Tuesday and Friday", "2026-03-10..2026-03-13"),
        ("from week 5 to week 7", "2026-01-26..2026-02-15"),
        ("for 3 days from today", "2026-03-18..2026-03-20"),
        ("2 weeks starting May 20th", "2025-05-20..2025-06-02"),
    ],
)
def test_a_time_in_words_is_found_with_its_period(text: str, period: str) -> None:
    assert the_period(f"We spoke {text}.") == period


@pytest.mark.parametrize(
    ("text", "past", "future"),
    [
        ("by Friday", "2026-03-13", "2026-03-20"),
        ("on Wednesday", "2026-03-18", "2026-03-18"),
        ("May 5", "2025-05-05", "2026-05-05"),
        ("on the 27th", "2026-02-27", "2026-03-27"),
        ("by the 31st", "2026-01-31", "2026-03-31"),
        ("in November", "2025-11-01..2025-11-30", "2026-11-01..2026-11-30"),
        ("Q4", "2025-10-01..2025-12-31", "2026-10-01..2026-12-31"),
        ("the first Monday of May", "2025-05-05", "2026-05-04"),
        ("the weekend", "2026-03-14..2026-03-15", "2026-03-21..2026-03-22"),
        ("Feb 29", "2024-02-29", "2028-02-29"),
        ("between May 2 and May 5", "2025-05-02..2025-05-05", "2026-05-02..2026-05-05"),
    ],
)
def test_a_missing_year_leans_as_asked(text: str, past: str, future: str) -> None:
    assert (the_period(text, "past"), the_period(text, "future")) == (past, future)


@pytest.mark.parametrize(
    "text",
    [
        "You may go, and may 5 others go too",
        "They march on and march 10 miles",
        "She sat in the sun and wed him",
        "Wait a second for the second time; first things first",
        "April told June that August and Jan called May Smith",
        "Add 1/2 cup and a 3/16 inch bolt, open 24/7",
        "Version 3.2 and v2.10.3 at 192.168.1.1",
        "At 10:30 in room 2016, $2016 for 2000 people",
        "Call 555-1234 about order 2024-113",
        "ISBN 978-3-16-148410-0",
        "Phase 1, chapter 11, page 12, a score of 3-2",
        "on the 27th floor, from 9 to 5, between 2 and 5 people",
        "on 15 servers, up to 2024 units",
        "the day, the week, my day, the last day",
        "I haven't slept in 3 days",
        "How many do I use in a day?",
        "Every Friday, Monday to Friday, on Saturday mornings, my Sunday ride, the Sunday mass, on a Sunday",
        "The Aspen Saturday Market, a Tip Wednesday, Monday: soup",
        "focusing on 3-4 sets, up by 1-2 degrees, in 3-4 rooms",
        "the 20-gallon tank, by the 20-year mark, for the 20 of us",
        "the rate (APR)",
        "Events:\n\n3. Walk\n4. Run",
        "1,234 days or 2.5 weeks ago",
        "99999 years ago",
        "Feb 30, 2/29/2019, the 31st of next month",
        "Q5, H1, week 99",
        "next to the last chance, past due, this one",
        "in 5 minutes",
        "a 90s kid",
        "",
        "٣ مارس",
    ],
)
def test_what_is_no_time_is_left_alone(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("alias", words.MONTHS)
def test_every_name_of_a_month_is_that_month(alias: str) -> None:
    month = words.MONTHS[alias]
    assert MONTH_NAMES[month - 1].lower().startswith(alias[:3])
    for text in (f"5 {alias.title()} 2021", f"{alias} 5th, 2021", f"{alias.title()}. 5, 2021"):
        assert the_period(text) == f"2021-{month:02}-05"


@pytest.mark.parametrize("alias", words.WEEKDAYS)
def test_every_name_of_a_weekday_is_that_day(alias: str) -> None:
    number = words.WEEKDAYS[alias]
    assert WEEKDAYS[number].lower().startswith(alias[:3])
    assert the_period(f"last {alias}") == str(read_date(f"2026-03-{16 + number - (7 if number >= 2 else 0):02}"))
    assert the_period(f"on {alias.title()}", "future") == f"2026-03-{16 + number + (7 if number < 2 else 0):02}"


@pytest.mark.parametrize("alias", words.UNITS)
def test_every_name_of_a_unit_is_as_long_as_it_says(alias: str) -> None:
    expected = {
        "day": "2026-03-16",
        "week": "2026-03-04",
        "fortnight": "2026-02-18",
        "month": "2026-01-18",
        "quarter": "2025-09-18",
        "year": "2024-03-18",
        "decade": "2006-03-18",
        "century": "1826-03-18",
    }
    assert alias.rstrip("s").startswith(words.UNITS[alias][0])
    assert the_period(f"2 {alias} ago") == expected[words.UNITS[alias]]


PAIRS = {f"{ten}-{one}": words.TENS[ten] + words.ONES[one] for ten in words.TENS for one in words.ONES}
NUMBERS = {**words.ONES, **words.TEENS, **words.TENS, **PAIRS}


@pytest.mark.parametrize("word", NUMBERS)
def test_every_number_in_words_counts(word: str) -> None:
    assert the_period(f"{word} years ago") == f"{2026 - NUMBERS[word]}-03-18"


@pytest.mark.parametrize("word", [*words.ORDINALS, *(f"twenty-{o}" for o in words.ORDINALS if words.ORDINALS[o] < 10)])
def test_every_rank_in_words_names_a_day(word: str) -> None:
    number = words.ORDINALS.get(word) or 20 + words.ORDINALS[word.partition("-")[2]]
    assert the_period(f"the {word} of January 2021") == f"2021-01-{number:02}"


@pytest.mark.parametrize("word", sorted(set(words.DECADES) - {"tens"}))
def test_every_decade_in_words_is_of_the_last_century_or_the_noughties(word: str) -> None:
    start = words.DECADES[word] + (1900 if words.DECADES[word] else 2000)
    assert the_period(f"the {word}") == f"{start}-01-01..{start + 9}-12-31"


@pytest.mark.parametrize("word", sorted(words.TODAY))
def test_every_word_for_a_near_day_is_that_day(word: str) -> None:
    assert the_period(word) == f"2026-03-{18 + words.TODAY[word]}"


@pytest.mark.parametrize("word", sorted(set(words.STEPS) - {"past"}))
def test_every_word_for_a_neighbour_steps_that_far(word: str) -> None:
    assert the_period(f"{word} year") == f"{2026 + words.STEPS[word]}-01-01..{2026 + words.STEPS[word]}-12-31"


@pytest.mark.parametrize(
    "text",
    ["spring water", "after the fall of Rome", "the last fall of the empire", "in Spring Boot", "April and June came"],
)
def test_words_that_are_also_seasons_or_names_are_no_times(text: str) -> None:
    assert found(text) == []


def test_several_times_in_a_text_are_found_in_order_with_their_places() -> None:
    text = "By Friday, or on 3 May 2025; since 2020."
    mentions = find_times(text, NOW, UTC)
    assert [m.text for m in mentions] == ["Friday", "3 May 2025", "2020"]
    assert [text[m.start : m.end] for m in mentions] == [m.text for m in mentions]
    assert [m.lead for m in mentions] == ["by", "on", "since"]
    assert [m.unit for m in mentions] == ["day", "day", "year"]


def test_months_in_a_row_are_one_stretch_and_a_list_number_is_no_day() -> None:
    assert found("in March and April") == [("March and April", "2026-03-01", "2026-04-30")]
    assert found("It is in July.\n4. Next") == [("July", "2025-07-01", "2025-07-31")]
    assert [text for text, _, _ in found("She wed last December. I was there.")] == ["last December"]


def test_days_are_days_in_the_zone_of_the_reader() -> None:
    (mention,) = find_times("on 29 March 2026", NOW, BERLIN)
    assert (mention.lo, mention.hi) == day_period(read_date("2026-03-29"), BERLIN)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("since 2020", "2020-01-01T00:00:00Z", "2026-03-18T12:00:00Z"),
        ("by 3 May 2025", None, "2025-05-03T23:59:59.999999Z"),
        ("until 3 May 2025", None, "2025-05-03T23:59:59.999999Z"),
        ("before 3 May 2025", None, "2025-05-02T23:59:59.999999Z"),
        ("after 3 May 2025", "2025-05-04T00:00:00Z", None),
        ("on 3 May 2025", "2025-05-03T00:00:00Z", "2025-05-03T23:59:59.999999Z"),
        ("more than 2 days ago", None, "2026-03-15T23:59:59.999999Z"),
        ("more than 2 days from now", "2026-03-21T00:00:00Z", None),
        ("about 2 weeks ago", "2026-03-01T00:00:00Z", "2026-03-07T23:59:59.999999Z"),
        ("2 years ago", "2023-09-17T00:00:00Z", "2024-09-17T23:59:59.999999Z"),
    ],
)
def test_the_word_before_a_time_says_which_side_of_it_is_meant(text: str, first: str | None, last: str | None) -> None:
    (mention,) = find_times(text, NOW, UTC)
    lo, hi = window(mention, NOW)
    assert (None if lo == MIN else format_instant(lo), None if hi == MAX else format_instant(hi)) == (first, last)


PIECES = [*words.MONTHS, *words.WEEKDAYS, *words.UNITS, *words.STEPS, *words.ORDINALS, *words.TODAY, *words.DECADES]
SIGNS = [*"-/.,'", "the", "of", "in", "on", "to", "from", "between", "and", "ago", "Q", "than", "more", "less", "for"]
NUMERALS = ["3", "31", "2024", "99", "0", "1st", "2/3", "5-6"]
tokens = st.sampled_from([*PIECES, *SIGNS, *NUMERALS, "within", "starting", "hundred", "thousand"])


@given(st.lists(tokens, max_size=9).map(" ".join), st.sampled_from(("past", "future")))
def test_no_heap_of_words_breaks_the_reader(text: str, prefer: DatePreference) -> None:
    behind = 0
    for mention in find_times(text, NOW, UTC, prefer=prefer):
        assert behind <= mention.start < mention.end
        assert mention.lo <= mention.hi
        behind = mention.end


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    assert all(isinstance(mention, TimeMention) for mention in find_times(text, NOW, UTC))
