"""The graph around an entity: what is drawn, what is left out, and when each edge holds."""

from tests.support.facts import fact, tell

from recollect.memory import Memory
from recollect.model.ids import EntityId
from recollect.reason.ego_graph import EgoNetwork, EgoRequest, ego_graph
from recollect.store.view import View


def entity(view: View, name: str) -> EntityId:
    [row] = view.names_matching(name.casefold())
    return row.entity


def around(
    memory: Memory, *focus: str, as_of: int | None = None, at: str | None = None, **wanted: object
) -> EgoNetwork:
    with memory.read(as_of) as view:
        moment = view.world.read(at).span if at else view.world.present
        return ego_graph(view, EgoRequest(tuple(entity(view, each) for each in focus), moment, **wanted))  # type: ignore[arg-type]


def names(graph: EgoNetwork) -> list[str]:
    return sorted(node.entity.name for node in graph.nodes)


def tell_chain(memory: Memory) -> None:
    tell(
        memory,
        fact("Ada", "member", "Guild"),
        fact("Bo", "member", "Guild"),
        fact("Bo", "contributor", "Mill"),
    )


def test_one_hop_has_the_neighbours_and_the_edges_among_them(memory: Memory) -> None:
    tell_chain(memory)
    tell(memory, fact("Ada", "contributor", "Bo"))
    graph = around(memory, "Ada")
    assert names(graph) == ["Ada", "Bo", "Guild"]
    assert len(graph.edges) == 3
    assert graph.left_out.nodes == 0


def test_two_hops_reach_further(memory: Memory) -> None:
    tell_chain(memory)
    assert names(around(memory, "Ada")) == ["Ada", "Guild"]
    graph = around(memory, "Ada", hops=2)
    assert {node.entity.name: node.hop for node in graph.nodes} == {"Ada": 0, "Guild": 1, "Bo": 2}


def test_an_expanded_neighbour_brings_its_own_neighbours(memory: Memory) -> None:
    tell_chain(memory)
    assert names(around(memory, "Ada", "Bo")) == ["Ada", "Bo", "Guild", "Mill"]


def test_the_least_relevant_neighbours_are_left_out_and_counted(memory: Memory) -> None:
    tell(memory, *(fact(f"Member {number}", "member", "Guild") for number in range(12)))
    tell(memory, fact("Member 7", "contributor", "Guild"), fact("Member 7", "contributor", "Mill"))
    graph = around(memory, "Guild", limit=5)
    assert len(graph.nodes) == 5
    assert "Member 7" in names(graph)
    assert graph.left_out.nodes == 8
    assert sum(graph.left_out.by_type.values()) == 8
    assert graph.left_out.by_predicate == {"member": 8}
    assert graph.left_out.edges == 8


def test_no_focus_takes_the_places_of_another(memory: Memory) -> None:
    tell(memory, *(fact(f"Member {number}", "member", "Guild") for number in range(20)))
    tell(memory, fact("Ada", "contributor", "Mill"))
    assert {"Ada", "Mill"} <= set(names(around(memory, "Guild", "Ada", limit=8)))


def test_an_edge_says_when_it_holds(memory: Memory) -> None:
    tell(memory, fact("Ada", "employee", "Guild", valid_from="2020", valid_until="2021"))
    tell(memory, fact("Ada", "employee", "Guild", valid_from="2024"))
    graph = around(memory, "Ada")
    [edge] = graph.edges
    assert len(edge.periods) == 2
    with memory.read() as view:
        moments = {year: edge.holds(view.world.read(year).span) for year in ("2019", "2020", "2022", "2025")}
    assert moments == {"2019": False, "2020": True, "2022": False, "2025": True}


def test_a_neighbour_of_the_time_asked_about_comes_before_a_former_one(memory: Memory) -> None:
    former = [fact(f"Former {number}", "member", "Guild", valid_until="2010") for number in range(6)]
    tell(memory, *former, fact("Present", "member", "Guild"))
    assert "Present" in names(around(memory, "Guild", limit=2))
    early = around(memory, "Guild", limit=3, at="2009")
    assert len(early.nodes) == 3


def test_the_past_of_knowledge_has_no_later_edges(memory: Memory) -> None:
    tell(memory, fact("Ada", "member", "Guild"))
    with memory.read() as view:
        before = view.last_tx
    tell(memory, fact("Ada", "member", "Mill"))
    assert names(around(memory, "Ada", as_of=before)) == ["Ada", "Guild"]


def test_types_and_predicates_can_be_chosen(memory: Memory) -> None:
    tell_chain(memory)
    graph = around(memory, "Bo", predicates=frozenset({"contributor"}))
    assert names(graph) == ["Bo", "Mill"]
    assert {edge.predicate for edge in graph.edges} == {"contributor"}


def test_the_hub_of_a_star_has_the_highest_rank(memory: Memory) -> None:
    tell(memory, *(fact(f"Member {number}", "member", "Guild") for number in range(5)))
    graph = around(memory, "Member 1", hops=2)
    assert max(graph.nodes, key=lambda node: node.rank).entity.name == "Guild"


def test_a_hidden_neighbour_is_not_drawn(memory: Memory) -> None:
    tell_chain(memory)
    with memory.read() as view:
        guild = entity(view, "Guild")
    assert names(around(memory, "Ada", hidden=frozenset({guild}))) == ["Ada"]


def test_the_entities_of_a_path_are_drawn_in_any_case(memory: Memory) -> None:
    tell_chain(memory)
    with memory.read() as view:
        path = (entity(view, "Guild"), entity(view, "Bo"), entity(view, "Mill"))
    assert names(around(memory, "Ada", also=path, limit=4)) == ["Ada", "Bo", "Guild", "Mill"]
