"""Walks in the store: a hub is read piece by piece, and the order never depends on the engine."""

from typing import Any

from tests.support.facts import entity_named, fact, tell

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.reason.traversal import TraversalOptions, symmetric_predicates, traverse
from recollect.store.edge_queries import edges_among
from recollect.when.span import Span

SPOKES = 520


def the(memory: Memory, name: str) -> Entity:
    found = entity_named(memory, name)
    assert found is not None
    return found


def test_a_hub_with_more_neighbours_than_are_read_at_once_is_walked_whole(memory: Memory) -> None:
    tell(memory, *(fact("Hub", "contributor", f"spoke {number:03}") for number in range(SPOKES)))
    tell(memory, fact("spoke 519", "contributor", "Beyond"))
    hub = the(memory, "Hub")
    with memory.read() as view:
        whole = traverse(view, hub, TraversalOptions(Span(), limit=SPOKES + 1))
        cut = traverse(view, hub, TraversalOptions(Span(), limit=501))
    names = [each.entity.name for each in whole.reached]
    assert names == [*(f"spoke {number:03}" for number in range(SPOKES)), "Beyond"]
    assert (whole.is_cut, cut.is_cut, len(cut.reached)) == (False, True, 501)
    assert [each.depth for each in whole.reached[-2:]] == [1, 2]


def test_a_weight_that_is_no_number_counts_as_how_sure_the_fact_is(memory: Memory) -> None:
    heavy: dict[str, Any] = {"attributes": {"weight": "heavy"}, "confidence": 0.8}
    light: dict[str, Any] = {"attributes": {"weight": 0.7}}
    whole: dict[str, Any] = {"attributes": {"weight": 1}}
    tell(memory, fact("A", "contributor", "B", **light), fact("A", "contributor", "C", **heavy))
    tell(memory, fact("A", "contributor", "D", **whole))
    a = the(memory, "A")
    with memory.read() as view:
        walked = traverse(view, a, TraversalOptions(Span()))
        joins = edges_among(view, [a.id, *(each.entity.id for each in walked.reached)], Span())
    assert [each.entity.name for each in walked.reached] == ["D", "C", "B"]
    assert sorted(join.weight for join in joins) == [0.7, 0.8, 1.0]


def test_predicates_marked_symmetric_in_the_workspace_count_both_ways(memory: Memory) -> None:
    with memory.write() as change:
        change.use_predicate("duels_with", symmetric=True)
    with memory.read() as view:
        assert {"duels_with", "sibling_of"} <= set(symmetric_predicates(view))
    with memory.read(as_of=0) as view:
        assert "duels_with" not in symmetric_predicates(view)
