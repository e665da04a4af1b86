"""How long something has been so, whom a first name means, and values that move, as `remember` reads them."""

from typing import Any

import pytest

from recollect.memory import Memory
from tests.conftest import MovingClock
from tests.surfaces.recollect.test_changing import Agent
from tests.surfaces.recollect.test_denied_values import told
from tests.surfaces.recollect.test_remember import remember


def facts(result: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    return [(each["text"], each["outcome"], each.get("since")) for each in result["facts"]]


@pytest.mark.parametrize(
    ("sentence", "text", "since"),
    [
        ("I have worked at Lumen for five years.", "I work at Lumen", "2021"),
        ("I have lived in Bergen for 3 years now.", "I live in Bergen", "2023"),
        ("Ola has worked at Lumen for the last six months.", "Ola works at Lumen", "2025-11"),
        ("I've been using Vim for ten years.", "I use Vim", "2016"),
        ("I've been allergic to nuts for 20 years.", "I am allergic to nuts", "2006"),
        ("Ola has been a vegetarian for two years.", "Ola's diet is vegetarian", "2024"),
        ("Ola has been my boss for two years.", "I report to Ola", "2024"),
    ],
)
def test_how_long_something_has_been_so_tells_since_when(memory: Memory, sentence: str, text: str, since: str) -> None:
    assert facts(remember(memory, text=sentence)) == [(text, "recorded", since)]


def test_how_long_something_once_was_so_leaves_it_ended(memory: Memory) -> None:
    [fact] = remember(memory, text="I worked at Lumen for five years.")["facts"]
    assert (fact["text"], fact["state"], "since" in fact) == ("I work at Lumen", "ended", False)


@pytest.mark.parametrize(
    "sentence",
    [
        "I have worked at Lumen for over five years.",
        "I have lived in Bergen for two years as a child.",
        "I haven't lived in Bergen for five years.",
        "I have never lived in Bergen for five years.",
        "I will have worked at Lumen for five years in May.",
        "I would have lived in Bergen for five years.",
        "Has Ola worked at Lumen for five years?",
    ],
)
def test_a_length_of_time_that_tells_no_day_is_not_read(memory: Memory, sentence: str) -> None:
    assert remember(memory, text=sentence)["facts"] == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Jonas Weber works at Fenn. Jonas will send the contract by Friday.", "Jonas Weber"),
        ("I met Jonas Weber today. Jonas will send the contract by Friday.", "Jonas Weber"),
        ("Dr. Jonas Weber works at Fenn. Jonas promised to send the contract by Friday.", "Dr. Jonas Weber"),
    ],
)
def test_a_first_name_behind_the_full_one_is_the_same_person(memory: Memory, text: str, name: str) -> None:
    entities = remember(memory, text=text)["entities"]
    assert [each["name"] for each in entities if "Jonas" in each["name"]] == [name]


def test_a_pronoun_behind_a_comma_means_who_joined(memory: Memory, clock: MovingClock) -> None:
    result = told(memory, clock, "Mia works at Tide.", "My friend Mia joined Fenn in May, she left Tide.")
    assert [(each["text"], each["state"]) for each in result["facts"]] == [
        ("Mia works at Fenn", "current"),
        ("Mia works at Tide", "ended"),
    ]
    assert result["not_understood"] == []


@pytest.mark.parametrize(
    ("before", "now", "text"),
    [
        ("The grant deadline is 30 June.", "The grant deadline moved from 30 June to 15 July.", "My grant deadline"),
        (
            "The deadline of Kestrel is 30 June.",
            "Kestrel's deadline has been extended to 15 July.",
            "Kestrel's deadline",
        ),
        ("The deadline of Kestrel is 30 June.", "The deadline moved from 30 June to 15 July.", "Kestrel's deadline"),
        ("The grant deadline is 30 June.", "The deadline moved from 30 June to 15 July.", "My grant deadline"),
    ],
)
def test_a_date_that_moved_is_replaced(memory: Memory, clock: MovingClock, before: str, now: str, text: str) -> None:
    [fact] = told(memory, clock, before, now)["facts"]
    assert (fact["text"], fact["outcome"]) == (f"{text} is 15 July", "replaced")
    assert [(each["text"], each["state"]) for each in fact["replaced"]] == [(f"{text} is 30 June", "ended")]


@pytest.mark.parametrize(
    "sentence",
    [
        "The deadline moved from 30 June to 15 July.",
        "The deadline of Kestrel may be moved to 15 July.",
        "The deadline of Kestrel will be moved to 15 July.",
        "My appointment was moved to room 4.",
    ],
)
def test_a_date_that_is_nobodys_or_has_not_moved_is_not_read(memory: Memory, sentence: str) -> None:
    assert remember(memory, text=sentence)["facts"] == []


def test_one_of_two_deadlines_that_both_fit_is_not_guessed(memory: Memory, clock: MovingClock) -> None:
    before = "The deadline of Kestrel is 30 June. The deadline of Heron is 30 June."
    assert told(memory, clock, before, "The deadline moved from 30 June to 15 July.")["facts"] == []


@pytest.mark.parametrize("predicate", ["flat rent", "monthly_rent", "grant_deadline", "ticket price", "work_phone"])
def test_a_compound_attribute_has_one_value_as_its_last_word_has(
    memory: Memory, clock: MovingClock, predicate: str
) -> None:
    for day, value in enumerate(("900", "960"), start=1):
        clock.set(f"2026-06-{day:02d}T12:00:00Z")
        result = remember(memory, facts=[{"subject": "me", "predicate": predicate, "value": value}])
    assert [each["outcome"] for each in result["facts"]] == ["replaced"]


@pytest.mark.parametrize("predicate", ["dog_name", "previous_address", "second phone", "price_list", "other_email"])
def test_an_attribute_of_which_there_may_be_several_keeps_them(
    memory: Memory, clock: MovingClock, predicate: str
) -> None:
    for day, value in enumerate(("Rex", "Bo"), start=1):
        clock.set(f"2026-06-{day:02d}T12:00:00Z")
        result = remember(memory, facts=[{"subject": "me", "predicate": predicate, "value": value}])
    assert [each["outcome"] for each in result["facts"]] == ["recorded"]


@pytest.mark.parametrize(
    ("first", "again", "outcome"),
    [
        ("I promised Mia to send the slides.", "I will send the slides to Mia on Monday.", "replaced"),
        ("I will send Mia the slides.", "I'll send Mia the slides by Monday.", "replaced"),
        ("I promised to send Mia the slides by Friday.", "I will send Mia the slides by Friday.", "confirmed"),
        ("I will send Mia the slides by Friday.", "I'll send Mia the slides.", "confirmed"),
        ("Jonas promised to send the contract by Friday.", "Jonas will send the contract by Friday.", "confirmed"),
    ],
)
def test_a_second_promise_for_one_thing_leaves_one_open_item(
    memory: Memory, clock: MovingClock, first: str, again: str, outcome: str
) -> None:
    assert [each["outcome"] for each in told(memory, clock, first, again)["facts"]] == [outcome]
    assert Agent(memory).do("open_items")["counts"]["open"] == 1


@pytest.mark.parametrize("again", ["I'll send Ben the slides by Monday.", "I'll send Mia the budget by Monday."])
def test_a_promise_of_another_thing_or_to_another_is_a_second_item(
    memory: Memory, clock: MovingClock, again: str
) -> None:
    told(memory, clock, "I will send Mia the slides by Friday.", again)
    assert Agent(memory).do("open_items")["counts"]["open"] == 2


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("Ich muss den Bericht bis Freitag abgeben.", "2026-05-22"),
        ("Bis Freitag muss ich den Bericht abgeben.", "2026-05-22"),
        ("Ich muss die Steuererklärung bis zum 31. Juli abgeben.", "2026-07-31"),
    ],
)
def test_what_one_has_to_do_by_a_day_is_an_open_item_in_german(memory: Memory, text: str, due: str) -> None:
    result = remember(memory, text=text)
    assert [(each["state"], each["until"]) for each in result["facts"]] == [("open", due)]
    assert result["not_understood"] == []


@pytest.mark.parametrize(
    "text",
    [
        "Ich muss den Bericht nicht bis Freitag abgeben.",
        "Muss ich den Bericht bis Freitag abgeben?",
        "Ich muss jeden Freitag den Bericht abgeben.",
        "Ich musste den Bericht am Freitag abgeben.",
        "Wenn ich den Bericht bis Freitag abgeben muss, sag Bescheid.",
    ],
)
def test_what_one_need_not_do_or_had_to_do_is_no_open_item_in_german(memory: Memory, text: str) -> None:
    assert remember(memory, text=text)["facts"] == []
