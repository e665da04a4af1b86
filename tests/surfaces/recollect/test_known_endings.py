"""What ends because a note says so in words that state nothing else, and what a denial may end."""

import pytest

from recollect.memory import Memory
from tests.conftest import MovingClock
from tests.surfaces.recollect.test_changing import Agent
from tests.surfaces.recollect.test_denied_values import states, told
from tests.surfaces.recollect.test_remember import remember


def ended(result: dict[str, object]) -> list[tuple[str, str, str]]:
    facts = result["facts"]
    assert isinstance(facts, list)
    return [(each["text"], each["state"], each.get("until")) for each in facts if each["state"] == "ended"]


@pytest.mark.parametrize(
    ("before", "now", "text"),
    [
        ("We use Yarn.", "We dropped Yarn.", "I use Yarn"),
        ("We use Yarn.", "We've ditched Yarn in favour of Bun.", "I use Yarn"),
        ("billing-api uses Maven.", "billing-api dropped Maven.", "billing-api uses Maven"),
        ("I own a Volvo.", "I sold my Volvo to a neighbour.", "I own Volvo"),
        ("My car is a Volvo V60.", "I sold my Volvo.", "My car is Volvo V60"),
        ("My car is a Volvo V60.", "I finally sold my car.", "My car is Volvo V60"),
        ("I own a cabin in Telemark.", "We sold the cabin.", "I own a cabin in Telemark"),
        ("My gym is Iron Barn.", "I quit the gym.", "My gym is Iron Barn"),
        ("I work at Lumen.", "I quit my job.", "I work at Lumen"),
        ("I play badminton.", "I gave up badminton.", "I play badminton"),
        ("Heron's status is blocked.", "Heron is no longer blocked.", "Heron's status is blocked"),
        ("Ola works at Lumen.", "Ola is no longer at Lumen.", "Ola works at Lumen"),
        ("Ola lives in Oslo.", "Ola isn't in Oslo any more.", "Ola lives in Oslo"),
        ("I use Todoist.", "I quit Todoist.", "I use Todoist"),
        ("I use Netflix.", "I’ve cancelled my Netflix subscription.", "I use Netflix"),
        ("I play the violin.", "I gave up the violin.", "I play violin"),
        ("I play the violin.", "I don’t play the violin any more.", "I play violin"),
        ("Ola likes jazz.", "Ola has gone off jazz.", "Ola likes jazz"),
        ("Ola likes jazz.", "Ola stopped liking jazz.", "Ola likes jazz"),
        ("Our team uses Jira.", "Our team stopped using Jira.", "I use Jira"),
        ("Ola reports to Kari.", "Ola no longer reports to Kari.", "Ola reports to Kari"),
        ("Ola's hobby is ballet.", "Ola gave up ballet.", "Ola's hobby is ballet"),
        ("I live in Hull.", "I left Hull.", "I live in Hull"),
        ("Ola lives in Hull.", "Ola left Hull today.", "Ola lives in Hull"),
        ("Ola speaks Welsh.", "Ola can't speak Welsh anymore.", "Ola speaks Welsh"),
        ("Ola speaks Welsh.", "Ola can no longer speak Welsh.", "Ola speaks Welsh"),
        ("I play the piano.", "I cannot play the piano any more.", "I play piano"),
        ("Ola is allergic to nuts.", "Ola isn’t allergic to nuts after all.", "Ola is allergic to nuts"),
        ("I take 5 mg ramipril every morning.", "I stopped ramipril.", "I take 5 mg ramipril every morning"),
        ("Ola takes 10 mg iron daily.", "Ola stopped taking the iron.", "Ola takes 10 mg iron daily"),
        ("Ola takes 10 mg iron daily.", "Ola came off iron.", "Ola takes 10 mg iron daily"),
        ("Ola is allergic to nuts.", "Turns out Ola isn't allergic to nuts.", "Ola is allergic to nuts"),
    ],
)
def test_a_known_fact_ends_in_the_words_of_a_note(
    memory: Memory, clock: MovingClock, before: str, now: str, text: str
) -> None:
    assert ended(told(memory, clock, before, now)) == [(text, "ended", "2026-06-01")]


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("Ola prefers rye bread.", "Ola doesn't like rye bread anymore."),
        ("I prefer rye bread.", "I don’t like rye bread any more."),
        ("I prefer rye bread.", "I don't like rye bread."),
        ("Ola loves rye bread.", "Ola no longer enjoys rye bread."),
    ],
)
def test_who_no_longer_likes_something_neither_loves_nor_prefers_it(
    memory: Memory, clock: MovingClock, before: str, now: str
) -> None:
    assert (before.rstrip("."), "ended", "2026-06-01") in ended(told(memory, clock, before, now))


@pytest.mark.parametrize(
    ("before", "now", "text"),
    [
        ("I use Todoist.", "I used to use Todoist.", "I use Todoist"),
        ("Ola speaks Sami.", "Ola used to speak Sami.", "Ola speaks Sami"),
        ("Ola likes jazz.", "Ola used to like jazz.", "Ola likes jazz"),
    ],
)
def test_what_somebody_used_to_do_is_over(memory: Memory, clock: MovingClock, before: str, now: str, text: str) -> None:
    assert [each[:2] for each in ended(told(memory, clock, before, now))] == [(text, "ended")]


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("I use Todoist.", "I used to use Todoist, and I still do."),
        ("Ola works at Lumen.", "Ola used to work at Lumen and still does."),
        ("Ola is allergic to nuts.", "Ola isn't allergic to nuts."),
        ("Ola likes jazz.", "The alarm went off."),
        ("I use Todoist.", "I used Todoist to plan the trip."),
        ("I like rye bread.", "I don't prefer rye bread."),
        ("My favourite car is a Volvo.", "I sold my Volvo."),
        ("I own a house in Spain and a house in Wales.", "We sold the house."),
        ("My phone is +47 22 12 34 56.", "I dropped my phone."),
        ("My phone is +47 22 12 34 56.", "I left my phone at work."),
        ("I work at Lumen.", "I quit the gym."),
        ("I live in Hull.", "I left Hull at 9."),
        ("I live in Hull.", "I left Hull for Leeds."),
        ("I live in Hull.", "I can't live in Hull anymore."),
        ("I play the piano.", "I can't play the piano today."),
        ("Ola likes ballet.", "Ola gave up ballet."),
        ("I drive a Volvo.", "I stopped at the Volvo."),
        ("I drive a Volvo.", "I stopped washing the Volvo."),
        ("We use Yarn.", "Ola dropped Yarn."),
        ("We use Yarn.", "We may have dropped Yarn."),
        ("We use Yarn.", "Have we dropped Yarn?"),
        ("Ola grew up in Oslo.", "Ola is no longer in Oslo."),
        ("Heron's status is blocked.", "If Heron is no longer blocked, we ship."),
        ("Heron's status is blocked.", "Ola says Heron is no longer blocked."),
        ("Heron's status is blocked.", "Heron can no longer be blocked."),
    ],
)
def test_words_that_fit_no_single_fact_end_nothing(memory: Memory, clock: MovingClock, before: str, now: str) -> None:
    known = {each["text"] for each in told(memory, clock, before)["facts"]}
    result = remember(memory, text=now)
    assert ended(result) == []
    for subject in ("me", "Ola", "Heron"):
        assert "ended" not in {state for text, state in states(memory, subject).items() if text in known}


@pytest.mark.parametrize(
    ("before", "denial", "text"),
    [
        ("I live in Bergen.", "I don't live in Bergen.", "I live in Bergen"),
        ("I am allergic to nuts.", "I'm not allergic to nuts.", "I am allergic to nuts"),
        ("I am allergic to nuts.", "I'm not allergic to nuts after all.", "I am allergic to nuts"),
        ("I am allergic to nuts.", "Actually, I am not allergic to nuts.", "I am allergic to nuts"),
        ("My rent is 900.", "My rent isn't 900.", "My rent is 900"),
        ("We use Yarn.", "We do not use Yarn.", "I use Yarn"),
    ],
)
def test_what_the_owner_denies_of_himself_ends_and_is_listed_as_denied(
    memory: Memory, clock: MovingClock, before: str, denial: str, text: str
) -> None:
    result = told(memory, clock, before, denial)
    assert ended(result) == [(text, "ended", "2026-06-01")]
    assert [(each["text"], each["state"]) for each in result["denied"]] == [(text, "ended")]
    Agent(memory).do("undo")
    assert states(memory, "me")[text] == "current"


@pytest.mark.parametrize(
    "sentence",
    [
        "Tom says I don't live in Bergen.",
        "The registry claims that I don't live in Bergen.",
        "Tom: I don't live in Bergen.",
        "I don't think I live in Bergen.",
        "Maybe I don't live in Bergen.",
        "If I don't live in Bergen, the form is wrong.",
        "I don't live in Bergen, do I?",
        "I don't only live in Bergen.",
        "I don't always live in Bergen.",
        "I don't live in Bergen during the week.",
        "I won't live in Bergen.",
        "I didn't live in Bergen.",
        "I don't want to live in Bergen.",
    ],
)
def test_no_hearsay_doubt_or_partial_denial_ends_what_the_owner_told(
    memory: Memory, clock: MovingClock, sentence: str
) -> None:
    told(memory, clock, "I live in Bergen.", sentence)
    assert states(memory, "me")["I live in Bergen"] == "current"


def test_a_denial_beside_a_claim_ends_what_it_denies(memory: Memory, clock: MovingClock) -> None:
    result = told(memory, clock, "I am allergic to nuts.", "I'm not allergic to nuts, but I am allergic to cats.")
    assert {(each["text"], each["state"]) for each in result["facts"]} == {
        ("I am allergic to cats", "current"),
        ("I am allergic to nuts", "ended"),
    }
    assert all("others" not in each for each in result["facts"])
