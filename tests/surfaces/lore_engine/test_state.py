"""States, presence and containment at one time."""

import pytest

from recollect.memory import Memory
from tests.surfaces.lore_engine.tides import World, named, y


@pytest.fixture
def world(memory: Memory) -> World:
    return (
        World(memory)
        .invented()
        .tell(
            "Halden PART_OF Coast (y10 .. y50)",
            "Keep PART_OF Halden",
            "Coast PART_OF Reach",
            "Orrins RULES Coast (y20 ..)",
            "Tobin RULES Coast (y30 ..)",
            "Saltguard CONTROLS Halden (y30 ..)",
            "Perrin LOCATED_IN Keep (y30 ..)",
            "Mira LOCATED_IN Halden (y40 .. y44)",
            "Mira MEMBER_OF Orrins (y20 ..)",
            "Mira POSSESSES Knife (y44 ..)",
            "Bell LOCATED_IN Keep (y1 ..)",
            "Perrin WORSHIPS Undertow",
            "Saltguard SPEAKS Saltish",
            "Tobin PRACTICES Tidecraft",
            "Breaking OCCURRED_DURING 'second_tide.year_45 (y45)",
            "Breaking OCCURRED_AT Halden",
            "Mira PARTICIPATED_IN Breaking",
            "Feast OCCURRED_DURING 'second_tide.year_46 (y46)",
            "Feast OCCURRED_AT Keep",
        )
    )


def test_a_place_is_shown_with_all_that_lies_in_it(world: World) -> None:
    state = world.ask("state_at", entity="Coast", at_time="y44")
    assert named(state["ruling_factions"]) == ["Orrins"]
    assert named(state["ruling_persons"]) == ["Tobin"]
    assert [(each["name"], each["location"]) for each in state["controlling_factions"]] == [("Saltguard", "Halden")]
    assert [(each["name"], each["location"]) for each in state["persons_present"]] == [
        ("Mira", "Halden"),
        ("Perrin", "Keep"),
    ]
    assert [(each["name"], each["by"], each["location"]) for each in state["items"]] == [
        ("Bell", [], "Keep"),
        ("Knife", ["Mira"], None),
    ]
    assert [(each["name"], each["by"]) for each in state["deities"]] == [("Undertow", ["Perrin"])]
    assert [(each["name"], each["by"]) for each in state["languages"]] == [("Saltish", ["Saltguard"])]
    assert [(each["name"], each["by"]) for each in state["magic_systems"]] == [("Tidecraft", ["Tobin"])]
    assert (state["ongoing_events"], state["truncated"]) == ([], False)
    assert state["context"] == world.ask("entity_context", name="Coast", at_time="y44")


def test_events_go_on_while_their_time_meets_the_one_asked_about(world: World) -> None:
    events = world.ask("state_at", entity="Coast", at_time="second_tide")["ongoing_events"]
    assert [(each["name"], each["at"], each["location"]) for each in events] == [
        ("Breaking", y(45), "Halden"),
        ("Feast", y(46), "Keep"),
    ]
    assert named(world.ask("state_at", entity="Halden", at_time="y45")["ongoing_events"]) == ["Breaking"]


def test_exact_leaves_out_what_lies_in_the_place(world: World) -> None:
    state = world.ask("state_at", entity="Coast", at_time="y44", exact=True)
    assert (state["persons_present"], state["items"], state["controlling_factions"]) == ([], [], [])
    assert world.names("entities_present", location="Halden", at_time="y44", exact=True) == ["Saltguard", "Mira"]


def test_containment_follows_the_dates_of_part_of(world: World) -> None:
    assert "Perrin" in world.names("entities_present", location="Reach", at_time="y44")
    assert "Perrin" not in world.names("entities_present", location="Reach", at_time="y51")
    assert "Perrin" in world.names("entities_present", location="Halden", at_time="y51")


def test_present_are_things_and_people_but_no_places_and_groups_by_what_they_control(world: World) -> None:
    found = world.ask("entities_present", location="Coast", at_time="y44")
    assert [(each["type"], each["name"], each["via"], each["location"]["name"]) for each in found] == [
        ("Faction", "Saltguard", "CONTROLS", "Halden"),
        ("Item", "Bell", "LOCATED_IN", "Keep"),
        ("Person", "Mira", "LOCATED_IN", "Halden"),
        ("Person", "Perrin", "LOCATED_IN", "Keep"),
    ]
    assert world.names("entities_present", location="Coast", at_time="y44", type="person") == ["Mira", "Perrin"]
    assert world.names("entities_present", location="Coast", at_time="y44", type="dragon") == []


def test_a_limit_cuts_and_says_how_many_there_were(world: World) -> None:
    cut = world.answer("entities_present", location="Coast", at_time="y44", limit=1)
    assert cut.meta == {"total": 4, "truncated": True}
    assert len(cut.structured["result"]) == 1
    state = world.ask("state_at", entity="Coast", at_time="y44", limit=1)
    assert (named(state["persons_present"]), state["truncated"]) == (["Mira"], True)


def test_the_dead_are_not_present_because_nobody_wrote_that_they_left(world: World) -> None:
    world.tell("Perrin DIED (y60)", title="graves")
    assert "Perrin" in world.names("entities_present", location="Keep", at_time="y60")
    assert "Perrin" not in world.names("entities_present", location="Keep", at_time="y61")


def test_only_a_place_can_hold_anybody(world: World) -> None:
    refused = world.refused("entities_present", location="Mira", at_time="y44")
    assert (refused["error"], refused["found"], refused["accepted"]) == ("WRONG_TYPE", "Person", ["Location"])


def test_of_a_group_its_members_are_shown_and_of_a_person_their_events_and_things(world: World) -> None:
    group = world.ask("state_at", entity="Orrins", at_time="y45")
    assert (named(group["persons_present"]), group["ruling_factions"]) == (["Mira"], [])
    person = world.ask("state_at", entity="Mira", at_time="y45")
    assert named(person["ongoing_events"]) == ["Breaking"]
    assert [(each["name"], each["by"]) for each in person["items"]] == [("Knife", ["Mira"])]


def test_a_cycle_of_places_is_harmless(world: World) -> None:
    world.tell("Reach PART_OF Keep", title="nonsense")
    assert "Perrin" in world.names("entities_present", location="Reach", at_time="y44")
    up = world.ask("location_hierarchy", location="Halden", at_time="y44")
    assert [(each["name"], each["depth"]) for each in up["hierarchy"]] == [("Coast", 1), ("Reach", 2), ("Keep", 3)]


def test_a_hierarchy_goes_up_or_down_with_who_rules_and_controls(world: World) -> None:
    up = world.ask("location_hierarchy", location="Keep", at_time="y44")
    assert [
        (each["name"], each["depth"], named(each["rules"]), named(each["controls"])) for each in up["hierarchy"]
    ] == [
        ("Halden", 1, [], ["Saltguard"]),
        ("Coast", 2, ["Orrins", "Tobin"], []),
        ("Reach", 3, [], []),
    ]
    assert up["hierarchy"][1]["parent_id"] == up["hierarchy"][0]["id"]
    down = world.ask("location_hierarchy", location="Coast", direction="down", at_time="y44", depth=1)
    assert [(each["name"], each["valid_from"], each["valid_until"]) for each in down["hierarchy"]] == [
        ("Halden", y(10), y(50))
    ]
    assert world.ask("location_hierarchy", location="Coast", direction="down")["hierarchy"] == []
    assert world.refused("location_hierarchy", location="Mira")["error"] == "WRONG_TYPE"


def test_a_place_stored_as_a_castle_or_by_another_door_is_a_place_here(world: World) -> None:
    world.types |= {"Oldtower": "Castle", "Perrin2": "Npc"}
    world.tell("Perrin2 LOCATED_AT Oldtower (y40 ..)", title="towers")
    [found] = world.ask("entities_present", location="Oldtower", at_time="y44", type="Person")
    assert (found["type"], found["subtype"]) == ("Person", "npc")
    assert found["location"]["subtype"] == "castle"
    assert world.names("entities_present", location="Oldtower", at_time="y44", type="Pc") == []


def test_contradictions_of_a_place_are_also_those_of_its_rulers_and_people_but_a_group_has_only_its_own(
    world: World,
) -> None:
    world.tell("Ben POSSESSES Knife (y44 ..)", title="tales")
    assert len(world.ask("state_at", entity="Halden", at_time="y44")["contradictions"]) == 1
    assert world.ask("state_at", entity="Orrins", at_time="y44")["contradictions"] == []
    assert world.ask("state_at", entity="Mira", at_time="y44")["contradictions"] == world.ask(
        "get_contradictions", subject="Knife"
    )
