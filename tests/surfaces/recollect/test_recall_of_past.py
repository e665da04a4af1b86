"""`recall` of what has changed: the value that holds stands above the one it followed."""

from typing import Any

import pytest

from recollect.memory import Memory
from tests.surfaces.recollect.test_changing import Agent


@pytest.fixture
def agent(memory: Memory) -> Agent:
    return Agent(memory)


def found(agent: Agent, query: str, **arguments: Any) -> list[tuple[str, str | None]]:
    results = agent.do("recall", query=query, **arguments)["results"]
    return [(each["text"], each.get("state")) for each in results if each["kind"] == "fact"]


def given(agent: Agent, subject: str, predicate: str, value: object, at: str, **more: Any) -> dict[str, Any]:
    fact = {"subject": subject, "predicate": predicate, "value": value, **more}
    [told] = agent.do("remember", facts=[fact], source_at=at)["facts"]
    return dict(told)


def test_what_followed_a_past_fact_stands_above_it(agent: Agent) -> None:
    agent.do("remember", text="I use Firefox.", source_at="2026-01-05")
    agent.do("remember", text="I switched from Firefox to Chrome.", source_at="2026-02-05")
    for question in ("which tools do I use", "which software do I use"):
        assert found(agent, question)[:2] == [("I use Chrome", "current"), ("I use Firefox", "ended")]
    agent.do("remember", text="I switched from Chrome to Firefox.", source_at="2026-04-05")
    assert found(agent, "which tools do I use")[0] == ("I use Firefox", "current")


def test_what_followed_is_listed_although_it_is_below_the_floor(agent: Agent) -> None:
    given(agent, "Bo", "drinks", "tea", "2026-01-05")
    given(agent, "Bo", "drinks", "kvass", "2026-02-05", replaces=True)
    assert found(agent, "a warm cup of something") == [("Bo drinks kvass", "current"), ("Bo drinks tea", "ended")]
    assert found(agent, "a warm cup of something", until="2026-01-31") == [("Bo drinks tea", "ended")]


def test_what_holds_beside_a_past_fact_without_following_it_is_not_added(agent: Agent) -> None:
    given(agent, "Bo", "likes", "jazz", "2026-01-05", valid_until="2026-02-01")
    given(agent, "Bo", "likes", "gardening", "2026-03-05")
    assert found(agent, "music of the saxophone") == [("Bo likes jazz", "ended")]


def test_a_shared_name_reaches_the_floor_though_nobody_is_known_by_it(agent: Agent) -> None:
    for text in ("Our manager Greg takes 15 percent.", "Meine Schwester Ina wohnt in Kiel.", "The oven is hot."):
        agent.do("remember", text=text)
    for question, expected in (("what is Greg's cut", "Our manager Greg"), ("where does Ina live", "Schwester Ina")):
        [found] = agent.do("recall", query=question)["results"]
        assert expected in found["text"]
    assert agent.do("recall", query="what is Gregor's cut")["results"] == []


def test_an_email_address_is_found_by_another_word_for_it(agent: Agent) -> None:
    for value, at in (("a@x.example", "2026-02-10"), ("b@x.example", "2026-03-10"), ("a@x.example", "2026-04-10")):
        given(agent, "Ivy", "email", value, at)
    answer = found(agent, "what is Ivy's mail address", at="2026-03-20")
    assert answer[0] == ("Ivy's email is b@x.example", "current")
