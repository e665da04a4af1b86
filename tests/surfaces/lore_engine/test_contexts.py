"""Who or what something is: contexts, lifespans, profiles, names, and what nobody confirmed."""

from typing import Any

import pytest

from recollect.memory import Memory
from recollect.write.entity_refs import NamedRef, find_or_create
from tests.surfaces.lore_engine.tides import World, named, y


@pytest.fixture
def world(memory: Memory) -> World:
    return World(memory).invented()


def life(world: World, name: str, at: str) -> tuple[bool | None, bool | None]:
    said = world.ask("entity_context", name=name, at_time=at)
    return said["alive"], said["exists"]


def lifespan(world: World, name: str) -> dict[str, Any]:
    found: dict[str, Any] = world.ask("entity_context", name=name, at_time="y1")["lifespan"]
    return found


def test_each_list_of_a_context_has_what_holds_then(world: World) -> None:
    world.tell(
        "Mira MEMBER_OF Orrins (y20 ..)",
        "Mira MEMBER_OF Blood",
        "Mira LOCATED_IN Halden (y40 .. y50)",
        "Mira BELONGS_TO Marshfolk",
        "Mira HOLDS_TITLE Warden (y45 ..)",
        "Mira SPEAKS Saltish",
        "Mira PRACTICES Tidecraft",
        "Mira WORSHIPS Undertow",
        "Mira POSSESSES Knife (y44 ..)",
        "Mira RULES Keep",
        "Orrins RULES Halden (y30 ..)",
        "Halden PART_OF Coast",
    )
    said = world.ask("entity_context", name="Mira", at_time="y44")
    assert {key: named(said[key]) for key in said if isinstance(said[key], list) and key != "relations"} == {
        "aliases": [],
        "factions": ["Orrins"],
        "locations": ["Halden"],
        "cultures": ["Marshfolk"],
        "titles": [],
        "languages": ["Saltish"],
        "magic_systems": ["Tidecraft"],
        "deities": ["Undertow"],
        "items_possessed": ["Knife"],
    }
    assert {each["relation"] for each in said["relations"]} == {"MEMBER_OF", "RULES"}
    assert said["factions"][0] | {"id": "", "relation_id": ""} == {
        "name": "Orrins",
        "valid_from": y(20),
        "valid_until": None,
        "id": "",
        "type": "Faction",
        "relation": "MEMBER_OF",
        "relation_id": "",
        "confidence": 0.9,
        "sources": ["rolls"],
        "disputed": False,
        "coverage": "full",
    }
    assert named(world.ask("entity_context", name="Orrins", at_time="y44")["locations"]) == ["Halden"]
    assert named(world.ask("entity_context", name="Halden", at_time="y44")["locations"]) == ["Coast"]


def test_what_happened_stays_in_the_context_from_then_on(world: World) -> None:
    world.tell("Mira CREATED Knife (y30)")
    assert world.ask("entity_context", name="Knife", at_time="y29")["relations"] == []
    [made] = world.ask("entity_context", name="Knife", at_time="y60")["relations"]
    assert (made["relation"], made["coverage"]) == ("CREATED", "full")


def test_outside_a_lifespan_nobody_lives_and_the_lists_still_say_what_the_sources_say(world: World) -> None:
    world.tell("Mira BORN (y20)", "Mira DIED (y71)", "Mira HOLDS_TITLE Warden (y60 .. y75)")
    said = world.ask("entity_context", name="Mira", at_time="y74")
    assert (said["alive"], named(said["titles"])) == (False, ["Warden"])
    assert said["lifespan"] == {"from": y(20), "until": y(71), "disputed": False, "basis": "facts"}


@pytest.mark.parametrize(
    ("lines", "at", "alive"),
    [
        (("Mira BORN (y20)", "Mira DIED (y71)"), "y19", False),
        (("Mira BORN (y20)", "Mira DIED (y71)"), "y20", True),
        (("Mira BORN (y20)", "Mira DIED (y71)"), "y72", False),
        (("Mira BORN (y20)",), "y500", True),
        (("Mira DIED (y71)",), "y50", None),
        (("Mira DIED (y71)",), "y72", False),
        (("Mira BORN (y20)", "Mira DIED"), "current", False),
        (("Mira BORN (y20)", "Mira DIED"), "y79", None),
        (("Mira BORN (y20~)", "Mira DIED (y71)"), "y18", None),
        (("Mira RULES Halden",), "y18", None),
    ],
)
def test_alive_is_said_only_as_far_as_it_can_be(
    world: World, lines: tuple[str, ...], at: str, alive: bool | None
) -> None:
    world.tell(*lines)
    assert life(world, "Mira", at) == (alive, alive)


def test_only_beings_live_but_anything_exists(world: World) -> None:
    world.tell("Tobin FOUNDED Orrins (y5)", "Saltguard DISSOLVED (y50)", "Knife CREATED_BY Tobin (y7)")
    assert life(world, "Orrins", "y6") == (None, True)
    assert life(world, "Orrins", "y4") == (None, False)
    assert life(world, "Saltguard", "y51") == (None, False)
    assert lifespan(world, "Knife")["from"] == y(7)


def test_nobody_is_thought_to_live_beyond_a_hundred_and_ten_years_in_the_real_world(memory: Memory) -> None:
    world = World(memory).tell("Mira BORN (1900-03-01)")
    assert life(world, "Mira", "2010-03-01") == (True, True)
    assert life(world, "Mira", "2010-03-02") == (None, None)


def test_a_lifespan_comes_from_facts_then_eras_then_properties_each_side_alone(world: World) -> None:
    world.entity("Ann", "Person", born="second_tide.year_3", died="second_tide.year_9")
    assert lifespan(world, "Ann") == {"from": y(3), "until": y(9), "disputed": False, "basis": "properties"}
    world.tell("Ann EXISTED_DURING 'second_tide.grey_years (second_tide.grey_years)")
    assert lifespan(world, "Ann") == {
        "from": "second_tide.grey_years",
        "until": "second_tide.grey_years",
        "disputed": False,
        "basis": "eras",
    }
    world.tell("Ann BORN (y41)", title="births")
    assert lifespan(world, "Ann") == {
        "from": y(41),
        "until": "second_tide.grey_years",
        "disputed": False,
        "basis": "facts",
    }


def test_sources_that_differ_give_the_widest_life_and_say_so(world: World) -> None:
    world.tell("Mira BORN (y20)", "Mira DIED (y71)")
    world.tell("Mira BORN (y22)", "Mira DIED (y70)", title="others")
    assert lifespan(world, "Mira") == {"from": y(20), "until": y(71), "disputed": True, "basis": "facts"}


def test_everything_about_an_entity_is_there_with_documents_and_undated_relations_last(world: World) -> None:
    world.tell("Tobin PARENT_OF Mira", "Mira RULES Halden (y40 ..)", "Mira BORN (y20)", content="Mira, and Mira again.")
    said = world.ask("get_context", name="Mira")
    assert [each["relation"] for each in said["relations"]] == ["BORN", "RULES", "PARENT_OF"]
    assert [(each["title"], each["mentions"]) for each in said["documents"]] == [("rolls", 2)]
    assert (said["violations"], said["flags"], said["truncated"]) == ([], [], False)
    assert said["entity"]["type"] == "Person"
    cut = world.ask("get_context", name="Mira", limit=1)
    assert (len(cut["relations"]), cut["truncated"]) == (1, True)


def test_a_profile_tells_a_life_on_one_page(world: World) -> None:
    world.tell(
        "Mira BORN (y20)",
        "Mira DIED (y71)",
        "Tobin FATHER_OF Mira",
        "Tobin PARENT_OF Ben",
        "Mira SIBLING_OF Cleo",
        "Mira MOTHER_OF Sela",
        "Mira PARENT_OF Dora",
        "Sela BORN (y41)",
        "Dora BORN (y39)",
        "Mira SPOUSE_OF Ann (y38 ..)",
        "Mira MEMBER_OF Blood",
        "Mira HOLDS_TITLE Warden (y60 ..)",
        "Breaking OCCURRED_DURING 'second_tide.year_45 (y45)",
        "Mira PARTICIPATED_IN Breaking",
        "Mira WITNESSED Feast",
    )
    said = world.ask("get_person_profile", name="Mira")
    assert (said["at_time"], said["alive"], said["age"]) == (y(80), False, 51)
    assert [(each["name"], each["role"]) for each in said["parents"]] == [("Tobin", "father")]
    assert [(each["name"], each["role"]) for each in said["children"]] == [("Dora", None), ("Sela", "mother")]
    assert named(said["siblings"]) == ["Ben", "Cleo"]
    assert [(each["name"], each["valid_from"]) for each in said["spouses"]] == [("Ann", y(38))]
    assert said["lineage"]["name"] == "Blood"
    assert [(each["name"], each["at"], each["relation"]) for each in said["events"]] == [
        ("Breaking", y(45), "PARTICIPATED_IN"),
        ("Feast", None, "WITNESSED"),
    ]
    assert said["titles"] == []
    assert named(world.ask("get_person_profile", name="Mira", at_time="y65")["titles"]) == ["Warden"]
    assert said["summary"].startswith("Mira was born in second_tide.year_20 [1].")
    assert said["citations"]["1"]["sources"] == ["rolls"]
    assert world.ask("get_person_profile", name="Mira", at_time="y45")["age"] == 25
    assert world.ask("get_person_profile", name="Mira", at_time="y19")["age"] is None
    assert world.refused("get_person_profile", name="Blood")["error"] == "WRONG_TYPE"


def test_lookup_lists_everything_a_text_could_mean_best_first(world: World) -> None:
    world.entity("Tide-Knife", "Item")
    world.entity("Knife of Bone", "Item", aliases=("the Biter",))
    world.entity("Knifesmith", "Person")

    def found(query: str, **more: Any) -> list[tuple[str, str, float]]:
        return [
            (each["name"], each["match"], each["match_confidence"]) for each in world.ask("lookup", query=query, **more)
        ]

    assert found("Tide-Knife")[0] == ("Tide-Knife", "exact", 1.0)
    assert found("The Biter")[0] == ("Knife of Bone", "alias", 0.95)
    assert found("the knife") == [
        ("Knifesmith", "partial", 0.75),
        ("Tide-Knife", "partial", 0.7667),
        ("Knife of Bone", "partial", 0.7364),
    ] or found("the knife") == sorted(found("the knife"), key=lambda each: -each[2])
    assert found("the knife", type="Item")[0] == ("Tide-Knife", "partial", 0.7667)
    assert found("Tide-Knfie") == [("Tide-Knife", "fuzzy", 0.72)]
    assert found("zzz") == found("Tide-Knife", type="dragon") == []
    [by_id] = world.ask("lookup", query=world.ask("lookup", query="Knifesmith")[0]["id"])
    assert (by_id["name"], by_id["match"]) == ("Knifesmith", "id")


def test_entities_nobody_confirmed_are_listed_by_how_often_they_are_told_of(world: World) -> None:
    world.entity("Drowned Clerk", "Person")
    with world.memory.as_actor("lore-engine", "add_relation").write() as change:
        find_or_create(change, NamedRef("Drowned Clark", reason="guessed"))
    world.tell("Halden MENTIONS Somebody", "Somebody KNOWS Halden", "Nobody KNOWS Halden")
    waiting = world.ask("get_unresolved")
    assert [(each["name"], each["type"], each["mentions"]) for each in waiting] == [
        ("Somebody", "Unknown", 2),
        ("Nobody", "Unknown", 1),
        ("Drowned Clark", "Unknown", 0),
    ]
    assert (waiting[0]["reason"], waiting[0]["sources"], waiting[0]["candidates"]) == ("auto_created", ["rolls"], [])
    assert (waiting[2]["reason"], named(waiting[2]["candidates"])) == ("auto_created", ["Drowned Clerk"])
    assert world.ask("get_unresolved", type="Person") == []
    assert world.ask("get_unresolved", kind="flagged") == []
    assert world.refused("get_unresolved", kind="other")["accepted"] == ["provisional", "flagged", "all"]
