"""Many nodes and edges at once, or none."""

from typing import Any

from tests.surfaces.entity_core.asking import Entity
from tests.surfaces.entity_core.graphing import Json, edges, get, keep_memory, node


def write(entity: Entity, nodes: list[Json] | None = None, edges: list[Json] | None = None, **more: object) -> Json:
    return entity.ok("graph_write_transaction", nodes=nodes, edges=edges, **more)


def test_new_nodes_and_edges_are_written_and_the_rest_is_said(entity: Entity) -> None:
    noor = node(entity, "Noor")
    before = entity.tx
    said = write(
        entity,
        [{"type": "topic", "label": "Raku firing"}],
        [
            {"fromLabel": "Noor", "toLabel": "raku firing", "type": "learning", "occurredAt": "2026-04"},
            {"fromLabel": "Noor", "toLabel": "Jo", "type": "friend_of"},
        ],
        instanceId="psy-desk",
    )
    [topic], [learning] = said["nodes"], said["edges"]
    assert said == {
        "success": True,
        "message": "1 node, 1 edge, 1 edge skipped.",
        "nodesCreated": 1,
        "edgesCreated": 1,
        "nodes": [{"id": topic["id"], "type": "topic", "label": "Raku firing", "created": True}],
        "edges": [
            {"id": learning["id"], "type": "learning", "fromLabel": "Noor", "toLabel": "Raku firing", "created": True}
        ],
        "nodesReused": 0,
        "edgesConfirmed": 0,
        "skippedEdges": [
            {"index": 1, "fromLabel": "Noor", "toLabel": "Jo", "type": "friend_of", "reason": "to_not_found"}
        ],
        "tx": before + 1,
    }
    assert entity.tx == before + 1
    [found] = edges(entity)
    assert (found["fromId"], found["toId"], found["occurredAt"]) == (noor, topic["id"], "2026-04")
    assert found["sources"][0]["instanceId"] == "psy-desk"
    assert entity.ok("graph_stats")["totalNodes"] == 2


def test_known_nodes_are_reused_and_known_edges_confirmed(entity: Entity) -> None:
    items: list[Json] = [{"type": "person", "label": "A"}, {"type": "person", "label": "B", "aliases": ["Bee"]}]
    joins: list[Json] = [{"fromLabel": "A", "toLabel": "Bee", "type": "loves", "weight": 0.4}]
    write(entity, items, joins)
    entity.at("2026-05-15T08:00:00Z")
    again = write(entity, [*items, {"type": "person", "label": "bee", "description": "buzzes"}], joins)
    assert (again["nodesCreated"], again["nodesReused"]) == (0, 3)
    assert (again["edgesCreated"], again["edgesConfirmed"]) == (0, 1)
    assert [each["created"] for each in again["nodes"]] == [False, False, False]
    assert again["nodes"][1]["id"] == again["nodes"][2]["id"]
    assert get(entity, again["nodes"][1]["id"])["description"] == "buzzes"


def test_the_same_node_twice_in_one_call_is_one(entity: Entity) -> None:
    said = write(entity, [{"type": "person", "label": "A"}, {"type": "Person", "label": "a"}])
    assert (said["nodesCreated"], said["nodesReused"]) == (1, 1)
    assert [each["created"] for each in said["nodes"]] == [True, False]


def test_an_end_is_looked_for_in_the_call_first_then_in_the_graph(entity: Entity) -> None:
    old = node(entity, "Kiln", "place")
    said = write(
        entity,
        [{"type": "topic", "label": "Kiln"}, {"type": "person", "label": "Noor"}],
        [
            {"fromLabel": "Noor", "toLabel": "kiln", "type": "knows_about"},
            {"fromLabel": "Noor", "toLabel": "kiln", "toType": "Place", "type": "attends"},
            {"fromLabel": "Noor", "toId": old, "type": "loves"},
            {"fromLabel": "Noor", "toLabel": "kiln", "toType": "person", "type": "loves"},
        ],
    )
    new, noor = said["nodes"][0]["id"], said["nodes"][1]["id"]
    assert {(each["type"], each["toId"]) for each in edges(entity, fromId=noor)} == {
        ("knows_about", new),
        ("attends", old),
        ("loves", old),
    }
    assert [each["reason"] for each in said["skippedEdges"]] == ["to_not_found"]


def test_ends_that_may_be_several_are_skipped_with_choices(entity: Entity) -> None:
    one, other = node(entity, "Kiln", "place"), node(entity, "Kiln", "topic")
    node(entity, "Noor")
    said = write(
        entity,
        None,
        [
            {"fromLabel": "kiln", "toLabel": "Noor", "type": "mentions"},
            {"fromLabel": "Noor", "toLabel": "KILN", "type": "mentions"},
            {"fromId": "ent_00000000000000000000000000", "toLabel": "Noor", "type": "mentions"},
        ],
    )
    assert [each["reason"] for each in said["skippedEdges"]] == ["from_ambiguous", "to_ambiguous", "from_not_found"]
    assert {each["id"] for each in said["skippedEdges"][1]["choices"]} == {one, other}
    assert "choices" not in said["skippedEdges"][2]
    assert (said["edges"], said["unchanged"]) == ([], True)


def test_skipped_edges_create_no_nodes(entity: Entity) -> None:
    write(entity, None, [{"fromLabel": "X", "toLabel": "Y", "type": "loves"}])
    assert entity.ok("graph_stats")["totalNodes"] == 0


def test_nothing_at_all_is_fine(entity: Entity) -> None:
    calls: tuple[dict[str, Any], ...] = ({}, {"nodes": [], "edges": []}, {"nodes": None})
    for given in calls:
        said = entity.ok("graph_write_transaction", **given)
        assert (said["nodesCreated"], said["edgesCreated"], said["tx"], said["unchanged"]) == (0, 0, 0, True)


def test_a_malformed_item_refuses_everything_and_is_named(entity: Entity) -> None:
    good = {"type": "person", "label": "A"}
    join = {"fromLabel": "A", "toLabel": "A", "type": "loves"}
    cases: list[tuple[dict[str, Any], str]] = [
        ({"nodes": [good, {"type": "person"}]}, "nodes[1].label"),
        ({"nodes": [good, {**good, "label": " "}]}, "nodes[1].label"),
        ({"nodes": [good, {**good, "instanceId": "x"}]}, "nodes[1].instanceId"),
        ({"nodes": [good, {**good, "embedding": [1.0]}]}, "nodes[1].embedding"),
        ({"nodes": [good, {**good, "firstLearnedAt": "later"}]}, "nodes[1].firstLearnedAt"),
        ({"nodes": [good, "B"]}, "nodes[1]"),
        ({"nodes": good}, "nodes"),
        ({"nodes": [good], "edges": [join, {**join, "weight": 2}]}, "edges[1].weight"),
        ({"nodes": [good], "edges": [join, {**join, "weight": "1"}]}, "edges[1].weight"),
        ({"nodes": [good], "edges": [{"toLabel": "A", "type": "loves"}]}, "edges[0]"),
        ({"nodes": [good], "edges": [join, {**join, "occurredAt": "2026-13"}]}, "edges[1].occurredAt"),
        ({"nodes": [good], "edges": [{**join, "occurredAt": "2026", "validUntil": "2025"}]}, "edges[0].validUntil"),
        ({"nodes": [good], "edges": [{**join, "toLabel": "Z", "validUntil": "x"}]}, "edges[0].validUntil"),
    ]
    for wrong, field in cases:
        said = entity.assert_fails("graph_write_transaction", "invalid_input", **wrong)
        assert said["field"] == field, said
    missing: dict[str, Any] = {"nodes": [good], "edges": [{**join, "sourceMemoryId": "daily-1"}]}
    assert entity.assert_fails("graph_write_transaction", "not_found", **missing)["field"] == "edges[0].sourceMemoryId"
    large: dict[str, Any] = {"nodes": [good, {**good, "label": "x" * 201}]}
    assert entity.assert_fails("graph_write_transaction", "too_large", **large)["field"] == "nodes[1].label"
    assert entity.ok("graph_stats")["totalNodes"] == 0


def test_an_ambiguous_node_refuses_everything(entity: Entity) -> None:
    node(entity, "Ilse Brandt", aliases=["Ilse"])
    node(entity, "Ilse Maes", aliases=["Ilse"])
    new = {"type": "person", "label": "New"}
    entity.assert_fails("graph_write_transaction", "ambiguous", nodes=[new, {"type": "person", "label": "Ilse"}])
    assert entity.ok("graph_stats")["totalNodes"] == 2


def test_there_are_limits(entity: Entity) -> None:
    nodes = [{"type": "t", "label": str(number)} for number in range(1001)]
    assert entity.assert_fails("graph_write_transaction", "too_large", nodes=nodes)["field"] == "nodes"
    joins = [{"fromLabel": "a", "toLabel": "b", "type": "t"}] * 5001
    assert entity.assert_fails("graph_write_transaction", "too_large", edges=joins)["field"] == "edges"


def test_items_are_taken_in_snake_case_too(entity: Entity) -> None:
    keep_memory(entity, "daily-2026-05-12_a", "x", "2026-05-12T20:00:00Z")
    said = write(
        entity,
        [{"type": "person", "label": "A", "first_learned_at": "2020-01-01", "description": None}],
        [{"from_label": "A", "to_label": "A", "type": "respects", "source_memory_id": "daily-2026-05-12_a"}],
    )
    assert get(entity, said["nodes"][0]["id"])["firstLearnedAt"] == "2020-01-01T00:00:00.000Z"
    assert edges(entity)[0]["sources"][0]["memoryId"] == "daily-2026-05-12_a"


def test_an_ended_edge_said_again_opens_an_interval_here_too(entity: Entity) -> None:
    people: list[Json] = [{"type": "person", "label": "A"}, {"type": "person", "label": "B"}]
    join = {"fromLabel": "A", "toLabel": "B", "type": "works_at"}
    said = write(entity, people, [{**join, "occurredAt": "2010", "validUntil": "2012"}, join])
    assert [each["created"] for each in said["edges"]] == [True, True]
    assert said["edgesCreated"] == 2
