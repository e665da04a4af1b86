"""Values that `X's N is V` may have, and what is no value or nobody's."""

import pytest

from recollect.memory import Memory
from tests.surfaces.recollect.test_remember import answer_of, remember


def read(memory: Memory, text: str, **more: str) -> list[tuple[str, str]]:
    facts = remember(memory, text=text, dry_run=True, **more)["facts"]
    return [(fact["predicate"], fact["text"]) for fact in facts]


@pytest.mark.parametrize(
    ("text", "predicate", "fact"),
    [
        ("Vera's status is on parental leave.", "status", "Vera's status is on parental leave"),
        ("Heron's stage is under review.", "stage", "Heron's stage is under review"),
        ("My status is out of office.", "status", "My status is out of office"),
        ("My status is back.", "status", "My status is back"),
        ("The status of Heron is on hold.", "status", "Heron's status is on hold"),
        ("Vera's status is back at her desk.", "status", "Vera's status is back at her desk"),
        ("Ugo's desk is number 12.", "desk", "Ugo's desk is number 12"),
        ("Ugo's office is building C.", "office", "Ugo's office is building C"),
        ("Heron's budget is at most 900.", "budget", "Heron's budget is at most 900"),
        ("My salary is just over 3000 euros.", "salary", "My salary is just over 3000 euros"),
        ("Ugo's phone is 4711.", "phone", "Ugo's phone is 4711"),
        ("My mobile is a Fairphone 5.", "mobile_model", "My mobile model is Fairphone 5"),
        ("The gate code is 4711.", "gate_code", "My gate code is 4711"),
    ],
)
def test_an_attribute_has_the_value_that_is_told(memory: Memory, text: str, predicate: str, fact: str) -> None:
    assert read(memory, text) == [(predicate, fact)]


@pytest.mark.parametrize(
    "text",
    [
        "Vera's status is unclear to me.",
        "Vera's status is not known.",
        "My phone is broken.",
        "The production database is copied nightly.",
        "The customer database is hosted in Oslo.",
        "Heron's database is kept in a vault.",
        "The staging URL is stage.example.org.",
        "The default branch is trunk.",
    ],
)
def test_what_is_done_to_a_thing_or_is_nobodys_gives_no_value(memory: Memory, text: str) -> None:
    assert read(memory, text) == []


def test_a_setting_of_a_system_is_that_of_the_topic(memory: Memory) -> None:
    assert read(memory, "The staging URL is stage.example.org.", about="heron-web") == [
        ("staging_url", "heron-web's staging url is stage.example.org")
    ]


def test_the_state_of_an_unnamed_thing_is_not_the_owners(memory: Memory) -> None:
    assert "release_status" not in dict(read(memory, "The release's status is cancelled."))


def test_a_phone_number_replaces_a_short_one(memory: Memory) -> None:
    remember(memory, text="Ugo's phone is 4711.", source_at="2026-01-01")
    [fact] = remember(memory, text="Ugo's phone number is 4712.")["facts"]
    assert [each["text"] for each in fact["replaced"]] == ["Ugo's phone is 4711"]


def test_an_older_value_told_late_confirms_none_of_the_newer_ones(memory: Memory) -> None:
    remember(memory, text="Ugo's phone is 4711.", source_at="2026-03-10")
    remember(memory, text="Ugo's phone is 4712.", source_at="2026-03-11")
    remember(memory, text="Ugo's phone is 4700.", source_at="2026-03-01")
    told = [each["change"] for each in answer_of(memory, "history", clock="knowledge").structured["entries"]]
    assert sorted(told) == ["learned", "learned", "learned", "replaced"]


def test_two_days_with_the_same_digits_are_two_birthdays(memory: Memory) -> None:
    remember(memory, text="Vera Kim's birthday is 1988-02-03.", source_at="2026-03-01")
    [fact] = remember(memory, text="Vera Kim's birthday is 1988-03-02.", source_at="2026-03-01")["facts"]
    assert fact["outcome"] == "conflicts"
