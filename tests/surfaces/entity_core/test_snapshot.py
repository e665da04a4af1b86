"""Snapshots: names for transactions."""

from typing import Any

import pytest

from tests.surfaces.entity_core.asking import Entity

LATER = "2026-05-15T08:00:00Z"


def remember(entity: Entity, date: str, content: str, instance: str = "psy-desk", **more: Any) -> str:
    """The id of a daily memory that now says this."""
    change = {"granularity": "daily", "date": date, "sourceInstance": instance, "content": content, **more}
    said = entity.ok("sync_push", instance={"id": instance, "type": "psycheros"}, memoryChanges=[change])
    return str(said["results"][0]["entityId"])


def forget(entity: Entity, date: str, instance: str = "psy-desk") -> str:
    """Delete a daily memory; the snapshot that names the state before."""
    change = {"granularity": "daily", "date": date, "sourceInstance": instance, "deleted": True}
    change["version"] = entity.ok("sync_pull", instanceId=instance)["memories"][0]["version"]
    said = entity.ok("sync_push", instance={"id": instance, "type": "psycheros"}, memoryChanges=[change])
    return str(said["results"][0]["snapshotId"])


def memories(entity: Entity) -> dict[str, str]:
    return {each["id"]: each["content"] for each in entity.ok("sync_pull", instanceId="looker")["memories"]}


def test_an_empty_workspace_has_nothing_to_name(entity: Entity) -> None:
    said = entity.ok("snapshot_create")
    assert (said["snapshots"], said["tx"], said["removed"]) == ([], 0, 0)
    assert entity.ok("snapshot_list") == {"success": True, "snapshots": [], "total": 0}


def test_creating_names_every_file_and_the_memories_under_one_instant(entity: Entity) -> None:
    entity.write("user/user_life.md", "x")
    entity.write("self/my_wants.md", "x")
    remember(entity, "2026-05-12", "- a thing happened")
    before = entity.tx
    said = entity.ok("snapshot_create", label="a note", flagged=True)
    stamp = "2026-05-14T09-30-00-000Z"
    assert [each["id"] for each in said["snapshots"]] == [
        f"self/my_wants_{stamp}",
        f"user/user_life_{stamp}",
        f"memories/all_{stamp}",
    ]
    assert said["snapshots"][0] == {
        "id": f"self/my_wants_{stamp}",
        "category": "self",
        "filename": "my_wants.md",
        "timestamp": "2026-05-14T09:30:00.000Z",
    }
    assert said["snapshots"][2]["filename"] == "all"
    assert (said["momentId"], said["tx"]) == (f"all/everything_{stamp}", before)
    assert entity.tx == before


def test_an_id_that_is_taken_moves_on_by_milliseconds(entity: Entity) -> None:
    entity.write("self/my_wants.md", "one")
    first = entity.write("self/my_wants.md", "two")["snapshotId"]
    second = entity.ok("snapshot_create")["snapshots"][0]
    third = entity.ok("snapshot_create")["snapshots"][0]
    assert first == "self/my_wants_2026-05-14T09-30-00-000Z"
    assert (second["id"], second["timestamp"]) == (
        "self/my_wants_2026-05-14T09-30-00-001Z",
        "2026-05-14T09:30:00.001Z",
    )
    assert third["id"] == "self/my_wants_2026-05-14T09-30-00-002Z"


def test_snapshots_are_listed_newest_first(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    entity.write("custom/b.md", "one")
    entity.ok("snapshot_create", label="first")
    entity.at(LATER).write("custom/b.md", "two", instanceId="psy-desk")
    said = entity.ok("snapshot_list", category="custom")
    assert [each["id"] for each in said["snapshots"]] == [
        "custom/b_2026-05-15T08-00-00-000Z",
        "custom/a_2026-05-14T09-30-00-000Z",
        "custom/b_2026-05-14T09-30-00-000Z",
    ]
    assert said["snapshots"][0] == {
        "id": "custom/b_2026-05-15T08-00-00-000Z",
        "category": "custom",
        "filename": "b.md",
        "timestamp": "2026-05-15T08:00:00.000Z",
        "date": "2026-05-15",
        "reason": "pre-replace",
        "source": "psy-desk",
        "tx": 2,
        "flagged": False,
        "label": None,
    }
    assert said["snapshots"][1]["label"] == "first"
    assert said["total"] == 3


def test_a_listing_can_be_narrowed_and_paged(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    entity.write("custom/b.md", "one")
    entity.ok("snapshot_create")
    entity.write("custom/b.md", "two")
    for name in ("b.md", "b"):
        assert entity.ok("snapshot_list", filename=name)["total"] == 2
    assert entity.ok("snapshot_list", reason="pre-replace")["total"] == 1
    assert entity.ok("snapshot_list", category="all")["total"] == 1
    paged = entity.ok("snapshot_list", limit=1, offset=1)
    assert (len(paged["snapshots"]), paged["total"]) == (1, 3)
    for wrong in ({"limit": 0}, {"limit": 1001}, {"offset": -1}, {"category": "other"}, {"reason": "whim"}):
        entity.assert_fails("snapshot_list", "invalid_input", **wrong)


def test_the_day_of_a_snapshot_is_local(entity: Entity) -> None:
    with entity.memory.write() as change:
        change.put_setting("timezone", "Pacific/Auckland")
    entity.at("2026-05-14T13:00:00Z").write("custom/a.md", "one")
    entity.ok("snapshot_create")
    assert entity.ok("snapshot_list")["snapshots"][0]["date"] == "2026-05-15"


def test_a_snapshot_gives_the_exact_text_of_its_moment(entity: Entity) -> None:
    text = "  Tea at four.\n\n\n"
    entity.write("custom/rituals.md", text)
    entity.ok("identity_set_meta", category="custom", filename="rituals.md", promptLabel="tea")
    name = entity.ok("snapshot_create")["snapshots"][0]["id"]
    entity.write("custom/rituals.md", "Coffee.")
    assert entity.ok("snapshot_get", snapshotId=name) == {
        "success": True,
        "content": text,
        "category": "custom",
        "filename": "rituals.md",
        "promptLabel": "tea",
        "timestamp": "2026-05-14T09:30:00.000Z",
        "reason": "manual",
        "tx": 2,
    }


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "self/my_wants",
        "self/my_wants_2026-05-14",
        "self/my_wants_2026-05-14T09:30:00.000Z",
        "self/my_wants_2026-13-14T09-30-00-000Z",
        "self/my_wants_2026-05-14T25-30-00-000Z",
        "self/my_wants_2026-05-14T09-30-00-000Z\n",
        "self/../x_2026-05-14T09-30-00-000Z",
        "other/x_2026-05-14T09-30-00-000Z",
        "memories/x_2026-05-14T09-30-00-000Z",
        "all/x_2026-05-14T09-30-00-000Z",
        "self\\my_wants_2026-05-14T09-30-00-000Z",
    ],
)
def test_a_malformed_id_is_refused(entity: Entity, wrong: str) -> None:
    for tool in ("snapshot_get", "snapshot_restore"):
        assert entity.assert_fails(tool, "invalid_input", snapshotId=wrong)["field"] == "snapshotId"


def test_an_unknown_id_is_not_found(entity: Entity) -> None:
    entity.write("self/my_wants.md", "x")
    for tool in ("snapshot_get", "snapshot_restore"):
        entity.assert_fails(tool, "not_found", snapshotId="self/my_wants_2026-05-14T09-30-00-000Z")
        entity.assert_fails(tool, "not_found", snapshotId="memories/yearly-2026_2026-05-14T09-30-00-000Z")


def test_restoring_brings_back_the_same_bytes_however_often(entity: Entity) -> None:
    first, second = "one \n\n", "two"
    entity.write("custom/a.md", first)
    name = entity.write("custom/a.md", second)["snapshotId"]
    for version in (3, 5):
        said = entity.ok("snapshot_restore", snapshotId=name, instanceId="st-attic")
        assert said["restored"] == {"identity": 1, "memories": 0, "unchanged": 0, "removed": 0}
        assert entity.content("custom/a.md") == first
        [file] = entity.ok("identity_get_all")["custom"]
        assert (file["version"], file["modifiedBy"]) == (version, "st-attic")
        assert entity.ok("snapshot_get", snapshotId=said["snapshotId"])["content"] == second
        entity.write("custom/a.md", second)


def test_restoring_what_is_so_already_changes_nothing(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    name = entity.ok("snapshot_create")["snapshots"][0]["id"]
    before = entity.tx
    said = entity.ok("snapshot_restore", snapshotId=name)
    assert (said["unchanged"], said["snapshotId"], said["tx"]) == (True, None, before)
    assert said["restored"] == {"identity": 0, "memories": 0, "unchanged": 1, "removed": 0}


def test_a_label_comes_back_too(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    name = entity.ok("snapshot_create")["snapshots"][0]["id"]
    entity.ok("identity_set_meta", category="custom", filename="a.md", promptLabel="other")
    entity.ok("snapshot_restore", snapshotId=name)
    assert entity.ok("identity_get_meta")["meta"] == {"custom/a.md": "a"}


def test_a_whole_moment_is_restored_in_one_transaction(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    id_ = remember(entity, "2026-05-12", "- first words of the day")
    moment = entity.ok("snapshot_create")["momentId"]
    entity.write("custom/a.md", "two")
    entity.write("custom/new.md", "new")
    forget(entity, "2026-05-12")
    before = entity.tx
    said = entity.ok("snapshot_restore", snapshotId=moment)
    assert said["restored"] == {"identity": 1, "memories": 1, "unchanged": 0, "removed": 0}
    assert entity.tx == before + 1 == said["tx"]
    assert entity.content("custom/a.md") == "one"
    assert entity.content("custom/new.md") == "new"
    assert memories(entity) == {id_: "- first words of the day"}
    exact = entity.ok("snapshot_restore", snapshotId=moment, exact=True)
    assert exact["restored"] == {"identity": 0, "memories": 0, "unchanged": 2, "removed": 1}
    assert entity.content("custom/new.md") is None


def test_any_past_moment_can_be_restored_named_or_not(entity: Entity) -> None:
    first = entity.write("custom/a.md", "one")["tx"]
    entity.write("custom/a.md", "two")
    entity.ok("snapshot_restore", target="custom/a.md", as_of=first)
    assert entity.content("custom/a.md") == "one"
    entity.at(LATER).write("custom/a.md", "three")
    entity.ok("snapshot_restore", target="all", as_of="2026-05-14")
    assert entity.content("custom/a.md") == "one"
    entity.assert_fails("snapshot_restore", "not_found", target="custom/b.md", as_of=first)
    entity.assert_fails("snapshot_restore", "not_found", target="custom/a.md", as_of=0)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"target": "custom/a.md"},
        {"as_of": 1},
        {"snapshotId": "custom/a_2026-05-14T09-30-00-000Z", "target": "custom/a.md", "as_of": 1},
        {"target": "../a.md", "as_of": 1},
        {"target": "custom/../a.md", "as_of": 1},
        {"target": "daily-2026-05-12", "as_of": 1},
        {"target": "custom/a.md", "as_of": "whenever"},
    ],
)
def test_a_restoration_says_what_and_when(entity: Entity, arguments: dict[str, Any]) -> None:
    entity.write("custom/a.md", "x")
    entity.assert_fails("snapshot_restore", "invalid_input", **arguments)


def test_a_deleted_memory_comes_back_whole(entity: Entity) -> None:
    id_ = remember(entity, "2026-05-12", "# Day\n\n- Noor fired the kiln [chat:c7]", chatIds=["c1"], editedBy="human")
    [before] = entity.ok("sync_pull", instanceId="looker")["memories"]
    name = forget(entity, "2026-05-12")
    assert name == f"memories/{id_}_2026-05-14T09-30-00-000Z"
    assert memories(entity) == {}
    said = entity.ok("snapshot_restore", snapshotId=name)
    assert said["snapshotId"] == f"memories/{id_}_2026-05-14T09-30-00-001Z"
    [after] = entity.ok("sync_pull", instanceId="looker")["memories"]
    assert after == {**before, "version": 3, "tx": entity.tx}


def test_a_memory_is_read_by_the_instant_of_any_snapshot_that_covers_it(entity: Entity) -> None:
    id_ = remember(entity, "2026-05-12", "- first words of the day")
    said = entity.ok("snapshot_create")
    whole = entity.ok("snapshot_get", snapshotId=said["snapshots"][0]["id"])
    assert whole["memories"] == [{"id": id_, "version": 1}]
    assert whole["content"].strip() == f"- {id_} (version 1)"
    moment = entity.ok("snapshot_get", snapshotId=said["momentId"])
    assert (moment["files"], moment["memories"]) == ([], whole["memories"])
    one = entity.ok("snapshot_get", snapshotId=f"memories/{id_}_2026-05-14T09-30-00-000Z")
    assert (one["content"], one["memory"]["id"]) == ("- first words of the day", id_)
    other = "memories/daily-2026-05-13_psy-desk_2026-05-14T09-30-00-000Z"
    entity.assert_fails("snapshot_get", "not_found", snapshotId=other)


def test_names_expire_but_history_stays(entity: Entity) -> None:
    first = entity.write("custom/a.md", "one")["tx"]
    entity.ok("snapshot_create")
    kept = entity.at("2026-05-14T09:30:01Z").ok("snapshot_create", flagged=True)["snapshots"][0]["id"]
    entity.at("2026-06-13T09:30:00Z")
    assert entity.ok("snapshot_create")["removed"] == 0
    entity.at("2026-06-13T09:30:02Z")
    assert entity.ok("snapshot_create")["removed"] == 2
    assert [each["id"] for each in entity.ok("snapshot_list")["snapshots"]][-1] == kept
    assert entity.content("custom/a.md", as_of=first) == "one"


def test_retention_can_be_set_or_switched_off(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    entity.ok("snapshot_create")
    entity.set_settings(snapshot_retention_days=0)
    assert entity.at("2030-01-01T00:00:00Z").ok("snapshot_create")["removed"] == 0
    entity.set_settings(snapshot_retention_days=1)
    assert entity.at("2030-01-01T00:00:01Z").ok("snapshot_create")["removed"] == 2


def test_a_push_drops_expired_names_too(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    entity.ok("snapshot_create")
    entity.at("2026-07-01T00:00:00Z")
    entity.ok("sync_push", instance={"id": "st-attic", "type": "other"})
    assert entity.ok("snapshot_list")["total"] == 0


def test_a_name_for_a_moment_without_the_file_holds_nothing(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    gone = entity.ok("identity_delete_custom", filename="a.md")["snapshotId"]
    empty = entity.ok("snapshot_restore", snapshotId=gone)["snapshotId"]
    entity.assert_fails("snapshot_get", "not_found", snapshotId=empty)
    entity.assert_fails("snapshot_restore", "not_found", snapshotId=empty)
    assert entity.content("custom/a.md") == "one"
