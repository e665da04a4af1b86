"""Nodes: one for each type and label, changed openly, let go of softly."""

from typing import Any

from recollect.model.ids import EntityId, format_uuid, read_id
from recollect.write.merge import merge
from tests.support.facts import fact, tell
from tests.surfaces.entity_core.asking import Entity
from tests.surfaces.entity_core.graphing import edge, edges, get, keep_memory, labels, node

NOW = "2026-05-14T09:30:00.000Z"


def test_a_new_node_has_all_its_fields(entity: Entity) -> None:
    made = entity.ok(
        "graph_node_create",
        type="person",
        label="  Ilse   Brandt ",
        description="Noor's friend",
        properties={"likes": ["tea"]},
        instanceId="psy-desk",
    )
    shown = made.pop("node")
    id_ = shown["id"]
    assert made == {
        "success": True,
        "message": "I know Ilse Brandt now.",
        "created": True,
        "matchedBy": None,
        "tx": entity.tx,
    }
    expected = {
        "id": id_,
        "type": "person",
        "label": "Ilse Brandt",
        "description": "Noor's friend",
        "properties": {"likes": ["tea"]},
        "confidence": 0.5,
        "sourceInstance": "psy-desk",
        "sourceMemoryId": None,
        "createdAt": NOW,
        "updatedAt": NOW,
        "firstLearnedAt": NOW,
        "lastConfirmedAt": NOW,
        "version": 1,
        "aliases": [],
        "provisional": False,
        "deleted": False,
    }
    assert shown == expected
    assert get(entity, id_) == {**expected, "memories": [], "statements": []}
    assert get(entity, format_uuid(read_id(id_, "ent_"))) == get(entity, id_)


def test_types_are_folded_on_the_way_in(entity: Entity) -> None:
    for given, stored in [("Person", "person"), ("MagicSystem", "magic_system"), ("Company", "organization")]:
        made = entity.ok("graph_node_create", type=given, label=f"a {given}")
        assert made["node"]["type"] == stored
    assert entity.ok("graph_node_list", type="company")["total"] == 1


def test_the_same_type_and_label_is_the_same_node_and_only_blanks_are_filled(entity: Entity) -> None:
    id_ = node(entity, "Ilse Brandt", description="a friend", properties={"a": 1}, confidence=0.4)
    entity.at("2026-05-15T08:00:00Z")
    again = entity.ok(
        "graph_node_create",
        type="Person",
        label="ILSE brandt",
        description="an enemy",
        properties={"a": 2, "b": 3},
        confidence=0.7,
        aliases=["Ilse"],
    )
    shown = again["node"]
    assert (again["created"], again["matchedBy"], shown["id"]) == (False, "label", id_)
    assert (shown["label"], shown["description"]) == ("Ilse Brandt", "a friend")
    assert (shown["properties"], shown["confidence"], shown["aliases"]) == ({"a": 1, "b": 3}, 0.7, ["Ilse"])
    assert (shown["version"], shown["lastConfirmedAt"]) == (2, "2026-05-15T08:00:00.000Z")
    assert shown["createdAt"] == NOW


def test_a_node_that_is_merely_confirmed_keeps_its_version(entity: Entity) -> None:
    id_ = node(entity, "Ilse", confidence=0.8)
    entity.at("2026-05-15T08:00:00Z")
    again = entity.ok("graph_node_create", type="person", label="ilse", confidence=0.2)["node"]
    assert (again["version"], again["confidence"]) == (1, 0.8)
    assert again["lastConfirmedAt"] == "2026-05-15T08:00:00.000Z"
    assert get(entity, id_)["version"] == 1


def test_the_same_call_at_the_same_moment_changes_nothing(entity: Entity) -> None:
    node(entity, "Ilse", description="x", aliases=["I."])
    before = entity.tx
    again = entity.ok("graph_node_create", type="person", label="Ilse", description="x", aliases=["I."])
    assert (again["unchanged"], again["tx"], entity.tx) == (True, before, before)


def test_an_alias_of_the_same_type_finds_the_node(entity: Entity) -> None:
    id_ = node(entity, "Ilse Brandt", aliases=["Ilse"])
    again = entity.ok("graph_node_create", type="person", label="ilse")
    assert (again["node"]["id"], again["created"], again["matchedBy"]) == (id_, False, "alias")
    assert entity.ok("graph_node_create", type="boat", label="Ilse")["created"] is True


def test_an_alias_comes_before_a_node_whose_type_nobody_gave(entity: Entity) -> None:
    tell(entity.memory, fact("Ilse", "contributor", "Kiln"))
    id_ = node(entity, "Ilse Brandt", aliases=["Ilse"])
    assert node(entity, "Ilse") == id_
    kiln = entity.ok("graph_node_create", type="place", label="kiln")
    assert (kiln["created"], kiln["matchedBy"], kiln["node"]["type"]) == (False, "label", "place")
    assert kiln["node"]["provisional"] is False


def test_an_identifier_tells_two_of_one_name_apart(entity: Entity) -> None:
    one = node(entity, "Jo Lee", properties={"email": "a@x.example"})
    other = node(entity, "Jo Lee", properties={"email": "b@x.example"})
    assert one != other
    assert node(entity, "Jo Lee", properties={"email": "B@x.example"}) == other
    said = entity.assert_fails("graph_node_create", "ambiguous", type="person", label="jo lee")
    assert {each["id"] for each in said["choices"]} == {one, other}


def test_an_alias_of_several_is_ambiguous(entity: Entity) -> None:
    node(entity, "Ilse Brandt", aliases=["Ilse"])
    node(entity, "Ilse Maes", aliases=["Ilse"])
    entity.assert_fails("graph_node_create", "ambiguous", type="person", label="ilse")


def test_a_near_spelling_is_another_node(entity: Entity) -> None:
    assert node(entity, "Sara") != node(entity, "Sarah")


def test_where_and_when_it_was_learned_can_be_said(entity: Entity) -> None:
    keep_memory(entity, "daily-2026-05-12_psy-desk", "Noor met Ilse.", "2026-05-12T20:00:00Z")
    made = entity.ok(
        "graph_node_create",
        type="person",
        label="Ilse",
        sourceMemoryId="daily-2026-05-12_psy-desk",
        firstLearnedAt="2024-01-01",
    )["node"]
    assert made["sourceMemoryId"] == "daily-2026-05-12_psy-desk"
    assert (made["firstLearnedAt"], made["createdAt"]) == ("2024-01-01T00:00:00.000Z", NOW)
    assert made["properties"] == {}
    said = entity.assert_fails("graph_node_create", "not_found", type="person", label="Jo", sourceMemoryId="daily-1")
    assert said["field"] == "sourceMemoryId"


def test_bad_input_names_its_field_and_writes_nothing(entity: Entity) -> None:
    good: dict[str, Any] = {"type": "person", "label": "Jo"}
    for field, value in [
        ("type", " "),
        ("label", "\t"),
        ("label", 7),
        ("confidence", 1.5),
        ("confidence", "0.5"),
        ("confidence", True),
        ("properties", []),
        ("properties", {"": 1}),
        ("embedding", [1.0, 2.0]),
        ("embedding", [0.0] * 384),
        ("embedding", ["x"] * 384),
        ("firstLearnedAt", "yesterday"),
        ("firstLearnedAt", "2026-02-30"),
        ("instanceId", "../x"),
        ("aliases", [" "]),
    ]:
        said = entity.assert_fails("graph_node_create", "invalid_input", **{**good, field: value})
        assert said["field"].startswith(field), said
    for field, value in [
        ("label", "x" * 201),
        ("type", "x" * 65),
        ("description", "x" * 4001),
        ("aliases", ["x"] * 101),
        ("properties", {"x": "y" * 70_000}),
    ]:
        said = entity.assert_fails("graph_node_create", "too_large", **{**good, field: value})
        assert said["field"] == field
    assert entity.ok("graph_stats")["totalNodes"] == 0


def test_arguments_are_taken_in_snake_case_too(entity: Entity) -> None:
    made = entity.ok(
        "graph_node_create", type="person", label="Jo", instance_id="st-attic", first_learned_at="2020-01-01"
    )
    assert made["node"]["sourceInstance"] == "st-attic"
    assert made["node"]["firstLearnedAt"].startswith("2020-01-01")


def test_a_failure_says_which_tool_shows_what_exists(entity: Entity) -> None:
    calls: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("graph_node_get", {"id": "ent_nobody"}, "graph_node_list"),
        ("graph_edge_delete", {"id": "fact_nothing"}, "graph_edge_get"),
        ("memory_read", {"granularity": "daily", "date": "2026-05-12"}, "memory_list"),
        ("identity_delete_custom", {"filename": "rituals.md"}, "identity_get_meta"),
        ("snapshot_get", {"snapshotId": "self/my_wants_2020-01-01T00-00-00-000Z"}, "snapshot_list"),
    )
    for tool, given, lister in calls:
        said = entity.assert_fails(tool, "not_found", **given)
        assert said["message"].endswith(f"; {lister} shows what exists")


def test_another_version_than_expected_says_what_to_send(entity: Entity) -> None:
    id_ = node(entity, "Noor")
    said = entity.assert_fails("graph_node_update", "version_conflict", id=id_, label="Else", expectedVersion=7)
    assert said["message"].endswith("is at version 1; read it, then send expectedVersion 1")


def test_unknown_and_deleted_nodes_are_not_found(entity: Entity) -> None:
    id_ = node(entity, "Ilse")
    entity.ok("graph_node_delete", id=id_)
    for unknown in (id_, "ent_00000000000000000000000000", "Ilse"):
        assert entity.assert_fails("graph_node_get", "not_found", id=unknown)["field"] == "id"
    assert get(entity, id_, includeDeleted=True)["deleted"] is True
    entity.assert_fails("graph_node_update", "not_found", id=id_, label="Else")
    entity.assert_fails("graph_node_delete", "not_found", id=id_)


def test_the_id_of_a_merged_node_gives_the_survivor(entity: Entity) -> None:
    loser, survivor = node(entity, "Ilse B."), node(entity, "Ilse Brandt")
    with entity.memory.as_actor("python", "merge").write() as change:
        pair = [change.entity(EntityId(read_id(each, "ent_"))) for each in (loser, survivor)]
        assert pair[0] is not None
        assert pair[1] is not None
        merge(change, pair[0], pair[1])
    found = get(entity, loser)
    assert (found["id"], found["mergedFrom"], found["aliases"]) == (survivor, loser, ["Ilse B."])
    assert entity.ok("graph_stats")["totalNodes"] == 1
    assert labels(entity.ok("graph_node_list", includeDeleted=True)["nodes"]) == ["Ilse Brandt"]


def test_facts_without_an_entity_are_statements_and_no_edges(entity: Entity) -> None:
    tell(
        entity.memory,
        fact("Ilse", "goal", {"literal": "a kiln of her own"}, "Ilse wants a kiln of her own", "ASSERTED"),
        fact("Ilse", "opinion", None, "Ilse finds glazes tedious", "ASSERTED", valid_until="2026-06"),
        entities=[{"name": "Ilse", "type": "Person"}],
    )
    found = get(entity, node(entity, "Ilse"))
    assert [(each["type"], each["text"], each["value"], each["validUntil"]) for each in found["statements"]] == [
        ("goal", "Ilse wants a kiln of her own", "a kiln of her own", None),
        ("opinion", "Ilse finds glazes tedious", None, "2026-06"),
    ]
    assert edges(entity) == []


def test_memories_that_are_a_source_are_listed_latest_first(entity: Entity) -> None:
    one, other = node(entity, "Noor"), node(entity, "Ilse")
    keep_memory(entity, "daily-2026-05-11_a", "x", "2026-05-11T20:00:00Z")
    keep_memory(entity, "daily-2026-05-12_a", "y", "2026-05-12T20:00:00Z")
    keep_memory(entity, "mem_7", "z", "2026-05-13T20:00:00Z", "memory")
    for memory in ("daily-2026-05-11_a", "daily-2026-05-12_a"):
        edge(entity, one, "friend_of", other, sourceMemoryId=memory)
    assert get(entity, one)["memories"] == ["daily-2026-05-12_a", "daily-2026-05-11_a"]
    entity.assert_fails("graph_edge_create", "not_found", fromId=one, toId=other, type="x", sourceMemoryId="mem_7")


def test_a_rename_keeps_the_old_label_as_an_alias(entity: Entity) -> None:
    id_ = node(entity, "Ilse Brandt")
    changed = entity.ok("graph_node_update", id=id_, label="Ilse Brandt-Maes", instanceId="psy-desk")
    assert (changed["node"]["label"], changed["node"]["aliases"]) == ("Ilse Brandt-Maes", ["Ilse Brandt"])
    assert changed["node"]["version"] == 2
    assert node(entity, "Ilse Brandt") == id_
    assert node(entity, "ilse brandt-maes") == id_
    back = entity.ok("graph_node_update", id=id_, label="Ilse Brandt")["node"]
    assert (back["label"], back["aliases"], back["version"]) == ("Ilse Brandt", ["Ilse Brandt-Maes"], 3)


def test_a_label_may_change_its_case(entity: Entity) -> None:
    id_ = node(entity, "ilse")
    changed = entity.ok("graph_node_update", id=id_, label="Ilse")["node"]
    assert (changed["label"], changed["aliases"], changed["version"]) == ("Ilse", [], 2)
    assert node(entity, "ILSE") == id_


def test_properties_are_replaced_or_merged_and_what_is_absent_stays(entity: Entity) -> None:
    id_ = node(entity, "Ilse", description="d", properties={"a": 1, "b": 2}, aliases=["I"], confidence=0.6)
    merged = entity.ok("graph_node_update", id=id_, properties={"b": 3, "c": 4}, mergeProperties=True)["node"]
    assert (merged["properties"], merged["description"]) == ({"a": 1, "b": 3, "c": 4}, "d")
    replaced = entity.ok("graph_node_update", id=id_, properties={"z": 0})["node"]
    assert (replaced["properties"], replaced["description"], replaced["aliases"]) == ({"z": 0}, "d", ["I"])
    assert (replaced["confidence"], replaced["version"]) == (0.6, 3)


def test_properties_that_are_too_large_together_are_refused(entity: Entity) -> None:
    id_ = node(entity, "Ilse", properties={"a": "x" * 40_000})
    more = {"b": "y" * 40_000}
    entity.assert_fails("graph_node_update", "too_large", id=id_, properties=more, mergeProperties=True)
    entity.assert_fails("graph_node_create", "too_large", type="person", label="Ilse", properties=more)
    assert entity.ok("graph_node_update", id=id_, properties=more)["node"]["properties"] == more


def test_parts_can_be_emptied(entity: Entity) -> None:
    id_ = node(entity, "Ilse", description="d", properties={"a": 1}, aliases=["I"])
    found = entity.ok("graph_node_update", id=id_, clear=["description", "properties", "aliases"])["node"]
    assert (found["description"], found["properties"], found["aliases"]) == (None, {}, [])
    assert entity.ok("graph_node_create", type="person", label="I")["created"] is True


def test_aliases_are_replaced(entity: Entity) -> None:
    id_ = node(entity, "Ilse", aliases=["a", "b"])
    found = entity.ok("graph_node_update", id=id_, aliases=["b", "c", "ILSE"])["node"]
    assert (sorted(found["aliases"]), found["version"]) == (["b", "c"], 2)
    assert node(entity, "c") == id_
    assert node(entity, "a") != id_


def test_a_type_change_is_seen_by_name_lookups(entity: Entity) -> None:
    id_ = node(entity, "Ilse", "topic")
    assert entity.ok("graph_node_update", id=id_, type="Person")["node"]["type"] == "person"
    assert node(entity, "Ilse", "person") == id_
    assert entity.ok("graph_node_list", type="topic")["total"] == 0


def test_a_label_and_type_of_another_node_is_taken(entity: Entity) -> None:
    one, other = node(entity, "Ilse"), node(entity, "Jo")
    topic = node(entity, "Jo", "topic")
    said = entity.assert_fails("graph_node_update", "name_taken", id=one, label="jo")
    assert said["choices"] == [{"id": other, "type": "person", "label": "Jo"}]
    entity.assert_fails("graph_node_update", "name_taken", id=topic, type="person")
    assert entity.ok("graph_node_update", id=one, label="Jo", type="boat")["node"]["label"] == "Jo"


def test_an_update_needs_something_and_says_when_it_was_so_already(entity: Entity) -> None:
    id_ = node(entity, "Ilse", description="d")
    entity.assert_fails("graph_node_update", "invalid_input", id=id_)
    entity.assert_fails("graph_node_update", "invalid_input", id=id_, mergeProperties=True)
    entity.assert_fails("graph_node_update", "invalid_input", id=id_, clear=["label"])
    before = entity.tx
    same = entity.ok("graph_node_update", id=id_, description="d", label="Ilse", restore=True)
    assert (same["unchanged"], same["tx"], same["node"]["version"]) == (True, before, 1)


def test_an_expected_version_must_be_the_current_one(entity: Entity) -> None:
    id_ = node(entity, "Ilse")
    assert entity.ok("graph_node_update", id=id_, label="Else", expectedVersion=1)["node"]["version"] == 2
    said = entity.assert_fails("graph_node_update", "version_conflict", id=id_, label="Elsa", expectedVersion=1)
    assert said["field"] == "expectedVersion"


def test_the_time_of_confirmation_can_be_set(entity: Entity) -> None:
    id_ = node(entity, "Ilse")
    found = entity.ok("graph_node_update", id=id_, lastConfirmedAt="2026-05-01T08:00:00+02:00")["node"]
    assert found["lastConfirmedAt"] == "2026-05-01T06:00:00.000Z"


def test_deleting_takes_the_edges_along_and_restoring_brings_them_back(entity: Entity) -> None:
    noor, ilse, shed = node(entity, "Noor"), node(entity, "Ilse"), node(entity, "Old Shed", "place", aliases=["Shed"])
    kept = edge(entity, noor, "friend_of", ilse)["edge"]["id"]
    lost = edge(entity, noor, "attends", shed)["edge"]["id"]
    gone = edge(entity, ilse, "dislikes", shed)["edge"]["id"]
    entity.ok("graph_edge_delete", id=gone)
    assert entity.ok("graph_node_delete", id=shed, reason="torn down")["edgesDeleted"] == 1
    assert [each["id"] for each in edges(entity)] == [kept]
    shown = {each["id"]: each["deleted"] for each in edges(entity, includeDeleted=True)}
    assert shown == {kept: False, lost: True, gone: True}
    assert entity.ok("graph_stats")["totalEdges"] == 1
    back = entity.ok("graph_node_update", id=shed, restore=True)["node"]
    assert (back["deleted"], back["aliases"], back["version"]) == (False, ["Shed"], 3)
    assert {each["id"] for each in edges(entity)} == {kept, lost}
    assert node(entity, "shed", "place") == shed


def test_a_node_may_go_and_come_back_more_than_once_and_change_on_the_way(entity: Entity) -> None:
    id_ = node(entity, "Ilse", aliases=["I"])
    for _ in range(2):
        entity.ok("graph_node_delete", id=id_)
        entity.ok("graph_node_update", id=id_, restore=True)
    entity.ok("graph_node_delete", id=id_)
    back = entity.ok("graph_node_update", id=id_, restore=True, label="Else", description="back", expectedVersion=6)
    assert (back["node"]["label"], back["node"]["aliases"], back["node"]["version"]) == ("Else", ["I", "Ilse"], 7)
    assert node(entity, "i") == id_


def test_a_deleted_node_does_not_count_and_cannot_come_back_under_a_taken_name(entity: Entity) -> None:
    old = node(entity, "Ilse")
    entity.ok("graph_node_delete", id=old)
    new = node(entity, "Ilse")
    assert new != old
    said = entity.assert_fails("graph_node_update", "name_taken", id=old, restore=True)
    assert said["choices"][0]["id"] == new


def test_erasing_is_refused_and_changes_nothing(entity: Entity) -> None:
    id_ = node(entity, "Ilse")
    said = entity.assert_fails("graph_node_delete", "needs_forget", id=id_, permanent=True)
    assert "recollect forget" in said["message"]
    assert get(entity, id_)["deleted"] is False


def test_nodes_are_listed_last_changed_first(entity: Entity) -> None:
    first = node(entity, "A")
    node(entity, "B")
    node(entity, "C", "topic")
    entity.ok("graph_node_update", id=first, description="changed")
    listed = entity.ok("graph_node_list")
    assert (labels(listed["nodes"]), listed["total"]) == (["A", "C", "B"], 3)
    page = entity.ok("graph_node_list", limit=1, offset=1, type="Person")
    assert (labels(page["nodes"]), page["total"]) == (["B"], 2)
    entity.ok("graph_node_delete", id=first)
    assert entity.ok("graph_node_list")["total"] == 2
    assert labels(entity.ok("graph_node_list", includeDeleted=True)["nodes"]) == ["A", "C", "B"]
    for bad in ({"limit": 0}, {"limit": 501}, {"offset": -1}, {"limit": "5"}, {"limit": 2.5}):
        entity.assert_fails("graph_node_list", "invalid_input", **bad)
    assert len(entity.ok("graph_node_list", limit=1.0)["nodes"]) == 1


def test_earlier_moments_show_the_node_as_it_was(entity: Entity) -> None:
    id_ = node(entity, "Ilse", description="one")
    made = entity.tx
    entity.ok("graph_node_update", id=id_, label="Else", description="two", aliases=["E"])
    entity.ok("graph_node_delete", id=id_)
    before = get(entity, id_, as_of=made)
    assert (before["label"], before["description"], before["version"], before["aliases"]) == ("Ilse", "one", 1, [])
    later = get(entity, id_, asOf=made + 1)
    assert (later["label"], later["aliases"], later["version"]) == ("Else", ["Ilse", "E"], 2)
    assert entity.ok("graph_node_list", as_of=0)["nodes"] == []
    assert labels(entity.ok("graph_node_list", as_of=made)["nodes"]) == ["Ilse"]
    entity.assert_fails("graph_node_get", "invalid_input", id=id_, as_of="whenever")
    entity.assert_fails("graph_node_get", "invalid_input", id=id_, at_time="whenever")


def test_who_acts_is_noted_in_the_transaction(entity: Entity) -> None:
    made = entity.ok("graph_node_create", type="person", label="Jo", instanceId="st-attic")
    with entity.memory.read() as view:
        done = view.transaction(made["tx"])
    assert done is not None
    assert (done.surface, done.tool, done.actor) == ("entity-core", "graph_node_create", "st-attic")
