"""Eras, calendars and dates made by hand, and what moves with them."""

from typing import Any

import pytest

from recollect.ingest.fields import BadLine
from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory
from recollect.when.time_errors import TimelineFixed
from tests.support.facts import take_line
from tests.surfaces.lore_engine.telling_tools import Builder, year


@pytest.fixture
def world(memory: Memory) -> Builder:
    return Builder(memory)


def test_an_era_lies_on_the_axis(world: Builder) -> None:
    world.do("define_era", name="Second Tide", start=501, end=None)
    said = world.do(
        "define_era",
        name="Grey Years",
        parent_era="Second Tide",
        start="second_tide.year_40",
        end="second_tide.year_60",
    )
    assert said == {
        "slug": "grey_years",
        "path": "second_tide.grey_years",
        "name": "Grey Years",
        "parent_era": "second_tide",
        "start": "second_tide.grey_years.year_1.month_1.day_1",
        "end": "second_tide.grey_years.year_21.month_12.day_31",
        "years": 21,
        "created": True,
        "redefined": False,
        "timeline": "fictional",
        "tx": 2,
        "violations": [],
        "resolved_violations": [],
    }


def test_eras_may_follow_each_other_and_count_down(world: Builder) -> None:
    world.do("define_era", name="First", start=1, end=100)
    second = world.do("define_era", name="Second", start="after:first", end=None, first_year=0)
    assert second["start"] == "second.year_0.month_1.day_1"
    dark = world.do("define_era", name="Dark", start=None, end=0, direction="down")
    assert (dark["start"], dark["end"], dark["years"]) == (None, "dark.year_1.month_12.day_31", None)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"name": "ce", "start": 1, "end": 2}, "BAD_INPUT"),
        ({"name": "Year 3", "start": 1, "end": 2}, "BAD_INPUT"),
        ({"name": "X", "start": 9, "end": 8}, "BAD_INPUT"),
        ({"name": "X", "start": None, "end": 8}, "BAD_INPUT"),
        ({"name": "X", "end": 8}, "BAD_INPUT"),
        ({"name": "X", "start": 1}, "BAD_INPUT"),
        ({"name": "X", "start": 400, "end": 600}, "ERA_CONFLICT"),
        ({"name": "X", "parent_era": "first_tide", "start": 400, "end": 600}, "ERA_CONFLICT"),
        ({"name": "X", "parent_era": "no_tide", "start": 1, "end": 2}, "UNKNOWN_ERA"),
        ({"name": "X", "start": "nowhere.year_1", "end": None}, "UNKNOWN_ERA"),
        ({"name": "X", "start": "1848", "end": None}, "TIMELINE_FIXED"),
    ],
)
def test_a_bad_era_is_refused(world: Builder, arguments: dict[str, object], error: str) -> None:
    world.tides()
    assert world.fail("define_era", **arguments)["error"] == error


def test_what_was_written_in_an_era_moves_with_it(world: Builder) -> None:
    world.tides()
    world.relate("Orrin", "RULES", "Halden", valid_from=year(25), valid_until=year(53))
    world.do("add_entity", label="Person", name="Mira", properties={"born": year(20)})
    moved = world.do("define_era", name="Second Tide", start=601, end=None, abbreviation="ST")
    assert (moved["created"], moved["redefined"]) == (False, True)
    filled = world.do("define_era", name="Lull", start=501, end=600)
    assert filled["years"] == 100
    was = world.do("was_true_at", subject="Orrin", relation="RULES", object="Halden", at_time=year(30))
    assert was["was_true"] is True
    with world.memory.read() as view:
        [fact] = [view.fact(row[0]) for row in view.rows("facts_dated")]
        assert fact is not None
        assert fact.valid_from is not None
        assert (fact.valid_from.text, fact.valid_from.lo) == (year(25), (601 + 24 - 1) * 365)


def test_an_era_cannot_shrink_below_what_is_written_in_it(world: Builder) -> None:
    world.tides()
    world.relate("Orrin", "RULES", "Halden", valid_from=year(90))
    assert world.fail("define_era", name="Second Tide", start=501, end=585)["error"] == "CONFLICT"
    world.do("add_entity", label="Person", name="Mira", properties={"born": year(95)})
    world.do("define_era", name="Second Tide", start=501, end=600)
    assert world.fail("define_era", name="Second Tide", start=501, end=592)["error"] == "CONFLICT"


def test_an_era_moves_past_what_other_doors_keep_under_the_name_of_a_time(world: Builder) -> None:
    world.tides()
    take_line(world.memory, {"entities": [{"name": "Ada", "type": "person", "metadata": {"born": "1990-01-01"}}]})
    take_line(world.memory, {"entities": [{"name": "Launch", "type": "event", "metadata": {"date": "next week"}}]})
    assert world.do("define_era", name="First Tide", start=2, end=500)["redefined"] is True


def test_findings_follow_an_era_that_moves_though_only_properties_are_dated_in_it(world: Builder) -> None:
    world.tides()
    world.do("define_era", name="Lost Years", start=-30, end=-20)
    world.do("add_entity", label="Person", name="Mira", properties={"born": year(90)})
    world.do("add_entity", label="Event", name="Flood", properties={"date": "lost_years.year_2"})
    world.do("get_anachronisms")  # from here on somebody wants to know
    [found] = world.relate("Mira", "PARTICIPATED_IN", "Flood")["violations"]
    assert found["rule_id"] == "no-anachronism-participation"
    moved = world.do("define_era", name="Second Tide", start=501, end=600, abbreviation="ST")
    assert (moved["violations"], moved["resolved_violations"]) == ([], [])
    later = world.do("define_era", name="Lost Years", start=601, end=620)
    assert later["resolved_violations"] == [found["id"]]


def test_added_rules_follow_the_present(world: Builder) -> None:
    world.tides()
    world.do("add_entity", label="Event", name="Flood", properties={"date": year(70)})
    rule = "MATCH (e:Event) WHERE before(event_time(e), now()) RETURN e"
    assert world.do("add_ontology_rule", id="past", cypher=rule, description="Past")["violations_found"] == 1
    world.do("define_date", slug="current", label="Then", era="second_tide", year=60)
    assert world.do("get_ontology_violations", rule_id="past") == []
    world.do("define_date", slug="current", label="Now", era="second_tide", year=80)
    assert len(world.do("get_ontology_violations", rule_id="past")) == 1


def test_findings_follow_eras_and_the_present_that_a_bundle_tells(world: Builder) -> None:
    world.tides()
    world.do("define_era", name="Second Tide", start=501, end=600, abbreviation="ST")
    world.do("define_era", name="Lost Years", start=-30, end=-20)
    world.do("add_entity", label="Person", name="Mira", properties={"born": year(90)})
    world.do("add_entity", label="Event", name="Flood", properties={"date": "lost_years.year_2"})
    world.relate("Mira", "PARTICIPATED_IN", "Flood")
    rule = "MATCH (e:Event) WHERE before(event_time(e), now()) RETURN e"
    assert world.do("add_ontology_rule", id="past", cypher=rule, description="Past")["violations_found"] == 1
    assert len(world.do("get_anachronisms")) == 1
    take_in_batch(world.memory, {"era": {"name": "Lost Years", "start": 601, "end": 620}})
    assert (world.do("get_anachronisms"), world.do("get_ontology_violations", rule_id="past")) == ([], [])
    take_in_batch(world.memory, {"date": {"slug": "current", "label": "Then", "era": "lost_years", "year": 9}})
    assert len(world.do("get_ontology_violations", rule_id="past")) == 1


def take_in_batch(memory: Memory, line: dict[str, Any]) -> None:
    with memory.as_actor("cli", "ingest").batch() as batch, batch.change() as change:
        assert write_line(change, parse_line(line))


@pytest.mark.parametrize("rule", ["no-overlapping-rulers", "sure"])
def test_rules_follow_how_reliable_a_source_is(world: Builder, rule: str) -> None:
    text = "---\nrelations:\n  - {from: Orrin, relation: RULES, to: Halden}\n---\nHe ruled."
    world.do("add_lore_source", title="rolls", source_type="prose", content=text, reliability="rumor")
    world.relate("Guard", "RULES", "Halden")
    cypher = "MATCH (a)-[r:RULES]->(b) WHERE r.confidence < 0.7 RETURN a, b, r"
    world.do("add_ontology_rule", id="sure", cypher=cypher, description="Sure", min_confidence=0.45)
    world.do("add_ontology_rule", id="no-overlapping-rulers", min_confidence=0.45)
    assert len(world.do("get_ontology_violations", rule_id=rule)) == 1
    world.do("add_lore_source", title="rolls", source_type="prose", content=text, reliability="fanon")
    assert world.do("get_ontology_violations", rule_id=rule) == []


def test_a_rumor_that_agrees_does_not_drop_a_finding_below_its_rule_s_confidence(world: Builder) -> None:
    world.relate("Orrin", "RULES", "Halden")
    world.relate("Guard", "RULES", "Halden")
    world.do("add_ontology_rule", id="no-overlapping-rulers", min_confidence=0.9)
    assert len(world.do("get_ontology_violations", rule_id="no-overlapping-rulers")) == 1
    text = "---\nrelations:\n  - {from: Orrin, relation: RULES, to: Halden}\n---\nHe ruled."
    world.do("add_lore_source", title="gossip", source_type="prose", content=text, reliability="rumor")
    [finding] = world.do("get_ontology_violations", rule_id="no-overlapping-rulers")
    assert finding["confidence"] == 1.0


def test_the_world_time_of_a_record_is_read_like_any_time(world: Builder) -> None:
    world.tides()
    take_line(world.memory, {"record": {"id": "m1", "title": "A letter", "content": "Of Mira.", "world_time": "45 ST"}})
    world.do("add_entity", label="Person", name="Mira")
    [about] = world.do("lore_about", entity="Mira")
    assert about["world_time"] == year(45)
    for wrong in ("pepper.year_1", "1848", "garbage", 7):
        with pytest.raises((BadLine, TimelineFixed)):
            take_line(world.memory, {"record": {"id": "m2", "content": "Of Mira.", "world_time": wrong}})


def test_a_calendar_has_months_and_extra_days(world: Builder) -> None:
    said = world.do(
        "define_calendar",
        name="Tide Reckoning",
        months=[["Ebb", 30], {"name": "Flow", "days": 30}, 5],
        week=["Salt", "Sand"],
        intercalary=[{"name": "Stillday", "after_month": 2, "days": 1}],
        leap={"every": 4, "month": 1, "days": 1},
    )
    assert said["months"] == [
        {"n": 1, "name": "Ebb", "days": 30},
        {"n": 2, "name": "Flow", "days": 31},
        {"n": 3, "name": None, "days": 5},
    ]
    assert (said["year_days"], said["primary"], said["created"], said["week"]) == (66, True, True, ["Salt", "Sand"])
    world.do("define_era", name="Tide", start=1, end=None)
    date = world.do("define_date", slug="first", label="First", era="tide", year=1, month=1, day=2)
    assert (date["time"], date["weekday"], date["is_current"]) == ("tide.year_1.month_1.day_2", "Sand", False)
    again = world.do("define_date", slug="first", label="First", era="Tide", year=1, month=1, day=2)
    assert (again["created"], again["redefined"], again["tx"]) == (False, False, date["tx"])
    assert world.fail("define_calendar", name="Tide Reckoning", months=[9])["error"] == "CONFLICT"
    assert (
        world.fail("define_date", slug="second", label="S", era="tide", year=1, month=1, day=40)["error"] == "BAD_TIME"
    )
    assert world.fail("define_date", slug="tide", label="T", era="tide", year=1)["error"] == "CONFLICT"
    assert world.fail("define_date", slug="x", label="T", era="sea", year=1)["error"] == "UNKNOWN_ERA"
    assert world.fail("define_date", slug="x", label="T", era="tide", year=1, day=1)["error"] == "BAD_INPUT"


@pytest.mark.parametrize(
    "months", [[], [0], [["Ebb", 30], ["Ebb", 30]], [["Ebb"]], [{"name": "Ebb"}], ["Ebb"], [1] * 61]
)
def test_a_bad_calendar_is_refused(world: Builder, months: list[object]) -> None:
    assert world.fail("define_calendar", name="Reckoning", months=months)["error"] == "BAD_INPUT"


def test_the_present_follows_its_date(world: Builder) -> None:
    world.tides()
    world.relate("Orrin", "RULES", "Halden", valid_from=year(25), valid_until=year(53))
    question = {"subject": "Orrin", "relation": "RULES", "object": "Halden"}
    assert world.do("was_true_at", **question, at_time="current")["was_true"] is False
    said = world.do("define_date", slug="current", label="Then", era="second_tide", year=30)
    assert (said["redefined"], said["is_current"], said["time"]) == (True, True, year(30))
    assert world.do("was_true_at", **question, at_time="current")["was_true"] is True
    assert world.do("was_true_at", **question, at_time="current", as_of=said["tx"] - 1)["was_true"] is False


def test_a_date_that_moved_leaves_what_was_written_with_it(world: Builder) -> None:
    world.tides()
    world.do("define_date", slug="the_fall", label="The Fall", era="second_tide", year=45)
    fact = world.relate("Orrin", "RULES", "Halden", valid_until="the_fall")
    assert fact["valid_until"] == year(45)
    assert world.do("define_date", slug="the_fall", label="The Fall", era="second_tide", year=46)["redefined"] is True
    assert world.relate("Orrin", "RULES", "Halden", valid_until=year(45))["id"] == fact["id"]


def test_a_real_world_has_eras_with_real_bounds(world: Builder) -> None:
    said = world.do("define_era", name="Victorian", start="1837-06-20", end="1901-01-22")
    assert (said["timeline"], said["years"]) == ("gregorian", 65)
    assert said["start"] == "victorian.year_1.month_6.day_20"
    date = world.do("define_date", slug="jubilee", label="Jubilee", era="ce", year=1887, month=6, day=20)
    assert (date["time"], date["weekday"]) == ("1887-06-20", "Monday")


def test_eras_calendars_and_dates_are_deleted_while_unused(world: Builder) -> None:
    world.tides()
    world.relate("Orrin", "RULES", "Halden", valid_from="grey_years")
    for slug in ("second_tide", "grey_years"):
        assert world.fail("delete_node", id=slug, reason="x")["error"] == "CONFLICT"
    said = world.do("delete_node", id="first_tide", reason="never was")
    assert (said["kind"], said["deleted"], said["changed"]) == ("era", True, True)
    assert world.do("delete_node", id="first_tide", reason="never was")["changed"] is False
    assert world.fail("add_relation", from_="A", relation="RULES", to="B", at="first_tide")["error"] == "UNKNOWN_ERA"
    assert world.do("delete_node", id="first_tide", reason="was", restore=True)["changed"] is True
    world.relate("A", "RULES", "B", at="first_tide")
    world.do("define_date", slug="the_fall", label="The Fall", era="second_tide", year=45)
    assert world.do("delete_node", id="the_fall", reason="x")["kind"] == "date"
    world.do("define_calendar", name="Reckoning", months=[10])
    world.do("define_era", name="Elsewhere", start=-900, end=-800, calendar="reckoning")
    assert world.fail("delete_node", id="reckoning", reason="x")["error"] == "CONFLICT"
    assert world.fail("delete_node", id="no_such_thing", reason="x")["error"] == "NOT_FOUND"


@pytest.mark.parametrize("tool", ["define_era", "define_calendar"])
def test_a_slug_has_at_most_64_characters(world: Builder, tool: str) -> None:
    given: dict[str, object] = {"start": 1, "end": 2} if tool == "define_era" else {"months": [30]}
    refused = world.fail(tool, name="a" * 65, **given)
    assert (refused["error"], refused["field"]) == ("BAD_INPUT", "name")
    assert world.do(tool, name="a" * 64, **given)["slug"] == "a" * 64


@pytest.mark.parametrize(("era", "relation"), [("Эпоха соли", "правит"), ("塩の時代", "治める"), ("Εποχή", "κυβερνά")])
def test_eras_and_relations_may_be_named_in_any_script(world: Builder, era: str, relation: str) -> None:
    said = world.do("define_era", name=era, start=1, end=500)
    path = said["path"]
    world.do("add_relation", **{"from": "Orrin", "relation": relation, "to": "Halden", "valid_from": f"{path}.year_12"})
    run = world.do("run_consistency_check", scope="Halden")
    assert (said["name"], run["scope"], world.do("latest_run")["scope"]) == (era, "entity:Halden", "entity:Halden")
    [found] = [each for each in world.do("timeline", entity="Orrin") if "Halden" in str(each)]
    assert f"{path}.year_12" in str(found)
