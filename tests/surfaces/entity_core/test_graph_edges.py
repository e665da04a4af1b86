"""Edges: said, said again, ended, withdrawn and brought back."""

from typing import Any

import pytest

from tests.surfaces.entity_core.asking import Entity
from tests.surfaces.entity_core.graphing import Json, edge, edges, keep_memory, node
from tests.when.worlds import TIDES

NOW = "2026-05-14T09:30:00.000Z"


@pytest.fixture
def noor(entity: Entity) -> str:
    return node(entity, "Noor")


@pytest.fixture
def ilse(entity: Entity) -> str:
    return node(entity, "Ilse")


def test_an_edge_has_all_its_fields(entity: Entity, noor: str, ilse: str) -> None:
    said = edge(
        entity,
        noor,
        "FriendOf",
        ilse,
        evidence="They met at the kiln.",
        occurredAt="2024-03",
        properties={"how": "kiln"},
        instanceId="psy-desk",
    )
    shown = said.pop("edge")
    assert said == {
        "success": True,
        "message": "Noor friend_of Ilse.",
        "created": True,
        "reopened": False,
        "previousEdgeId": None,
        "tx": entity.tx,
    }
    assert shown == {
        "id": shown["id"],
        "fromId": noor,
        "toId": ilse,
        "type": "friend_of",
        "weight": 0.5,
        "evidence": "They met at the kiln.",
        "occurredAt": "2024-03",
        "validUntil": None,
        "createdAt": NOW,
        "updatedAt": NOW,
        "version": 1,
        "properties": {"how": "kiln"},
        "valid": True,
        "stale": False,
        "disputed": False,
        "deleted": False,
        "confidence": 0.9,
        "lastConfirmedAt": NOW,
        "sources": [
            {
                "tool": "tool:entity-core.graph_edge_create",
                "instanceId": "psy-desk",
                "evidence": "They met at the kiln.",
                "confidence": 0.9,
                "recordedAt": NOW,
            }
        ],
    }
    assert edges(entity, id=shown["id"]) == [shown]


def test_saying_it_again_confirms_it(entity: Entity, noor: str, ilse: str) -> None:
    first = edge(entity, noor, "friend_of", ilse, occurredAt="2024-03", weight=0.7, properties={"a": 1})
    entity.at("2026-05-15T08:00:00Z")
    again = edge(
        entity, noor, "friend_of", ilse, occurredAt="2023", weight=0.2, properties={"a": 2, "b": 3}, evidence="again"
    )
    shown = again["edge"]
    assert (again["created"], again["reopened"], shown["id"]) == (False, False, first["edge"]["id"])
    assert (shown["weight"], shown["properties"], shown["version"]) == (0.7, {"a": 1, "b": 3}, 2)
    assert (shown["occurredAt"], shown["lastConfirmedAt"]) == ("2023", "2026-05-15T08:00:00.000Z")
    assert [each["evidence"] for each in shown["sources"]] == [None, "again"]
    heavier = edge(entity, noor, "friend_of", ilse, occurredAt="2025", weight=0.9)["edge"]
    assert (heavier["weight"], heavier["occurredAt"], heavier["evidence"]) == (0.9, "2023", "again")
    assert len(edges(entity)) == 1


def test_an_open_beginning_is_filled_and_a_given_end_replaces_the_old(entity: Entity, noor: str, ilse: str) -> None:
    edge(entity, noor, "lives_in", ilse)
    filled = edge(entity, noor, "lives_in", ilse, occurredAt="2025", validUntil="2026-12")["edge"]
    assert (filled["occurredAt"], filled["validUntil"], filled["version"]) == ("2025", "2026-12", 2)
    moved = edge(entity, noor, "lives_in", ilse, validUntil="2026-08")["edge"]
    assert moved["validUntil"] == "2026-08"


def test_an_end_that_has_passed_is_cleared_by_who_says_that_it_still_holds(
    entity: Entity, noor: str, ilse: str
) -> None:
    edge(entity, noor, "lives_in", ilse, occurredAt="2020", validUntil="2026-05-10")
    still = edge(entity, noor, "lives_in", ilse, occurredAt="2026-05-01")
    assert (still["created"], still["edge"]["validUntil"], still["edge"]["valid"]) == (False, None, True)


def test_an_ended_edge_said_again_opens_a_second_interval(entity: Entity, noor: str, ilse: str) -> None:
    first = edge(entity, noor, "works_at", ilse, occurredAt="2020", validUntil="2022")["edge"]
    assert first["valid"] is False
    again = edge(entity, noor, "works_at", ilse)
    assert (again["created"], again["reopened"], again["previousEdgeId"]) == (True, True, first["id"])
    assert again["edge"]["id"] != first["id"]
    assert again["edge"]["occurredAt"] == "2026-05-14T09:30:00Z"
    assert [each["id"] for each in edges(entity, onlyValid=True, at_time="2021")] == [first["id"]]
    assert [each["id"] for each in edges(entity, onlyValid=True)] == [again["edge"]["id"]]
    assert edges(entity, onlyValid=True, at_time="2024") == []
    assert edges(entity, id=first["id"])[0]["validUntil"] == "2022"


def test_a_first_edge_has_an_open_beginning_and_an_earlier_interval_is_no_reopening(
    entity: Entity, noor: str, ilse: str
) -> None:
    first = edge(entity, noor, "works_at", ilse, occurredAt="2024")
    assert first["edge"]["occurredAt"] == "2024"
    earlier = edge(entity, noor, "works_at", ilse, occurredAt="2010", validUntil="2012")
    assert (earlier["created"], earlier["reopened"], earlier["previousEdgeId"]) == (True, False, None)
    assert edge(entity, ilse, "works_at", noor)["edge"]["occurredAt"] is None


def test_a_deleted_edge_said_again_is_live_again_as_now_described(entity: Entity, noor: str, ilse: str) -> None:
    first = edge(entity, noor, "loves", ilse, occurredAt="2020", weight=0.9, properties={"a": 1})["edge"]
    entity.ok("graph_edge_delete", id=first["id"], reason="a mistake")
    assert edges(entity) == []
    entity.assert_fails("graph_edge_delete", "not_found", id=first["id"])
    entity.assert_fails("graph_edge_update", "not_found", id=first["id"], weight=0.1)
    again = edge(entity, noor, "loves", ilse, occurredAt="2025", weight=0.3, properties={"b": 2})
    shown = again["edge"]
    assert (again["created"], again["reopened"], shown["id"]) == (False, False, first["id"])
    assert (shown["occurredAt"], shown["weight"], shown["properties"]) == ("2025", 0.3, {"b": 2})
    assert (shown["deleted"], shown["version"], len(shown["sources"])) == (False, 3, 1)


def test_facts_that_no_bound_ends_are_confirmed_whenever_said(entity: Entity, noor: str, ilse: str) -> None:
    first = edge(entity, noor, "commitment", ilse, validUntil="2026-05-01")["edge"]
    assert first["valid"] is True
    again = edge(entity, noor, "commitment", ilse)
    assert (again["created"], again["edge"]["id"]) == (False, first["id"])


def test_bounds_that_exclude_each_other_are_disputed_where_the_type_says_so(
    entity: Entity, noor: str, ilse: str
) -> None:
    one = edge(entity, noor, "rules", ilse, occurredAt="2001", validUntil="2010")["edge"]
    other = edge(entity, noor, "rules", ilse, occurredAt="2005", validUntil="2020")
    assert (other["created"], other["edge"]["disputed"]) == (True, True)
    assert edges(entity, id=one["id"])[0]["disputed"] is True


def test_an_end_holds_through_its_whole_period(entity: Entity, noor: str, ilse: str) -> None:
    edge(entity, noor, "attends", ilse, occurredAt="2026-01", validUntil="2026-05-14")
    assert edges(entity)[0]["valid"] is True
    assert edges(entity, at_time="2026-05-14T23:59:59.999Z")[0]["valid"] is True
    assert edges(entity, at_time="2026-05-15")[0]["valid"] is False
    assert edges(entity, at_time="2025-12-31")[0]["valid"] is False
    assert edges(entity, at_time="2025")[0]["valid"] is False
    assert edges(entity, at_time="2026")[0]["valid"] is True


def test_a_memory_can_be_the_source(entity: Entity, noor: str, ilse: str) -> None:
    keep_memory(entity, "daily-2026-05-12_psy-desk", "Noor met Ilse.", "2026-05-12T20:00:00Z")
    shown = edge(
        entity,
        noor,
        "met_through",
        ilse,
        sourceMemoryId="daily-2026-05-12_psy-desk",
        evidence="Noor met Ilse",
        confidence=0.6,
        instanceId="st-attic",
    )["edge"]
    assert shown["sources"] == [
        {
            "memoryId": "daily-2026-05-12_psy-desk",
            "instanceId": "st-attic",
            "evidence": "Noor met Ilse",
            "confidence": 0.6,
            "recordedAt": NOW,
        }
    ]
    assert shown["confidence"] == 0.6


def test_a_memory_speaks_from_its_own_time(entity: Entity, noor: str, ilse: str) -> None:
    keep_memory(entity, "daily-2024-01-10_a", "x", "2024-01-10T20:00:00Z")
    ended = edge(entity, noor, "lives_in", ilse, occurredAt="2023", validUntil="2024-06")["edge"]
    again = edge(entity, noor, "lives_in", ilse, sourceMemoryId="daily-2024-01-10_a", weight=0.8)
    assert (again["created"], again["edge"]["id"]) == (False, ended["id"])
    assert (again["edge"]["validUntil"], again["edge"]["weight"]) == ("2024-06", 0.8)


def test_edges_are_found_by_ends_and_type(entity: Entity, noor: str, ilse: str) -> None:
    tea = node(entity, "Tea", "topic")
    edge(entity, noor, "loves", tea)
    edge(entity, noor, "loves", ilse, occurredAt="2020")
    edge(entity, ilse, "dislikes", tea, occurredAt="2010")
    edge(entity, ilse, "loves", ilse, occurredAt="2021")

    def found(**asked: Any) -> list[tuple[str, str]]:
        return [(each["fromId"], each["toId"]) for each in edges(entity, **asked)]

    assert found() == [(ilse, tea), (noor, ilse), (ilse, ilse), (noor, tea)]
    assert found(fromId=noor) == [(noor, ilse), (noor, tea)]
    assert found(toId=tea) == [(ilse, tea), (noor, tea)]
    assert found(type="Loves", toId=tea) == [(noor, tea)]
    assert found(type="loves") == [(noor, ilse), (ilse, ilse), (noor, tea)]
    assert found(fromId=ilse, toId=ilse, type="loves") == [(ilse, ilse)]
    assert found(fromId="ent_00000000000000000000000000") == []
    assert found(id="fact_00000000000000000000000000") == []
    [only] = edges(entity, type="dislikes")
    assert found(id=only["id"], fromId=noor) == []
    page = entity.ok("graph_edge_get", limit=1, offset=1)
    assert ([each["toId"] for each in page["edges"]], page["total"]) == ([ilse], 4)
    beyond = entity.ok("graph_edge_get", offset=9)
    assert (beyond["edges"], beyond["total"]) == ([], 4)


def test_ends_must_be_live_nodes(entity: Entity, noor: str, ilse: str) -> None:
    entity.ok("graph_node_delete", id=ilse)
    said = entity.assert_fails("graph_edge_create", "not_found", fromId=noor, toId=ilse, type="loves")
    assert said["field"] == "toId"
    said = entity.assert_fails("graph_edge_create", "not_found", fromId="nobody", toId=noor, type="loves")
    assert said["field"] == "fromId"


def test_bad_input_names_its_field_and_writes_nothing(entity: Entity, noor: str, ilse: str) -> None:
    good: Json = {"fromId": noor, "toId": ilse, "type": "loves"}
    for field, value in [
        ("type", "  "),
        ("weight", -0.1),
        ("weight", "0.5"),
        ("confidence", 2),
        ("occurredAt", "2026-13"),
        ("occurredAt", "soon"),
        ("validUntil", "2025-02-30"),
        ("evidence", " "),
        ("properties", {"weight": 1}),
    ]:
        said = entity.assert_fails("graph_edge_create", "invalid_input", **{**good, field: value})
        assert said["field"] == field, said
    late = {**good, "occurredAt": "2026", "validUntil": "2025"}
    assert entity.assert_fails("graph_edge_create", "invalid_input", **late)["field"] == "validUntil"
    assert edge(entity, noor, "loves", ilse, occurredAt="2026-05", validUntil="2026")["created"] is True
    entity.assert_fails("graph_edge_create", "too_large", **{**good, "evidence": "x" * 8001})
    entity.assert_fails("graph_edge_get", "invalid_input", limit=5001)
    entity.assert_fails("graph_edge_get", "invalid_input", node=noor)


def test_an_edge_is_ended_and_opened_again(entity: Entity, noor: str, ilse: str) -> None:
    id_ = edge(entity, noor, "friend_of", ilse, occurredAt="2024-03")["edge"]["id"]
    ended = entity.ok("graph_edge_update", id=id_, validUntil="2026-05-10", instanceId="psy-desk")["edge"]
    assert (ended["validUntil"], ended["version"], ended["valid"]) == ("2026-05-10", 2, False)
    opened = entity.ok("graph_edge_update", id=id_, clear=["validUntil"])["edge"]
    assert (opened["validUntil"], opened["valid"], opened["occurredAt"]) == (None, True, "2024-03")
    wrong = entity.assert_fails("graph_edge_update", "invalid_input", id=id_, validUntil="2020")
    assert wrong["field"] == "validUntil"


def test_an_edit_outlives_the_withdrawal_of_a_source(entity: Entity, noor: str, ilse: str) -> None:
    from recollect.write.retract import withdraw_assertions

    keep_memory(entity, "daily-2026-05-12_a", "x", "2026-05-12T20:00:00Z")
    edge(entity, noor, "friend_of", ilse, occurredAt="2020", weight=0.9)
    id_ = edge(entity, noor, "friend_of", ilse, sourceMemoryId="daily-2026-05-12_a")["edge"]["id"]
    entity.ok("graph_edge_update", id=id_, validUntil="2026-06", weight=0.1, properties={"a": 1}, occurredAt="2022")
    with entity.memory.write() as change:
        memory = change.document_named("memory", "daily-2026-05-12_a")
        assert memory is not None
        withdraw_assertions(change, change.assertions_from(memory.id))
    [left] = edges(entity)
    assert (left["occurredAt"], left["validUntil"], left["weight"]) == ("2022", "2026-06", 0.1)
    assert (left["properties"], len(left["sources"])) == ({"a": 1}, 1)


def test_weight_and_properties_are_set_and_evidence_is_added(entity: Entity, noor: str, ilse: str) -> None:
    id_ = edge(entity, noor, "loves", ilse, weight=0.9, evidence="one", properties={"a": 1})["edge"]["id"]
    changed = entity.ok("graph_edge_update", id=id_, weight=0.2, properties={"b": 2}, evidence="two")["edge"]
    assert (changed["weight"], changed["properties"], changed["evidence"]) == (0.2, {"b": 2}, "two")
    assert [each["evidence"] for each in changed["sources"]] == ["one", "two"]
    same = entity.ok("graph_edge_update", id=id_, weight=0.2, evidence="two")
    assert same["unchanged"] is True
    bare = entity.ok("graph_edge_update", id=id_, clear=["evidence", "properties", "occurredAt"])["edge"]
    assert (bare["evidence"], bare["properties"], bare["weight"]) == (None, {}, 0.2)


def test_evidence_for_an_ended_edge_leaves_it_ended(entity: Entity, noor: str, ilse: str) -> None:
    id_ = edge(entity, noor, "loves", ilse, validUntil="2020")["edge"]["id"]
    assert entity.ok("graph_edge_update", id=id_, evidence="a letter")["edge"]["validUntil"] == "2020"


def test_an_edge_can_get_another_type_unless_that_is_taken(entity: Entity, noor: str, ilse: str) -> None:
    id_ = edge(entity, noor, "loves", ilse)["edge"]["id"]
    assert entity.ok("graph_edge_update", id=id_, type="respects")["edge"]["type"] == "respects"
    assert [each["type"] for each in edges(entity, fromId=noor)] == ["respects"]
    holder = edge(entity, noor, "loves", ilse)
    assert holder["created"] is True
    said = entity.assert_fails("graph_edge_update", "name_taken", id=id_, type="loves")
    assert said["choices"][0]["id"] == holder["edge"]["id"]
    entity.ok("graph_edge_update", id=holder["edge"]["id"], validUntil="2020")
    assert entity.ok("graph_edge_update", id=id_, type="loves")["edge"]["type"] == "loves"


def test_an_edit_needs_something_and_the_right_version(entity: Entity, noor: str, ilse: str) -> None:
    id_ = edge(entity, noor, "loves", ilse)["edge"]["id"]
    entity.assert_fails("graph_edge_update", "invalid_input", id=id_)
    entity.assert_fails("graph_edge_update", "version_conflict", id=id_, weight=0.1, expectedVersion=2)
    found = entity.ok("graph_edge_update", id=id_, lastConfirmedAt="2026-05-01", expectedVersion=1)["edge"]
    assert (found["lastConfirmedAt"], found["version"]) == ("2026-05-01T00:00:00.000Z", 2)
    entity.assert_fails("graph_edge_update", "not_found", id="fact_00000000000000000000000000", weight=0.1)


def test_two_types_never_stale_each_other(entity: Entity, noor: str, ilse: str) -> None:
    edge(entity, noor, "loves", ilse)
    entity.at("2026-05-16T08:00:00Z")
    edge(entity, noor, "dislikes", ilse)
    assert [each["stale"] for each in edges(entity)] == [False, False]


def test_a_symmetric_edge_is_one_whichever_way_it_is_said(entity: Entity, noor: str, ilse: str) -> None:
    first = edge(entity, noor, "sibling_of", ilse)["edge"]
    again = edge(entity, ilse, "sibling_of", noor)
    assert (again["created"], again["edge"]["id"], again["edge"]["fromId"]) == (False, first["id"], noor)


def test_earlier_moments_show_the_edge_as_it_was(entity: Entity, noor: str, ilse: str) -> None:
    id_ = edge(entity, noor, "loves", ilse, weight=0.4)["edge"]["id"]
    made = entity.tx
    entity.ok("graph_edge_update", id=id_, weight=0.8)
    entity.ok("graph_edge_delete", id=id_)
    [before] = edges(entity, as_of=made)
    assert (before["weight"], before["version"], before["deleted"]) == (0.4, 1, False)
    assert edges(entity, as_of=made - 1) == []
    [deleted] = edges(entity, includeDeleted=True)
    assert (deleted["deleted"], deleted["valid"]) == (True, False)


def test_times_of_a_fictional_world_are_taken_and_compared(entity: Entity, noor: str, ilse: str) -> None:
    for number, definition in enumerate(TIDES):
        [(kind, value)] = definition.items()
        with entity.memory.write() as change:
            change.put_definition(kind, f"{number:02}", value)
            change.put_setting("timeline", "fictional")
    with entity.memory.write() as change:
        change.put_setting("now", "second_tide.year_10")
    first = edge(entity, noor, "serves", ilse, occurredAt="first_tide.year_5", validUntil="first_tide.year_9")["edge"]
    assert (first["occurredAt"], first["valid"]) == ("first_tide.year_5", False)
    assert edges(entity, onlyValid=True, at_time="first_tide.year_9.month_2.day_1")[0]["id"] == first["id"]
    entity.ok("graph_edge_update", id=first["id"], clear=["validUntil"])
    assert edges(entity)[0]["valid"] is True
    said = entity.assert_fails(
        "graph_edge_create", "invalid_input", fromId=noor, toId=ilse, type="serves", occurredAt="2024"
    )
    assert said["field"] == "occurredAt"
    said = entity.assert_fails("graph_edge_get", "invalid_input", at_time="third_tide.year_1")
    assert said["field"] == "at_time"
