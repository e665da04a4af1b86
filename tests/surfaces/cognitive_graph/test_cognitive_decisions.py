"""`recall_decisions`: which decisions there are, when they were made, by whom, from what."""

from typing import Any

import pytest
from tests.surfaces.cognitive_graph.asking import Asking, entity, link, literal

KETTLE = entity("project", "Copper Kettle")
BOTTLE = entity("decision", "Bottle on site")
AMARA = entity("person", "Amara Vint")


def names(graph: Asking, **more: Any) -> list[str]:
    return [decision["name"] for decision in graph.decisions("Copper Kettle", **more)["decisions"]]


def test_the_example_of_the_page(graph: Asking) -> None:
    made = graph.record(BOTTLE, "belongs_to", KETTLE, at="2026-05-18T10:00:00Z")
    amara = graph.record(AMARA, "decided_in", BOTTLE, at="2026-05-20T10:00:00Z", source="board minutes 18 May")[
        "subject"
    ]
    decision = {
        "id": made["subject"]["id"],
        "name": "Bottle on site",
        "decided_on": "2026-05-18",
        "decided_by": [amara],
        "confidence": 1.0,
        "source": "board minutes 18 May",
    }
    assert graph.decisions("copper kettle", since="2026-05-18") == {
        "project": {"id": made["object"]["id"], "name": "Copper Kettle"},
        "decisions": [{**decision, "supersedes": None}],
        "truncated": False,
        "since": "2026-05-18",
    }
    assert graph.rollup(project="Copper Kettle")["decisions"] == [decision]
    assert graph.rollup()["decisions"] == [decision]


def test_an_unknown_project_is_null_and_no_error(graph: Asking) -> None:
    nothing: dict[str, Any] = {"project": None, "decisions": [], "truncated": False, "since": None}
    graph.record(AMARA, "tagged", literal("x"))
    assert graph.decisions("Amara Vint") == nothing
    assert graph.decisions("Nothing", since=" ") == nothing


def test_an_ambiguous_project_is_null_and_its_candidates_are_listed(graph: Asking) -> None:
    for name in ("Mercury North", "Mercury South"):
        graph.record(entity("project", name), "tagged", literal("x"))
    answer = graph.answer("recall_decisions", {"project": "Mercury"})
    assert answer.structured["project"] is None
    assert answer.texts[1].count("ent_") == 2
    said = graph.rollup(project="Mercury")
    assert said["error"] == "PROJECT_NOT_FOUND"
    assert said["message"].count("ent_") == 2


def test_an_unknown_project_of_the_rollup_says_what_to_send(graph: Asking) -> None:
    message = graph.rollup(project="Nothing")["message"]
    assert message == (
        'no project is called "Nothing"; send the name, an alias or the id of one, or leave it out for all'
    )


def test_a_decision_is_joined_either_way_by_either_predicate(graph: Asking) -> None:
    for number, predicate in enumerate(("decided_in", "belongs_to")):
        graph.record(entity("decision", f"from {number}"), predicate, KETTLE)
        graph.record(KETTLE, predicate, entity("decision", f"to {number}"))
    graph.record(entity("decision", "elsewhere"), "depends_on", KETTLE)
    assert sorted(names(graph)) == ["from 0", "from 1", "to 0", "to 1"]


def test_literals_concepts_and_sources_name_decisions_but_people_and_projects_do_not(graph: Asking) -> None:
    by_literal = graph.record(KETTLE, "decided_in", literal("sell the old boiler"), at="2026-05-17T10:00:00Z")
    by_concept = graph.record(entity("concept", "Glass"), "decided_in", KETTLE, at="2026-05-18T10:00:00Z")
    by_source = graph.record(KETTLE, "decided_in", entity("source", "Minutes"), at="2026-05-19T10:00:00Z")
    graph.record(KETTLE, "decided_in", AMARA)
    graph.record(KETTLE, "decided_in", entity("project", "Other"))
    graph.record(KETTLE, "belongs_to", entity("concept", "Brewing"))
    found = graph.decisions("Copper Kettle")["decisions"]
    assert [(each["id"], each["name"]) for each in found] == [
        (by_source["fact_id"], "Minutes"),
        (by_concept["fact_id"], "Glass"),
        (by_literal["fact_id"], "sell the old boiler"),
    ]
    assert all(each["decided_by"] == [] for each in found)


def test_facts_that_name_one_concept_make_one_decision_under_the_earliest(graph: Asking) -> None:
    glass = entity("concept", "Glass")
    graph.record(AMARA, "decided_in", glass, at="2026-05-10T10:00:00Z", confidence=0.5, source="diary")
    first = graph.record(KETTLE, "decided_in", glass, at="2026-05-12T10:00:00Z", confidence=0.8)
    graph.record(glass, "decided_in", KETTLE, at="2026-05-13T10:00:00Z", source="minutes")
    [found] = graph.decisions("Copper Kettle")["decisions"]
    assert (found["id"], found["decided_on"], found["confidence"]) == (first["fact_id"], "2026-05-10", 1.0)
    assert found["source"] == "minutes"
    assert [ref["name"] for ref in found["decided_by"]] == ["Amara Vint"]


def test_the_date_does_not_move_when_somebody_is_credited_or_the_fact_is_repeated(graph: Asking) -> None:
    graph.record(BOTTLE, "belongs_to", KETTLE, at="2026-05-01T10:00:00Z")
    graph.record(AMARA, "decided_in", BOTTLE, at="2026-05-15T10:00:00Z")
    graph.record(BOTTLE, "belongs_to", KETTLE, at="2026-05-20T10:00:00Z")
    [found] = graph.decisions("Copper Kettle")["decisions"]
    assert found["decided_on"] == "2026-05-01"
    assert graph.rollup(project="Copper Kettle")["decisions"] == []


def test_an_ingested_decision_carries_the_date_of_its_source(graph: Asking) -> None:
    bottle, kettle = {"name": "Bottle on site", "type": "Decision"}, {"name": "Copper Kettle", "type": "Project"}
    graph.ingest(link(bottle, "belongs_to", kettle), at="2026-03-02T10:00:00Z")
    assert graph.decisions("Copper Kettle")["decisions"][0]["decided_on"] == "2026-03-02"
    assert graph.rollup()["decisions"] == []


def test_the_date_is_that_of_the_workspace_s_zone(graph: Asking) -> None:
    graph.set_workspace("timezone", "Pacific/Auckland")
    graph.record(BOTTLE, "belongs_to", KETTLE, at="2026-05-18T13:00:00Z")
    assert graph.decisions("Copper Kettle")["decisions"][0]["decided_on"] == "2026-05-19"


def test_who_decided_comes_earliest_first_then_by_name(graph: Asking) -> None:
    graph.record(BOTTLE, "belongs_to", KETTLE)
    graph.record(entity("concept", "Board"), "decided_in", BOTTLE, at="2026-05-21T10:00:00Z")
    graph.record(BOTTLE, "decided_in", entity("person", "Zoe"), at="2026-05-20T10:00:00Z")
    graph.record(BOTTLE, "decided_in", entity("concept", "Offsite"))
    graph.record(entity("project", "Other"), "decided_in", BOTTLE)
    [found] = graph.decisions("Copper Kettle")["decisions"]
    assert [ref["name"] for ref in found["decided_by"]] == ["Zoe", "Board"]


def test_since_is_inclusive(graph: Asking) -> None:
    graph.record(BOTTLE, "belongs_to", KETTLE, at="2026-05-18T10:00:00Z")
    assert names(graph, since="2026-05-18") == ["Bottle on site"]
    assert names(graph, since="2026-05-19") == []


def test_decisions_come_latest_first(graph: Asking) -> None:
    for name, at in (("b", "2026-05-18T09:00:00Z"), ("a", "2026-05-18T09:00:00Z"), ("c", "2026-05-17T09:00:00Z")):
        graph.record(entity("decision", name), "belongs_to", KETTLE, at=at)
    assert names(graph) == ["a", "b", "c"]


@pytest.mark.large
def test_201_decisions_give_200_and_say_so(graph: Asking) -> None:
    kettle = {"name": "Copper Kettle", "type": "Project"}
    made = [link({"name": f"Decision {n}", "type": "Decision"}, "belongs_to", kettle) for n in range(200)]
    graph.ingest(*made)
    found = graph.decisions("Copper Kettle")
    assert (len(found["decisions"]), found["truncated"]) == (200, False)
    graph.record(BOTTLE, "belongs_to", KETTLE)
    found = graph.decisions("Copper Kettle")
    assert (len(found["decisions"]), found["truncated"]) == (200, True)
    assert not graph.decisions("Copper Kettle", since="2026-05-21")["truncated"]
    assert len(graph.rollup(project="Copper Kettle")["decisions"]) == 50


def test_as_of_hides_what_was_not_known_yet(graph: Asking) -> None:
    graph.record(BOTTLE, "belongs_to", KETTLE, at="2026-05-18T10:00:00Z")
    graph.record(entity("decision", "Later"), "belongs_to", KETTLE, at="2026-05-19T10:00:00Z")
    assert names(graph, as_of="2026-05-18") == ["Bottle on site"]
    assert graph.decisions("Copper Kettle", as_of="2026-05-17")["project"] is None
