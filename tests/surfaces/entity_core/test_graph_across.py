"""One graph behind all doors: what is stated here is a fact elsewhere, and the other way round."""

from typing import Any

from recollect.memory import Memory
from recollect.surfaces.declarations import Tool
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from tests.support.facts import fact, tell
from tests.surfaces.entity_core.asking import Entity
from tests.surfaces.entity_core.graphing import Json, edge, edges, get, node


def through(surface: str, who: Entity, tool: str, **arguments: Any) -> Json:
    def opened(found: Tool) -> Memory:
        return who.memory.as_actor(surface, found.name)

    answer = call(find_surface(surface).find(tool), opened, arguments)
    assert not answer.is_error, answer.structured
    return answer.structured


def facts_of(entity: Entity, name: str, **asked: Any) -> list[Json]:
    found: list[Json] = through("pearscarf", entity, "get_facts", entity=name, **asked)["facts"]
    return found


def test_an_edge_is_a_fact_on_pearscarf(entity: Entity) -> None:
    noor, ilse = node(entity, "Noor"), node(entity, "Ilse Brandt")
    made = edge(
        entity, noor, "friend_of", ilse, evidence="They met at the kiln.", occurredAt="2024-03", validUntil="2027"
    )
    [found] = facts_of(entity, "ilse brandt")
    assert found["id"] == made["edge"]["id"]
    assert (found["edge_label"], found["fact_type"], found["fact"]) == (
        "AFFILIATED",
        "friend_of",
        "They met at the kiln.",
    )
    assert (found["valid_from"], found["valid_until"], found["confidence"]) == ("2024-03", "2027", "stated")
    assert (found["from_entity"], found["to_entity"]) == (
        {"name": "Noor", "type": "Person"},
        {"name": "Ilse Brandt", "type": "Person"},
    )
    assert found["source_record"] == "tool:entity-core.graph_edge_create"
    assert found["source_at"] == "2026-05-14T09:30:00Z"


def test_ending_deleting_and_renaming_are_seen_everywhere(entity: Entity) -> None:
    noor, ilse = node(entity, "Noor"), node(entity, "Ilse")
    one = edge(entity, noor, "friend_of", ilse)["edge"]["id"]
    other = edge(entity, noor, "works_with", ilse)["edge"]["id"]
    entity.ok("graph_edge_update", id=one, validUntil="2026-05-10")
    assert [each["id"] for each in facts_of(entity, "Noor")] == [other]
    entity.ok("graph_edge_delete", id=other)
    assert facts_of(entity, "Noor") == []
    entity.ok("graph_node_update", id=ilse, label="Ilse Maes")
    assert through("pearscarf", entity, "find_entity", name="ilse")["entity"]["name"] == "Ilse Maes"
    entity.ok("graph_node_delete", id=ilse)
    assert through("cognitive-graph", entity, "recall_entity", name_or_alias="Ilse Maes")["entity"] is None
    assert facts_of(entity, "Noor", include_stale=True) == []


def test_an_edge_with_one_of_its_predicates_is_recalled_by_the_cognitive_graph(entity: Entity) -> None:
    ilse, kiln = node(entity, "Ilse"), node(entity, "Kiln", "project")
    edge(entity, ilse, "reports_to", kiln)
    edge(entity, ilse, "loves", kiln)
    found = through("cognitive-graph", entity, "recall_entity", name_or_alias="Ilse")
    assert found["entity"]["id"] == ilse
    assert [each["predicate"] for each in found["facts"]] == ["reports_to"]
    assert [each["name"] for each in found["related_entities"]] == ["Kiln"]


def test_a_recorded_fact_is_an_edge_here(entity: Entity) -> None:
    recorded = through(
        "cognitive-graph",
        entity,
        "record_fact",
        subject={"type": "person", "name": "Ilse"},
        predicate="depends_on",
        object={"type": "project", "name": "Kiln"},
        confidence=0.8,
    )
    ilse = node(entity, "Ilse")
    assert entity.ok("graph_node_create", type="project", label="kiln")["created"] is False
    [found] = edges(entity, fromId=ilse)
    assert (found["type"], found["weight"], found["confidence"]) == ("depends_on", 0.8, 0.8)
    assert found["id"] in str(recorded)
    assert found["sources"][0]["tool"] == "tool:cognitive-graph.record_fact"


def test_a_told_fact_is_an_edge_here_with_the_right_dates(entity: Entity) -> None:
    tell(
        entity.memory,
        fact("Ada", "employee", "Acme", "Ada works at Acme", valid_from="2019-05", valid_until="2021"),
        fact("Ada", "commitment", "Acme", "Ada will deliver", "ASSERTED", valid_until="2020-01-01"),
        entities=[{"name": "Ada", "type": "Person"}, {"name": "Acme", "type": "Company"}],
        id="mail_1",
        source_at="2019-06-01T08:00:00Z",
    )
    ada, acme = node(entity, "Ada"), node(entity, "Acme", "company")
    found = {each["type"]: each for each in edges(entity, fromId=ada, toId=acme)}
    employed = found["employee"]
    assert (employed["occurredAt"], employed["validUntil"], employed["valid"]) == ("2019-05", "2021", False)
    assert employed["evidence"] == "Ada works at Acme"
    assert (employed["sources"][0]["record"], employed["sources"][0]["instanceId"]) == ("mail_1", "local")
    assert (found["commitment"]["valid"], found["commitment"]["validUntil"]) == (True, "2020-01-01")
    assert get(entity, acme)["type"] == "organization"
    assert get(entity, ada)["sourceInstance"] == "local"


def test_confirming_here_what_was_told_elsewhere_keeps_one_fact(entity: Entity) -> None:
    tell(
        entity.memory,
        fact("Ada", "employee", "Acme"),
        entities=[{"name": "Ada", "type": "Person"}],
        id="m",
        source_at="2026-05-01T08:00:00Z",
    )
    ada, acme = node(entity, "Ada"), node(entity, "Acme", "organization")
    again = edge(entity, ada, "employee", acme, weight=0.95)
    assert (again["created"], again["edge"]["weight"], len(again["edge"]["sources"])) == (False, 0.95, 2)
    assert len(facts_of(entity, "Ada")) == 1


def test_a_stale_fact_is_an_edge_that_is_not_valid(entity: Entity) -> None:
    for number, words in enumerate(("Ada is a junior at Acme", "Ada is the head of Acme")):
        at = f"2026-0{number + 2}-01T08:00:00Z"
        tell(entity.memory, fact("Ada", "employee", "Acme", words), id=f"m{number}", source_at=at)
    shown = {each["evidence"]: (each["stale"], each["valid"]) for each in edges(entity)}
    assert shown == {"Ada is a junior at Acme": (True, False), "Ada is the head of Acme": (False, True)}
    assert entity.ok("graph_stats")["validEdges"] == 1


def test_undoing_a_graph_transaction_takes_it_all_back(entity: Entity) -> None:
    from recollect.write.undo import undo

    made = entity.ok(
        "graph_write_transaction",
        nodes=[{"type": "person", "label": "A"}, {"type": "person", "label": "B"}],
        edges=[{"fromLabel": "A", "toLabel": "B", "type": "loves"}],
    )
    with entity.memory.as_actor("cli", "undo").write() as change:
        undo(change, made["tx"])
    assert edges(entity, includeDeleted=True) == []
    assert entity.ok("graph_node_list", includeDeleted=True)["total"] == 0


def test_a_memory_that_names_a_node_is_listed_with_it_and_can_be_a_source(entity: Entity) -> None:
    noor, ilse = node(entity, "Noor"), node(entity, "Ilse Brandt")
    made = entity.ok(
        "memory_create", granularity="daily", date="2026-05-12", content="- Ilse Brandt came by.", instanceId="psy-desk"
    )
    memory = made["memoryId"]
    assert get(entity, ilse)["memories"] == [memory]
    assert get(entity, noor)["memories"] == []
    stated = edge(entity, noor, "friend_of", ilse, sourceMemoryId=memory, evidence="Ilse Brandt came by")
    assert stated["edge"]["sources"][0]["memoryId"] == memory
    assert get(entity, noor)["memories"] == [memory]
    entity.ok("memory_delete", granularity="daily", date="2026-05-12", instanceId="psy-desk")
    assert edges(entity) == []
    assert [each["deleted"] for each in edges(entity, includeDeleted=True)] == [True]
    assert get(entity, ilse)["memories"] == []
