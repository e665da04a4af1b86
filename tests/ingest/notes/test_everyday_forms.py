"""Sentences of every day and what `remember` makes of them: launches, debts, denials, what is moved or blocked."""

import pytest
from tests.ingest.notes.remembering import bounds, claims, outcomes, states, tell
from tests.support.facts import entity_named

from recollect.memory import Memory

ME = "Me"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Heron launches on 3 December.", ("Heron", "launch", "3 December")),
        ("Heron goes live on 3 December.", ("Heron", "go_live", "3 December")),
        ("The status of the Orion rollout is yellow.", ("Orion rollout", "status", "yellow")),
        ("My next appointment is on 2 December.", (ME, "next_appointment", "2 December")),
        ("My next dentist appointment is on 2 December.", (ME, "next_dentist_appointment", "2 December")),
    ],
)
def test_days_and_states_of_things_are_read(memory: Memory, text: str, claim: tuple[str, str, str]) -> None:
    [found] = claims(memory, tell(memory, text))
    assert found[:3] == claim


@pytest.mark.parametrize("text", ["The status of the build is red.", "We switched to Elm School."])
def test_what_is_passing_or_no_tool_is_no_value(memory: Memory, text: str) -> None:
    assert claims(memory, tell(memory, text)) == []


def test_a_correction_replaces_the_day_of_a_launch(memory: Memory) -> None:
    tell(memory, "Heron launches on 3 December.")
    assert outcomes(tell(memory, "Correction: Heron launches on 10 December.")) == ["replaced"]
    assert states(memory, "Heron", "launch") == {"3 December": "stale", "10 December": "current"}


def test_the_next_appointment_is_one(memory: Memory) -> None:
    tell(memory, "My next appointment is on 2 December.")
    assert outcomes(tell(memory, "My next appointment is on 9 December.")) == ["replaced"]


@pytest.mark.parametrize(
    "text",
    [
        "Bruno never worked at Helix, he works at Helios.",
        "Bruno never worked at Helix but he works at Helios.",
        "Bruno has never worked at Helix; he works at Helios.",
    ],
)
def test_what_was_never_so_gives_way_to_what_is(memory: Memory, text: str) -> None:
    tell(memory, "Bruno works at Helix.")
    assert outcomes(tell(memory, text)) == ["replaced"]
    assert states(memory, "Bruno", "works_at") == {"Helix": "stale", "Helios": "current"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Borealis is blocked by the missing permit.", "Borealis"),
        ("Heron launches on 3 December.", "Heron"),
        ("Kornhaus still owes me feedback.", "Kornhaus"),
    ],
)
def test_what_may_be_a_project_or_firm_is_no_person(memory: Memory, text: str, name: str) -> None:
    tell(memory, text)
    entity = entity_named(memory, name)
    assert entity is not None
    assert entity.type == "unknown"


@pytest.mark.parametrize("text", ["Kornhaus still owes me feedback.", "Kornhaus owes us an answer."])
def test_what_somebody_owes_is_asked_of_them(memory: Memory, text: str) -> None:
    [found] = claims(memory, tell(memory, text))
    assert found[:3] == (ME, "request", "Kornhaus")


@pytest.mark.parametrize("text", ["Kornhaus owes me a favour.", "Kornhaus still owes me an apology."])
def test_a_moral_debt_is_no_item(memory: Memory, text: str) -> None:
    assert claims(memory, tell(memory, text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Moved the insurance call to 3 June.",
        "I've moved the insurance call to 3 June.",
        "The insurance call is moved to 3 June.",
        "The insurance call has been postponed until 3 June.",
    ],
)
def test_an_item_that_is_moved_is_due_on_the_new_day(memory: Memory, text: str) -> None:
    tell(memory, "I'll call the insurance on Monday.")
    moved = tell(memory, text)
    assert (outcomes(moved), bounds(memory, moved)) == (["replaced"], (None, "2026-06-03"))


@pytest.mark.parametrize("text", ["Moved the cat to the garden.", "Moved the tax call to 3 June."])
def test_what_is_moved_and_no_item_changes_nothing(memory: Memory, text: str) -> None:
    tell(memory, "I'll call the insurance on Monday.")
    assert claims(memory, tell(memory, text)) == []
