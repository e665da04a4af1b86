"""A thing that is known is whose values a note tells, and a value ends where the next clause begins."""

import pytest

from recollect.memory import Memory
from tests.surfaces.recollect.test_changing import Agent


@pytest.fixture
def agent(memory: Memory) -> Agent:
    told = Agent(memory)
    told.do(
        "remember",
        facts=[
            {"subject": "boiler", "predicate": "serial", "value": "X1"},
            {"subject": "Porto shop", "predicate": "rent", "value": "900"},
        ],
    )
    return told


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("The boiler's brand is Vaillant.", "boiler's brand is Vaillant"),
        ("The age of the boiler is 12.", "boiler's age is 12"),
        ("The Porto shop's manager is Duarte.", "Porto shop's manager is Duarte"),
        ("The boiler's cost went up from 900 to 950.", "boiler's cost is 950"),
        ("The dishwasher's brand is Miele.", "My dishwasher brand is Miele"),
    ],
)
def test_a_known_thing_with_an_article_is_that_thing(agent: Agent, text: str, fact: str) -> None:
    assert [each["text"] for each in agent.do("remember", text=text)["facts"]] == [fact]


def test_a_claim_both_given_and_read_of_a_thing_counts_once(agent: Agent) -> None:
    given = {"subject": "boiler", "predicate": "colour", "value": "white"}
    found = agent.do("remember", text="The boiler's colour is white.", facts=[given])["facts"]
    assert [each["text"] for each in found] == ["boiler's colour is white"]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("My mother's name is Helga and she lives in Graz.", ["My mother is Helga"]),
        ("My sister's husband is Ivo and they live in Bern.", ["My sister husband is Ivo"]),
        ("My favourite book is Pride and Prejudice.", ["My favourite book is Pride and Prejudice"]),
    ],
)
def test_a_value_ends_before_the_next_clause(memory: Memory, text: str, facts: list[str]) -> None:
    assert [each["text"] for each in Agent(memory).do("remember", text=text)["facts"]] == facts


@pytest.mark.parametrize("text", ["My team's mascot is a red fox.", "My school's motto is sapere aude."])
def test_a_possessive_is_no_verb(memory: Memory, text: str) -> None:
    assert " is mascot" not in str(Agent(memory).do("remember", text=text)["facts"])
    assert " is motto" not in str(Agent(memory).do("remember", text=text)["facts"])
