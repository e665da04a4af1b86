"""Entities made by hand: created, confirmed, renamed, merged."""

import pytest

from recollect.memory import Memory
from tests.surfaces.lore_engine.telling_tools import Builder, year


@pytest.fixture
def world(memory: Memory) -> Builder:
    return Builder(memory).tides()


def test_the_same_label_and_name_is_the_same_entity(world: Builder) -> None:
    first = world.do("add_entity", label="Castle", name="Halden", properties={"founded": "5 ST", "walls": 2})
    assert (first["type"], first["subtype"], first["created"], first["confirmed"]) == (
        "Location",
        "castle",
        True,
        False,
    )
    assert first["properties"] == {"founded": year(5), "subtype": "castle", "walls": 2}
    again = world.do("add_entity", label="castle", name=" halden ", properties={"founded": year(5), "walls": 2})
    assert (again["id"], again["created"], again["tx"]) == (first["id"], False, first["tx"])
    changed = world.do("add_entity", type="Location", name="Halden", properties={"walls": None, "gates": 1})
    assert changed["properties"] == {"founded": year(5), "subtype": "castle", "gates": 1}


def test_another_disambiguator_makes_a_second_entity(world: Builder) -> None:
    first = world.do("add_entity", label="Person", name="Tobin")
    second = world.do("add_entity", label="Person", name="Tobin", properties={"disambiguator": "the younger"})
    assert first["id"] != second["id"]
    same = world.do("add_entity", label="Person", name="Tobin", properties={"disambiguator": "the younger"})
    assert (same["id"], same["created"]) == (second["id"], False)
    assert world.fail("add_entity", label="Person", name="Tobin")["error"] == "AMBIGUOUS_NAME"


def test_a_provisional_entity_is_confirmed(world: Builder) -> None:
    brought = world.relate("Perrin", "WITNESSED", "Breaking")
    confirmed = world.do("add_entity", label="Person", name="Perrin", aliases=["the Netmaker"])
    assert confirmed["id"] == brought["from"]["id"]
    assert (confirmed["created"], confirmed["confirmed"], confirmed["aliases"]) == (False, True, ["the Netmaker"])
    assert world.do("get_unresolved", type="Person") == []
    rumour = world.do("add_entity", label="Deity", name="Undertow", provisional=True)
    assert [each["id"] for each in world.do("get_unresolved", type="Deity")] == [rumour["id"]]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"label": "Era", "name": "X"}, "BAD_INPUT"),
        ({"label": "Lore Source", "name": "X"}, "BAD_INPUT"),
        ({"label": "Person", "name": "  "}, "BAD_INPUT"),
        ({"label": "Person", "name": "x" * 201}, "BAD_INPUT"),
        ({"label": "Person", "name": "X", "properties": {"born": "sometime"}}, "UNKNOWN_ERA"),
        ({"label": "Person", "name": "X", "properties": {"born": "1848"}}, "TIMELINE_FIXED"),
        ({"label": "Person", "name": "X", "properties": {"born": [1]}}, "BAD_INPUT"),
        ({"label": "Person", "name": "X", "properties": {str(n): n for n in range(65)}}, "BAD_INPUT"),
        ({"label": "Person", "name": "X", "properties": {"a": "x" * 17000}}, "BAD_INPUT"),
        ({"label": "Person", "name": "X", "aliases": ["Halden"]}, "ALIAS_CONFLICT"),
        ({"label": "Person"}, "BAD_INPUT"),
    ],
)
def test_a_bad_entity_is_refused(world: Builder, arguments: dict[str, object], error: str) -> None:
    world.do("add_entity", label="Castle", name="Halden")
    assert world.fail("add_entity", **arguments)["error"] == error


def test_a_reserved_label_names_the_right_tool(world: Builder) -> None:
    assert world.fail("add_entity", label="Relation", name="X")["hint"] == "use add_relation"


def test_an_alias_is_added_once_and_removed(world: Builder) -> None:
    guard = world.do("add_entity", label="Order", name="Saltguard")
    first = world.do("set_alias", entity_id=guard["id"], alias="the Guard")
    assert (first["added"], first["aliases"]) == (True, ["the Guard"])
    again = world.do("set_alias", entity_id="Saltguard", alias="THE GUARD")
    assert (again["added"], again["tx"]) == (False, first["tx"])
    assert world.do("set_alias", entity_id="saltguard", alias="Saltguard")["added"] is False
    gone = world.do("set_alias", entity_id="the guard", alias="The Guard", remove=True)
    assert (gone["removed"], gone["aliases"]) == (True, [])
    assert world.do("set_alias", entity_id="Saltguard", alias="The Guard", remove=True)["removed"] is False
    assert world.fail("set_alias", entity_id="Saltgard", alias="x")["error"] == "ENTITY_NOT_FOUND"


def test_an_alias_of_another_needs_consent(world: Builder) -> None:
    one = world.do("add_entity", label="Order", name="Saltguard", aliases=["the Guard"])
    world.do("add_entity", label="Order", name="Tideguard")
    failure = world.fail("set_alias", entity_id="Tideguard", alias="the guard")
    assert (failure["error"], [each["id"] for each in failure["candidates"]]) == ("ALIAS_CONFLICT", [one["id"]])
    assert world.do("set_alias", entity_id="Tideguard", alias="the guard", allow_ambiguous=True)["added"] is True
    assert world.fail("entity_context", name="the guard")["error"] == "AMBIGUOUS_NAME"


def test_a_merge_keeps_the_first_and_moves_everything(world: Builder) -> None:
    stays = world.do("add_entity", label="Person", name="Old Perrin", properties={"trade": "nets", "age": 3})
    goes = world.do("add_entity", label="Person", name="Perrin the Netmaker", properties={"trade": "rope", "eyes": 2})
    moved = world.relate("Perrin the Netmaker", "LOCATED_IN", "Halden", valid_from=year(30))
    world.relate("Perrin the Netmaker", "WITNESSED", "Breaking")
    world.relate("Old Perrin", "WITNESSED", "Breaking")
    world.relate("Old Perrin", "ENEMY_OF", "Perrin the Netmaker")
    said = world.do("merge_entities", id_a=stays["id"], id_b="Perrin the Netmaker")
    assert said["survivor"]["aliases"] == ["Perrin the Netmaker"]
    assert said["survivor"]["properties"] == {"trade": "nets", "age": 3, "eyes": 2}
    assert said["property_conflicts"] == [{"key": "trade", "kept": "nets", "dropped": "rope"}]
    counts = (said["moved_relations"], said["joined_relations"], said["retracted_relations"])
    assert (said["merged_id"], said["merged"], counts) == (goes["id"], True, (1, 1, 1))
    again = world.do("merge_entities", id_a=stays["id"], id_b=goes["id"])
    assert (again["merged"], again["merged_id"], again["tx"]) == (False, goes["id"], said["tx"])
    assert world.do("lookup", query=goes["id"])[0]["id"] == stays["id"]
    was = world.do("was_true_at", subject=goes["id"], relation="LOCATED_IN", object="Halden", at_time=year(31))
    assert was["was_true"] is True
    seen = world.call("get_facts", {"entity": "Perrin the Netmaker", "include_stale": True}, "pearscarf").structured
    assert moved["to"]["name"] in str(seen)


def test_periods_that_disagree_stay_apart_in_a_merge(world: Builder) -> None:
    world.relate("Orrin", "RULES", "Halden", valid_from=year(1), valid_until=year(10), from_type="House")
    world.relate("Orin", "RULES", "Halden", valid_from=year(5), valid_until=year(20), from_type="House")
    said = world.do("merge_entities", id_a="Orrin", id_b="Orin")
    assert (said["moved_relations"], said["joined_relations"]) == (1, 0)


def test_what_cannot_be_merged(world: Builder) -> None:
    world.do("add_entity", label="Person", name="Mira")
    world.do("add_entity", label="Castle", name="Halden")
    world.relate("Mira", "ENEMY_OF", "Thing")
    assert world.fail("merge_entities", id_a="Mira", id_b="mira")["error"] == "BAD_INPUT"
    assert world.fail("merge_entities", id_a="Mira", id_b="Nobody")["error"] == "ENTITY_NOT_FOUND"
    assert world.fail("merge_entities", id_a="Mira", id_b="Halden")["error"] == "WRONG_TYPE"
    assert world.do("merge_entities", id_a="Mira", id_b="Thing")["merged"] is True
    assert world.do("merge_entities", id_a="Mira", id_b="Halden", force=True)["merged"] is True
