"""Facts that give somebody one more name: `alias`, `nickname` and the like."""

from typing import Any

import pytest

from recollect.memory import Memory
from tests.support.facts import entity_named
from tests.surfaces.recollect.test_changing import Agent
from tests.write.test_undo import state, take_back


@pytest.fixture
def agent(memory: Memory) -> Agent:
    told = Agent(memory)
    told.do("remember", facts=[{"subject": "Charlotte Ames", "predicate": "likes", "value": "tea"}])
    return told


def tell(agent: Agent, predicate: str, **target: Any) -> dict[str, Any]:
    return agent.do("remember", facts=[{"subject": "Charlotte Ames", "predicate": predicate, **target}])


@pytest.mark.parametrize("predicate", ["alias", "nickname", "aka", "also_known_as", "Also known as", "name"])
@pytest.mark.parametrize("key", ["value", "object"])
def test_somebody_is_known_by_a_name_that_a_fact_gives(agent: Agent, predicate: str, key: str) -> None:
    before = state(agent.memory)
    told = tell(agent, predicate, **{key: "Lottie"})
    assert len(told["entities"]) == 1
    linked = agent.do("remember", facts=[{"subject": "Lottie", "predicate": "uses", "value": "vim"}])
    assert [(each["name"], each["link"]) for each in linked["entities"]] == [("Charlotte Ames", "linked")]
    take_back(agent.memory, linked["undo"])
    take_back(agent.memory, told["undo"])
    assert state(agent.memory) == before
    assert entity_named(agent.memory, "Lottie") is None


def test_a_name_that_was_wrong_is_none_any_more(agent: Agent) -> None:
    [told] = tell(agent, "nickname", value="Lottie")["facts"]
    agent.do("correct", fact=told["id"], mode="wrong")
    assert entity_named(agent.memory, "Lottie") is None


def test_the_name_of_somebody_else_stays_theirs(agent: Agent) -> None:
    agent.do("remember", facts=[{"subject": "Max", "predicate": "likes", "value": "rum"}])
    tell(agent, "nickname", value="Max")
    [entity] = agent.do("remember", facts=[{"subject": "Max", "predicate": "uses", "value": "vim"}])["entities"]
    assert (entity["name"], entity["link"]) == ("Max", "linked")
