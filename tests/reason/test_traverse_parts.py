"""Parts of a graph: what cuts them, and what belongs together inside them."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from recollect.reason.graph_algorithms import connected_components, find_communities

Graph = dict[int, list[int]]


def graph(*pairs: tuple[int, int]) -> Graph:
    found: Graph = {}
    for one, other in pairs:
        found.setdefault(one, []).append(other)
        found.setdefault(other, []).append(one)
    return found


def sizes_without(beside: Graph, cut: int, part: list[int]) -> list[int]:
    """How large the pieces of a part are once a node is taken out, counted plainly."""
    left, sizes = set(part) - {cut}, []
    while left:
        ring, size = [left.pop()], 1
        while ring:
            for other in beside[ring.pop()]:
                if other in left:
                    left.remove(other)
                    ring.append(other)
                    size += 1
        sizes.append(size)
    return sizes


def test_a_path_is_cut_by_its_inner_nodes() -> None:
    [part] = connected_components(graph((1, 2), (2, 3), (3, 4)))
    assert part.separated_pairs == {2: 2, 3: 2}


def test_a_ring_is_cut_by_none() -> None:
    [part] = connected_components(graph((1, 2), (2, 3), (3, 1)))
    assert part.separated_pairs == {}


@given(st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda pair: pair[0] < pair[1]), max_size=18))
def test_the_pairs_a_node_parts_are_those_that_counting_finds(pairs: set[tuple[int, int]]) -> None:
    beside = graph(*sorted(pairs))
    for part in connected_components(beside):
        for node in part.nodes:
            sizes = sizes_without(beside, node, part.nodes)
            apart = sum(one * other for one, other in combinations(sizes, 2))
            assert part.separated_pairs.get(node, 0) == apart


def test_two_dense_groups_with_one_tie_are_two_communities() -> None:
    groups = [list(range(6)), list(range(6, 12))]
    pairs = [pair for group in groups for pair in combinations(group, 2)] + [(0, 6)]
    beside = graph(*pairs)
    joined = {node: dict.fromkeys(others, 1.0) for node, others in beside.items()}
    assert find_communities(joined, sorted(joined)) == groups
    assert find_communities(dict(reversed(joined.items())), sorted(joined)) == groups
