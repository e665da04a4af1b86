"""Facts that share no word with a question are found by meaning wherever texts are searched."""

from typing import Any

from tests.support.facts import fact, tell

from recollect.memory import Memory
from recollect.serve.cli.search import search_store
from recollect.surfaces.declarations import Answer
from recollect.surfaces.dispatch import call
from recollect.surfaces.lore_engine.citations import NEAREST_ONLY
from recollect.surfaces.registry import find_surface

QUESTION = "Who flies planes for a living?"
PILOT = fact("Paulo", "works_as", {"literal": "an airline pilot"})


def ask(memory: Memory, surface: str, tool: str, **arguments: Any) -> Any:
    return answer(memory, surface, tool, **arguments).structured


def answer(memory: Memory, surface: str, tool: str, **arguments: Any) -> Answer:
    found = find_surface(surface).find(tool)
    return call(found, lambda each: memory.as_actor(each.surface.name, each.name), arguments)


def test_the_search_command_finds_a_fact_by_meaning(memory: Memory) -> None:
    tell(memory, PILOT, fact("Grace", "lives_in", {"name": "Porto"}))
    found = search_store(memory, QUESTION, 10).facts
    assert [each.row.fact.literal for each in found] == ["an airline pilot"]
    assert search_store(memory, "How do glaciers shape valleys?", 10).facts == []


def test_the_semantic_search_of_artifacts_lists_facts_unless_it_is_filtered(memory: Memory) -> None:
    tell(memory, PILOT, fact("Grace", "lives_in", {"name": "Porto"}))
    found = ask(memory, "carabase", "carabase_search_semantic", query=QUESTION)
    [near] = found["facts"]
    assert (near["text"], found["results"], found["_hint"]) == ("Paulo works as an airline pilot", [], None)
    assert near["score"] >= 0.28
    for filters in ({"min_similarity": 0.99}, {"kinds": ["record"]}):
        assert "facts" not in ask(memory, "carabase", "carabase_search_semantic", query=QUESTION, **filters)


def test_a_relation_that_says_nearly_what_a_claim_says_is_cited(memory: Memory) -> None:
    tell(memory, PILOT)
    [cited] = ask(memory, "lore-engine", "cite", claim="Paulo is a pilot who flies airliners")["result"]
    assert (cited["support"], cited["document_id"], len(cited["relation_ids"])) == ("related", None, 1)
    assert ask(memory, "lore-engine", "cite", claim="Glaciers shape valleys")["result"] == []


def test_a_sentence_is_cited_for_a_claim_in_other_words(memory: Memory) -> None:
    ask(memory, "recollect", "remember", text="We no longer ship to Switzerland.")
    ask(memory, "recollect", "remember", text="Our accountant is Farida Benali.")
    cited = ask(memory, "lore-engine", "cite", claim="parcels cannot be sent to the Alps")["result"]
    assert (cited[0]["text"], cited[0]["support"]) == ("We no longer ship to Switzerland.", "related")
    assert "Farida" in ask(memory, "lore-engine", "cite", claim="who does our taxes")["result"][0]["text"]
    assert ask(memory, "lore-engine", "cite", claim="Glaciers shape valleys")["result"] == []


def test_what_is_only_near_a_claim_is_not_taken_for_a_citation(memory: Memory) -> None:
    told = ask(memory, "recollect", "remember", text="Our accountant is Farida Benali.")
    assert told["facts"]
    near = answer(memory, "lore-engine", "cite", claim="who does our taxes")
    assert [each["support"] for each in near.structured["result"]] == ["related"]
    assert [(each["relation_ids"], each["quote"]) for each in near.structured["result"]] == [([], None)]
    assert (near.meta["cited"], near.texts[-1]) == (False, NEAREST_ONLY)
    assert "cited" not in answer(memory, "lore-engine", "cite", claim="Our accountant is Farida Benali").meta


def test_a_closed_item_is_not_listed_as_a_fact(memory: Memory) -> None:
    tell(memory, fact("Ada", "commitment", None, "Ada sends the harvest report", "ASSERTED"), id="n1", title="Mail")
    done = fact("Ada", "completion", None, "Ada sent the harvest report", "TRANSITIONED")
    tell(memory, done, id="n2", title="Mail", source_at="2026-06-09T08:00:00Z")
    texts = [
        each["text"] for each in ask(memory, "carabase", "carabase_search_semantic", query="harvest report")["facts"]
    ]
    assert "Ada sends the harvest report" not in texts
