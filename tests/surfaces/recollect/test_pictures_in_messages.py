"""Emoji and faces in a message hide neither what it says nor when."""

import pytest

from recollect.memory import Memory
from recollect.text.emoji import without_emoji
from tests.surfaces.recollect.test_changing import Agent


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Miso is allergic to chicken 🍗!", "Miso is allergic to chicken"),
        ("My vet is Dr. Paws 🐾.", "My vet is Dr. Paws"),
        ("I live in Porto :)", "I live in Porto"),
    ],
)
def test_a_sentence_with_a_picture_is_a_fact(memory: Memory, text: str, fact: str) -> None:
    [told] = Agent(memory).do("remember", text=text)["facts"]
    assert told["text"] == fact


def test_a_year_behind_a_picture_is_kept(memory: Memory) -> None:
    [told] = Agent(memory).do("remember", text="I live in Porto 🇵🇹 since 2021.")["facts"]
    assert (told["text"], told["since"]) == ("I live in Porto", "2021")


def test_a_day_behind_a_picture_is_when_it_is_due(memory: Memory) -> None:
    [told] = Agent(memory).do("remember", text="I'll buy cat food 🛒 by 1 June 2026!")["facts"]
    assert (told["text"], told["until"]) == ("Me: I'll buy cat food 🛒 by 1 June 2026!", "2026-06-01")


def test_a_picture_still_parts_two_statements(memory: Memory) -> None:
    told = Agent(memory).do("remember", text="I paid the rent 🎉 tomorrow I'll call mum.")["facts"]
    assert [each["predicate"] for each in told] == ["completion", "commitment"]


@pytest.mark.parametrize("text", ["Miso is allergic to chicken 🤔", "I live in Porto 😂", "My mascot is 🦄"])
def test_a_picture_that_doubts_or_is_the_value_stays(memory: Memory, text: str) -> None:
    assert [each["text"] for each in Agent(memory).do("remember", text=text)["facts"]] in ([], [text])


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("no picture: at 3:2", "no picture: at 3:2"),
        ("two 🎉🎉 of them, ❤️!", "two of them,!"),
        ("a ratio of 3:(4)", "a ratio of 3:(4)"),
    ],
)
def test_only_pictures_are_removed(text: str, plain: str) -> None:
    assert without_emoji(text) == plain
