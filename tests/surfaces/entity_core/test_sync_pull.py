"""Pulls since a transaction, and who is known to have made them."""

import pytest

from recollect.write.undo import undo
from tests.surfaces.entity_core.asking import Entity
from tests.surfaces.entity_core.syncing import LATER, daily, file, names, pull, push


def test_a_first_pull_gives_everything(entity: Entity) -> None:
    entity.write("user/user_life.md", "Noor keeps bees.", instanceId="psy-desk")
    push(entity, daily("- a thing happened today"))
    said = pull(entity)
    assert said["full"] is True
    assert said["deleted"] == []
    assert said["identityFiles"]["user"] == [
        {
            "category": "user",
            "filename": "user_life.md",
            "content": "Noor keeps bees.",
            "version": 1,
            "lastModified": "2026-05-14T09:30:00.000Z",
            "modifiedBy": "psy-desk",
            "promptLabel": "user_life",
        }
    ]
    [memory] = said["memories"]
    assert (memory["id"], memory["content"], memory["version"]) == (
        "daily-2026-05-12_psy-desk",
        "- a thing happened today",
        1,
    )
    token = said["newSyncToken"]
    assert (token["serverVersion"], token["timestamp"]) == (entity.tx, "2026-05-14T09:30:00.000Z")
    assert len(token["hash"]) == 64
    assert said["hasMore"] is False
    assert "cursor" not in said


def test_a_pull_since_gives_exactly_the_changes_and_tombstones_after_it(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    entity.write("custom/b.md", "one")
    push(entity, daily("- a thing happened today"), daily("- another thing", date="2026-05-13"))
    since = pull(entity)["newSyncToken"]["serverVersion"]
    assert names(pull(entity, lastSyncVersion=since)) == []
    entity.write("custom/a.md", "two")
    entity.write("custom/a.md", "three")
    entity.ok("identity_delete_custom", filename="b.md")
    push(entity, daily(deleted=True, version=1))
    said = pull(entity, lastSyncVersion=since)
    assert said["full"] is False
    assert names(said) == ["custom/a.md"]
    assert said["identityFiles"]["custom"][0]["content"] == "three"
    assert said["deleted"] == [
        {"entityType": "identity", "entityId": "custom/b.md", "version": 2, "deletedAt": "2026-05-14T09:30:00.000Z"},
        {
            "entityType": "memory",
            "entityId": "daily-2026-05-12_psy-desk",
            "version": 2,
            "deletedAt": "2026-05-14T09:30:00.000Z",
        },
    ]
    assert said["newSyncToken"]["serverVersion"] == entity.tx


def test_a_thing_deleted_and_restored_is_live_and_no_tombstone(entity: Entity) -> None:
    since = entity.write("custom/a.md", "one")["tx"]
    name = entity.ok("identity_delete_custom", filename="a.md")["snapshotId"]
    entity.ok("snapshot_restore", snapshotId=name)
    said = pull(entity, lastSyncVersion=since)
    assert (names(said), said["deleted"]) == (["custom/a.md"], [])


def test_what_was_undone_leaves_a_tombstone(entity: Entity) -> None:
    since = entity.write("custom/a.md", "one")["tx"]
    made = entity.write("custom/b.md", "one")["tx"]
    changed = entity.write("custom/a.md", "two")["tx"]
    with entity.memory.write() as change:
        undo(change, made)
    with entity.memory.write() as change:
        undo(change, changed)
    said = pull(entity, lastSyncVersion=made)
    assert (names(said), said["identityFiles"]["custom"][0]["version"]) == (["custom/a.md"], 3)
    assert [each["entityId"] for each in said["deleted"]] == ["custom/b.md"]
    assert pull(entity, lastSyncVersion=since)["deleted"] == said["deleted"]
    entity.write("custom/b.md", "again")
    assert pull(entity, lastSyncVersion=made)["deleted"] == []


def test_since_zero_gives_everything_and_all_tombstones(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    entity.write("custom/b.md", "one")
    entity.ok("identity_delete_custom", filename="b.md")
    said = pull(entity, lastSyncVersion=0)
    assert (said["full"], names(said)) == (False, ["custom/a.md"])
    assert [each["entityId"] for each in said["deleted"]] == ["custom/b.md"]


def test_an_embodiment_ahead_of_the_server_gets_everything(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    said = pull(entity, lastSyncVersion=1000)
    assert (said["full"], names(said)) == (True, ["custom/a.md"])


def test_pulling_moves_no_version(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    first, second = pull(entity)["newSyncToken"], pull(entity)["newSyncToken"]
    assert first == second
    assert entity.ok("sync_status")["serverVersion"] == first["serverVersion"] == 1


def test_equal_state_has_an_equal_hash_and_another_state_another(entity: Entity) -> None:
    def hashed() -> str:
        return str(pull(entity)["newSyncToken"]["hash"])

    empty = hashed()
    entity.write("custom/a.md", "one")
    one = hashed()
    entity.write("custom/a.md", "two")
    two = hashed()
    entity.ok("identity_set_meta", category="custom", filename="a.md", promptLabel="tea")
    labelled = hashed()
    push(entity, daily("- a thing happened"))
    assert len({empty, one, two, labelled, hashed()}) == 5
    push(entity, daily(deleted=True, version=1))
    assert hashed() == labelled
    entity.ok("identity_set_meta", category="custom", filename="a.md", promptLabel="a")
    assert hashed() == two
    entity.write("custom/a.md", "one")
    assert hashed() == one


def test_pages_show_the_state_of_the_first(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    dates = [f"2026-05-{day:02}" for day in range(1, 6)]
    for date in dates:
        push(entity, daily(f"- on {date}", date=date))
    first = pull(entity, limit=2)
    assert (len(first["memories"]), first["hasMore"], first["newSyncToken"]) == (2, True, None)
    assert names(first)[0] == "custom/a.md"
    push(entity, daily("- on 2026-05-05\n- and more", date="2026-05-05", version=1))
    entity.write("custom/a.md", "two")
    second = pull(entity, limit=2, cursor=first["cursor"])
    assert second["identityFiles"]["custom"] == []
    third = pull(entity, limit=2, cursor=second["cursor"])
    found = [each["date"] for page in (first, second, third) for each in page["memories"]]
    assert found == dates
    assert third["memories"][0]["content"] == "- on 2026-05-05"
    assert (third["hasMore"], third["newSyncToken"]["serverVersion"]) == (False, 6)
    assert names(pull(entity, lastSyncVersion=6)) == ["custom/a.md", "daily-2026-05-05_psy-desk"]


@pytest.mark.parametrize("cursor", ["", "x", "1.2", "9999.all.0", "1.all.x", "-1.all.0", "1.0.0"])
def test_a_cursor_is_taken_only_as_it_was_given(entity: Entity, cursor: str) -> None:
    entity.write("custom/a.md", "one")
    entity.assert_fails("sync_pull", "invalid_input", instanceId="psy-desk", cursor=cursor, lastSyncVersion=1)


def test_whoever_pulls_or_pushes_is_known_from_then_on(entity: Entity) -> None:
    assert entity.ok("sync_status")["connectedInstances"] == []
    pull(entity)
    entity.at(LATER)
    push(entity, file("custom/a.md", "one"))
    assert entity.ok("sync_status")["connectedInstances"] == [
        {
            "id": "st-attic",
            "lastSync": "2026-05-14T10:00:00.000Z",
            "type": "sillytavern",
            "lastSyncVersion": 1,
            "name": "The attic",
        },
        {"id": "psy-desk", "lastSync": "2026-05-14T09:30:00.000Z", "type": "other", "lastSyncVersion": 0},
    ]
    entity.ok("sync_pull", instanceId="st-attic")
    assert entity.ok("sync_status")["connectedInstances"][0]["type"] == "sillytavern"


def test_the_status_of_an_empty_workspace(entity: Entity) -> None:
    said = entity.ok("sync_status")
    assert (said["serverVersion"], said["staleSummaries"]) == (0, 0)
    extraction = said["extraction"]
    assert extraction["queue"] == {"pending": 0, "waitingForModel": 0, "failed": 0, "oldest": None}
    assert (extraction["llmAvailable"], extraction["lastAttempt"], extraction["attemptsTotal"]) == (False, None, 0)


def test_memories_wait_for_a_model(entity: Entity) -> None:
    push(entity, daily("- a thing happened that is worth reading"))
    queue = entity.ok("sync_status")["extraction"]["queue"]
    assert queue == {"pending": 0, "waitingForModel": 1, "failed": 0, "oldest": "2026-05-14T09:30:00.000Z"}
