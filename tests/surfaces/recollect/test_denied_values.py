"""What a sentence denies beside what it states: `uses pnpm, not npm`, and going back to a former value."""

from typing import Any

import pytest

from recollect.memory import Memory
from tests.conftest import MovingClock
from tests.surfaces.recollect.test_changing import Agent
from tests.surfaces.recollect.test_remember import remember


def states(memory: Memory, about: str) -> dict[str, str]:
    found = Agent(memory).do("recall", query=about, about=about, kinds=["facts"])["results"]
    return {fact["text"]: fact["state"] for fact in reversed(found)}


def told(memory: Memory, clock: MovingClock, *sentences: str) -> dict[str, Any]:
    """The result of the last sentence; each is told a day after the one before."""
    result: dict[str, Any] = {}
    for day, sentence in enumerate(sentences, start=1):
        clock.set(f"2026-06-{day:02d}T12:00:00Z")
        result = remember(memory, text=sentence)
    return result


@pytest.mark.parametrize(
    ("before", "now", "holds", "denied"),
    [
        ("Ines uses npm.", "Ines uses pnpm, not npm.", "Ines uses pnpm", "Ines uses npm"),
        (
            "billing-api uses Maven.",
            "billing-api uses Gradle rather than Maven.",
            "billing-api uses Gradle",
            "billing-api uses Maven",
        ),
        ("We use npm for shop-web.", "We use bun, not npm, for shop-web.", "shop-web uses bun", "shop-web uses npm"),
        ("Ole plays tennis.", "Ole plays golf instead of tennis.", "Ole plays golf", "Ole plays tennis"),
        ("Ida prefers tea.", "Ida prefers coffee over tea.", "Ida prefers coffee", "Ida prefers tea"),
        ("Ida prefers tea.", "Ida prefers coffee now, not tea.", "Ida prefers coffee", "Ida prefers tea"),
        (
            "Jon speaks Finnish.",
            "No wait, Jon speaks Estonian, not Finnish.",
            "Jon speaks Estonian",
            "Jon speaks Finnish",
        ),
        ("Kai works at Volvo.", "Kai works for Scania, not Volvo.", "Kai works at Scania", "Kai works at Volvo"),
        (
            "Kai works at Volvo.",
            "Kai does not work at Volvo but at Scania.",
            "Kai works at Scania",
            "Kai works at Volvo",
        ),
        (
            "Kai works at Volvo.",
            "Kai doesn't work at Volvo, he works at Scania.",
            "Kai works at Scania",
            "Kai works at Volvo",
        ),
        ("Lou's dentist is Ann.", "Lou's dentist is Bea, not Ann.", "Lou's dentist is Bea", "Lou's dentist is Ann"),
        ("Lou's dentist is Ann.", "Lou's dentist is not Ann but Bea.", "Lou's dentist is Bea", "Lou's dentist is Ann"),
        ("Lou's dentist is Ann.", "Lou's dentist isn't Ann, it's Bea.", "Lou's dentist is Bea", "Lou's dentist is Ann"),
        (
            "Mia is allergic to nuts.",
            "Mia is allergic to eggs, not nuts.",
            "Mia is allergic to eggs",
            "Mia is allergic to nuts",
        ),
    ],
)
def test_a_value_that_is_ruled_out_ends_and_is_listed(
    memory: Memory, clock: MovingClock, before: str, now: str, holds: str, denied: str
) -> None:
    result = told(memory, clock, before, now)
    assert [(fact["text"], fact["outcome"], fact["since"]) for fact in result["facts"]] == [
        (holds, "replaced", "2026-06-02")
    ]
    assert [(fact["text"], fact["state"], fact["until"]) for fact in result["denied"]] == [
        (denied, "ended", "2026-06-01")
    ]
    assert result["not_understood"] == []


@pytest.mark.parametrize(
    "sentence", ["Ray uses Fish, not Zsh.", "Ray likes Bash, not Fish.", "Ray uses Fish, not on Fridays."]
)
def test_what_is_ruled_out_without_being_known_leaves_other_values(
    memory: Memory, clock: MovingClock, sentence: str
) -> None:
    result = told(memory, clock, "Ray uses Bash and Vim.", sentence)
    assert "denied" not in result
    assert {"Ray uses Bash", "Ray uses Vim"} <= {
        text for text, state in states(memory, "Ray").items() if state == "current"
    }


@pytest.mark.parametrize(
    "sentence",
    ["Zac doesn't use Opera anymore, he uses Brave.", "Zac no longer uses Opera but Brave."],
)
def test_what_no_longer_holds_and_what_does_are_both_read(memory: Memory, clock: MovingClock, sentence: str) -> None:
    result = told(memory, clock, "Zac uses Opera.", sentence)
    assert [(fact["text"], fact["state"]) for fact in result["facts"]] == [
        ("Zac uses Opera", "ended"),
        ("Zac uses Brave", "current"),
    ]
    assert result["not_understood"] == []


@pytest.mark.parametrize(
    "sentence",
    ["Fay isn't allergic to cats.", "Fay is not allergic to cats.", "Fay isn't actually allergic to cats."],
)
def test_a_mere_denial_names_the_fact_that_stays(memory: Memory, clock: MovingClock, sentence: str) -> None:
    result = told(memory, clock, "Fay is allergic to cats.", sentence)
    assert [(fact["text"], fact["state"]) for fact in result["denied"]] == [("Fay is allergic to cats", "current")]


@pytest.mark.parametrize(
    "back", ["Uli switched back to Chrome.", "Uli went back to Chrome.", "Uli has reverted to Chrome."]
)
def test_going_back_ends_what_came_in_between(memory: Memory, clock: MovingClock, back: str) -> None:
    result = told(memory, clock, "Uli uses Slack.", "Uli uses Chrome.", "Uli switched from Chrome to Firefox.", back)
    [fact] = result["facts"]
    assert (fact["text"], fact["outcome"], fact["since"]) == ("Uli uses Chrome", "replaced", "2026-06-04")
    assert [(each["text"], each["until"]) for each in fact["replaced"]] == [("Uli uses Firefox", "2026-06-03")]
    assert states(memory, "Uli")["Uli uses Slack"] == "current"


@pytest.mark.parametrize(
    "sentence", ["Val went back to Google.", "Val went back to Marketing.", "Val went back to Pisa."]
)
def test_going_back_to_a_place_or_an_employer_tells_no_tool(memory: Memory, sentence: str) -> None:
    assert "uses" not in [fact["predicate"] for fact in remember(memory, text=sentence, dry_run=True)["facts"]]


def test_a_value_that_holds_again_begins_on_a_day(memory: Memory, clock: MovingClock) -> None:
    result = told(memory, clock, "Ike works at Lego.", "Ike no longer works at Lego.", "Ike works at Lego.")
    assert [(fact["outcome"], fact["since"]) for fact in result["facts"]] == [("recorded", "2026-06-03")]
    again = told(memory, clock, "Ike works at Lego.")
    assert [fact["outcome"] for fact in again["facts"]] == ["confirmed"]


@pytest.mark.parametrize(
    ("sentence", "text", "since"),
    [
        ("Ulf's address has been 9 Oak Lane since 1 March 2026.", "Ulf's address is 9 Oak Lane", "2026-03-01"),
        ("My rent has been 950 since March.", "My rent is 950", "2026-03"),
        ("The budget of Kestrel has been 55k since 2025.", "Kestrel's budget is 55k", "2025"),
        ("Ann has been Kim's manager since 2024.", "Kim's manager is Ann", "2024"),
    ],
)
def test_what_has_been_so_since_a_day_is_so(memory: Memory, sentence: str, text: str, since: str) -> None:
    [fact] = remember(memory, text=sentence)["facts"]
    assert (fact["text"], fact["state"], fact["since"]) == (text, "current", since)


@pytest.mark.parametrize(
    "sentence", ["My rent has been 950.", "My car has been stolen.", "Ann has been Kim's manager."]
)
def test_what_has_been_so_without_a_day_is_not_read(memory: Memory, sentence: str) -> None:
    assert remember(memory, text=sentence)["facts"] == []


@pytest.mark.parametrize(
    "text",
    [
        "I'm not allergic to penicillin, but I am allergic to latex.",
        "Leo doesn't code in Vim anymore, he switched to Emacs in May.",
    ],
)
def test_what_a_sentence_states_beside_a_denial_is_not_doubted(memory: Memory, text: str) -> None:
    result = remember(memory, text=text)
    assert [each["state"] for each in result["facts"]] == ["current"]
    assert "denied" not in result


def test_what_was_told_beside_a_denial_is_not_doubted_when_that_is_told_again(memory: Memory) -> None:
    remember(memory, text="Bruno doesn't work at Helix, he works at Helios.")
    assert "denied" not in remember(memory, text="Bruno never worked at Helix.")
