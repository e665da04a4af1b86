"""One graph behind several doors: what is recorded here reads elsewhere, and the other way round."""

from typing import Any

from tests.surfaces.cognitive_graph.asking import Asking, entity, link, literal

from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.write.undo import undo

KETTLE = entity("project", "Copper Kettle")


def on_pearscarf(graph: Asking, name: str) -> list[dict[str, Any]]:
    tool = find_surface("pearscarf").find("get_facts")
    said = call(tool, lambda _: graph.memory.as_actor("pearscarf", "get_facts"), {"entity": name}).structured
    facts: list[dict[str, Any]] = said["facts"]
    return facts


def test_a_fact_recorded_here_reads_on_pearscarf(graph: Asking) -> None:
    graph.record(KETTLE, "blocked_by", literal("contract unsigned"), source="https://notes.example/1", confidence=0.5)
    [fact] = on_pearscarf(graph, "Copper Kettle")
    assert (fact["edge_label"], fact["fact_type"], fact["confidence"]) == ("ASSERTED", "blocker", "inferred")
    assert fact["fact"] == "Copper Kettle blocked by contract unsigned"
    assert fact["source_url"] == "https://notes.example/1"
    assert fact["source_record"] == "tool:cognitive-graph.record_fact"


def test_an_alias_recorded_here_is_an_alias_and_no_fact_elsewhere(graph: Asking) -> None:
    graph.record(KETTLE, "tagged", literal("alias:The Pot"))
    graph.record(KETTLE, "tagged", literal("busy"))
    assert [fact["fact"] for fact in on_pearscarf(graph, "the pot")] == ["Copper Kettle tagged busy"]


def test_a_fact_whose_source_came_back_is_shown_once(graph: Asking) -> None:
    graph.ingest(link({"name": "Copper Kettle", "type": "Project"}, "blocked_by", literal("leak")))
    said = graph.recall("Copper Kettle")["facts"][0]["id"]
    graph.retract(said)
    assert graph.recall("Copper Kettle")["facts"] == []
    with graph.memory.as_actor("cli", "undo").write() as change:
        undo(change, graph.tx)
    assert [fact["id"] for fact in graph.recall("Copper Kettle")["facts"]] == [said]
    assert graph.blockers() == ["leak"]
    assert len(on_pearscarf(graph, "Copper Kettle")) == 1
