"""Knowledge as the tools of this surface write it: encounters, sources, merges, deletions, retcons."""

import json
from typing import Any

import pytest

from recollect.memory import Memory
from tests.support.facts import tell
from tests.surfaces.lore_engine.npc_world import Tides, year


@pytest.fixture
def world(memory: Memory) -> Tides:
    world = Tides(memory).begin()
    for name in ("Old Perrin", "Sela Orrin", "Mira Orrin", "Tobin Orrin"):
        do(world, "add_entity", label="Person", name=name)
    return world


def do(world: Tides, tool: str, **arguments: Any) -> Any:
    answer = world.answer(tool, **{key.rstrip("_"): value for key, value in arguments.items()})
    assert not answer.is_error, answer.structured
    return answer.structured


def test_a_fact_shared_at_an_encounter_is_known_to_its_hearers_alone(world: Tides) -> None:
    met = do(
        world,
        "log_encounter",
        participants=["Old Perrin", "Sela Orrin"],
        witnesses=["Tobin Orrin"],
        content="They spoke of a knife.",
        at_time=year(58),
        title="Supper",
        private_notes="Perrin lies.",
        shared=[
            {
                "from": "Mira Orrin",
                "relation": "POSSESSES",
                "to": "Tide-Knife",
                "by": "Old Perrin",
                "heard_by": ["Sela Orrin"],
            }
        ],
    )
    [shared] = met["shared"]
    for hearer in ("Old Perrin", "Sela Orrin"):
        [known] = world.ask(hearer, "Tide-Knife", year(58))["known"]
        assert (known["relation_id"], known["how"]) == (shared["relation_id"], "told")
        assert world.ask(hearer, "Tide-Knife", year(57))["known"] == []
    for other in ("Tobin Orrin", "Mira Orrin"):
        kept = world.ask(other, "Tide-Knife", year(58))["known"]
        assert [item["how"] for item in kept] == (["self"] if other == "Mira Orrin" else [])
    assert [item["title"] for item in world.ask("Tobin Orrin", "knife")["encounters"]] == ["Supper"]
    assert "lies" not in json.dumps(world.ask("Sela Orrin", "Perrin lies", all=True))


def test_telling_an_existing_secret_by_its_id(world: Tides) -> None:
    secret = do(world, "add_relation", from_="Mira Orrin", relation="SERVES", to="Tobin Orrin", visibility="secret")
    do(
        world,
        "log_encounter",
        participants=["Mira Orrin", "Sela Orrin"],
        content="A whisper.",
        at_time=year(50),
        shared=[{"relation_id": secret["id"], "by": "Mira Orrin"}],
    )
    assert any("served Tobin" in known for known in world.knows("Sela Orrin", year(50)))
    assert not any("served Tobin" in known for known in world.knows("Old Perrin", year(50)))
    assert not any("served Tobin" in known for known in world.knows("Tobin Orrin", year(50)))


def test_what_a_dialogue_says_is_known_to_those_who_heard_it(world: Tides) -> None:
    do(world, "add_entity", label="House", name="House Orrin")
    do(world, "add_entity", label="Castle", name="Halden")
    do(
        world,
        "add_lore_source",
        title="On the quay",
        source_type="dialogue",
        content=f"---\nat_time: {year(50)}\nwitnesses: [Tobin Orrin]\n---\n"
        "Old Perrin: They say House Orrin ruled Halden.\nSela Orrin: They say much.",
    )
    for present in ("Old Perrin", "Sela Orrin", "Tobin Orrin"):
        said = world.ask(present, "quay", year(50))
        assert [item["title"] for item in said["encounters"]] == ["On the quay"]
    assert world.ask("Mira Orrin", "quay", year(50))["encounters"] == []


def test_a_public_book_is_read_and_its_facts_are_known(world: Tides) -> None:
    do(
        world,
        "add_lore_source",
        title="harbour-rolls",
        source_type="prose",
        visibility="public",
        world_time=year(60),
        content="---\nrelations:\n"
        f"  - {{from: House Orrin, relation: RULES, to: Halden, valid_from: {year(25)}}}\n"
        f"  - {{from: Mira Orrin, relation: POSSESSES, to: Tide-Knife, visibility: secret}}\n"
        "---\nThe mole gave way.",
    )
    assert world.knows("Old Perrin", year(59)) == []
    said = world.ask("Old Perrin", "mole Halden", year(60))
    assert [item["statement"] for item in said["known"]] == [f"House Orrin ruled Halden from {year(25)}"]
    assert said["lore"] == []


def test_a_retcon_a_deletion_and_a_merge_change_what_is_known(world: Tides) -> None:
    old = do(
        world,
        "add_relation",
        from_="House Orrin",
        relation="RULES",
        to="Halden",
        valid_from=year(25),
        visibility="public",
    )
    new = do(
        world,
        "add_relation",
        from_="House Orrin",
        relation="RULES",
        to="Halden",
        valid_from=year(30),
        visibility="public",
        supersedes=old["id"],
    )
    assert world.knows("Old Perrin") == [f"House Orrin ruled Halden from {year(30)}"]
    assert world.knows("Old Perrin", as_of=old["tx"]) == [f"House Orrin ruled Halden from {year(25)}"]
    for wrong in (new, old):
        do(world, "delete_node", id=wrong["id"], reason="wrong")
    assert world.knows("Old Perrin") == []
    do(world, "add_relation", from_="Perrin the Netmaker", relation="MEMBER_OF", to="Saltguard")
    do(world, "merge_entities", id_a="Old Perrin", id_b="Perrin the Netmaker", force=True)
    assert world.knows("Old Perrin") == ["Old Perrin was a member of Saltguard"]


def test_somebody_merged_keeps_what_both_were_told(world: Tides) -> None:
    do(world, "add_entity", label="Person", name="The Grey Lady")
    secret = do(world, "add_relation", from_="Mira Orrin", relation="SERVES", to="Tobin Orrin", visibility="secret")
    shared = [{"relation_id": secret["id"]}]
    do(
        world,
        "log_encounter",
        participants=["The Grey Lady"],
        content="Alone with a letter.",
        at_time=year(50),
        shared=shared,
    )
    assert not any("served" in known for known in world.knows("Sela Orrin"))
    do(world, "merge_entities", id_a="Sela Orrin", id_b="The Grey Lady")
    assert any("served Tobin" in known for known in world.knows("Sela Orrin"))


def test_real_dates_are_as_strict(memory: Memory) -> None:
    world = Tides(memory)
    do(world, "add_entity", label="Person", name="Ada")
    do(
        world,
        "add_relation",
        from_="Charles",
        relation="FOUNDED",
        to="The Society",
        at="1848",
        visibility="public",
    )
    assert world.knows("Ada", "1847") == []
    assert world.knows("Ada", "1848-02") == []
    assert world.knows("Ada", "1848") == ["Charles founded The Society in 1848"]
    assert len(world.ask("Ada", "What happened in 1848?", "1850")["known"]) == 1
    assert world.ask("Ada", "What happened in 1849?", "1850")["known"] == []


def test_a_bundle_says_who_may_know(world: Tides) -> None:
    record: dict[str, Any] = {
        "id": "r1",
        "title": "Rolls",
        "content": "The mole gave way.",
        "source_at": "2026-05-01T00:00:00Z",
    }
    rules = {"from": "House Orrin", "to": "Halden", "predicate": "rules", "valid_from": year(25)}
    knife = {"from": "Mira Orrin", "to": "Tide-Knife", "predicate": "possesses"}
    tell(world.memory, rules, **record, visibility="public", world_time=year(60))
    tell(world.memory, {**knife, "visibility": "common", "known_to": ["Old Perrin"]})
    assert world.knows("Old Perrin", year(59)) == ["Mira Orrin possessed Tide-Knife"]
    said = world.ask("Old Perrin", "the mole at Halden", year(60))
    assert [item["statement"] for item in said["known"]] == [f"House Orrin ruled Halden from {year(25)}"]
    assert [item["text"] for item in said["lore"]] == ["The mole gave way."]
    assert not any("Knife" in known for known in world.knows("Sela Orrin"))
