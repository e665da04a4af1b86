"""Promises, orders and plans in words of everyday speech, and what only sounds like one."""

from datetime import date

import pytest

from recollect.reading.clause_reading import ClauseReading
from recollect.reading.context import Context, Person, TextKind
from recollect.reading.reader import read_block

MONDAY = date(2026, 9, 28)
PEOPLE = (Person("Mio Tan", ("Mio", "MT")), Person("Noor Haddad", ("Noor",)))


def facts(text: str, kind: TextKind = "mail", language: str = "en") -> list[ClauseReading]:
    context = Context(kind, MONDAY, people=PEOPLE, language=language, date_order="dmy")
    return [each for each in read_block(text, context) if each.is_fact]


def acts(text: str, kind: TextKind = "mail", language: str = "en") -> list[str | None]:
    return [each.act for each in facts(text, kind, language)]


def test_two_things_promised_in_one_sentence_are_two_promises() -> None:
    found = facts(
        "I'll have the seating plan for you by 5 October, and the balance of £90 will be with you by the 9th."
    )
    assert [(each.act, each.time.until) for each in found] == [
        ("commitment", date(2026, 10, 5)),
        ("commitment", date(2026, 10, 9)),
    ]


def test_what_was_promised_without_saying_by_whom_is_the_writers() -> None:
    found = facts("Promised him a sketch by 5 October, and two colour charts on 9 October", "note")
    assert [(each.act, each.time.until) for each in found] == [
        ("commitment", date(2026, 10, 5)),
        ("commitment", date(2026, 10, 9)),
    ]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Say 30 chairs, might be a few less.", "en"),
        ("the posters are printed AND stuck on, hands sore", "en"),
        ("Over de kas van april hoor ik dat het dak lekt.", "nl"),
    ],
)
def test_an_estimate_what_sticks_and_hearsay_bind_nobody(text: str, language: str) -> None:
    assert not {"request", "blocker", "commitment"} & set(acts(text, language=language))


def test_a_dutch_wish_without_a_subject_is_a_request() -> None:
    assert acts("Onze rekening graag uiterlijk 30 oktober betalen.", language="nl") == ["request"]


@pytest.mark.parametrize(
    ("text", "kind", "language", "act"),
    [
        ("im not doing the podcast, exams are next week", "mail", "en", "cancellation"),
        ("we're not having the barbecue this year", "mail", "en", "cancellation"),
        ("Noor sprained her ankle so no bird talk on the 8th", "note", "en", "cancellation"),
        ("Leider muss ich die Tulpen abbestellen.", "mail", "de", "cancellation"),
        ("would you ever lend me the lot", "mail", "en", "request"),
        ("I am decided, the red one.", "mail", "en", "decision"),
        ("bank wants our tax form by Friday", "note", "en", "commitment"),
        ("noor has the posters in the shops by Friday", "note", "en", "commitment"),
        ("cake: Mio does 40 buns, ready Friday", "note", "en", "commitment"),
        ("300 badges printed by Friday", "note", "en", "commitment"),
        ("I'm not doing the dishes again", "mail", "en", None),
        ("it rained so no problem", "note", "en", None),
        ("would you ever move to the coast", "mail", "en", None),
        ("paid the rent by hand", "note", "en", "completion"),
    ],
)
def test_acts_in_words_of_everyday_speech(text: str, kind: TextKind, language: str, act: str | None) -> None:
    binding = {"cancellation", "request", "decision", "commitment", "completion"}
    assert [each for each in acts(text, kind, language) if each in binding] == [act] * (act is not None)
