"""The look ahead of a pattern lets every match through and stops where none begins."""

import re

import pytest

from recollect.reading.language_table import LANGUAGES
from recollect.reading.time_grammar import time_grammar
from recollect.text.pattern_starts import look_ahead

SAMPLES = [
    (r"(?:by |until )?(?:mon|tues)day", "until monday, by tuesday, monday"),
    (r"(?P<part>(?!))x|\d{1,2}(?:st|th)?", "the 5th and 21 of 1st"),
    (r"[abc]{2,}d?|[^a-z\s]+-z", "ab abcd 7-z"),
    (r"(?>in|on) (?:the )?(?<=the )end", "in the end, on end"),
    (r"a*b|(?i:New) year|é+", "b aab NEW year éé"),
    (r"(x)?(?:\1y|z)$", "xxy z"),
]


@pytest.mark.parametrize(("source", "text"), SAMPLES)
def test_a_pattern_finds_the_same_behind_its_look_ahead(source: str, text: str) -> None:
    plain, led = re.compile(source), re.compile(look_ahead(source) + source)
    assert [found.span() for found in led.finditer(text)] == [found.span() for found in plain.finditer(text)]


def test_letters_that_begin_no_match_are_stopped() -> None:
    ahead = re.compile(look_ahead(r"(?:by |until )?(?:mon|tues)day"))
    assert [word for word in "by until mon tue bye tuck month".split() if ahead.match(f"{word} day")] == [
        "by", "until", "mon", "tue", "month",
    ]  # fmt: skip


def test_a_pattern_that_matches_nothing_at_all_has_no_look_ahead() -> None:
    assert look_ahead("(?:a|b)?") == ""


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_times_are_looked_for_only_where_one_may_begin(language: str) -> None:
    assert "(?=" in time_grammar(language).phrase.pattern
