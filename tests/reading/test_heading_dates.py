"""Days without a year in notes without a date."""

from datetime import date

import pytest

from recollect.reading.heading_dates import DateHint, slashed_day
from recollect.when.english.day_order import DateOrder

NEAR = date(2027, 5, 10)


@pytest.mark.parametrize(
    ("phrase", "order", "day"),
    [
        ("8 May", None, date(2027, 5, 8)),
        ("8/5", "dmy", date(2027, 5, 8)),
        ("5/8", "mdy", date(2027, 5, 8)),
        ("28/5", None, date(2027, 5, 28)),
        ("5/28", None, date(2027, 5, 28)),
        ("8/5", None, None),
        ("30/12", "dmy", date(2026, 12, 30)),
        ("1/2/3", "dmy", None),
        ("tomorrow", "dmy", None),
    ],
)
def test_a_day_without_a_year_takes_the_year_nearest_to_the_dates_of_the_note(
    phrase: str, order: DateOrder | None, day: date | None
) -> None:
    assert DateHint(NEAR, order).day_of(phrase) == day


def test_a_short_year_is_of_this_century() -> None:
    assert slashed_day("4/5/27", "dmy", None) == date(2027, 5, 4)
