"""What was said: known to those who heard it, from then on, and to nobody else."""

import json

import pytest

from recollect.memory import Memory
from tests.surfaces.lore_engine.npc_world import Tides, year


@pytest.fixture
def world(memory: Memory) -> Tides:
    return Tides(memory).begin()


def test_a_thing_told_is_known_to_the_hearers_from_then_on(world: Tides) -> None:
    knife = world.fact("Mira Orrin", "POSSESSES", "Tide-Knife", since=year(40), visibility="secret")
    world.entity("Tobin Orrin")
    world.meeting(
        "Supper at the quay",
        year(58),
        ["Old Perrin", "Sela Orrin", "The Grey Mask"],
        "Perrin and Sela talked over eels.",
        told=[(knife, "Old Perrin", ["Old Perrin", "Sela Orrin"])],
    )
    assert not any("Knife" in known for known in world.knows("Sela Orrin", year(57)))
    [told] = world.ask("Sela Orrin", "Who has the Tide-Knife?", year(58))["known"]
    assert {key: told[key] for key in ("how", "learned_at", "via", "told_by", "belief")} == {
        "how": "told",
        "learned_at": year(58),
        "via": "Supper at the quay",
        "told_by": "Old Perrin",
        "belief": 0.6,
    }
    for outsider in ("The Grey Mask", "Tobin Orrin"):
        assert "Knife" not in json.dumps(world.ask(outsider, "Who has the Tide-Knife?", all=True, limit=100))


def test_an_end_after_the_telling_is_not_known_by_it(world: Tides) -> None:
    knife = world.fact("Mira Orrin", "POSSESSES", "Tide-Knife", since=year(40), until=year(60))
    world.meeting("Supper", year(58), ["Sela Orrin"], "Eels.", told=[(knife, None, ["Sela Orrin"])])
    [told] = world.ask("Sela Orrin", "Tide-Knife")["known"]
    assert (told["valid_until"], told["told_by"]) == (None, None)


def test_a_thing_told_that_has_not_begun_is_not_known(world: Tides) -> None:
    crown = world.fact("Mira Orrin", "RULES", "Halden", since=year(70))
    world.meeting("Supper", year(58), ["Sela Orrin"], "A prophecy.", told=[(crown, None, ["Sela Orrin"])])
    assert not any("Halden" in known for known in world.knows("Sela Orrin", year(60)))
    assert any("Halden" in known for known in world.knows("Sela Orrin", year(70)))


def test_what_was_read_from_the_text_of_a_meeting_is_known_to_all_present(world: Tides) -> None:
    text = "Mira said: House Orrin ruled Low Quay."
    document = world.meeting("Supper", year(58), ["Sela Orrin"], text)
    world.fact("House Orrin", "RULES", "Low Quay", document=document, quote="House Orrin ruled Low Quay")
    world.fact("Tobin Orrin", "RULES", "Low Quay", document=document)
    said = world.ask("Sela Orrin", "Who ruled Low Quay?")
    assert [item["statement"] for item in said["known"]] == ["House Orrin ruled Low Quay"]
    assert [item["how"] for item in said["known"]] == ["told"]


def test_a_shared_fact_is_known_by_its_telling_alone(world: Tides) -> None:
    knife = world.fact("Mira Orrin", "POSSESSES", "Tide-Knife")
    text = "Mira Orrin possesses the Tide-Knife, he whispered."
    document = world.meeting(
        "Supper", year(58), ["Sela Orrin", "Tobin Orrin"], text, told=[(knife, None, ["Sela Orrin"])]
    )
    world.fact("Mira Orrin", "POSSESSES", "Tide-Knife", document=document, quote="Mira Orrin possesses the Tide-Knife")
    assert any("Knife" in known for known in world.knows("Sela Orrin"))
    assert not any("Knife" in known for known in world.knows("Tobin Orrin"))


def test_a_meeting_is_remembered_by_those_present_and_says_nothing_of_who_else_was(world: Tides) -> None:
    world.meeting("Supper", year(58), ["Sela Orrin", "Tobin Orrin"], "They ate eels.", place="Low Quay")
    assert world.ask("Sela Orrin", "Did you eat eels?", year(57))["encounters"] == []
    said = world.ask("Sela Orrin", "Did you eat eels?", year(58))
    [met] = said["encounters"]
    assert (met["title"], met["at_time"], met["location"]["name"]) == ("Supper", year(58), "Low Quay")
    assert (met["text"], said["known"]) == ("They ate eels.", [])
    assert "Tobin" not in json.dumps(world.ask("Sela Orrin", "x", all=True, limit=100))
    world.entity("Mira Orrin")
    assert world.ask("Mira Orrin", "Did you eat eels?")["encounters"] == []


def test_a_meeting_of_a_year_is_not_over_inside_that_year(world: Tides) -> None:
    world.meeting("Supper", year(58), ["Sela Orrin"], "They ate eels.")
    assert world.ask("Sela Orrin", "eels", f"{year(58)}.month_3")["encounters"] == []
