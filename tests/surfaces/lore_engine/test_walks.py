"""Walks over the graph and along bloodlines."""

from typing import Any

import pytest

from recollect.memory import Memory
from tests.surfaces.lore_engine.tides import World, named, y


@pytest.fixture
def world(memory: Memory) -> World:
    return (
        World(memory)
        .invented()
        .tell(
            "Tobin FATHER_OF Mira",
            "Mira MOTHER_OF Sela",
            "Ann PARENT_OF Sela",
            "Ann PARENT_OF Ben",
            "Tobin PARENT_OF Cleo",
            "Cleo PARENT_OF Dora",
            "Sela MEMBER_OF Blood",
            "Perrin MEMBER_OF Blood",
            "Branch CADET_OF Blood",
            "Tobin FOUNDED Blood (y1)",
            "Mira MEMBER_OF Orrins (y20 .. y50)",
            "Orrins ALLIED_WITH Saltguard (y30 ..)",
            "Sela BORN (y41)",
        )
    )


def nodes(said: dict[str, Any]) -> list[tuple[str, int]]:
    return [(each["name"], each["hops"]) for each in said["nodes"]]


def test_a_walk_goes_hop_by_hop_over_what_holds_then(world: World) -> None:
    said = world.ask("graph_traverse", start="Saltguard", hops=2, at_time="y40")
    assert nodes(said) == [("Saltguard", 0), ("Orrins", 1), ("Mira", 2)]
    assert said["levels"] == [1, 1, 1]
    assert [len(each["path"]) for each in said["nodes"]] == [0, 1, 2]
    assert {each["relation"] for each in said["relations"]} == {"ALLIED_WITH", "MEMBER_OF"}
    assert (said["at_time"], said["truncated"]) == (y(40), False)
    assert nodes(world.ask("graph_traverse", start="Saltguard", at_time="y55"))[1:] == [("Orrins", 1)]
    everything = world.ask("graph_traverse", start="Saltguard", all_times=True, depth=2)
    assert (nodes(everything)[2], everything["at_time"]) == (("Mira", 2), None)


def test_direction_types_and_relations_narrow_a_walk(world: World) -> None:
    down = world.ask("graph_traverse", start="Mira", relations=["parent of"], direction="out", hops=1)
    assert nodes(down) == [("Mira", 0), ("Sela", 1)]
    up = world.ask("graph_traverse", start="Mira", relations=["CHILD_OF"], direction="in", hops=1)
    assert nodes(up) == [("Mira", 0), ("Tobin", 1)]
    people = world.ask("graph_traverse", start="Saltguard", types=["Person"], all_times=True)
    assert nodes(people) == [("Saltguard", 0)]
    assert world.refused("graph_traverse", start="Mira", relations=["CHLD_OF"])["error"] == "UNKNOWN_RELATION"
    assert world.refused("graph_traverse", start="Mira", at_time="y3", all_times=True)["error"] == "BAD_INPUT"


def test_a_cut_walk_keeps_the_near_nodes(world: World) -> None:
    said = world.ask("graph_traverse", start="Tobin", hops=3, all_times=True, limit=4)
    assert nodes(said) == [("Tobin", 0), ("Blood", 1), ("Cleo", 1), ("Mira", 1)]
    assert said["truncated"] is True
    assert world.refused("graph_traverse", start="Tobin", hops=7)["error"] == "BAD_INPUT"


def test_a_neighbourhood_has_full_relations_and_paths_to_a_target(world: World) -> None:
    said = world.ask(
        "expand_context",
        entity="Sela",
        hops=2,
        relations=["PARENT_OF", "MEMBER_OF"],
        target="Orrins",
        all_times=True,
    )
    assert [(each["name"], each["distance"]) for each in said["nodes"]] == [
        ("Ann", 1),
        ("Blood", 1),
        ("Mira", 1),
        ("Ben", 2),
        ("Orrins", 2),
        ("Perrin", 2),
        ("Tobin", 2),
    ]
    assert [path["nodes"] for path in said["paths"]] == [["Sela", "Mira", "Orrins"]]
    assert len(said["relations"]) == 7
    assert said["relations"][0]["sources"] == ["rolls"]
    none = world.ask("expand_context", entity="Sela", hops=1, target="Orrins", all_times=True)
    assert none["paths"] == []
    assert "paths" not in world.ask("expand_context", entity="Sela", at_time="y45")


def test_ancestors_and_descendants_come_once_at_the_shortest_distance(world: World) -> None:
    up = world.ask("ancestors_of", person="Sela")
    assert [(each["generation"], each["name"], each["relation"]) for each in up] == [
        (1, "Ann", "parent"),
        (1, "Mira", "parent"),
        (2, "Tobin", "grandparent"),
    ]
    assert up[2]["path"] == ["Sela", "Mira", "Tobin"]
    down = world.ask("descendants_of", person="Tobin")
    assert [(each["generation"], each["name"], each["relation"]) for each in down] == [
        (1, "Cleo", "child"),
        (1, "Mira", "child"),
        (2, "Dora", "grandchild"),
        (2, "Sela", "grandchild"),
    ]
    assert world.names("descendants_of", person="Tobin", generations=1) == ["Cleo", "Mira"]
    assert world.refused("ancestors_of", person="Blood")["error"] == "WRONG_TYPE"
    assert world.refused("ancestors_of", person="Sela", generations=101)["error"] == "BAD_INPUT"


def test_a_cycle_ends_a_walk_up_or_down(world: World) -> None:
    world.tell("Sela PARENT_OF Tobin", title="nonsense")
    assert world.names("ancestors_of", person="Sela") == ["Ann", "Mira", "Tobin"]
    assert world.names("descendants_of", person="Sela") == ["Tobin", "Cleo", "Mira", "Dora"]


def test_great_grandparents_are_counted_by_greats(world: World) -> None:
    world.tell("Perrin PARENT_OF Tobin", title="older")
    assert world.ask("ancestors_of", person="Sela")[-1]["relation"] == "great-grandparent"


def test_children_come_by_birth_with_their_other_parents(world: World) -> None:
    world.tell("Mira PARENT_OF Ben", "Ben BORN (y60)", title="more")
    children = world.ask("list_offspring", person="Mira")
    assert [(each["name"], each["role"], named(each["other_parents"])) for each in children] == [
        ("Sela", "mother", ["Ann"]),
        ("Ben", None, ["Ann"]),
    ]
    assert children[0]["lifespan"]["from"] == y(41)


def test_a_lineage_lists_kin_by_their_steps_and_then_other_members(world: World) -> None:
    world.tell("Sela DESCENDED_FROM Undertow", title="myths")
    said = world.ask("list_lineage", person="Sela", depth=4)
    assert (said["lineage"]["name"], said["lineage"]["founding_ancestor"]) == ("Blood", "Tobin")
    assert [(each["name"], each["relation"], each["hops"]) for each in said["members"]] == [
        ("Sela", "self", 0),
        ("Ann", "parent", 1),
        ("Mira", "parent", 1),
        ("Undertow", "ancestor", 1),
        ("Ben", "sibling", 2),
        ("Tobin", "grandparent", 2),
        ("Cleo", "aunt_or_uncle", 3),
        ("Dora", "cousin", 4),
        ("Perrin", "member", None),
    ]
    assert named(said["cadet_branches"]) == ["Branch"]
    assert said["depth_covered"] == 4
    assert [each["in_lineage"] for each in said["members"]][0::8] == [True, True]


def test_kin_by_marriage_or_a_turn_are_just_kin(world: World) -> None:
    said = world.ask("list_lineage", person="Mira", depth=3)
    relations = {each["name"]: each["relation"] for each in said["members"]}
    assert (relations["Ann"], relations["Ben"], said["lineage"]) == ("kin", "kin", None)
    assert (relations["Cleo"], relations["Dora"]) == ("sibling", "niece_or_nephew")


def test_a_person_of_no_lineage_has_only_kin(world: World) -> None:
    said = world.ask("list_lineage", person="Dora", depth=1)
    assert (said["lineage"], said["cadet_branches"], named(said["members"])) == (None, [], ["Dora", "Cleo"])


def test_every_read_sees_what_was_known_then(world: World) -> None:
    with world.memory.read() as view:
        before = view.last_tx
    world.tell("Mira PARENT_OF Ben", title="later")
    assert world.names("list_offspring", person="Mira", as_of=before) == ["Sela"]
    assert set(world.names("list_offspring", person="Mira")) == {"Sela", "Ben"}
