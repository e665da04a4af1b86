"""How calls are read and refused, and how invented calendars compare."""

from typing import Any

import pytest

from recollect.memory import Memory
from tests.surfaces.lore_engine.tides import World
from tests.when.worlds import TIDES


@pytest.fixture
def world(memory: Memory) -> World:
    return World(memory).invented().tell("Orrins RULES Halden (y25 .. y45)", "Mira MEMBER_OF Orrins (y20 ..)")


@pytest.mark.parametrize(
    ("tool", "asked", "field"),
    [
        ("timeline", {"entity": "Mira", "limit": 5.0}, "limit"),
        ("timeline", {"entity": "Mira", "limit": "5"}, "limit"),
        ("timeline", {"entity": "Mira", "limit": 0}, "limit"),
        ("timeline", {"entity": "Mira", "limit": 1001}, "limit"),
        ("timeline", {"entity": "   "}, "entity"),
        ("timeline", {"entity": 7}, "entity"),
        ("timeline", {"entity": "x" * 201}, "entity"),
        ("timeline", {}, "entity"),
        ("timeline", {"entity": "Mira", "from": "y20", "start": "y20"}, "start"),
        ("timeline", {"entity": "Mira", "until": "y20"}, "until"),
        ("state_at", {"entity": "Halden", "at_time": "y20", "exact": "yes"}, "exact"),
        ("graph_traverse", {"start": "Mira", "direction": "sideways"}, "direction"),
        ("graph_traverse", {"start": "Mira", "relations": []}, "relations"),
        ("graph_traverse", {"start": "Mira", "relations": "RULES"}, "relations"),
        ("lookup", {"query": "x" * 2001}, "query"),
        ("ancestors_of", {"person": "Mira", "generations": 0}, "generations"),
        ("was_true_at", {"relation": "RULES", "subject": "Mira", "object": {"name": "x"}, "at_time": "y3"}, "object"),
        ("timeline", {"entity": "Mira", "as_of": "yesterday"}, "as_of"),
    ],
)
def test_a_call_that_cannot_be_meant_is_bad_input_and_names_the_field(
    world: World, tool: str, asked: dict[str, Any], field: str
) -> None:
    refused = world.refused(tool, **asked)
    assert refused["error"] == "BAD_INPUT"
    assert refused["field"].startswith(field)


@pytest.mark.parametrize(
    ("given", "field", "words"),
    [
        ({"to": {"literal": "salt", "weight": 3}}, "to.weight", "not known"),
        ({"to": {"text": "salt"}}, "to.literal", "required"),
        ({"to": 5}, "to", "valid string"),
        ({"to": "Halden", "supersedes": []}, "supersedes", "at least 1"),
    ],
)
def test_of_an_argument_with_several_forms_the_form_that_was_meant_is_spoken_of(
    world: World, given: dict[str, Any], field: str, words: str
) -> None:
    refused = world.refused("add_relation", **{"from": "Mira"}, relation="SERVES", **given)
    assert (refused["error"], refused["field"]) == ("BAD_INPUT", field)
    assert words in refused["message"]


def test_a_closed_set_is_listed(world: World) -> None:
    refused = world.refused("location_hierarchy", location="Halden", direction="sideways")
    assert refused["accepted"] == ["up", "down"]


def test_null_means_absent_case_does_not_matter_and_texts_are_trimmed(world: World) -> None:
    said = world.ask("location_hierarchy", location="  halden ", direction=" DOWN ", at_time=None, depth=None)
    assert (said["location"]["name"], said["direction"]) == ("Halden", "down")


@pytest.mark.parametrize(
    ("time", "error"),
    [
        ("third_tide.year_4", "UNKNOWN_ERA"),
        ("first_tide.year_501", "BAD_TIME"),
        ("second_tide.year_4.month_13", "BAD_TIME"),
        ("second_tide.day_4", "BAD_TIME"),
        ("sometime, maybe", "BAD_TIME"),
        ("1848-03-17", "TIMELINE_FIXED"),
        ("ce.year_4", "TIMELINE_FIXED"),
    ],
)
@pytest.mark.parametrize(
    ("tool", "asked", "field"),
    [
        ("entity_context", {"name": "Mira"}, "at_time"),
        ("state_at", {"entity": "Mira"}, "at_time"),
        ("events_during", {}, "era"),
        ("timeline", {"entity": "Mira"}, "from"),
    ],
)
def test_a_bad_time_is_refused_wherever_it_is_given(
    world: World, time: str, error: str, tool: str, asked: dict[str, Any], field: str
) -> None:
    refused = world.refused(tool, **asked, **{field: time})
    assert (refused["error"], refused["field"]) == (error, field)


def test_an_alias_or_an_id_is_as_good_as_a_name(world: World) -> None:
    world.entity("Saltmother", "Deity", aliases=("the Undertow",))
    by_alias = world.ask("entity_context", name="THE undertow")
    assert world.ask("entity_context", name=by_alias["entity"]["id"]) == by_alias
    assert world.refused("entity_context", name="ent_00000000000000000000000000")["error"] == "ENTITY_NOT_FOUND"


def test_what_is_not_known_comes_with_what_may_be_meant(world: World) -> None:
    world.entity("Mole Tower", "Location")
    refused = world.refused("entity_context", name="Tower of the Moles")
    assert refused["error"] == "ENTITY_NOT_FOUND"
    assert [each["name"] for each in refused["suggestions"]] == ["Mole Tower"]


def test_a_list_says_in_its_meta_which_names_were_only_nearly_right(world: World) -> None:
    answer = world.answer("timeline", entity="Haldn")
    assert answer.meta["resolution"][0]["name"] == "Halden"


@pytest.fixture
def many_calendars(memory: Memory) -> World:
    """Leap years, days between months, a second calendar, and an era that counts down."""
    world = World(memory)
    for line in TIDES:
        world._take(line)
    return world


@pytest.mark.parametrize(
    ("bounds", "at", "expected"),
    [
        ("first_tide.year_4.month_1.day_32 ..", "first_tide.year_4.month_1.day_31", "none"),
        ("first_tide.year_4.month_1.day_32 ..", "first_tide.year_4.month_1.day_32", "full"),
        ("first_tide.year_6 .. first_tide.year_6", "first_tide.moon_years.year_1", "partial"),
        ("first_tide.moon_years.year_1 ..", "first_tide.year_1", "none"),
        ("before.year_1 ..", "first_tide.year_1", "full"),
        ("before.year_1 ..", "before.year_2", "none"),
        ("before.year_9 .. before.year_3", "before.year_5", "full"),
        ("second_tide.grey_years ..", "second_tide.year_40", "partial"),
        ("the_flood", "first_tide.year_7.month_2.day_31", "full"),
        ("the_flood", "first_tide.year_7", "partial"),
    ],
)
def test_every_calendar_and_era_compares_on_one_axis(
    many_calendars: World, bounds: str, at: str, expected: str
) -> None:
    many_calendars.tell(f"Orrins RULES Halden ({bounds})")
    said = many_calendars.ask("was_true_at", relation="RULES", subject="Orrins", object="Halden", at_time=at)
    assert said["coverage"] == expected


def test_the_present_follows_its_definition_and_as_of_reads_the_one_of_then(world: World) -> None:
    with world.memory.read() as view:
        before = view.last_tx
    world._take({"date": {"slug": "current", "label": "Now", "era": "second_tide", "year": 30}})
    assert world.ask("entity_context", name="Halden")["at_time"] == "second_tide.year_30"
    assert world.ask("entity_context", name="Halden", as_of=before)["at_time"] == "second_tide.year_80"
    assert world.ask("true_during", relation="RULED_BY", subject="Halden", era="current") != []
