"""What a writer takes back in the next breath is not meant; what is put in its place is."""

from datetime import date

import pytest

from recollect.reading.clause_reading import ClauseReading
from recollect.reading.context import Context
from recollect.reading.reader import read_block

TUESDAY = date(2026, 5, 12)


def meant(text: str, language: str = "en") -> list[ClauseReading]:
    return [each for each in read_block(text, Context("mail", TUESDAY, language=language)) if each.is_fact]


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        ("Let's take the red one. No wait, the blue one.", "en", "Let's take the blue one."),
        ("Let's take the red one, no wait, the blue one.", "en", "Let's take the blue one."),
        ("I'll order 40. Sorry, 50.", "en", "I'll order 50."),
        ("I'll bring the salad. I mean the cake.", "en", "I'll bring the cake."),
        ("Sent the list. Correction, the minutes.", "en", "Sent the minutes."),
        ("Wir nehmen den roten. Nein warte, den blauen.", "de", "Wir nehmen den blauen."),
    ],
)
def test_only_what_is_put_in_its_place_is_meant(text: str, language: str, words: str) -> None:
    [found] = meant(text, language)
    assert f"{found.shared} {found.text}" == words
    assert found.text in text


@pytest.mark.parametrize("text", ["I'll come on Friday. No wait, Saturday.", "I'll come on Friday, no wait, Saturday."])
def test_a_day_that_is_taken_back_is_the_other_one(text: str) -> None:
    [found] = meant(text)
    assert found.time.until == date(2026, 5, 16)


@pytest.mark.parametrize(
    "text",
    ["I'll bring the glue. No wait, Jo will.", "I'll bring it. Scratch that.", "I'll bring it, no wait, Jo can."],
)
def test_what_is_only_taken_back_is_not_meant(text: str) -> None:
    assert meant(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "I'll bring the cake. I mean it.",
        "I'll do it. No problem.",
        "I'll bring it. No, the train is late.",
        "Please order screws. No wait, I also need nails.",
        "I'll bring it. No wait for the bus.",
    ],
)
def test_what_is_not_taken_back_stays_meant(text: str) -> None:
    assert [each.act for each in meant(text)][:1] in (["commitment"], ["request"])
