"""The ways of knowing: each finds what it should, and only that."""

from typing import Any

import pytest

from recollect.memory import Memory
from tests.surfaces.lore_engine.npc_world import Tides, year


@pytest.fixture
def world(memory: Memory) -> Tides:
    return Tides(memory).begin()


def how(said: dict[str, Any]) -> dict[str, str]:
    return {item["statement"]: item["how"] for item in said["known"]}


def everything(world: Tides, npc: str, at: str | None = None) -> dict[str, Any]:
    return world.ask(npc, at_time=at, all=True, limit=100)


def test_people_know_their_own_relations_but_not_all_of_them(world: Tides) -> None:
    world.fact("Mira Orrin", "MEMBER_OF", "House Orrin", since=year(20))
    world.fact("Mira Orrin", "PARENT_OF", "Sela Orrin")
    world.fact("Saltguard", "ENEMY_OF", "Mira Orrin")
    world.fact("Old Perrin", "SERVES", "Mira Orrin")
    assert how(everything(world, "Mira Orrin")) == {
        f"Mira Orrin was a member of House Orrin from {year(20)}": "self",
        "Saltguard was an enemy of Mira Orrin": "self",
    }


def test_a_witness_knows_who_took_part_but_not_who_else_watched_nor_why(world: Tides) -> None:
    world.fact("Old Perrin", "WITNESSED", "Breaking of the Mole")
    world.fact("Tobin Orrin", "WITNESSED", "Breaking of the Mole")
    world.fact("Mira Orrin", "PARTICIPATED_IN", "Breaking of the Mole")
    world.fact("Breaking of the Mole", "CAUSED", "Drowning of Halden")
    world.happened("Breaking of the Mole", year(45), "Halden")
    world.happened("Drowning of Halden", year(46), "Halden")
    said = world.ask("Old Perrin", "Who broke the mole?", year(46))
    assert how(said) == {
        "Mira Orrin participated in Breaking of the Mole": "witnessed",
        "Old Perrin witnessed Breaking of the Mole": "self",
        "Breaking of the Mole occurred at Halden": "witnessed",
        f"Breaking of the Mole occurred in {year(45)}": "witnessed",
    }
    [mira] = [item for item in said["known"] if item["subject"]["name"] == "Mira Orrin"]
    assert {key: mira[key] for key in ("learned_at", "via", "told_by", "belief")} == {
        "learned_at": year(45),
        "via": "Breaking of the Mole",
        "told_by": None,
        "belief": 1.0,
    }
    assert "I saw that Mira Orrin participated in Breaking of the Mole." in said["answer"]


def test_taking_part_is_stronger_than_watching_and_both_are_channels(world: Tides) -> None:
    world.fact("Old Perrin", "WITNESSED", "Breaking of the Mole")
    world.fact("Old Perrin", "PARTICIPATED_IN", "Breaking of the Mole")
    world.happened("Breaking of the Mole", year(45), "Halden", visibility="public")
    found = [item for item in everything(world, "Old Perrin")["known"] if item["relation"] == "OCCURRED_AT"]
    assert [(item["how"], item["channels"]) for item in found] == [
        ("participated", ["participated", "witnessed", "public"])
    ]


def test_being_there_all_the_time_is_enough_to_know_of_an_event(world: Tides) -> None:
    world.fact("Old Perrin", "LOCATED_IN", "Halden", since=year(40), until=year(50))
    world.fact("Sela Orrin", "LOCATED_IN", "Halden", since=year(45), until=year(50))
    world.fact("Tobin Orrin", "LOCATED_IN", "Low Quay", since=year(40), until=year(50))
    world.fact("Low Quay", "PART_OF", "Halden")
    world.fact("Mira Orrin", "PARTICIPATED_IN", "Breaking of the Mole")
    world.happened("Breaking of the Mole", year(45), "Halden")
    known = how(everything(world, "Old Perrin", year(60)))
    assert known["Mira Orrin participated in Breaking of the Mole"] == "co_located"
    late = how(everything(world, "Sela Orrin", year(60)))
    assert not any("Mole" in statement for statement in late)
    inside = how(everything(world, "Tobin Orrin", year(60)))
    assert not any("Mole" in statement for statement in inside)


def test_a_home_is_no_proof_of_having_been_there(world: Tides) -> None:
    world.fact("Old Perrin", "RESIDED_IN", "Halden", since=year(40), until=year(50))
    world.fact("Mira Orrin", "PARTICIPATED_IN", "Breaking of the Mole")
    world.happened("Breaking of the Mole", year(45), "Halden")
    assert "co_located" not in how(everything(world, "Old Perrin", year(60))).values()


def test_neighbours_know_each_other_from_the_later_arrival_on(world: Tides) -> None:
    world.fact("Old Perrin", "LOCATED_IN", "Halden", since=year(40), until=year(50))
    world.fact("Sela Orrin", "LOCATED_IN", "Halden", since=year(44), until=year(60))
    world.fact("Mira Orrin", "LOCATED_IN", "Halden", since=year(50), until=year(60))
    [sela] = [item for item in everything(world, "Old Perrin")["known"] if item["how"] == "co_located"]
    assert (sela["subject"]["name"], sela["learned_at"], sela["via"]) == ("Sela Orrin", year(44), "Halden")
    assert sela["belief"] == 0.9
    assert world.knows("Old Perrin", year(43)) == [f"Old Perrin was in Halden from {year(40)}"]


def test_one_who_left_does_not_see_when_the_other_left(world: Tides) -> None:
    world.fact("Old Perrin", "LOCATED_IN", "Halden", since=year(40), until=year(50))
    world.fact("Sela Orrin", "LOCATED_IN", "Halden", since=year(44), until=year(60))
    [sela] = [item for item in everything(world, "Old Perrin")["known"] if item["how"] == "co_located"]
    assert sela["valid_until"] is None
    [perrin] = [item for item in everything(world, "Sela Orrin")["known"] if item["how"] == "co_located"]
    assert perrin["valid_until"] == year(50)


def test_the_dead_are_nobodys_neighbours(world: Tides) -> None:
    world.fact("Old Perrin", "LOCATED_IN", "Halden", since=year(50))
    world.fact("Mira Orrin", "LOCATED_IN", "Halden", since=year(20))
    world.fact("Mira Orrin", "DIED", at=year(40))
    assert world.knows("Old Perrin") == [f"Old Perrin was in Halden from {year(50)}"]


def test_a_group_knows_what_is_common_to_it(world: Tides) -> None:
    world.fact("Old Perrin", "MEMBER_OF", "Harbour Watch", since=year(30))
    world.fact("Harbour Watch", "MEMBER_OF", "Saltguard", since=year(20))
    world.fact("Sela Orrin", "MEMBER_OF", "House Orrin", since=year(30))
    world.fact("Mira Orrin", "POSSESSES", "Tide-Knife", since=year(25), visibility="common", known_to=["Saltguard"])
    [knife] = [item for item in everything(world, "Old Perrin")["known"] if item["relation"] == "POSSESSES"]
    assert (knife["how"], knife["via"], knife["learned_at"], knife["belief"]) == ("common", "Saltguard", year(30), 0.8)
    assert not any("Knife" in statement for statement in world.knows("Sela Orrin"))


def test_what_is_common_may_be_known_to_one_person(world: Tides) -> None:
    world.entity("Old Perrin")
    world.fact("Mira Orrin", "PARENT_OF", "Sela Orrin", visibility="common", known_to=["Old Perrin"])
    assert world.knows("Old Perrin") == ["Mira Orrin was a parent of Sela Orrin"]
    assert world.knows("Mira Orrin") == []


def test_without_names_the_groups_at_the_ends_know(world: Tides) -> None:
    world.fact("Old Perrin", "MEMBER_OF", "Saltguard", since=year(30))
    world.fact("Sela Orrin", "MEMBER_OF", "House Orrin", since=year(30))
    world.fact("Saltguard", "CONTROLS", "Low Quay", since=year(35), visibility="common")
    assert f"Saltguard controlled Low Quay from {year(35)}" in world.knows("Old Perrin")
    assert f"Saltguard controlled Low Quay from {year(35)}" not in world.knows("Sela Orrin")


def test_who_left_a_group_keeps_what_was_known_and_learns_no_more(world: Tides) -> None:
    world.fact("Old Perrin", "MEMBER_OF", "Saltguard", since=year(30), until=year(40))
    world.fact("Saltguard", "CONTROLS", "Low Quay", since=year(35), until=year(50), visibility="common")
    world.fact("Saltguard", "RULES", "Halden", since=year(45), visibility="common")
    known = {item["relation"]: item for item in everything(world, "Old Perrin")["known"]}
    assert "RULES" not in known
    assert known["CONTROLS"]["valid_until"] is None


def test_nobody_knows_what_a_group_knew_before_joining_it(world: Tides) -> None:
    world.fact("Old Perrin", "MEMBER_OF", "Saltguard", since=year(30))
    world.fact("Saltguard", "CONTROLS", "Low Quay", since=year(20), visibility="common")
    assert not any("controlled" in statement for statement in world.knows("Old Perrin", year(29)))
    assert any("controlled" in statement for statement in world.knows("Old Perrin", year(30)))


def test_nobody_is_in_a_group_that_is_not_yet_founded(world: Tides) -> None:
    world.fact("Old Perrin", "MEMBER_OF", "Saltguard")
    world.fact("Tobin Orrin", "FOUNDED", "Saltguard", at=year(40))
    world.fact("Mira Orrin", "POSSESSES", "Tide-Knife", visibility="common", known_to=["Saltguard"])
    assert world.knows("Old Perrin", year(39)) == []
    assert len(world.knows("Old Perrin", year(40))) == 2


def test_a_culture_is_a_group_too(world: Tides) -> None:
    world.types["Tidefolk"] = "culture"
    world.fact("Old Perrin", "BELONGS_TO", "Tidefolk")
    world.fact("House Orrin", "RULES", "Halden", since=year(25), visibility="common", known_to=["Tidefolk"])
    assert f"House Orrin ruled Halden from {year(25)}" in world.knows("Old Perrin", year(30))


def test_an_answer_names_each_known_thing_once_in_first_person(world: Tides) -> None:
    world.fact("Old Perrin", "MEMBER_OF", "Saltguard", since=year(30))
    world.fact("Saltguard", "ALLIED_WITH", "House Orrin", visibility="public")
    said = world.ask("Old Perrin", "Tell me of the Saltguard")
    assert said["answer"].count(".") - said["answer"].count("tide.year") == len(said["known"]) == 2
    assert "I was a member of Saltguard" in said["answer"]


def test_the_best_match_comes_first_and_the_rest_is_cut(world: Tides) -> None:
    world.entity("Old Perrin")
    for number in range(5):
        world.fact("House Orrin", "RULES", f"Isle {number}", since=year(20 + number), visibility="public")
    world.fact("Saltguard", "RULES", "Low Quay", since=year(30), visibility="public")
    said = world.ask("Old Perrin", "Does the Saltguard rule anything?", limit=2)
    assert [item["subject"]["name"] for item in said["known"]] == ["Saltguard", "House Orrin"]
    assert [item["object"]["name"] for item in said["known"]] == ["Low Quay", "Isle 0"]
