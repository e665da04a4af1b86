"""Encounters: who met, and who knows what from then on."""

from typing import Any

import pytest

from recollect.memory import Memory
from tests.surfaces.lore_engine.telling_tools import Builder, Json, year


@pytest.fixture
def world(memory: Memory) -> Builder:
    return Builder(memory).tides()


SUPPER: Json = {
    "participants": ["Old Perrin", "Sela Orrin"],
    "content": "Perrin told Sela about the mole over supper.",
    "at_time": year(58),
    "location": "Halden",
}


def told(world: Builder, npc: str, at: int) -> list[dict[str, Any]]:
    said = world.do("query_as_npc", npc=npc, query="anything", at_time=year(at), all=True)
    return [each for each in said["known"] if each["how"] == "told"]


def test_an_encounter_is_written_once(world: Builder) -> None:
    first = world.do("log_encounter", **SUPPER, witnesses=["The Cook"])
    assert first["title"] == f"Encounter: Old Perrin, Sela Orrin ({year(58)})"
    assert [each["name"] for each in first["created_entities"]] == ["Old Perrin", "Sela Orrin", "The Cook", "Halden"]
    assert [each["type"] for each in first["created_entities"]] == ["Person", "Person", "Person", "Location"]
    assert (len(first["relations"]), first["created"]) == (3, True)
    again = world.do("log_encounter", **{**SUPPER, "participants": ["sela orrin", "Old Perrin"]})
    same = ("encounter_id", "document_id", "relations", "tx", "title")
    assert {key: again[key] for key in same} == {key: first[key] for key in same}
    assert (again["created"], again["created_entities"]) == (False, [])
    other = world.do("log_encounter", **{**SUPPER, "content": "They did not speak."})
    assert (other["title"], other["created"]) == (first["title"], True)
    assert other["encounter_id"] != first["encounter_id"]


def test_an_encounter_says_nothing_of_where_people_are(world: Builder) -> None:
    met = world.do("log_encounter", **SUPPER)
    context = world.do("entity_context", name="Sela Orrin", at_time=year(58))
    assert context["locations"] == []
    assert [each["relation"] for each in context["relations"]] == ["WITNESSED"]
    event = world.do("expand_context", entity=met["encounter_id"], hops=1, all_times=True)
    assert {each["relation"] for each in event["relations"]} == {"WITNESSED", "OCCURRED_AT"}


def test_what_was_told_is_known_to_those_who_heard_it(world: Builder) -> None:
    world.relate("Breaking", "OCCURRED_DURING", year(45))
    fact = world.relate("Mira Orrin", "PARTICIPATED_IN", "Breaking", at=year(45))
    met = world.do(
        "log_encounter",
        **{**SUPPER, "participants": ["Old Perrin", "Sela Orrin", "Tobin"]},
        shared=[{"relation_id": fact["id"], "by": "Old Perrin", "heard_by": ["Sela Orrin"]}],
    )
    [shared] = met["shared"]
    assert shared == {
        "relation_id": fact["id"],
        "created": False,
        "by": "Old Perrin",
        "heard_by": ["Old Perrin", "Sela Orrin"],
    }
    [known] = told(world, "Sela Orrin", 58)
    assert (known["relation_id"], known["told_by"], known["learned_at"]) == (fact["id"], "Old Perrin", year(58))
    assert told(world, "Sela Orrin", 57) == []
    assert told(world, "Tobin", 60) == []
    assert world.relate("Mira Orrin", "PARTICIPATED_IN", "Breaking", at=year(45))["confidence"] == 1.0


def test_a_triple_that_is_new_rests_on_the_encounter(world: Builder) -> None:
    met = world.do(
        "log_encounter",
        **SUPPER,
        shared=[{"from": "Mira", "relation": "OWNS", "to": "Knife", "valid_from": year(44)}],
    )
    [shared] = met["shared"]
    assert (shared["created"], shared["by"], shared["heard_by"]) == (True, None, ["Old Perrin", "Sela Orrin"])
    said = world.do("was_true_at", subject="Mira", relation="POSSESSES", object="Knife", at_time=year(50))
    assert (said["was_true"], said["confidence"], said["sources"]) == (True, 0.4, [met["title"]])
    again = world.do(
        "log_encounter",
        **{**SUPPER, "at_time": year(59)},
        shared=[{"from": "Knife", "relation": "OWNED_BY", "to": "Mira"}],
    )
    assert (again["shared"][0]["relation_id"], again["shared"][0]["created"]) == (shared["relation_id"], False)


def test_notes_stay_private(world: Builder) -> None:
    met = world.do("log_encounter", **SUPPER, private_notes="Perrin lied about the worm.")
    assert "worm" not in str(world.do("semantic_search", query="worm"))
    assert "worm" not in str(world.do("query_as_npc", npc="Sela Orrin", query="worm", all=True))
    with world.memory.read() as view:
        [row] = view.rows("documents_titled", title=met["title"], kind="encounter")
        document = view.documents([row[0]])[row[0]]
    assert document.properties["private_notes"] == "Perrin lied about the worm."


def test_a_merge_carries_over_what_was_heard(world: Builder) -> None:
    world.relate("Breaking", "OCCURRED_DURING", year(45))
    fact = world.relate("Mira Orrin", "PARTICIPATED_IN", "Breaking", at=year(45))
    world.do("log_encounter", **SUPPER, shared=[{"relation_id": fact["id"], "by": "Old Perrin"}])
    world.do("add_entity", label="Person", name="Sela of Halden")
    world.do("merge_entities", id_a="Sela of Halden", id_b="Sela Orrin")
    [known] = told(world, "Sela of Halden", 60)
    assert known["relation_id"] == fact["id"]
    assert world.do("log_encounter", **SUPPER)["created"] is False


@pytest.mark.parametrize(
    ("changed", "error", "field"),
    [
        ({"participants": []}, "BAD_INPUT", "participants"),
        ({"content": " "}, "BAD_INPUT", "content"),
        ({"at_time": "third_age"}, "UNKNOWN_ERA", "at_time"),
        ({"shared": [{"relation_id": "fact_01KS2D7V80EG4VAVBBMQXPTMPY"}]}, "NOT_FOUND", "shared.relation_id"),
        ({"shared": [{"relation": "RULES"}]}, "BAD_INPUT", "shared"),
        ({"shared": [{"from": "A", "relation": "RULES", "to": "B", "by": "Tobin"}]}, "BAD_INPUT", "shared.by"),
        (
            {"shared": [{"from": "A", "relation": "RULES", "to": "B", "heard_by": ["Tobin"]}]},
            "BAD_INPUT",
            "shared.heard_by",
        ),
        ({"participants": ["X"] * 51}, "BAD_INPUT", "participants"),
    ],
)
def test_a_bad_encounter_leaves_no_trace(world: Builder, changed: Json, error: str, field: str) -> None:
    failure = world.fail("log_encounter", **{**SUPPER, **changed})
    assert (failure["error"], failure["field"]) == (error, field)


def test_a_world_without_a_now_needs_a_time(memory: Memory) -> None:
    world = Builder(memory)
    world.do("define_era", name="Second Tide", start=501, end=None)
    arguments = {key: value for key, value in SUPPER.items() if key != "at_time"}
    assert world.fail("log_encounter", **arguments)["error"] == "NO_CURRENT_TIME"
    world.do("define_date", slug="current", label="Now", era="second_tide", year=80)
    assert world.do("log_encounter", **arguments)["at_time"] == year(80)


def test_older_names_of_the_content_are_taken(world: Builder) -> None:
    assert world.do("log_encounter", participants=["A"], summary="x")["created"] is True
    assert world.do("log_encounter", participants=["A"], text="x")["created"] is False
    assert world.fail("log_encounter", participants=["A"], text="x", content="x")["error"] == "BAD_INPUT"


def test_an_encounter_takes_place_in_a_place(world: Builder) -> None:
    world.do("add_entity", label="Person", name="Mira Orrin")
    world.do("add_entity", label="Plane", name="The Deep")
    refused = world.fail("log_encounter", **{**SUPPER, "location": "Mira Orrin"})
    assert (refused["error"], refused["field"], refused["found"]) == ("WRONG_TYPE", "location", "Person")
    assert world.do("log_encounter", **{**SUPPER, "location": "The Deep"})["location"]["type"] == "Plane"


def test_the_participants_of_an_encounter_are_those_who_met(world: Builder) -> None:
    world.do("log_encounter", **SUPPER, witnesses=["The Cook"])
    [met] = world.do("events_during", era="second_tide", type="Encounter")
    assert met["participants"] == ["Old Perrin", "Sela Orrin"]


def test_a_dialogue_counts_its_encounter_as_new_once(world: Builder) -> None:
    said = {"title": "supper", "source_type": "dialogue", "content": "Perrin: The mole is gone.\nSela: I know."}
    first = world.do("add_lore_source", **said)
    assert (first["entities_created"], first["entities_matched"]) == (3, 0)
    again = world.do("add_lore_source", **{**said, "content": f"{said['content']}\nPerrin: Good."})
    assert (again["entities_created"], again["entities_matched"]) == (0, 3)
