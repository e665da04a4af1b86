"""What `forget` hides is in no passage of any surface, however it is searched for."""

from typing import Any

import pytest
from tests.surfaces.recollect.test_changing import Agent

from recollect.memory import Memory
from recollect.serve.cli.search import search_store

HIDDEN, KEPT = "5511", "cellar"
NOTE = "My gym pin is 5511. The boiler hums whenever the cellar door stands open."
SEARCHES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("recollect", "recall", {"query": "What is my gym pin, and why does the boiler hum?"}),
    ("carabase", "carabase_search_semantic", {"query": "gym pin and boiler"}),
    ("carabase", "carabase_route_and_execute", {"query": "gym pin and boiler"}),
    ("carabase", "carabase_query_metadata", {"filters": {"date_from": "2020-01"}}),
    ("lore-engine", "semantic_search", {"query": "gym pin and boiler"}),
)


@pytest.fixture
def agent(memory: Memory) -> Agent:
    return Agent(memory)


def forget_pin(agent: Agent, text: str) -> int:
    """Takes a text in and hides the fact with the pin; the transaction before that."""
    stored = agent.do("remember", text=text)
    before = agent.tx
    [pin] = [each for each in stored["facts"] if HIDDEN in each["text"]]
    agent.do("forget", target=pin["id"])
    return before


@pytest.mark.parametrize(("surface", "tool", "arguments"), SEARCHES)
def test_a_passage_is_shown_without_the_sentence_of_a_hidden_fact(
    agent: Agent, surface: str, tool: str, arguments: dict[str, Any]
) -> None:
    forget_pin(agent, NOTE)
    answer = agent.answer(tool, arguments, surface)
    shown = f"{answer.structured} {answer.texts}"
    assert (HIDDEN in shown, KEPT in shown) == (False, True)


def test_a_hidden_sentence_is_not_cited(agent: Agent) -> None:
    forget_pin(agent, NOTE)
    asked = {"claim": "My gym pin is 5511."}
    answer = agent.answer("cite", asked, "lore-engine")
    assert not answer.is_error
    assert HIDDEN not in str(answer.structured["result"])


@pytest.mark.parametrize("as_of", ["now", "before"])
def test_the_search_of_the_command_line_shows_nothing_hidden(agent: Agent, as_of: str) -> None:
    before = forget_pin(agent, NOTE)
    found = search_store(agent.memory, "gym pin boiler", 10, None if as_of == "now" else str(before))
    texts = [*found.bodies.values(), *(each.row.text for each in found.facts)]
    assert not [text for text in texts if HIDDEN in text]
    assert any(KEPT in text for text in texts)


def test_a_text_that_says_nothing_else_is_not_found(agent: Agent) -> None:
    forget_pin(agent, "My gym pin is 5511.")
    assert agent.do("carabase_search_semantic", "carabase", query="gym pin 5511")["results"] == []
    assert agent.do("semantic_search", "lore-engine", query="gym pin 5511")["result"] == []
    assert not any(search_store(agent.memory, "gym pin", 10).bodies.values())
