"""Timelines, intervals in a period, and events in order."""

import pytest

from recollect.memory import Memory
from tests.surfaces.lore_engine.tides import World, named, y


@pytest.fixture
def world(memory: Memory) -> World:
    return World(memory).invented()


def entries(world: World, entity: str, **more: object) -> list[tuple[str | None, str, str | None]]:
    return [
        (each["at"], each["relation"], each["other"] and each["other"]["name"])
        for each in world.ask("timeline", entity=entity, **more)
    ]


@pytest.fixture
def life(world: World) -> World:
    return world.tell(
        "Mira BORN (y20)",
        "Mira MEMBER_OF Orrins (y20 ..)",
        "Mira POSSESSES Knife (y44 ..)",
        "Breaking OCCURRED_DURING 'second_tide.year_45 (y45)",
        "Mira PARTICIPATED_IN Breaking",
        "Tobin PARENT_OF Mira",
        "Mira DIED (y71)",
    )


def test_a_timeline_is_in_order_with_what_has_no_time_last(life: World) -> None:
    assert entries(life, "Mira") == [
        (y(20), "BORN", None),
        (y(20), "MEMBER_OF", "Orrins"),
        (y(44), "POSSESSES", "Knife"),
        (y(45), "PARTICIPATED_IN", "Breaking"),
        (y(71), "DIED", None),
        (None, "PARENT_OF", "Tobin"),
    ]


def test_bounds_take_what_meets_them_and_drop_the_undated(life: World) -> None:
    assert entries(life, "Mira", **{"from": "y44", "to": "y45"}) == [
        (y(20), "MEMBER_OF", "Orrins"),
        (y(44), "POSSESSES", "Knife"),
        (y(45), "PARTICIPATED_IN", "Breaking"),
    ]
    assert entries(life, "Mira", start="y72") == []
    assert entries(life, "Mira", end="y19") == []
    refused = life.refused("timeline", entity="Mira", **{"from": "y45", "to": "y44"})
    assert (refused["error"], refused["field"]) == ("BAD_INPUT", "from")


def test_an_entry_says_its_kind_role_basis_and_sources(life: World) -> None:
    [deed] = life.ask("timeline", entity="Mira", relation="took part in")
    assert (deed["kind"], deed["role"], deed["at_basis"], deed["source"]) == ("event", "subject", "event", "rolls")
    assert (deed["at"], deed["until"], deed["text"]) == (y(45), y(45), "Mira participated in Breaking")
    [child] = life.ask("timeline", entity="Mira", relation_type="CHILD_OF")
    assert (child["role"], child["kind"], child["at_basis"]) == ("object", "relation", None)


def test_an_event_tells_of_those_who_took_part_under_its_own_time(life: World) -> None:
    told = life.ask("timeline", entity="Breaking")
    assert [(each["at"], each["kind"], each["relation"]) for each in told] == [
        (y(45), "event", "OCCURRED_DURING"),
        (y(45), "event", "PARTICIPATED_IN"),
    ]


def test_on_a_real_timeline_an_undated_transition_has_the_day_of_its_source(memory: Memory) -> None:
    world = World(memory).tell("Mira RULES Halden (1990 ..)")
    with_record = {"from": "Mira", "to": "Halden", "edge_label": "TRANSITIONED", "fact_type": "status_change"}
    world._take({"record": {"id": "m", "type": "note", "source_at": "2026-03-04T10:00:00Z"}, "facts": [with_record]})
    assert [(each["at"], each["at_basis"]) for each in world.ask("timeline", entity="Mira")] == [
        ("1990", "valid_from"),
        ("2026-03-04", "source_at"),
    ]


def test_a_list_cut_at_the_largest_limit_advises_only_to_ask_for_less(memory: Memory) -> None:
    world = World(memory)
    world._take(
        {
            "facts": [
                {"from": "Mira", "to": f"Guest {each}", "edge_label": "AFFILIATED", "fact_type": "knows"}
                for each in range(1_001)
            ]
        }
    )
    cut = world.answer("timeline", entity="Mira", limit=1_000)
    assert cut.texts[1:] == ("Only the first 1,000 of 1,001 are listed; ask for less.",)


def test_a_limit_keeps_the_earliest_and_says_the_total(life: World) -> None:
    cut = life.answer("timeline", entity="Mira", limit=2)
    assert cut.meta == {"total": 6, "truncated": True}
    assert cut.texts[1:] == ("Only the first 2 of 6 are listed; raise `limit` or ask for less.",)
    assert len(life.answer("timeline", entity="Mira").texts) == 1
    assert [each["relation"] for each in cut.structured["result"]] == ["BORN", "MEMBER_OF"]


def test_true_during_lists_what_held_in_a_period_from_the_side_asked_for(world: World) -> None:
    world.tell(
        "Saltguard AT_WAR_WITH Orrins (y55 .. y63)",
        "Orrins AT_WAR_WITH Watch (y61 .. y62)",
        "Orrins RULES Halden (.. y50)",
        "Orrins RULES Keep (y45 .. y46)",
    )
    [war] = world.ask("true_during", relation="AT_WAR_WITH", subject="Orrins", era="second_tide.grey_years")
    assert (war["subject"], war["object"], war["coverage"]) == ("Orrins", "Saltguard", "partial")
    assert (war["clipped_from"], war["clipped_until"]) == (f"{y(55)}.month_1.day_1", f"{y(60)}.month_12.day_31")
    rules = world.ask("true_during", relation="RULES", subject="Orrins", era="second_tide")
    assert [(each["object"], each["clipped_from"]) for each in rules] == [
        ("Halden", f"{y(1)}.month_1.day_1"),
        ("Keep", f"{y(45)}.month_1.day_1"),
    ]
    assert [each["object"] for each in world.ask("true_during", relation="RULES", subject="Orrins", era="y48")] == [
        "Halden"
    ]


def test_true_during_turns_with_the_name_and_with_as_object(world: World) -> None:
    world.tell("Orrins RULES Halden (y20 ..)", "Tobin RULES Halden (y40 ..)")
    for more in ({"relation": "RULED_BY"}, {"relation": "RULES", "as_object": True}):
        found = world.ask("true_during", subject="Halden", era="y50", **more)
        assert [(each["subject"], each["object"]) for each in found] == [("Orrins", "Halden"), ("Tobin", "Halden")]
    one = world.ask("true_during", relation="RULED_BY", subject="Halden", object="Tobin", era="y50")
    assert [each["subject"] for each in one] == ["Tobin"]


def test_events_of_a_period_come_in_order_with_place_and_people(world: World) -> None:
    world.types["Skirmish"] = "Battle"
    world.tell(
        "Breaking OCCURRED_DURING 'second_tide.year_45 (y45)",
        "Breaking OCCURRED_AT Halden",
        "Mira PARTICIPATED_IN Breaking",
        "Ann FOUGHT_IN Breaking",
        "Skirmish OCCURRED_AT Keep (y41 .. y42)",
        "Feast OCCURRED_AT Keep",
        "Drowning OCCURRED_DURING 'second_tide.year_59..y62 (y59 .. y62)",
        "Keep PART_OF Coast (y1 .. y41)",
        "Halden PART_OF Coast",
    )
    world.entity("Council", "Event", date="second_tide.year_50")
    found = world.ask("events_during", era="second_tide.grey_years")
    assert [(each["name"], each["at"], each["location"], each["coverage"]) for each in found] == [
        ("Skirmish", y(41), "Keep", "full"),
        ("Breaking", y(45), "Halden", "full"),
        ("Council", y(50), None, "full"),
        ("Drowning", y(59), None, "partial"),
    ]
    assert found[1]["participants"] == ["Ann", "Mira"]
    cut = world.answer("events_during", era="second_tide", limit=1)
    assert len(cut.structured["result"]) == 1
    assert cut.texts[1:] == (f"Only the first 1 of {cut.meta['total']} are listed; raise `limit` or ask for less.",)
    assert world.names("events_during", era="second_tide", type="battle") == ["Skirmish"]
    assert world.names("events_during", era="second_tide", type="coronation") == []
    assert world.names("events_during", era="second_tide", location="Coast") == ["Skirmish", "Breaking"]
    assert world.names("events_during", era="second_tide", location="Coast", exact=True) == []
    assert world.names("events_during", era="second_tide", location="Keep", exact=True) == ["Skirmish"]


def test_a_place_holds_an_event_only_if_it_held_the_site_at_the_time(world: World) -> None:
    world.tell("Feast OCCURRED_AT Keep (y50)", "Keep PART_OF Coast (y1 .. y41)")
    assert world.names("events_during", era="second_tide", location="Coast") == []


def test_a_chain_tells_causes_effects_and_what_went_on_beside(world: World) -> None:
    world.tell(
        "Mira CAUSED Breaking",
        "Council PRECEDED Breaking",
        "Breaking CAUSED Drowning",
        "Breaking PRECEDED Drowning",
        "Drowning LED_TO Feast",
        "Breaking CONCURRENT_WITH Council",
        "Breaking OCCURRED_DURING 'second_tide.year_45 (y45)",
    )
    chain = world.ask("event_chain", event="Breaking")
    assert (chain["event"]["at"], chain["event"]["until"]) == (y(45), y(45))
    assert [(each["name"], each["relation"], each["depth"]) for each in chain["causes"]] == [
        ("Council", "PRECEDED", 1),
        ("Mira", "CAUSED", 1),
    ]
    assert [(each["name"], each["relation"], each["depth"]) for each in chain["effects"]] == [
        ("Drowning", "CAUSED", 1),
        ("Feast", "CAUSED", 2),
    ]
    assert chain["effects"][1]["via"] == chain["effects"][0]["id"]
    assert named(chain["concurrent"]) == ["Council"]
    assert (len(chain["edges"]), chain["cyclic"], chain["truncated"]) == (6, False, False)
    assert named(world.ask("event_chain", event="Breaking", depth=1)["effects"]) == ["Drowning"]
    assert world.ask("event_chain", event="Breaking", limit=1)["truncated"] is True


def test_a_chain_that_comes_back_is_cyclic_and_ends(world: World) -> None:
    world.tell("Breaking CAUSED Drowning", "Drowning CAUSED Breaking")
    chain = world.ask("event_chain", event="Breaking", depth=10)
    assert (named(chain["effects"]), named(chain["causes"]), chain["cyclic"]) == (["Drowning"], ["Drowning"], True)
    assert world.refused("event_chain", event="Nothing at all")["error"] == "ENTITY_NOT_FOUND"


def test_of_very_many_relations_the_first_are_told_and_all_are_counted(
    life: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    life.tell("Mira SERVES Undertow (y30 ..)", "Mira BORN (y20 ..)", "Mira KNEW Undertow (y33 ..)")
    periods = [{}, {"from": "y44"}, {"to": "y44"}, {"from": "y31", "to": "y44"}, {"from": "y75"}, {"to": "y1"}]
    whole = [life.answer("timeline", entity="Mira", **period) for period in periods]
    monkeypatch.setattr("recollect.reason.lore.entity_timeline.MANY_ROWS", 3)
    for period, told in zip(periods, whole, strict=True):
        for limit in (1, 2, 3, 100):
            cut = life.answer("timeline", entity="Mira", limit=limit, **period)
            assert cut.structured["result"] == told.structured["result"][:limit]
            assert cut.meta["total"] == told.meta["total"]
