"""Insights and statistics of the whole graph."""

from itertools import combinations, pairwise

import pytest

from tests.surfaces.entity_core.asking import Entity
from tests.surfaces.entity_core.graphing import Json, link, node, nodes


def insights(entity: Entity, kind: str | None = None, **asked: object) -> list[Json]:
    found: list[Json] = entity.ok("graph_insights", **asked)["insights"]
    return [each for each in found if kind in (None, each["type"])]


def test_nothing_known_shows_nothing(entity: Entity) -> None:
    assert entity.ok("graph_insights") == {"insights": []}
    assert entity.ok("graph_stats") == {
        "totalNodes": 0,
        "totalEdges": 0,
        "nodesByType": {},
        "edgesByType": {},
        "oldestNode": None,
        "newestNode": None,
        "vectorSearchAvailable": True,
        "validEdges": 0,
        "endedEdges": 0,
    }


def test_a_bridge_parts_its_component(entity: Entity) -> None:
    hub, a, b, c, d = nodes(entity, "Hub A B C D")
    made = [link(entity, hub, a), link(entity, b, hub), link(entity, c, hub), link(entity, hub, c, "loves")]
    link(entity, c, d)
    link(entity, a, b)
    [bridge] = insights(entity, "bridge")
    assert bridge["nodeIds"] == [hub]
    assert bridge["edgeIds"] == sorted(made)
    assert "Hub" in bridge["description"]
    # A and B stay together, as do C and D: 4 of the 6 pairs of others are parted.
    assert bridge["confidence"] == pytest.approx(4 / 6, abs=1e-6)


def test_a_star_is_held_together_by_its_middle(entity: Entity) -> None:
    hub, *others = nodes(entity, "Hub A B C")
    for other in others:
        link(entity, hub, other)
    [bridge] = insights(entity, "bridge")
    assert (bridge["nodeIds"], bridge["confidence"]) == ([hub], 0.95)


def test_a_cluster_is_what_hangs_together(entity: Entity) -> None:
    a, b, c, d = nodes(entity, "A B C D")
    made = sorted([link(entity, a, b), link(entity, b, c), link(entity, c, d), link(entity, b, d, "loves")])
    pair = nodes(entity, "X Y")
    link(entity, *pair)
    [cluster] = insights(entity, "cluster")
    assert cluster["nodeIds"][0] == b
    assert set(cluster["nodeIds"]) == {a, b, c, d}
    assert cluster["edgeIds"] == made
    assert cluster["confidence"] == pytest.approx(0.5 + 0.5 * 4 / 6, abs=1e-6)
    assert all(label in cluster["description"] for label in "ABCD")


def test_direction_self_loops_self_and_what_is_not_valid_are_left_out(entity: Entity) -> None:
    a, b, c = nodes(entity, "A B C")
    me = node(entity, "me", "self")
    link(entity, a, a)
    link(entity, a, b)
    link(entity, b, a)
    link(entity, b, c, validUntil="2020")
    for other in (a, b, c):
        link(entity, me, other)
    assert insights(entity) == []
    assert [len(each["nodeIds"]) for each in insights(entity, "cluster", at_time="2019")] == [3]
    assert insights(entity, as_of=0) == []


def test_a_large_component_is_shown_by_its_communities(entity: Entity) -> None:
    groups = [[f"{letter}{number}" for number in range(13)] for letter in "abcde"]
    items = [
        {"fromLabel": one, "toLabel": other, "type": "knows"}
        for names in groups
        for one, other in combinations(names, 2)
    ]
    items += [{"fromLabel": one[0], "toLabel": other[1], "type": "knows"} for one, other in pairwise(groups)]
    people = [{"type": "person", "label": name} for names in groups for name in names]
    entity.ok("graph_write_transaction", nodes=people, edges=items)
    found = insights(entity, "cluster")
    assert sorted(len(each["nodeIds"]) for each in found) == [13] * 5
    assert {each["confidence"] for each in found} == {0.95}
    assert insights(entity, "cluster") == found


def test_what_came_back_is_temporal(entity: Entity) -> None:
    a, b, c = nodes(entity, "A B C")
    first = link(entity, a, b, "works_at", occurredAt="2010", validUntil="2012")
    second = link(entity, a, b, "works_at")
    link(entity, a, c, "works_at", occurredAt="2010", validUntil="2012")
    link(entity, a, c, "loves")
    assert insights(entity, "temporal") == [
        {
            "type": "temporal",
            "description": "A and B: works_at at 2 separate times",
            "nodeIds": sorted([a, b]),
            "edgeIds": sorted([first, second]),
            "confidence": 0.7,
        }
    ]


def test_statistics_count_live_nodes_and_edges_ended_ones_too(entity: Entity) -> None:
    a, b = nodes(entity, "A B")
    entity.at("2026-05-15T08:00:00Z")
    topic = node(entity, "Tea", "topic")
    gone = node(entity, "Gone", "place")
    link(entity, a, b, validUntil="2020")
    link(entity, b, a)
    link(entity, a, topic, "loves")
    link(entity, a, topic, "commitment", validUntil="2020")
    link(entity, a, gone, "lives_in")
    entity.ok("graph_node_delete", id=gone)
    entity.ok("graph_edge_delete", id=link(entity, b, topic, "avoids"))
    assert entity.ok("graph_stats") == {
        "totalNodes": 3,
        "totalEdges": 4,
        "nodesByType": {"person": 2, "topic": 1},
        "edgesByType": {"commitment": 1, "friend_of": 2, "loves": 1},
        "oldestNode": "2026-05-14T09:30:00.000Z",
        "newestNode": "2026-05-15T08:00:00.000Z",
        "vectorSearchAvailable": True,
        "validEdges": 3,
        "endedEdges": 1,
    }
    then = entity.ok("graph_stats", at_time="2019")
    assert (then["validEdges"], then["endedEdges"]) == (4, 0)
    assert entity.ok("graph_stats", as_of=0)["totalNodes"] == 0
