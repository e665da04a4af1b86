"""The source that was given to `record_fact`: every surface that prints a fact's source prints it."""

from typing import Any

import pytest

from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory
from recollect.serve.version_history import history
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

NOTES = "call notes 19 May"


def ask(memory: Memory, surface: str, tool: str, **arguments: Any) -> Any:
    declared = find_surface(surface).find(tool)
    found = call(declared, lambda each: memory.as_actor(surface, each.name), arguments)
    assert not found.is_error, found.structured
    return found.structured.get("result", found.structured)


@pytest.fixture(autouse=True)
def ada_reports_to_bo(memory: Memory) -> None:
    ask(
        memory,
        "cognitive-graph",
        "record_fact",
        subject={"type": "person", "name": "Ada"},
        predicate="reports_to",
        object={"type": "person", "name": "Bo"},
        source=NOTES,
    )


def test_pearscarf_and_cognitive_graph_print_it(memory: Memory) -> None:
    [fact] = ask(memory, "pearscarf", "get_facts", entity="Ada")["facts"]
    assert (fact["source"], fact["source_record"]) == (NOTES, "tool:cognitive-graph.record_fact")
    [fact] = ask(memory, "cognitive-graph", "recall_entity", name_or_alias="Ada")["facts"]
    assert fact["source"] == NOTES


def test_a_fact_without_a_given_source_has_none_on_pearscarf(memory: Memory) -> None:
    fact = {"from": "Ada", "to": "Acme", "edge_label": "AFFILIATED", "fact_type": "employee"}
    with memory.as_actor("cli", "ingest").write() as change:
        assert write_line(change, parse_line({"record": {"id": "mail_1", "type": "email"}, "facts": [fact]}))
    [fact] = ask(memory, "pearscarf", "get_facts", entity="Acme")["facts"]
    assert (fact["source"], fact["source_record"]) == (None, "mail_1")


def test_lore_engine_prints_it_among_the_sources(memory: Memory) -> None:
    said = ask(memory, "lore-engine", "was_true_at", relation="REPORTS_TO", subject="Ada", object="Bo", at_time="2027")
    assert said["sources"] == [NOTES]
    assert [each["source"] for each in said["per_source"]] == [NOTES]
    told = ask(memory, "lore-engine", "timeline", entity="Ada")
    assert NOTES in str(told)


def test_carabase_and_entity_core_print_it_beside_the_tool(memory: Memory) -> None:
    [edge] = ask(memory, "carabase", "carabase_search_graph", start_entity="Ada")["edges"]
    assert (edge["provenance"]["source"], edge["provenance"]["tool"]) == (NOTES, "record_fact")
    shown = ask(memory, "entity-core", "graph_edge_get", id=edge["id"])
    [source] = shown["edges"][0]["sources"]
    assert (source["source"], source["tool"]) == (NOTES, "tool:cognitive-graph.record_fact")


def test_history_shows_it_also_when_the_fact_was_confirmed_by_another(memory: Memory) -> None:
    ask(
        memory,
        "cognitive-graph",
        "record_fact",
        subject={"type": "person", "name": "Ada"},
        predicate="reports_to",
        object={"type": "person", "name": "Bo"},
        source="org chart",
    )
    with memory.read() as view:
        rows = history(view, "Ada")
    assert [(row["change"], row["source"]) for row in rows] == [
        ("entity", None),
        ("learned", NOTES),
        ("confirmed", "org chart"),
    ]
