"""Whether it was so: intervals, coverage, rivals, retcons, names and relations that nobody knows."""

from collections.abc import Callable

import pytest

from recollect.memory import Memory
from recollect.model.fact import Claim, Statement
from recollect.model.ids import EntityId, FactId
from recollect.resolve.resolver import resolve
from recollect.store.fact_rows import FactFilter
from recollect.write.record_statement import record_statement
from tests.surfaces.lore_engine.tides import World, y


@pytest.fixture
def world(memory: Memory) -> World:
    return World(memory).invented()


def truth(world: World, line: str, at: str, **more: object) -> tuple[bool, str]:
    subject, relation, target = line.split()
    said = world.ask("was_true_at", relation=relation, subject=subject, object=target, at_time=at, **more)
    assert (said["coverage"] == "none") == (not said["was_true"])
    return said["was_true"], said["coverage"]


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("y24", (False, "none")),
        ("y25", (True, "full")),
        ("y45", (True, "full")),
        ("y45.month_12.day_31", (True, "full")),
        ("y46", (False, "none")),
        ("second_tide", (True, "partial")),
        ("second_tide.grey_years", (True, "partial")),
        ("second_tide.grey_years.year_6", (True, "full")),
        ("45 ST", (True, "full")),
        ("current", (False, "none")),
        ("[y24..y25]", (True, "partial")),
    ],
)
def test_bounds_are_inclusive_and_a_longer_period_is_partial(world: World, at: str, expected: tuple[bool, str]) -> None:
    world.tell("Orrins RULES Halden (y25 .. y45)")
    assert truth(world, "Orrins RULES Halden", at) == expected


def test_month_and_day_bounds_are_inclusive_too(world: World) -> None:
    world.tell("Orrins RULES Halden (y25.month_3 .. y45.month_6.day_10)")
    assert truth(world, "Orrins RULES Halden", "y25.month_2") == (False, "none")
    assert truth(world, "Orrins RULES Halden", "y25.month_3.day_1") == (True, "full")
    assert truth(world, "Orrins RULES Halden", "y45.month_6.day_10") == (True, "full")
    assert truth(world, "Orrins RULES Halden", "y45.month_6.day_11") == (False, "none")
    assert truth(world, "Orrins RULES Halden", "y45") == (True, "partial")


def test_every_tense_and_direction_asks_for_the_same_relation(world: World) -> None:
    world.tell("Orrins RULES Halden (y25 .. y45)")
    for line in ("Orrins RULED Halden", "Orrins ruler-of Halden", "Halden RULED_BY Orrins", "Halden ruled_by Orrins"):
        assert truth(world, line, "y30") == (True, "full")


def test_a_symmetric_relation_answers_from_either_end(world: World) -> None:
    world.tell("Saltguard ALLIED_WITH Orrins (y30 .. y52)")
    forward = world.ask("was_true_at", relation="ally of", subject="Saltguard", object="Orrins", at_time="y30")
    reverse = world.ask("was_true_at", relation="ALLIED_WITH", subject="Orrins", object="Saltguard", at_time="y30")
    assert (forward["direction"], reverse["direction"]) == ("forward", "reverse")
    assert forward["relation_id"] == reverse["relation_id"]


def test_outside_the_interval_the_nearest_is_named(world: World) -> None:
    world.tell("Saltguard ALLIED_WITH Orrins (y30 .. y52)")
    world.tell("Saltguard ALLIED_WITH Orrins (y70 .. y75)", title="guard-book")
    later = world.ask("was_true_at", relation="ALLIED_WITH", subject="Saltguard", object="Orrins", at_time="y55")
    assert later["reason"] == "outside_interval"
    assert later["nearest"] == {
        "relation_id": later["intervals"][0]["relation_id"],
        "valid_from": y(30),
        "valid_until": y(52),
        "side": "earlier",
        "sources": ["rolls"],
    }
    assert (later["confidence"], later["sources"], later["valid_from"]) == (None, [], None)
    sooner = world.ask("was_true_at", relation="ALLIED_WITH", subject="Saltguard", object="Orrins", at_time="y68")
    assert (sooner["nearest"]["side"], sooner["nearest"]["sources"]) == ("later", ["guard-book"])


def test_what_nobody_ever_said_is_no_such_relation(world: World) -> None:
    world.tell("Saltguard ALLIED_WITH Orrins")
    said = world.ask("was_true_at", relation="SERVES", subject="Saltguard", object="Orrins", at_time="y30")
    assert (said["was_true"], said["reason"], said["nearest"], said["intervals"]) == (
        False,
        "no_such_relation",
        None,
        [],
    )


def test_an_unknown_relation_or_name_is_an_error_with_suggestions(world: World) -> None:
    world.tell("Saltguard ALLIED_WITH Orrins")
    asked = {"subject": "Saltguard", "object": "Orrins", "at_time": "y30"}
    unknown = world.refused("was_true_at", relation="ALIED_WITH", **asked)
    assert (unknown["error"], unknown["field"]) == ("UNKNOWN_RELATION", "relation")
    assert unknown["suggestions"][0] == "ALLIED_WITH"
    nobody = world.refused("was_true_at", relation="SERVES", **{**asked, "object": "Saltmarsh Guild"})
    assert (nobody["error"], nobody["field"]) == ("ENTITY_NOT_FOUND", "object")


def test_relations_that_nobody_had_used_yet_are_not_suggested(world: World) -> None:
    world.tell("Saltguard ALLIED_WITH Orrins")
    with world.memory.read() as view:
        then = view.last_tx
    world.tell("Saltguard OWES_FEALTY_TO Orrins", title="later")
    asked = {"subject": "Saltguard", "object": "Orrins", "at_time": "y30", "relation": "OWES_FEALTY_TO"}
    before = world.refused("was_true_at", as_of=then, **asked)
    assert before["error"] == "UNKNOWN_RELATION"
    assert "OWES_FEALTY_TO" not in before["suggestions"]


def test_a_relation_somebody_used_is_known_from_then_on(world: World) -> None:
    world.tell("Mira OWES_FEALTY_TO Orrins (y20 ..)")
    assert truth(world, "Mira owes-fealty-to Orrins", "y30") == (True, "full")


def test_an_ambiguous_name_lists_candidates_and_an_id_gets_past_it(world: World) -> None:
    world.tell("Mira RULES Halden (y20 .. y45)")
    world.entity("Mira", "Creature", description="a seal")
    asked = {"relation": "ENEMY_OF", "object": "Mira", "subject": "Halden", "at_time": "y30"}
    refused = world.refused("was_true_at", **asked)
    assert refused["error"] == "AMBIGUOUS_NAME"
    assert {(each["type"], each["hint"]) for each in refused["candidates"]} == {
        ("Person", "Mira rules Halden"),
        ("Creature", "description: a seal"),
    }
    assert world.ask("was_true_at", **{**asked, "object": refused["candidates"][0]["id"]})["was_true"] is False


def test_of_several_namesakes_the_only_one_the_relation_is_for_is_meant(world: World) -> None:
    world.tell("Mira RULES Halden (y20 .. y45)")
    world.entity("Mira", "Item")
    assert truth(world, "Mira RULES Halden", "y30") == (True, "full")


def test_a_nearly_right_name_is_taken_and_said(world: World) -> None:
    world.tell("Saltguard ALLIED_WITH Orrins (y30 .. y52)")
    said = world.ask("was_true_at", relation="ALLIED_WITH", subject="Saltgaurd", object="Orrins", at_time="y40")
    assert said["was_true"]
    assert [(each["query"], each["name"], each["method"]) for each in said["resolution"]] == [
        ("Saltgaurd", "Saltguard", "fuzzy")
    ]


def test_rivals_give_true_disputed_and_both_sources(world: World) -> None:
    world.tell("Mira POSSESSES Knife (y44 .. y60)")
    world.tell("Sela POSSESSES Knife (y50 .. y52)", title="inventory")
    said = world.ask("was_true_at", relation="OWNS", subject="Mira", object="Knife", at_time="y51")
    rival = world.ask("was_true_at", relation="OWNS", subject="Sela", object="Knife", at_time="y51")
    assert (said["was_true"], said["disputed"], said["qualify"]) == (True, True, True)
    assert said["disputed_with"] == [rival["relation_id"]]
    world.tell("Mira POSSESSES Bell (y10 .. y20)")
    world.tell("Mira POSSESSES Bell (y15 .. y30)", title="inventory")
    both = world.ask("was_true_at", relation="OWNS", subject="Mira", object="Bell", at_time="y17")
    assert (both["disputed"], both["sources"]) == (True, ["rolls", "inventory"])
    assert [each["relation_id"] for each in both["per_source"]] == [each["relation_id"] for each in both["intervals"]]


@pytest.mark.parametrize("rumor_first", [False, True])
def test_a_source_that_agrees_never_lowers_the_confidence(world: World, rumor_first: bool) -> None:
    told: list[Callable[[], object]] = [
        lambda: world.tell("Orrins RULES Halden (y25 .. y45)"),
        lambda: world.tell("Orrins RULES Halden (y25 ..)", title="gossip", metadata={"reliability": "rumor"}),
    ]
    for tell in reversed(told) if rumor_first else told:
        tell()
    said = world.ask("was_true_at", relation="RULES", subject="Orrins", object="Halden", at_time="y30")
    assert len(said["intervals"]) == 1
    assert (said["confidence"], said["qualify"], sorted(said["sources"])) == (0.9, False, ["gossip", "rolls"])
    assert {(each["source"], each["extraction"], each["reliability"]) for each in said["per_source"]} == {
        ("rolls", 0.9, 1.0),
        ("gossip", 0.9, 0.5),
    }


def test_a_retcon_hides_the_old_relation_and_shows_it_as_retconned_and_under_as_of(world: World) -> None:
    world.tell("Orrins RULES Halden (y25 .. y45)")
    with world.memory.read() as view:
        before = view.last_tx
        [old] = [
            each.fact for each in view.facts_about(_id(world, "Orrins"), FactFilter(view.world.now.span, every=True))
        ]
    _retcon(world, old.id)
    now = world.ask("was_true_at", relation="RULES", subject="Orrins", object="Halden", at_time="y45")
    assert (now["was_true"], now["reason"]) == (False, "outside_interval")
    assert [(each["was_true"], each["valid_until"], each["superseded_by"]) for each in now["retconned"]] == [
        (True, y(45), now["intervals"][0]["relation_id"])
    ]
    assert now["retconned"][0]["superseded_at"] == "2026-05-20T10:00:00Z"
    then = world.ask("was_true_at", relation="RULES", subject="Orrins", object="Halden", at_time="y45", as_of=before)
    assert (then["was_true"], then["retconned"], then["disputed"]) == (True, [], False)


def _id(world: World, name: str) -> EntityId:
    with world.memory.read() as view:
        found = resolve(world.memory.names(view), name).entity
    assert found
    return found


def _retcon(world: World, old: str) -> None:
    with world.memory.as_actor("lore-engine", "add_relation").write() as change:
        fact = change.fact(FactId(old))
        assert fact is not None
        claim = Claim(fact.subject, "rules", "AFFILIATED", "rules", fact.object, policy="dispute")
        until = change.world.read(y(40))
        record_statement(
            change,
            Statement(
                claim,
                change.now,
                "stated",
                "extracted",
                1.0,
                valid_from=fact.valid_from,
                valid_until=until,
                supersedes=fact.id,
            ),
        )


def test_uncertain_bounds_hold_uncertainly(world: World) -> None:
    world.tell("Orrins RULES Halden (y25~ .. y45)")
    assert truth(world, "Orrins RULES Halden", "y22") == (True, "uncertain")
    assert truth(world, "Orrins RULES Halden", "y33") == (True, "full")
    assert truth(world, "Orrins RULES Halden", "y19") == (False, "none")


def test_a_time_may_be_the_object(world: World) -> None:
    world.tell("Breaking OCCURRED_DURING 'second_tide.year_45 (y45)")
    asked = {"relation": "HAPPENED_DURING", "subject": "Breaking", "at_time": "y45.month_2"}
    assert world.ask("was_true_at", object="45 ST", **asked)["was_true"]
    assert world.ask("was_true_at", object="y46", **asked)["reason"] == "no_such_relation"
    assert world.refused("was_true_at", object="third_tide.year_2", **asked)["error"] == "UNKNOWN_ERA"


def test_a_literal_may_be_the_object(world: World) -> None:
    world.tell("Mira MOTTO 'salt (y20 ..)")
    said = world.ask("was_true_at", relation="MOTTO", subject="Mira", object={"literal": "salt"}, at_time="y20")
    assert said["was_true"]


def test_what_another_door_stored_under_another_name_is_the_relation_it_names(world: World) -> None:
    world.tell("Mira LIVES_IN Halden (y20 .. y30)", "Mira OWNS Knife (y20 ..)", "Coast CONTAINS Halden")
    assert truth(world, "Mira RESIDED_IN Halden", "y25") == (True, "full")
    assert truth(world, "Knife POSSESSED_BY Mira", "y25") == (True, "full")
    assert truth(world, "Halden PART_OF Coast", "y25") == (True, "full")


def test_without_a_present_only_what_has_no_end_holds_now(memory: Memory) -> None:
    world = World(memory).invented(now=False)
    world.tell("Orrins RULES Halden (y25 .. y45)", "Saltguard RULES Keep (y25 ..)")
    assert truth(world, "Orrins RULES Halden", "current") == (False, "none")
    assert truth(world, "Saltguard RULES Keep", "current") == (True, "full")


def test_on_a_real_timeline_the_clock_is_now_and_iso_times_are_taken(memory: Memory) -> None:
    world = World(memory).tell("Orrins RULES Halden (1990 ..)", "Saltguard RULES Keep (1990 .. 2001-05)")
    assert truth(world, "Orrins RULES Halden", "current") == (True, "full")
    assert truth(world, "Saltguard RULES Keep", "2001-05-31") == (True, "full")
    assert truth(world, "Saltguard RULES Keep", "2001-06") == (False, "none")
    assert (
        world.refused("was_true_at", relation="RULES", subject="Orrins", object="Halden", at_time="y3")["error"]
        == "UNKNOWN_ERA"
    )


def test_nobody_rules_after_death_because_an_end_was_not_written(world: World) -> None:
    world.tell(
        "Mira BORN (y20)", "Mira DIED (y71)", "Mira RULES Halden", "Ann DIED (y60)", "Mira SPOUSE_OF Ann (y40 ..)"
    )
    assert truth(world, "Mira RULES Halden", "y71") == (True, "full")
    assert truth(world, "Mira RULES Halden", "y72") == (False, "none")
    assert truth(world, "Mira RULES Halden", "y19") == (False, "none")
    assert truth(world, "Mira MARRIED Ann", "y61") == (False, "none")
    said = world.ask("was_true_at", relation="RULES", subject="Mira", object="Halden", at_time="y30")
    assert (said["valid_from"], said["valid_until"]) == (None, None)


def test_a_stated_end_is_never_moved(world: World) -> None:
    world.tell("Mira DIED (y71)", "Mira RULES Halden (y50 .. y75)")
    assert truth(world, "Mira RULES Halden", "y75") == (True, "full")


def test_bad_input_is_refused_before_any_name_is_sought(world: World) -> None:
    asked = {"relation": "RULES", "subject": "nobody", "object": "nowhere", "at_time": "y3"}
    assert world.refused("was_true_at", **{**asked, "at_time": "third_tide.year_3"})["error"] == "UNKNOWN_ERA"
    assert world.refused("was_true_at", **{**asked, "at_time": "second_tide.year_3.month_13"})["error"] == "BAD_TIME"
    assert world.refused("was_true_at", **{**asked, "at_time": "1999"})["error"] == "TIMELINE_FIXED"
    assert world.refused("was_true_at", **{**asked, "extra": 1})["field"] == "extra"
    missing = world.refused("was_true_at", relation="RULES", subject="Mira", object="Halden")
    assert (missing["error"], missing["field"]) == ("BAD_INPUT", "at_time")


def test_a_time_in_an_undefined_era_names_the_tool_that_defines_one(world: World) -> None:
    refused = world.refused(
        "was_true_at", relation="RULES", subject="Mira", object="Halden", at_time="third_tide.year_3"
    )
    assert "define_era" in refused["hint"]
    assert "second_tide" in refused["hint"]
    assert refused["field"] == "at_time"


def test_a_rival_whose_life_was_over_is_none(world: World) -> None:
    world.tell("Mira POSSESSES Knife (y44 ..)", "Mira DIED (y71)")
    world.tell("Sela POSSESSES Knife (y75 ..)", title="inventory")
    said = world.ask("was_true_at", relation="OWNS", subject="Sela", object="Knife", at_time="y76")
    assert (said["was_true"], said["disputed"], said["disputed_with"]) == (True, False, [])


def test_a_place_and_one_inside_it_are_not_two_places(world: World) -> None:
    world.tell("Keep PART_OF Halden", "Mira LOCATED_IN Halden (y40 ..)", "Mira LOCATED_IN Keep (y41 ..)")
    said = world.ask("was_true_at", relation="LOCATED_IN", subject="Mira", object="Keep", at_time="y45")
    assert (said["was_true"], said["disputed"]) == (True, False)
    world.tell("Mira LOCATED_IN Isle (y44 ..)", title="elsewhere")
    assert world.ask("was_true_at", relation="LOCATED_IN", subject="Mira", object="Keep", at_time="y45")["disputed"]


def test_a_bloodline_and_a_faction_do_not_exclude_each_other(world: World) -> None:
    world.tell("Mira MEMBER_OF Orrins", "Mira MEMBER_OF Blood")
    assert not world.ask("was_true_at", relation="MEMBER_OF", subject="Mira", object="Orrins", at_time="y45")[
        "disputed"
    ]
    world.tell("Mira MEMBER_OF Branch", title="heralds")
    assert world.ask("was_true_at", relation="MEMBER_OF", subject="Mira", object="Blood", at_time="y45")["disputed"]
