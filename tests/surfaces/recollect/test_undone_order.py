"""What is undone is listed where it was, on surfaces that list by last change."""

from typing import Any

import pytest

from recollect.memory import Memory
from tests.conftest import MovingClock
from tests.surfaces.recollect.test_changing import Agent
from tests.surfaces.recollect.test_denied_values import told


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("forget", {"target": "Ana"}),
        ("remember", {"text": "My name is Zora Beck."}),
        ("correct", {"fact": "Ana lives in Bonn", "mode": "wrong"}),
    ],
)
def test_nodes_and_edges_are_listed_as_before_after_undo_and_after_redo_and_undo(
    memory: Memory, clock: MovingClock, tool: str, arguments: dict[str, Any]
) -> None:
    told(memory, clock, "Ana works at Tide. Ana lives in Bonn.", "I live in Bremen.", "Ben Kole is Ana's boss.")
    agent = Agent(memory)

    def listed() -> list[Any]:
        pages = [agent.do("graph_node_list", "entity-core", limit=2, offset=at)["nodes"] for at in (0, 2, 4)]
        edges = agent.do("graph_edge_get", "entity-core")["edges"]
        return [*pages, [{key: edge[key] for key in ("id", "updatedAt")} for edge in edges]]

    before = listed()
    clock.set("2026-07-01T10:00:00Z")
    done = agent.do(tool, **arguments)
    assert listed() != before
    undone = agent.do("undo", transaction=done["undo"])
    assert listed() == before
    redone = agent.do("undo", transaction=undone["undo"])
    assert listed() != before
    agent.do("undo", transaction=redone["undo"])
    assert listed() == before
