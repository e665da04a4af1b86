"""A whole text as one time."""

import re

import pytest

from recollect.when.english.mentions import read_english_time
from recollect.when.english.words import MONTH_PATTERN
from recollect.when.instant import read_instant, read_zone

ZONE = read_zone("UTC")
NOW = read_instant("2026-05-20T10:00:00Z", ZONE)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("yesterday", "2026-05-19"),
        ("3 days ago", "2026-05-17"),
        ("in 3 days", "2026-05-23"),
        ("last week", "[2026-05-11..2026-05-17]"),
        ("March 2026", "2026-03"),
        ("in 2019", "2019"),
        ("next month", "2026-06"),
        ("Q3 2024", "[2024-07-01..2024-09-30]"),
    ],
)
def test_a_text_that_is_a_time_is_read(text: str, time: str) -> None:
    found = read_english_time(text, NOW, ZONE)
    assert found is not None
    assert found.text == time


@pytest.mark.parametrize(
    "text",
    [
        "soon",
        "Lena said yesterday",
        "in a while",
        "yesterday or tomorrow",
        "3 days",
        "thirteen weeks",
        "a week",
        "one day",
    ],
)
def test_a_text_that_is_more_than_a_time_is_not_read(text: str) -> None:
    assert read_english_time(text, NOW, ZONE) is None


@pytest.mark.parametrize(("word", "is_month"), [("sept", True), ("mar", True), ("marketing", False), ("decide", False)])
def test_a_word_that_begins_like_a_month_is_none(word: str, is_month: bool) -> None:
    assert (re.search(rf"\b(?:{MONTH_PATTERN})\b", f"in {word} 2026") is not None) == is_month
