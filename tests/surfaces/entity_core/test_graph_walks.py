"""Walks and neighbourhoods: valid edges only, shortest paths, always in the same order."""

from tests.surfaces.entity_core.asking import Entity
from tests.surfaces.entity_core.graphing import Json, labels, link, node, nodes

UNKNOWN = "ent_00000000000000000000000000"


def walk(entity: Entity, start: str, **asked: object) -> Json:
    return entity.ok("graph_traverse", startNodeId=start, **asked)


def test_nodes_are_reached_by_depth_then_weight(entity: Entity) -> None:
    a, b, c, d, e = nodes(entity, "A B C D E")
    ab, ac = link(entity, a, b, weight=0.2), link(entity, a, c, weight=0.9)
    bd, ce = link(entity, b, d), link(entity, c, e)
    link(entity, d, a)
    found = walk(entity, a)
    assert found["startNode"] == {"id": a, "type": "person", "label": "A"}
    assert [(each["node"]["label"], each["path"], each["depth"]) for each in found["results"]] == [
        ("C", [ac], 1),
        ("B", [ab], 1),
        ("E", [ac, ce], 2),
        ("D", [ab, bd], 2),
    ]
    assert (found["truncated"], found["found"]) == (False, True)
    assert labels(walk(entity, a, maxDepth=1)["results"]) == ["C", "B"]


def test_direction_and_types_choose_the_edges(entity: Entity) -> None:
    a, b, c, d = nodes(entity, "A B C D")
    link(entity, a, b, "loves")
    link(entity, c, a, "loves")
    link(entity, a, d, "works_at")
    assert labels(walk(entity, a)["results"]) == ["B", "D"]
    assert labels(walk(entity, a, direction="in")["results"]) == ["C"]
    assert sorted(labels(walk(entity, a, direction="both")["results"])) == ["B", "C", "D"]
    assert labels(walk(entity, a, edgeTypes=["Works At"])["results"]) == ["D"]
    assert labels(walk(entity, a, edgeTypes=[])["results"]) == ["B", "D"]
    assert labels(walk(entity, a, edgeTypes=["nothing"])["results"]) == []


def test_a_symmetric_edge_is_walked_both_ways(entity: Entity) -> None:
    a, b = nodes(entity, "A B")
    link(entity, a, b, "sibling_of")
    assert labels(walk(entity, b)["results"]) == ["A"]
    assert labels(walk(entity, a, direction="in")["results"]) == ["B"]


def test_several_edges_to_one_node_count_by_the_heaviest(entity: Entity) -> None:
    a, b = nodes(entity, "A B")
    link(entity, a, b, "loves", weight=0.3)
    heavy = link(entity, a, b, "respects", weight=0.8)
    link(entity, a, a, "respects")
    [only] = walk(entity, a)["results"]
    assert (only["path"], only["node"]["label"]) == ([heavy], "B")


def test_equal_weights_are_taken_in_the_order_they_were_made(entity: Entity) -> None:
    a, *others = nodes(entity, "A D C B")
    for other in others:
        link(entity, a, other)
    assert labels(walk(entity, a)["results"]) == ["D", "C", "B"]


def test_only_valid_edges_are_walked(entity: Entity) -> None:
    a, b, c, d = nodes(entity, "A B C D")
    link(entity, a, b, occurredAt="2020", validUntil="2022")
    entity.ok("graph_edge_delete", id=link(entity, a, c))
    link(entity, a, d)
    entity.ok("graph_node_delete", id=d)
    assert walk(entity, a)["results"] == []
    assert labels(walk(entity, a, at_time="2021")["results"]) == ["B"]
    assert labels(walk(entity, a, as_of=entity.tx - 1)["results"]) == ["D"]


def test_a_limit_cuts_and_says_so(entity: Entity) -> None:
    hub, *others = nodes(entity, "Hub A B C")
    for other in others:
        link(entity, hub, other)
    cut = walk(entity, hub, limit=2)
    assert (labels(cut["results"]), cut["truncated"]) == (["A", "B"], True)
    assert walk(entity, hub, limit=3)["truncated"] is False


def test_an_unknown_start_is_a_normal_answer(entity: Entity) -> None:
    gone = node(entity, "Gone")
    entity.ok("graph_node_delete", id=gone)
    for start in (UNKNOWN, gone, "no id at all"):
        assert walk(entity, start) == {
            "startNode": {"id": start, "type": "unknown", "label": "Unknown"},
            "results": [],
            "truncated": False,
            "found": False,
        }
        assert entity.ok("graph_subgraph", nodeId=start) == {
            "nodes": [],
            "edges": [],
            "truncated": False,
            "found": False,
        }


def test_out_of_range_is_refused(entity: Entity) -> None:
    for bad in ({"maxDepth": 6}, {"maxDepth": 0}, {"limit": 201}, {"direction": "up"}, {"edgeTypes": "loves"}):
        entity.assert_fails("graph_traverse", "invalid_input", startNodeId=UNKNOWN, **bad)
    entity.assert_fails("graph_traverse", "too_large", startNodeId=UNKNOWN, edgeTypes=["x"] * 51)
    for bad in ({"depth": 4}, {"limit": 501}, {"depth": "1"}):
        entity.assert_fails("graph_subgraph", "invalid_input", nodeId=UNKNOWN, **bad)


def test_a_subgraph_has_every_valid_edge_between_its_nodes(entity: Entity) -> None:
    a, b, c, d, far = nodes(entity, "A B C D Far")
    inside = {
        link(entity, a, b, weight=0.9),
        link(entity, c, a),
        link(entity, b, c, "dislikes"),
        link(entity, c, b, "loves"),
        link(entity, a, a, "respects"),
    }
    link(entity, b, c, "worked_with", occurredAt="2001", validUntil="2002")
    link(entity, c, far)
    link(entity, d, far)
    found = entity.ok("graph_subgraph", nodeId=a, depth=1)
    assert [(each["label"], each["depth"]) for each in found["nodes"]] == [("A", 0), ("B", 1), ("C", 1)]
    assert {each["id"] for each in found["edges"]} == inside
    assert set(found["edges"][0]) == {"id", "fromId", "toId", "type", "weight"}
    assert (found["truncated"], found["found"]) == (False, True)
    wider = entity.ok("graph_subgraph", nodeId=a)
    assert labels(wider["nodes"]) == ["A", "B", "C", "Far"]
    cut = entity.ok("graph_subgraph", nodeId=a, limit=2)
    assert (labels(cut["nodes"]), cut["truncated"]) == (["A", "B"], True)
    alone = entity.ok("graph_subgraph", nodeId=a, limit=1)
    assert (labels(alone["nodes"]), alone["truncated"]) == (["A"], True)
    then = entity.ok("graph_subgraph", nodeId=b, depth=1, at_time="2001")
    assert "worked_with" in {each["type"] for each in then["edges"]}
