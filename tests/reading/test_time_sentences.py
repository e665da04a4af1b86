"""Times of mails in nine languages: counts from another day, corrections, several days in one sentence."""

from datetime import date

import pytest

from recollect.reading.clause_reading import ClauseReading
from recollect.reading.clause_time import with_following_deadlines
from recollect.reading.context import Context
from recollect.reading.language import detect_language
from recollect.reading.reader import read_block
from tests.reading.time_sentences import TIME_SENTENCES

WEDNESDAY = date(2026, 10, 14)


def items(text: str) -> list[ClauseReading]:
    context = Context("mail", anchor=WEDNESDAY, language=detect_language(text))
    return [each for each in with_following_deadlines(read_block(text, context)) if each.is_fact]


def told(item: ClauseReading) -> str:
    time = item.time
    if time.status == "pending":
        return "?"
    if time.until is None:
        return "-"
    mark = "~" if time.role == "lasting" else ""
    return mark + time.until.isoformat()[: 7 if time.granularity == "month" else 10]


@pytest.mark.parametrize(
    ("language", "text", "days"), [(code, *row) for code, rows in TIME_SENTENCES.items() for row in rows]
)
def test_a_sentence_has_the_days_it_tells(language: str, text: str, days: str) -> None:
    assert detect_language(text) == language
    assert "+".join(map(told, items(text))) == days


def test_things_with_a_day_each_are_items_that_share_their_verb() -> None:
    first, second = items("I'll send the score on Monday and the parts on Thursday.")
    assert (first.text, first.shared) == ("I'll send the score on Monday", "")
    assert (second.text, second.shared) == ("the parts on Thursday.", "I'll send")


@pytest.mark.parametrize(
    "text",
    [
        "I'll call the hall on Monday and again on Friday.",
        "I'll send the parts on 23 October and not on the 16th.",
        "I'll be at the fair on Monday and Tuesday.",
        "I'll send the draft by Monday and it will be printed by Friday.",
    ],
)
def test_a_second_day_without_a_thing_makes_no_item(text: str) -> None:
    assert len([each for each in items(text) if each.shared]) == 0


def test_a_time_that_cannot_be_placed_keeps_its_words() -> None:
    [item] = items("I'll send the report three days after the audit.")
    assert item.time.phrase == "three days after the audit"


def test_a_count_of_days_from_a_day_tells_how_long() -> None:
    [item] = items("I'll rent the hall for three days from Monday.")
    assert told(item) == "2026-10-19"


def test_who_cannot_on_a_day_corrects_nothing() -> None:
    assert told(items("I can't do Monday, make it Tuesday.")[-1]) == "2026-10-20"
