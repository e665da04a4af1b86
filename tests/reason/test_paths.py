"""Shortest paths agree with a plain search, whatever the shape of the graph."""

import random
from collections import deque
from collections.abc import Mapping

import pytest

from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory
from recollect.model.ids import EntityId
from recollect.reason import traversal
from recollect.reason.traversal import MAX_HOPS, facts_between, shortest_path
from recollect.store.view import View

Graph = Mapping[EntityId, set[EntityId]]


def tell(memory: Memory, *pairs: tuple[str, str]) -> None:
    facts = [{"edge_label": "AFFILIATED", "fact_type": "contributor", "from": one, "to": other} for one, other in pairs]
    with memory.write() as change:
        assert write_line(change, parse_line({"facts": facts}))


def entity(view: View, name: str) -> EntityId:
    [row] = view.names_matching(name.casefold())
    return row.entity


def graph_of(ids: Mapping[str, EntityId], pairs: list[tuple[str, str]]) -> Graph:
    near: dict[EntityId, set[EntityId]] = {each: set() for each in ids.values()}
    for one, other in pairs:
        near[ids[one]].add(ids[other])
        near[ids[other]].add(ids[one])
    return near


def distances(near: Graph, start: EntityId) -> dict[EntityId, int]:
    found, waiting = {start: 0}, deque([start])
    while waiting:
        here = waiting.popleft()
        for there in near[here] - found.keys():
            found[there] = found[here] + 1
            waiting.append(there)
    return found


@pytest.mark.parametrize("seed", range(3))
def test_every_path_is_as_short_as_a_plain_search_finds(memory: Memory, seed: int) -> None:
    chance = random.Random(seed)
    names = [f"node {number}" for number in range(16)]
    pairs = [
        (one, other) for one, other in ((chance.choice(names), chance.choice(names)) for _ in range(18)) if one != other
    ]
    tell(memory, *pairs)
    with memory.read() as view:
        ids = {name: entity(view, name) for pair in pairs for name in pair}
        near, at = graph_of(ids, pairs), view.world.now.span
        for start in ids.values():
            reached = distances(near, start)
            for goal in ids.values():
                hops = shortest_path(view, start, goal, at)
                distance = reached.get(goal, MAX_HOPS + 1)
                assert len(hops) == (distance if distance <= MAX_HOPS else 0)
                stations = [start, *(hop.end for hop in hops)]
                assert [hop.start for hop in hops] == stations[:-1]
                assert all(hop.end in near[hop.start] for hop in hops)
                assert not hops or stations[-1] == goal


def hub(memory: Memory, size: int) -> None:
    tell(memory, ("left", "hub"), ("hub", "right"), *[(f"leaf {number}", "hub") for number in range(size)])


def test_a_hub_between_two_entities_is_met_and_never_opened(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    hub(memory, 50)
    opened: list[str] = []
    with memory.read() as view:
        plain = view.rows

        def noting(query: str, **parameters: object) -> list[tuple[object, ...]]:
            opened.extend(parameters["entities"] if query == "one_hop_away" else ())  # type: ignore[arg-type]
            return plain(query, **parameters)

        monkeypatch.setattr(view, "rows", noting)
        start, goal = entity(view, "left"), entity(view, "right")
        hops = shortest_path(view, start, goal, view.world.now.span)
        assert [hop.end for hop in hops] == [entity(view, "hub"), goal]
        assert entity(view, "hub") not in opened


def test_rings_read_in_parts_give_the_same_path(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    hub(memory, 20)
    tell(memory, ("leaf 17", "far"), ("leaf 3", "far"), ("far", "further"))
    with memory.read() as view:
        at, start, goal = view.world.now.span, entity(view, "left"), entity(view, "far")
        whole = shortest_path(view, start, goal, at)
        monkeypatch.setattr(traversal, "_BATCH_SIZE", 2)
        assert shortest_path(view, start, goal, at) == whole
        assert len(whole) == 3
        assert len(shortest_path(view, start, entity(view, "further"), at)) == 4


def test_facts_between_are_found_from_either_end(memory: Memory) -> None:
    hub(memory, 5)
    with memory.read() as view:
        at, left, centre = view.world.now.span, entity(view, "left"), entity(view, "hub")
        assert facts_between(view, left, centre, at) == facts_between(view, centre, left, at)
        assert [seen.subject_name for seen in facts_between(view, left, centre, at)] == ["left"]
        assert facts_between(view, left, entity(view, "right"), at) == []
