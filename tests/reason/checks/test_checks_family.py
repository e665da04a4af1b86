"""Impossible dates in a family tree are found, all of them and no others."""

import pytest
from benchmarks.family import found_in, grow, impossible, load, spoil
from tests.support.consistency_world import findings

from recollect.memory import Memory
from recollect.reason.checks.check_runs import ensure_initial_scan


@pytest.mark.parametrize("seed", [1, 2])
def test_wrong_dates_are_found_where_no_reading_is_possible(memory: Memory, seed: int) -> None:
    tree = grow(150, seed)
    assert impossible(tree) == set()
    spoil(tree, 60, seed)
    load(memory, tree)
    wanted = impossible(tree)
    assert len(wanted) > 20
    assert found_in(memory) == wanted


def test_a_possible_tree_has_no_findings(memory: Memory) -> None:
    load(memory, grow(100, 3))
    assert found_in(memory) == set()


def test_a_batch_taken_in_while_the_engine_is_awake_is_checked_once_and_whole(memory: Memory) -> None:
    ensure_initial_scan(memory)
    tree = grow(120, 4)
    spoil(tree, 50, 4)
    load(memory, tree)
    opened = {each.id for each in findings(memory)}
    assert found_in(memory) == impossible(tree)
    assert {each.id for each in findings(memory)} == opened
