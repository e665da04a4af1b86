"""One graph: what another door wrote is an edge or an artifact here, and the same on every engine."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.support.databases import new_postgres_database
from tests.support.hash_embedder import HashEmbedder
from tests.surfaces.carabase.asking import ask, edge, found, note, tell

from recollect.change_listeners import open_memory
from recollect.memory import Memory
from recollect.model.ids import IdMaker
from recollect.settings import Settings
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.when.clock import clock_from


def through(memory: Memory, surface: str, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = call(find_surface(surface).find(tool), lambda each: memory.as_actor(surface, each.name), arguments)
    assert answer.outcome == "ok", answer.structured
    return answer.structured


def edges(memory: Memory, start: str) -> list[tuple[str, str, str | None, str]]:
    told = found(memory, "carabase_search_graph", start_entity=start)["edges"]
    return [(each["source_name"], each["type"], each["target_name"], each["source_kind"]) for each in told]


def test_a_fact_of_entity_core_is_an_edge(memory: Memory) -> None:
    ids = [
        through(memory, "entity-core", "graph_node_create", type="person", label=name)["node"]["id"]
        for name in ("Ilse Brandt", "Noor Haddad")
    ]
    through(memory, "entity-core", "graph_edge_create", fromId=ids[0], toId=ids[1], type="works_with")
    assert edges(memory, "Ilse Brandt") == [("Ilse Brandt", "works_with", "Noor Haddad", "extracted")]
    told = found(memory, "carabase_search_graph", start_entity="Noor Haddad")["edges"][0]
    assert (told["source_type"], told["label"], told["provenance"]["surface"]) == (
        "person",
        "AFFILIATED",
        "entity-core",
    )


def test_a_fact_of_cognitive_graph_is_an_edge_but_an_alias_is_none(memory: Memory) -> None:
    kettle = {"type": "project", "name": "Copper Kettle"}
    through(
        memory, "cognitive-graph", "record_fact", subject=kettle, predicate="blocked_by", object={"literal": "frost"}
    )
    through(
        memory, "cognitive-graph", "record_fact", subject=kettle, predicate="tagged", object={"literal": "alias:CK"}
    )
    assert edges(memory, "CK") == [("Copper Kettle", "blocked_by", None, "extracted")]


def test_a_relation_of_the_lore_engine_is_an_edge(memory: Memory) -> None:
    through(memory, "lore-engine", "add_entity", name="Ser Brin", type="Person")
    through(memory, "lore-engine", "add_entity", name="Saltguard", type="Faction")
    through(memory, "lore-engine", "add_relation", **{"from": "Ser Brin", "relation": "MEMBER_OF", "to": "Saltguard"})
    assert edges(memory, "Saltguard") == [("Ser Brin", "member_of", "Saltguard", "extracted")]
    told = found(memory, "carabase_search_graph", start_entity="Saltguard")["entity"]
    assert (told["type"], told["kind"]) == ("organization", "faction")


def test_a_made_up_timeline_has_its_own_times_for_facts_and_the_calendar_for_documents(memory: Memory) -> None:
    through(memory, "lore-engine", "define_era", name="First Age", start=1, end=500)
    through(memory, "lore-engine", "add_entity", name="Ser Brin", type="Person")
    through(memory, "lore-engine", "add_entity", name="Saltguard", type="Faction")
    given = {"from": "Ser Brin", "relation": "MEMBER_OF", "to": "Saltguard"}
    given |= {"valid_from": "first_age.year_10", "valid_until": "first_age.year_20"}
    through(memory, "lore-engine", "add_relation", **given)
    tell(memory, note("n-1", "Ser Brin rode out.", "2026-05-10T09:00:00Z"))
    graph = "carabase_search_graph"
    [inside] = found(memory, graph, start_entity="Ser Brin", at_time="first_age.year_15")["edges"]
    assert (inside["valid_from"], inside["current"]) == ("first_age.year_10", True)
    outside = ask(memory, graph, {"start_entity": "Ser Brin", "at_time": "first_age.year_30"}).structured
    assert outside["_hint"]["shape"] == "graphFilteredOut"
    assert found(memory, "carabase_query_metadata", entity_name="Ser Brin", date_from="2026-05")["count"] == 1
    assert found(memory, "carabase_route_and_execute", query="since Ser Brin in May")["parsed"]["dates"] is None


def test_memories_of_entity_core_are_artifacts(memory: Memory) -> None:
    through(
        memory,
        "entity-core",
        "memory_create",
        granularity="daily",
        date="2026-05-19",
        content="# A day\n\n- Bees came.",
        instanceId="desk",
    )
    [hit] = found(memory, "carabase_search_semantic", query="bees came", k=1)["results"]
    assert (hit["kind"], hit["source"], hit["date"], hit["title"]) == (
        "memory",
        "daily-note:2026-05-19",
        "2026-05-19",
        "A day",
    )
    assert hit["provenance"]["surface"] == "entity-core"


def test_an_identity_file_is_titled_by_what_it_says(memory: Memory) -> None:
    texts = {"a.md": "```\n# code\n```\n## What I want ##\nRest.", "b.md": "\nI am Wren.\n", "c.md": ""}
    for filename, content in texts.items():
        through(memory, "entity-core", "identity_write", category="self", filename=filename, content=content)
    told = found(memory, "carabase_query_metadata", kinds="identity")["results"]
    assert {each["source"]: each["title"] for each in told} == {
        "identity:self/a.md": "What I want",
        "identity:self/b.md": "I am Wren.",
        "identity:self/c.md": None,
    }


CALLS: list[tuple[str, dict[str, Any]]] = [
    (
        "commit_to_folio",
        {"folioName": "Orchard", "content": "Plums ripen. Mira Olt saw it.", "extraMetadata": {"tags": "a"}},
    ),
    ("carabase_search_semantic", {"query": "frost at Copperleaf", "k": 20}),
    ("carabase_search_semantic", {"query": "plums", "folio": "orchard", "tags": ["a"], "date_from": "2026"}),
    ("carabase_search_graph", {"start_entity": "Copperleaf", "depth": 3}),
    ("carabase_search_graph", {"start_entity": "Copper"}),
    ("carabase_query_metadata", {"kinds": ["record", "commit"]}),
    ("carabase_query_metadata", {"entity_name": "Mira Olt", "source": "note"}),
    ("carabase_find_entity_candidates", {"text": "o", "limit": 20, "hints": {"near_entity": "Copperleaf"}}),
    ("carabase_route_and_execute", {"query": "how is Mira Olt connected to Brindle since May #a"}),
    ("carabase_search_graph", {"start_entity": "Nobody at all"}),
]


def told_at(address: str) -> list[tuple[str, ...]]:
    """All answers of a small world whose ids are always the same."""
    clock = clock_from("2026-05-20T10:00:00Z")
    opened = open_memory(address, settings=Settings(), clock=clock)
    memory = replace(opened, new_id=IdMaker(clock, random.Random(7)))
    memory.cache._embedders[:] = [HashEmbedder(256)]
    try:
        for number in range(12):
            tell(
                memory,
                note(
                    f"n{number}",
                    f"Frost {number} at Copperleaf, seen by Mira Olt.",
                    f"2026-05-{number % 4 + 1:02}T08:00:00Z",
                ),
                edge(
                    "Mira Olt",
                    f"saw_{number % 3}",
                    {"name": f"Tree {number}", "type": "plant"},
                    confidence=0.5 + number % 2 / 4,
                ),
                edge("Copperleaf", "near", "Brindle Foods"),
            )
        return [ask(memory, tool, arguments).texts for tool, arguments in CALLS]
    finally:
        memory.close()


@pytest.mark.every_case
@pytest.mark.parametrize("engine_name", ["postgres"])
def test_both_engines_give_the_same_text(engine_name: str, postgres_server: str, tmp_path: Path) -> None:
    assert engine_name
    on_sqlite, on_postgres = told_at(str(tmp_path / "memory.db")), told_at(new_postgres_database(postgres_server))
    for one, other in zip(on_sqlite, on_postgres, strict=True):
        assert one == other
