"""Dates of memories exist and fit their granularity."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.keep.memory_formats import GRANULARITIES, BadMemoryDate, Granularity, parse_period, period_around


@pytest.mark.parametrize(
    ("granularity", "text", "first", "last"),
    [
        ("daily", "2024-02-29", "2024-02-29", "2024-02-29"),
        ("significant", "2026-05-14", "2026-05-14", "2026-05-14"),
        ("weekly", "2026-W20", "2026-05-11", "2026-05-17"),
        ("weekly", "2026-W53", "2026-12-28", "2027-01-03"),
        ("weekly", "2025-W01", "2024-12-30", "2025-01-05"),
        ("weekly", "9999-W52", "9999-12-27", "9999-12-31"),
        ("monthly", "2024-02", "2024-02-01", "2024-02-29"),
        ("yearly", "0001", "0001-01-01", "0001-12-31"),
    ],
)
def test_a_date_covers_its_whole_period(granularity: Granularity, text: str, first: str, last: str) -> None:
    period = parse_period(granularity, text)
    assert (period.first.isoformat(), period.last.isoformat(), period.text) == (first, last, text)


@pytest.mark.parametrize(
    ("granularity", "text"),
    [
        ("daily", "2026-13-45"),
        ("daily", "2026-02-29"),
        ("daily", "2026-5-1"),
        ("daily", "2026-05-14\n"),
        ("daily", "٢٠٢٦-٠٥-١٤"),
        ("daily", "2026-W20"),
        ("daily", "../2026-05-14"),
        ("weekly", "2026-W00"),
        ("weekly", "2025-W53"),
        ("weekly", "2026-W54"),
        ("weekly", "2026-05-14"),
        ("monthly", "2026-00"),
        ("monthly", "2026"),
        ("yearly", "0000"),
        ("yearly", "26"),
        ("yearly", "2026-05"),
    ],
)
def test_a_date_that_does_not_exist_or_fit_is_refused(granularity: Granularity, text: str) -> None:
    with pytest.raises(BadMemoryDate) as caught:
        parse_period(granularity, text)
    assert caught.value.field == "date"


@pytest.mark.parametrize(
    ("granularity", "fitting"), [("weekly", "2026-W20"), ("monthly", "2026-05"), ("yearly", "2026")]
)
def test_the_value_that_would_fit_a_day_is_named(granularity: Granularity, fitting: str) -> None:
    with pytest.raises(BadMemoryDate) as caught:
        parse_period(granularity, "2026-05-14")
    assert fitting in str(caught.value)


@given(st.dates(min_value=date(1, 1, 1)), st.sampled_from(GRANULARITIES))
def test_the_period_around_a_day_holds_it_and_reads_back(day: date, granularity: Granularity) -> None:
    period = period_around(granularity, day)
    assert period.first <= day <= period.last
    assert parse_period(granularity, period.text) == period
