"""Passages: read by those who may, when they are written, and only if they give nothing away."""

import pytest

from recollect.memory import Memory
from tests.surfaces.lore_engine.npc_world import Tides, year


@pytest.fixture
def world(memory: Memory) -> Tides:
    return Tides(memory).begin()


def titles(world: Tides, npc: str, question: str, at: str | None = None) -> list[str]:
    return [item["title"] for item in world.ask(npc, question, at)["lore"]]


def test_a_public_text_is_read_once_it_is_written(world: Tides) -> None:
    world.entity("Old Perrin")
    world.book("Ballad", "The mole gave way in the night.", "public", world_time=year(50))
    assert titles(world, "Old Perrin", "What of the mole?", year(49)) == []
    [passage] = world.ask("Old Perrin", "What of the mole?", year(50))["lore"]
    assert passage["title"] == "Ballad"
    assert "The mole gave way" in passage["text"]


def test_a_text_without_a_time_of_writing_is_never_read(world: Tides) -> None:
    world.entity("Old Perrin")
    book = world.book("Ballad", "The mole gave way.", "public")
    world.fact("Saltguard", "CONTROLS", "Low Quay", document=book)
    assert titles(world, "Old Perrin", "mole") == []
    assert world.knows("Old Perrin") == ["Saltguard controlled Low Quay"]


def test_a_private_or_secret_text_is_not_read(world: Tides) -> None:
    world.entity("Old Perrin")
    world.book("a", "The mole gave way.", None, world_time=year(50))
    world.book("b", "The mole gave way.", "private", world_time=year(50))
    world.book("c", "The mole gave way.", "secret", world_time=year(50))
    assert titles(world, "Old Perrin", "mole") == []


def test_a_common_text_is_read_by_those_it_is_known_to(world: Tides) -> None:
    world.fact("Old Perrin", "MEMBER_OF", "Saltguard", since=year(30))
    world.entity("Sela Orrin")
    world.book("Orders", "Hold the mole.", "common", ["Saltguard"], year(50))
    world.book("Nobody's", "Hold the mole.", "common", [], year(50))
    assert titles(world, "Old Perrin", "mole") == ["Orders"]
    assert titles(world, "Sela Orrin", "mole") == []


def test_a_passage_that_gives_away_an_unknown_relation_is_withheld(world: Tides) -> None:
    world.entity("Old Perrin")
    text = "The mole stood.\n\n" + "Waves. " * 130 + "\n\nMira Orrin will hold the Tide-Knife by the mole."
    book = world.book("Ballad", text, "public", world_time=year(50))
    quote = "Mira Orrin will hold the Tide-Knife"
    world.fact("Mira Orrin", "POSSESSES", "Tide-Knife", since=year(70), document=book, quote=quote)
    texts = [item["text"] for item in world.ask("Old Perrin", "mole", year(60), limit=50)["lore"]]
    assert texts
    assert not any("Tide-Knife" in each for each in texts)
    texts = [item["text"] for item in world.ask("Old Perrin", "mole", year(70), limit=50)["lore"]]
    assert any("Tide-Knife" in each for each in texts)


def test_a_relation_without_a_place_in_the_text_counts_against_all_of_it(world: Tides) -> None:
    world.entity("Old Perrin")
    book = world.book("Ballad", "The mole stood.", "public", world_time=year(50))
    world.fact("Mira Orrin", "POSSESSES", "Tide-Knife", document=book, visibility="secret")
    assert titles(world, "Old Perrin", "mole") == []


def test_a_timeless_open_relation_withholds_nothing(world: Tides) -> None:
    world.entity("Old Perrin")
    book = world.book("Ballad", "The mole stood in Halden.", "public", world_time=year(50))
    world.fact("Low Quay", "PART_OF", "Halden", document=book, quote="in Halden")
    assert titles(world, "Old Perrin", "mole", year(55)) == ["Ballad"]
