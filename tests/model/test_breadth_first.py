"""Breadth-first search: each node once, by a shortest path, in the order the steps are given."""

from collections.abc import Iterator

from recollect.model.graph_search import BreadthFirstSearch, Step, breadth_first

GRAPH = {"a": "bc", "b": "d", "c": "de", "d": "a", "e": "f", "f": ""}


def expand(level: list[str]) -> Iterator[Step[str, str]]:
    return (Step(here, there, here + there) for here in level for there in GRAPH[here])


def test_every_node_is_reached_once_at_its_smallest_depth() -> None:
    search = breadth_first("a", expand)
    assert list(search.reached) == ["a", "b", "c", "d", "e", "f"]
    assert search.depths() == {"a": 0, "b": 1, "c": 1, "d": 2, "e": 2, "f": 3}


def test_a_path_follows_the_steps_that_first_reached_each_node() -> None:
    search = breadth_first("a", expand)
    assert [step.edge for step in search.path_to("f")] == ["ac", "ce", "ef"]
    assert [step.edge for step in search.path_to("d")] == ["ab", "bd"]
    assert search.path_to("a") == []


def test_a_search_ends_at_its_depth() -> None:
    assert list(breadth_first("a", expand, depth=1).reached) == ["a", "b", "c"]
    assert list(breadth_first("a", expand, depth=0).reached) == ["a"]


def test_a_node_that_does_not_lead_on_is_reached_but_not_expanded() -> None:
    assert list(breadth_first("a", expand, leads_on=lambda node: node != "c").reached) == ["a", "b", "c", "d"]


def test_a_search_stops_after_the_level_that_satisfies_it() -> None:
    search = breadth_first("a", expand, until=lambda reached: "d" in reached)
    assert list(search.reached) == ["a", "b", "c", "d", "e"]


def test_several_starts_have_no_step_of_their_own() -> None:
    search = breadth_first("bc", expand, depth=1)
    assert search.reached["b"] is search.reached["c"] is None
    assert [step.edge for step in search.path_to("d")] == ["bd"]


def test_steps_are_read_only_as_far_as_they_are_asked_for() -> None:
    read: list[str] = []

    def lazy(level: list[str]) -> Iterator[Step[str, str]]:
        for step in expand(level):
            read.append(step.edge)
            yield step

    steps = BreadthFirstSearch("a", lazy).steps(depth=3)
    assert next(steps).there == "b"
    assert read == ["ab"]
