"""Nobody knows what has not happened: the future, in every form in which it could slip out."""

import json

import pytest

from recollect.memory import Memory
from tests.surfaces.lore_engine.npc_world import NOTHING_KNOWN, Tides, year


@pytest.fixture
def world(memory: Memory) -> Tides:
    return Tides(memory).begin()


def test_a_public_fact_is_unknown_before_it_begins(world: Tides) -> None:
    world.entity("Old Perrin")
    world.fact("House Orrin", "RULES", "Halden", since=year(45), visibility="public")
    assert world.knows("Old Perrin", year(44)) == []
    assert world.knows("Old Perrin", year(45)) == [f"House Orrin ruled Halden from {year(45)}"]


def test_a_fact_of_a_year_is_unknown_inside_that_year(world: Tides) -> None:
    world.entity("Old Perrin")
    world.fact("House Orrin", "RULES", "Halden", since=year(45), visibility="public")
    assert world.knows("Old Perrin", f"{year(45)}.month_2") == []
    assert world.knows("Old Perrin", f"{year(45)}.month_12.day_31") != []


def test_an_uncertain_start_counts_at_its_latest(world: Tides) -> None:
    world.entity("Old Perrin")
    world.fact("House Orrin", "RULES", "Halden", since=f"[{year(40)}..{year(45)}]", visibility="public")
    assert world.knows("Old Perrin", year(44)) == []
    assert len(world.knows("Old Perrin", year(45))) == 1


def test_an_end_that_has_not_come_is_not_shown(world: Tides) -> None:
    world.entity("Old Perrin")
    world.fact("House Orrin", "RULES", "Halden", since=year(25), until=year(50), visibility="public")
    [known] = world.ask("Old Perrin", "Halden", year(49))["known"]
    assert known["valid_until"] is None
    for at in (year(49), f"{year(50)}.month_3"):
        said = world.ask("Old Perrin", "Halden", at)
        assert year(50) not in said["answer"] + json.dumps(said["known"])
    [known] = world.ask("Old Perrin", "Halden", year(50))["known"]
    assert known["valid_until"] == year(50)


def test_the_literal_of_an_event_does_not_tell_when_it_will_end(world: Tides) -> None:
    world.fact("Old Perrin", "PARTICIPATED_IN", "Drowning of Halden")
    literal = f"{year(45)} .. {year(47)}"
    world.fact("Drowning of Halden", "OCCURRED_DURING", literal=literal, since=year(45), until=year(47))
    said = world.ask("Old Perrin", "When did Halden drown?", year(46))
    assert [item["literal"] for item in said["known"] if item["relation"] == "OCCURRED_DURING"] == [year(45)]
    assert year(47) not in json.dumps(said)
    later = world.ask("Old Perrin", "When did Halden drown?", year(47))
    assert literal in [item["literal"] for item in later["known"]]


def test_an_unborn_child_is_nobody(world: Tides) -> None:
    world.entity("Old Perrin")
    world.fact("Mira Orrin", "PARENT_OF", "Sela Orrin", visibility="public")
    world.fact("Sela Orrin", "BORN", at=year(50))
    assert world.knows("Old Perrin", year(49)) == []
    assert "Sela" not in json.dumps(world.ask("Old Perrin", "Who is Sela Orrin?", year(49)))
    assert world.knows("Old Perrin", year(50)) == ["Mira Orrin was a parent of Sela Orrin"]


def test_a_birth_kept_as_a_property_hides_the_unborn_too(world: Tides) -> None:
    world.entity("Old Perrin")
    world.entity("Sela Orrin", born=year(50))
    world.fact("Mira Orrin", "PARENT_OF", "Sela Orrin", visibility="public")
    assert world.knows("Old Perrin", year(49)) == []
    assert len(world.knows("Old Perrin", year(50))) == 1


def test_a_house_not_yet_founded_is_unknown(world: Tides) -> None:
    world.entity("Old Perrin")
    world.fact("House Orrin", "ALLIED_WITH", "Saltguard", visibility="public")
    world.fact("Tobin Orrin", "FOUNDED", "House Orrin", at=year(20))
    assert world.knows("Old Perrin", year(19)) == []
    assert world.knows("Old Perrin", year(20)) == ["House Orrin was allied with Saltguard"]


def test_a_battle_not_yet_fought_is_unknown_even_to_those_who_will_fight(world: Tides) -> None:
    world.fact("Old Perrin", "PARTICIPATED_IN", "Breaking of the Mole")
    world.happened("Breaking of the Mole", year(45), "Halden")
    assert world.knows("Old Perrin", year(44)) == []
    assert len(world.knows("Old Perrin", year(45))) == 3


def test_an_undated_event_has_happened_only_now(world: Tides) -> None:
    world.fact("Old Perrin", "WITNESSED", "Quiet Council")
    world.fact("Quiet Council", "OCCURRED_AT", "Halden")
    assert world.knows("Old Perrin", year(80)) == []
    assert len(world.knows("Old Perrin")) == 2
    assert world.knows("Old Perrin", "current") == world.knows("Old Perrin")


def test_a_document_not_yet_written_tells_nothing(world: Tides) -> None:
    world.entity("Old Perrin")
    book = world.book("harbour-rolls", "House Orrin ruled Halden.", "public", world_time=year(60))
    world.fact("House Orrin", "RULES", "Halden", since=year(25), document=book, quote="House Orrin ruled Halden.")
    before = world.ask("Old Perrin", "Who ruled Halden?", year(59))
    assert (before["known"], before["lore"]) == ([], [])
    after = world.ask("Old Perrin", "Who ruled Halden?", year(60))
    assert [item["learned_at"] for item in after["known"]] == [year(60)]
    assert [item["title"] for item in after["lore"]] == ["harbour-rolls"]


def test_the_unborn_know_nothing_and_the_dead_keep_what_they_knew(world: Tides) -> None:
    world.fact("Old Perrin", "BORN", at=year(10))
    world.fact("Old Perrin", "DIED", at=year(60))
    world.fact("House Orrin", "RULES", "Halden", since=year(5), visibility="public")
    world.fact("Saltguard", "RULES", "Low Quay", since=year(61), visibility="public")
    assert world.knows("Old Perrin", year(9)) == []
    dead = world.knows("Old Perrin", year(80))
    assert f"House Orrin ruled Halden from {year(5)}" in dead
    assert not any("Saltguard" in statement for statement in dead)


def test_what_begins_in_the_year_of_a_death_after_it_is_not_known(world: Tides) -> None:
    world.fact("Old Perrin", "BORN", at=year(10))
    world.fact("Old Perrin", "DIED", at=f"{year(60)}.month_2")
    world.fact("Saltguard", "RULES", "Low Quay", since=year(60), visibility="public")
    assert not any("Saltguard" in statement for statement in world.knows("Old Perrin", year(80)))


def test_a_superseded_or_retracted_fact_is_not_known_and_as_of_still_knows_it(world: Tides) -> None:
    world.entity("Old Perrin")
    world.fact("House Orrin", "RULES", "Halden", since=year(25), visibility="public")
    with world.memory.read() as view:
        before = view.last_tx
    world.fact("Saltguard", "RULES", "Low Quay", since=year(30), visibility="public")
    assert len(world.knows("Old Perrin")) == 2
    assert world.knows("Old Perrin", as_of=before) == [f"House Orrin ruled Halden from {year(25)}"]


def test_asking_about_the_future_and_about_nothing_gets_the_same_answer(world: Tides) -> None:
    world.fact("Old Perrin", "LOCATED_IN", "Halden", since=year(30))
    world.fact("House Orrin", "RULES", "Low Quay", since=year(70), visibility="public")
    future = world.ask("Old Perrin", "Who rules Low Quay?", year(40))
    nonsense = world.ask("Old Perrin", "Who rules Xyzzy?", year(40))
    assert future == nonsense
    assert future["answer"] == NOTHING_KNOWN
