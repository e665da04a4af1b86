"""Relations stated by hand: their names and ends, disputes, retcons, and what is refused."""

import pytest

from recollect.memory import Memory
from tests.support.facts import take_line
from tests.surfaces.lore_engine.telling_tools import Builder, year


@pytest.fixture
def world(memory: Memory) -> Builder:
    return Builder(memory).tides()


def test_a_reversed_name_is_the_same_relation(world: Builder) -> None:
    world.do("add_entity", label="Castle", name="Halden")
    first = world.relate("Halden", "RULED_BY", "House Orrin", valid_from=year(25))
    again = world.relate("House Orrin", "ruled over", "Halden", valid_from=year(25))
    assert (first["relation"], first["from"]["name"], first["to"]["name"]) == ("RULES", "House Orrin", "Halden")
    assert first["sources"] == ["tool:lore-engine.add_relation by local"]
    assert [each["name"] for each in first["created_entities"]] == ["House Orrin"]
    assert (first["created"], again["created"], again["id"]) == (True, False, first["id"])
    assert again["tx"] == first["tx"]


def test_an_unknown_end_has_the_only_type_that_the_relation_allows(world: Builder) -> None:
    said = world.relate("Mira", "HOLDS_TITLE", "Harbour Lady")
    assert (said["from"]["type"], said["to"]["type"]) == ("Person", "Title")
    said = world.relate("Orrin", "ALLIED_WITH", "Salt")
    assert (said["from"]["type"], said["to"]["type"]) == ("Unknown", "Unknown")
    said = world.relate("Tern Rock", "PART_OF", "The Reach", from_type="Castle")
    assert (said["from"]["type"], said["from"]["subtype"], said["to"]["type"]) == ("Location", "castle", "Location")
    typed = world.do("add_entity", label="Deity", name="Mira")
    assert (typed["created"], typed["confirmed"], typed["type"]) == (False, True, "Deity")


def test_the_end_given_later_ends_the_relation(world: Builder) -> None:
    first = world.relate("Orrin", "RULES", "Halden", valid_from=year(25))
    ended = world.relate("Orrin", "RULES", "Halden", valid_until=year(53))
    assert (ended["id"], ended["valid_from"], ended["valid_until"]) == (first["id"], year(25), year(53))
    finer = world.relate("Orrin", "RULES", "Halden", valid_from=f"{year(25)}.month_3")
    assert (finer["id"], finer["valid_from"]) == (first["id"], f"{year(25)}.month_3")
    later = world.relate("Orrin", "RULES", "Halden", valid_from=year(60))
    assert later["id"] != first["id"]


def test_another_actor_is_another_source(world: Builder) -> None:
    first = world.relate("Orrin", "RULES", "Halden")
    other = Builder(world.memory, "ann").relate("Orrin", "RULES", "Halden", confidence=0.7)
    assert other["id"] == first["id"]
    assert other["sources"] == ["tool:lore-engine.add_relation by local", "tool:lore-engine.add_relation by ann"]
    assert other["confidence"] == 1.0


def test_two_births_are_disputed_until_one_is_retconned(world: Builder) -> None:
    first = world.relate("Mira", "BORN", at=year(2))
    second = world.relate("Mira", "BORN", at="20 ST")
    assert (second["valid_from"], second["valid_until"]) == (year(20), year(20))
    assert (second["disputed"], second["disputed_with"]) == (True, [first["id"]])
    third = world.relate("Mira", "BORN", at=year(21), supersedes=[first["id"], second["id"]])
    assert (third["disputed"], third["superseded"]) == (False, [first["id"], second["id"]])
    again = world.relate("Mira", "BORN", at=year(21), supersedes=[first["id"], second["id"]])
    assert (again["created"], again["id"], again["tx"]) == (False, third["id"], third["tx"])
    failure = world.fail("add_relation", from_="Mira", relation="BORN", at=year(30), supersedes=first["id"])
    assert (failure["error"], failure["current"]) == ("CONFLICT", third["id"])
    repeated = world.relate("Mira", "BORN", at=year(2))
    assert (repeated["id"], repeated["created"]) == (first["id"], False)
    assert (repeated["disputed"], world.relate("Mira", "BORN", at=year(21))["disputed"]) == (False, False)


def test_a_retcon_that_is_taken_back_leaves_the_old_relations_standing_whatever_they_join(world: Builder) -> None:
    old = [world.relate("Mira", "RULES", place)["id"] for place in ("Halden", "Marrow")]
    new = world.relate("Mira", "RULES", "Low Port", supersedes=old)["id"]

    def ruled() -> list[str]:
        return sorted(each["object"] for each in world.do("true_during", relation="RULES", subject="Mira", era=year(5)))

    assert ruled() == ["Low Port"]
    world.do("delete_node", id=new, reason="a slip")
    assert ruled() == ["Halden", "Marrow"]
    world.do("delete_node", id=new, reason="no slip", restore=True)
    assert ruled() == ["Low Port"]


def test_a_type_that_comes_later_brings_the_marks_that_count_for_it(world: Builder) -> None:
    one = world.relate("Perrin", "LOCATED_IN", "Halden")
    two = world.relate("Perrin", "LOCATED_IN", "Low Port")
    assert (two["from"]["type"], two["disputed"]) == ("Unknown", False)
    world.do("get_contradictions")  # from here on somebody wants to know
    typed = world.do("add_entity", label="Person", name="Perrin")
    assert [each["rule_id"] for each in typed["violations"]] == ["contradiction-single-valued"]
    held = world.do("get_context", name="Perrin")["relations"]
    assert {each["id"]: each["disputed_with"] for each in held} == {one["id"]: [two["id"]], two["id"]: [one["id"]]}
    world.relate("Sela", "LOCATED_IN", "Halden")
    world.relate("Sela", "LOCATED_IN", "Low Port")
    take_line(world.memory, {"entities": [{"name": "Sela", "type": "person"}]})
    assert len(world.do("get_contradictions", subject="Sela")) == 1


def test_possessions_of_one_item_are_disputed(world: Builder) -> None:
    one = world.relate("Mira", "POSSESSES", "Knife", valid_from=year(44))
    two = world.relate("Guard", "OWNS", "Knife", valid_from=year(50), valid_until=year(52))
    assert (two["relation"], two["disputed_with"]) == ("POSSESSES", [one["id"]])
    three = world.relate("Sela", "POSSESSES", "Spoon", valid_until=year(45))
    assert world.relate("Tobin", "POSSESSES", "Spoon", valid_from=year(45))["disputed"] is False
    assert three["disputed"] is False


def test_an_object_that_is_a_time_is_stored_in_canonical_form(world: Builder) -> None:
    said = world.relate("Breaking", "OCCURRED_DURING", "45 ST .. Grey Years")
    assert said["literal"] == f"{year(45)} .. second_tide.grey_years"
    assert (said["valid_from"], said["valid_until"], said["to"]) == (year(45), "second_tide.grey_years", None)
    failure = world.fail("add_relation", from_="B", relation="OCCURRED_DURING", to=year(3), valid_from=year(3))
    assert (failure["error"], failure["field"]) == ("BAD_INPUT", "valid_from")


def test_a_role_comes_with_the_name_of_the_relation(world: Builder) -> None:
    fact = world.relate("Tobin", "FATHER_OF", "Mira")
    with world.memory.read() as view:
        stored = view.fact(fact["id"].removeprefix("fact_"))
    assert stored is not None
    assert stored.attributes == {"role": "father"}


def test_a_symmetric_relation_is_stored_once(world: Builder) -> None:
    first = world.relate("Orrin", "ALLIED_WITH", "Salt", valid_from=year(30))
    assert world.relate("Salt", "ALLY_OF", "Orrin", valid_from=year(30))["id"] == first["id"]
    own = world.relate("Orrin", "SWORN_WITH", "Salt", symmetric=True)
    assert world.relate("Salt", "SWORN_WITH", "Orrin")["id"] == own["id"]
    one_way = world.relate("Orrin", "BLESSED", "Salt")
    assert world.relate("Salt", "BLESSED", "Orrin")["id"] != one_way["id"]


def test_a_relation_outside_its_types_is_stored_with_a_warning(world: Builder) -> None:
    world.do("add_entity", label="Item", name="Knife")
    world.do("add_entity", label="Castle", name="Halden")
    assert world.relate("Knife", "RULES", "Halden")["warnings"] == ["RULES is not usual from Item to Location"]
    world.relate("Somebody", "LIKES", "Something")
    assert world.relate("Knife", "RULES", "Something")["warnings"][0].startswith("RULES is not usual from Item")
    assert world.relate("Somebody", "RULES", "Knife")["warnings"] == ["RULES is not usual to Item"]
    assert world.relate("Somebody", "RULES", "Halden")["warnings"] == []


def test_a_literal_is_no_entity(world: Builder) -> None:
    said = world.relate("Mira", "MOTTO", {"literal": "Salt remembers"})
    assert (said["to"], said["literal"], said["relation"]) == (None, "Salt remembers", "MOTTO")


@pytest.mark.parametrize(
    ("arguments", "error", "field"),
    [
        ({"from_": "A", "relation": "RULES"}, "BAD_INPUT", "to"),
        ({"from_": "A", "relation": "RULES", "to": "A"}, "BAD_INPUT", "to"),
        ({"from_": "A", "relation": "RULES", "to": " a "}, "BAD_INPUT", "to"),
        ({"from_": "A", "relation": "9 LIVES", "to": "B"}, "BAD_INPUT", "relation"),
        ({"from_": "A", "relation": "FOUNDED_BY"}, "BAD_INPUT", "to"),
        ({"from_": "A", "relation": "RULES", "to": "B", "valid_from": "third_age.year_1"}, "UNKNOWN_ERA", "valid_from"),
        ({"from_": "A", "relation": "RULES", "to": "B", "valid_from": "1848"}, "TIMELINE_FIXED", "valid_from"),
        (
            {"from_": "A", "relation": "RULES", "to": "B", "valid_from": year(9), "valid_until": year(8)},
            "BAD_INPUT",
            "valid_until",
        ),
        ({"from_": "A", "relation": "RULES", "to": "B", "at": year(9), "valid_until": year(9)}, "BAD_INPUT", "at"),
        ({"from_": "A", "relation": "RULES", "to": "B", "confidence": 2}, "BAD_INPUT", "confidence"),
        ({"from_": "A", "relation": "RULES", "to": "B", "visibility": "open"}, "BAD_INPUT", "visibility"),
        ({"from_": "A", "relation": "RULES", "to": "B", "from_type": "Era"}, "BAD_INPUT", "label"),
        ({"from_": "A", "relation": "RULES", "to": "B", "foo": 1}, "BAD_INPUT", "foo"),
        ({"from_": "A", "relation": "RULES", "to": "B", "supersedes": "fact_x"}, "NOT_FOUND", "supersedes"),
        ({"from_": "ent_01KS2D7V80EG4VAVBBMQXPTMPY", "relation": "RULES", "to": "B"}, "ENTITY_NOT_FOUND", "from"),
        (
            {"from_": "A", "relation": "RULES", "to": "B", "attributes": {"a": {"b": {"c": {"d": {}}}}}},
            "BAD_INPUT",
            "attributes",
        ),
    ],
)
def test_a_bad_relation_is_refused_and_leaves_no_trace(
    world: Builder, arguments: dict[str, object], error: str, field: str
) -> None:
    failure = world.fail("add_relation", **arguments)
    assert (failure["error"], failure["field"]) == (error, field)
    assert world.do("lookup", query="B") == []


def test_a_retcon_must_be_about_the_same_thing(world: Builder) -> None:
    fact = world.relate("Orrin", "RULES", "Halden")["id"]
    other = world.fail("add_relation", from_="X", relation="RULES", to="Y", supersedes=fact)
    another = world.fail("add_relation", from_="Orrin", relation="SERVES", to="Y", supersedes=fact)
    assert (other["error"], another["error"]) == ("BAD_INPUT", "BAD_INPUT")


def test_an_ambiguous_name_lists_its_candidates_unless_the_types_decide(world: Builder) -> None:
    person = world.do("add_entity", label="Person", name="Halden")
    place = world.do("add_entity", label="Castle", name="Halden")
    assert world.relate("Orrin", "RULES", "Halden")["to"]["id"] == place["id"]
    failure = world.fail("add_relation", from_="Halden", relation="ENEMY_OF", to="Orrin")
    assert (failure["error"], failure["field"]) == ("AMBIGUOUS_NAME", "from")
    assert {each["id"] for each in failure["candidates"]} == {person["id"], place["id"]}
    assert world.relate(person["id"], "ENEMY_OF", "Orrin")["from"]["id"] == person["id"]


def test_the_first_date_of_a_real_world_fixes_its_timeline(memory: Memory) -> None:
    world = Builder(memory)
    world.relate("Victoria", "RULES", "England", valid_from="1837-06-20")
    assert world.fail("define_era", name="Tide", start=1, end=2)["error"] == "TIMELINE_FIXED"
    assert world.fail("define_calendar", name="Reckoning", months=[30])["error"] == "TIMELINE_FIXED"


def test_another_door_sees_the_relation(memory: Memory) -> None:
    world = Builder(memory)
    world.relate("Victoria", "RULES", "England", valid_from="1837-06-20", valid_until="1901-01-22", from_type="Person")
    answer = world.call("get_facts", {"entity": "Victoria", "include_stale": True}, "pearscarf").structured
    assert "1901-01-22" in str(answer)
    assert "tool:lore-engine.add_relation" in str(answer)


def test_a_text_as_long_as_a_relation_may_have_can_be_asked_about(world: Builder) -> None:
    saying = {"literal": "salt and bread " * 600}
    world.relate("Mira", "SAID", saying)
    assert world.do("was_true_at", subject="Mira", relation="SAID", object=saying, at_time=year(3))["was_true"]
