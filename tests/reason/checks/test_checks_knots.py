"""Cycles in a whole world: all of them, whatever leads to them or away, and in whichever words they are stored."""

import random

import numpy as np
import pytest
from tests.support.consistency_world import broken, check, tell
from tests.support.properties import seeded

from recollect.memory import Memory
from recollect.reason.checks import contradictions, graph_cycles
from recollect.reason.checks.graph_cycles import _EdgeArrays, _starts_on_cycles
from recollect.reason.lore.relation import Relation

CYCLE = "contradiction-cycle"


def test_a_ring_is_found_at_the_end_of_a_long_chain_and_before_another(memory: Memory) -> None:
    chain = [f"E{number}:Event PRECEDED E{number + 1}:Event" for number in range(300)]
    behind = [f"E{number + 310}:Event CAUSED E{number + 311}:Event" for number in range(50)]
    tell(memory, *chain, "E300:Event CAUSED E298:Event", "E300:Event PRECEDED E310:Event", *behind)
    assert check(memory)["by_rule"][CYCLE] == 1
    assert broken(memory, CYCLE) == [(CYCLE, "E298", "E299", "E300")]


def test_a_ring_may_be_told_from_both_sides(memory: Memory) -> None:
    tell(memory, "A:Location CONTAINS B:Location", "A:Location PART_OF B:Location", "C:Location PART_OF A:Location")
    check(memory)
    assert broken(memory, CYCLE) == [(CYCLE, "A", "B")]


@pytest.mark.parametrize(("back", "found"), [("1820 .. 1830", 0), ("1808 .. 1830", 1), ("… .. 1801", 1)])
def test_a_ring_of_places_is_one_only_if_it_closes_at_some_time(memory: Memory, back: str, found: int) -> None:
    check(memory)
    tell(memory, "Rome:Location PART_OF Empire:Location (1801 .. 1810)")
    tell(memory, f"Empire:Location PART_OF Rome:Location ({back})")
    assert len(broken(memory, CYCLE)) == found
    run = check(memory)
    assert (run["opened"], run["resolved"]) == (0, 0)


def test_a_longer_ring_that_closes_is_found_beside_a_shorter_one_that_does_not(memory: Memory) -> None:
    tell(
        memory,
        "A:Location PART_OF B:Location (1800 .. 1810)",
        "B:Location PART_OF A:Location (1820 .. 1830)",
        "B:Location PART_OF C:Location (1805 .. 1830)",
        "C:Location PART_OF A:Location (1807 .. 1830)",
    )
    check(memory)
    assert (CYCLE, "A", "B", "C") in broken(memory, CYCLE)
    assert (CYCLE, "A", "B") not in broken(memory, CYCLE)


def test_a_large_ring_is_searched_once_whatever_the_batches(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    tell(memory, *(f"P{number}:Person PARENT_OF P{(number + 1) % 40}:Person" for number in range(40)))
    searched: list[str] = []
    search = contradictions._strongly_connected_component

    def counted(relation: Relation, adjacency: contradictions._Adjacency) -> list[Relation]:
        searched.append(relation.id)
        return search(relation, adjacency)

    monkeypatch.setattr(graph_cycles, "ENTITY_BATCH_SIZE", 5)
    monkeypatch.setattr(contradictions, "_strongly_connected_component", counted)
    assert check(memory)["by_rule"][CYCLE] == 1
    assert len(searched) == 1


def test_a_whole_run_finds_what_the_changes_found(memory: Memory) -> None:
    check(memory)
    dice = random.Random(5)
    for _ in range(60):
        one, other = dice.sample(range(25), 2)
        tell(memory, f"P{one}:Person PARENT_OF P{other}:Person")
    found = broken(memory, CYCLE)
    run = check(memory)
    assert (run["opened"], run["resolved"], len(found) > 3) == (0, 0, True)
    assert broken(memory, CYCLE) == found


@seeded(5)
def test_nothing_is_left_but_what_goes_round_or_joins_rings(seed: int) -> None:
    dice = random.Random(seed)
    pairs = [(dice.randrange(40), dice.randrange(40)) for _ in range(45)]
    left = set(
        _starts_on_cycles(_EdgeArrays(*(np.array(ends, np.int64) for ends in zip(*pairs, strict=True)))).tolist()
    )

    def leads(start: int, *, forward: bool) -> set[int]:
        seen: set[int] = set()
        waiting = [start]
        while waiting:
            at = waiting.pop()
            for one, other in pairs if forward else [pair[::-1] for pair in pairs]:
                if one == at and other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return seen

    rings = {node for node in range(40) if node in leads(node, forward=True)}
    reached = rings.union(*(leads(node, forward=True) for node in rings))
    reaching = rings.union(*(leads(node, forward=False) for node in rings))
    assert left == {one for one, other in pairs if {one, other} <= reached & reaching}
