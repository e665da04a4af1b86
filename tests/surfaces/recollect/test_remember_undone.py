"""After `remember` is undone every surface answers as before."""

import json
from typing import Any

import pytest

from recollect.memory import Memory
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from tests.conftest import MovingClock
from tests.support.facts import fact, tell
from tests.surfaces.recollect.test_remember import remember
from tests.write.test_undo import take_back

QUESTIONS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("pearscarf", "get_facts", {"entity": "Ada", "include_stale": True}),
    ("pearscarf", "get_facts", {"entity": "acme-web", "include_stale": True}),
    ("pearscarf", "get_entity_context", {"entity": "Ada"}),
    ("pearscarf", "get_conflicts", {}),
    ("cognitive-graph", "recall_entity", {"name_or_alias": "Ada"}),
    ("cognitive-graph", "weekly_rollup", {"project": "acme-web"}),
    ("carabase", "carabase_search_semantic", {"query": "garage invoice in Porto"}),
    ("lore-engine", "lookup", {"query": "Ada"}),
    ("entity-core", "graph_node_search", {"query": "Porto"}),
)
CALLS: tuple[dict[str, Any], ...] = (
    {
        "text": "I have paid the garage invoice. Ada moved to Porto in March 2026. We no longer use npm.",
        "about": "acme-web",
    },
    {"facts": [{"subject": "Ada", "predicate": "rent", "value": 950}]},
    {"facts": [{"subject": "acme-web", "predicate": "uses", "value": "pnpm", "replaces": True}], "source": "chat"},
    {"text": "My name is Ada. I speak Danish.", "facts": [{"subject": "Ada", "predicate": "rent", "value": 800}]},
)


def answers(memory: Memory) -> list[str]:
    found = []
    for surface, name, arguments in QUESTIONS:
        tool = find_surface(surface).find(name)
        answer = call(tool, lambda each: memory.as_actor(each.surface.name, each.name), arguments)
        assert answer.outcome == "ok", answer.structured
        found.append(json.dumps([name, answer.structured], sort_keys=True, default=str))
    return found


@pytest.mark.parametrize("arguments", CALLS)
def test_every_surface_answers_as_before(memory: Memory, clock: MovingClock, arguments: dict[str, Any]) -> None:
    tell(memory, fact({"name": "Ada", "type": "Person"}, "lives_in", {"name": "Berlin", "type": "Place"}), id="a")
    tell(memory, entities=[{"name": "acme-web", "type": "Project"}])
    remember(memory, text="I will pay the garage invoice by Friday. acme-web uses npm.")
    remember(memory, facts=[{"subject": "Ada", "predicate": "rent", "value": 900}])
    clock.set("2026-05-21T10:00:00Z")
    before = answers(memory)
    done = remember(memory, **arguments)
    assert answers(memory) != before
    take_back(memory, done["undo"])
    assert answers(memory) == before
