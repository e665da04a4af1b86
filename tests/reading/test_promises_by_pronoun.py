"""What *he* promises is of the one person whom the words ahead name."""

from datetime import date

import pytest

from recollect.reading.context import Context, Person
from recollect.reading.reader import read_block

TUESDAY = date(2026, 5, 12)
PEOPLE = (Person("Jarek Nowak", ("Jarek",)), Person("Sanja Kovac", ("Sanja",)))


def promised(text: str) -> list[tuple[str, date | None]]:
    """Who promises something for when."""
    read = read_block(text, Context("mail", TUESDAY, people=PEOPLE))
    return [(each.doer.name, each.time.until) for each in read if each.act == "commitment" and each.doer]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ask Jarek about the crown; he promised it for the week of 18 May.", "Jarek"),
        ("Jarek called; he'll send it by 24 May.", "Jarek"),
        ("Jarek rang. He'll bring it by 24 May.", "Jarek"),
        ("Rang Mossie yesterday, he'll cut the timber by 24 May.", "Mossie"),
        ("Rang Mossie. He'll cut the timber by 24 May.", "Mossie"),
        ("Jarek promised the frames for the week of 18 May.", "Jarek"),
    ],
)
def test_a_promise_by_pronoun_is_of_who_was_named(text: str, name: str) -> None:
    assert promised(text) == [(name, date(2026, 5, 24))]


def test_what_was_promised_for_a_day_may_be_late_by_now() -> None:
    assert promised("Ask Jarek; he promised it for the week of 4 May.") == [("Jarek", date(2026, 5, 10))]


@pytest.mark.parametrize(
    "text",
    [
        "Asked Sanja and Jarek, he'll bring it on Friday.",
        "Lidl was closed. She'll go tomorrow.",
        "He'll bring it on Friday.",
        "The brochure promised the earth by Friday.",
    ],
)
def test_a_promise_of_nobody_who_can_be_told_is_nobodys(text: str) -> None:
    assert promised(text) == []
