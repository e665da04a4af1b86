"""Pushes that lose nothing."""

from typing import Any

import pytest

from tests.surfaces.entity_core.asking import Entity
from tests.surfaces.entity_core.syncing import (
    ATTIC,
    BASE,
    DESK,
    EARLIER,
    LATER,
    NOW,
    daily,
    file,
    names,
    pull,
    push,
    status,
    weekly,
)


def test_a_new_thing_is_applied(entity: Entity) -> None:
    said = push(
        entity,
        file("user/user_life.md", "Noor keeps bees.", modifiedBy="Noor herself", lastModified="2026-05-01T00:00:00Z"),
        daily("- fired the kiln [chat:c7]", chatIds=["c1"], createdAt="2026-05-12T20:00:00Z", updatedAt=EARLIER),
    )
    assert said["tx"] == said["newSyncToken"]["serverVersion"] == entity.tx == 1
    assert said["conflicts"] == []
    assert said["results"] == [
        {
            "entityType": "identity",
            "entityId": "user/user_life.md",
            "status": "applied",
            "version": 1,
            "snapshotId": None,
        },
        {
            "entityType": "memory",
            "entityId": "daily-2026-05-12_psy-desk",
            "status": "applied",
            "version": 1,
            "snapshotId": None,
        },
    ]
    found = pull(entity)
    [kept] = found["identityFiles"]["user"]
    assert (kept["modifiedBy"], kept["lastModified"]) == ("Noor herself", "2026-05-01T00:00:00.000Z")
    [memory] = found["memories"]
    assert memory["chatIds"] == ["c1", "c7"]
    assert (memory["createdAt"], memory["updatedAt"]) == ("2026-05-12T20:00:00.000Z", "2026-05-14T08:00:00.000Z")


def test_the_same_text_is_unchanged(entity: Entity) -> None:
    push(entity, file("custom/a.md", "one"), daily("- a thing"))
    before = entity.tx
    said = push(entity, file("custom/a.md", "one"), daily("- a thing"))
    assert [each["status"] for each in said["results"]] == ["unchanged", "unchanged"]
    assert (said["unchanged"], said["tx"], entity.tx) == (True, before, before)


def test_a_change_of_the_base_is_applied_and_the_state_before_named(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    push(entity, weekly("a week"))
    said = push(entity, file("custom/a.md", "two", version=1), weekly("the same week", version=1))
    assert [each["status"] for each in said["results"]] == ["applied", "applied"]
    name = said["results"][0]["snapshotId"]
    assert entity.ok("snapshot_get", snapshotId=name)["content"] == "one"
    assert entity.content("custom/a.md") == "two"


def test_what_the_embodiment_did_not_change_stays_as_the_server_has_it(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    entity.write("custom/a.md", "two")
    assert status(entity, file("custom/a.md", "one", version=1)) == "kept_server"
    assert entity.content("custom/a.md") == "two"


def test_the_base_may_be_told_by_the_last_sync(entity: Entity) -> None:
    since = entity.write("custom/a.md", "one")["tx"]
    assert status(entity, file("custom/a.md", "mine"), lastSyncVersion=since) == "applied"
    assert status(entity, file("custom/a.md", "one"), lastSyncVersion=since) == "kept_server"
    assert status(entity, file("custom/b.md", "new"), lastSyncVersion=since) == "applied"
    assert status(entity, file("custom/b.md", "other"), lastSyncVersion=since) == "conflict"


def test_both_changed_a_day_and_all_bullets_survive(entity: Entity) -> None:
    push(entity, daily("- first [chat:a]\n"))
    before = push(entity, daily("- first [chat:a]\n- second [chat:a]\n", version=1))["tx"] - 1
    bases: tuple[dict[str, Any], ...] = ({"version": 99}, {}, {"version": 0})
    for base in bases:
        [result] = push(entity, daily("- first [chat:a]\n- third [chat:b]\n", **base))["results"]
        assert result["status"] == "merged"
    [memory] = pull(entity)["memories"]
    assert memory["content"] == "- first [chat:a]\n- second [chat:a]\n- third [chat:b]\n"
    assert (memory["version"], memory["chatIds"]) == (3, ["a", "b"])
    bases = ({"version": 2}, {"version": 1, "lastSyncVersion": before})
    for base in bases:
        since = {"lastSyncVersion": base.pop("lastSyncVersion")} if "lastSyncVersion" in base else {}
        assert status(entity, daily("- first [chat:a]\n- fourth [chat:b]\n", **base), **since) == "merged"


@pytest.mark.parametrize("base", [1, 2])
def test_edits_far_apart_are_merged_line_by_line(entity: Entity, base: int) -> None:
    for text in ("the first draft", BASE)[-base:]:
        since = entity.write("custom/a.md", text)["tx"]
    entity.write("custom/a.md", BASE.replace("one", "ONE"))
    more = {"lastSyncVersion": since} if base == 1 else {}
    said = push(entity, file("custom/a.md", BASE.replace("five", "FIVE"), version=base), **more)
    assert said["results"][0]["status"] == "merged"
    assert said["conflicts"] == []
    assert entity.content("custom/a.md") == "ONE\ntwo\nthree\nfour\nFIVE\n"
    assert entity.ok("snapshot_get", snapshotId=said["results"][0]["snapshotId"])["content"].startswith("ONE")


def test_a_label_and_a_text_changed_apart_are_merged(entity: Entity) -> None:
    entity.write("custom/a.md", BASE)
    entity.ok("identity_set_meta", category="custom", filename="a.md", promptLabel="tea")
    assert status(entity, file("custom/a.md", "mine", version=1)) == "merged"
    [kept] = entity.ok("identity_get_all")["custom"]
    assert (kept["content"], kept["promptLabel"]) == ("mine", "tea")
    assert status(entity, file("custom/a.md", "mine", version=3, promptLabel="milk")) == "applied"
    assert entity.ok("identity_get_meta")["meta"] == {"custom/a.md": "milk"}


@pytest.mark.parametrize(
    ("modified", "suggested", "applied"),
    [
        (EARLIER, "keep_server", "server"),
        (NOW, "merge", "server"),
        (None, "merge", "server"),
        (LATER, "keep_local", "local"),
        ("2099-01-01T00:00:00Z", "keep_local", "local"),
    ],
)
def test_of_two_that_disagree_the_later_is_current_and_both_can_be_read(
    entity: Entity, modified: str | None, suggested: str, applied: str
) -> None:
    entity.write("user/user_life.md", "Noor keeps bees.")
    entity.write("user/user_life.md", "Noor keeps goats.")
    entity.at("2026-05-14T11:00:00Z")
    more = {} if modified is None else {"lastModified": modified}
    said = push(entity, file("user/user_life.md", "Noor sold the bees.", version=1, **more))
    [conflict] = said["conflicts"]
    assert conflict == {
        "entityType": "identity",
        "entityId": "user/user_life.md",
        "localVersion": 1,
        "serverVersion": 2,
        "suggestedResolution": suggested,
        "applied": applied,
        "snapshotId": "user/user_life_2026-05-14T11-00-00-000Z",
    }
    [result] = said["results"]
    assert (result["status"], result["version"]) == ("conflict", 3 if applied == "local" else 2)
    assert said["tx"] == said["newSyncToken"]["serverVersion"] == entity.tx == 3
    mine, theirs = "Noor sold the bees.", "Noor keeps goats."
    current, other = (mine, theirs) if applied == "local" else (theirs, mine)
    assert entity.content("user/user_life.md") == current
    assert entity.ok("snapshot_get", snapshotId=conflict["snapshotId"])["content"] == other
    [listed] = entity.ok("snapshot_list", reason="conflict")["snapshots"]
    assert listed["flagged"] is True
    entity.ok("snapshot_restore", snapshotId=conflict["snapshotId"])
    assert entity.content("user/user_life.md") == other


def test_a_text_that_lost_is_kept_once(entity: Entity) -> None:
    entity.write("custom/a.md", "theirs")
    first = push(entity, file("custom/a.md", "mine"))
    again = push(entity, file("custom/a.md", "mine"))
    assert again["conflicts"] == first["conflicts"]
    assert again["unchanged"] is True
    assert entity.ok("snapshot_list", reason="conflict")["total"] == 1


def test_a_base_ahead_of_the_server_is_unknown(entity: Entity) -> None:
    entity.write("custom/a.md", "theirs")
    assert status(entity, file("custom/a.md", "mine", version=5)) == "conflict"


def test_a_losing_memory_can_be_read_and_restored(entity: Entity) -> None:
    push(entity, weekly("the week", chatIds=["c1"]))
    push(entity, weekly("the week as I saw it", version=1))
    said = push(entity, weekly("quite another week", version=1, chatIds=["c9"], updatedAt=EARLIER))
    name = said["conflicts"][0]["snapshotId"]
    read = entity.ok("snapshot_get", snapshotId=name)
    assert (read["content"], read["reason"]) == ("quite another week", "conflict")
    assert read["memory"]["chatIds"] == ["c1", "c9"]
    entity.ok("snapshot_restore", snapshotId=name)
    [memory] = pull(entity)["memories"]
    assert (memory["content"], memory["chatIds"], memory["version"]) == ("quite another week", ["c1", "c9"], 3)
    assert memory["summary"]["method"] == "hand"


def test_a_deletion_of_what_did_not_change_is_applied(entity: Entity) -> None:
    push(entity, file("custom/a.md", "one"), daily("- a thing"))
    said = push(entity, file("custom/a.md", deleted=True, version=1), daily(deleted=True, version=1))
    assert [(each["status"], each["version"]) for each in said["results"]] == [("applied", 2), ("applied", 2)]
    assert names(pull(entity)) == []
    for result in said["results"]:
        entity.ok("snapshot_restore", snapshotId=result["snapshotId"])
    assert names(pull(entity)) == ["custom/a.md", "daily-2026-05-12_psy-desk"]


def test_both_deleted_is_unchanged(entity: Entity) -> None:
    assert status(entity, file("custom/a.md", deleted=True)) == "unchanged"
    entity.write("custom/a.md", "one")
    entity.ok("identity_delete_custom", filename="a.md")
    assert status(entity, file("custom/a.md", deleted=True, version=1)) == "unchanged"


def test_a_deletion_of_what_the_server_changed_leaves_the_text(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    entity.write("custom/a.md", "two")
    said = push(entity, file("custom/a.md", deleted=True, version=1, lastModified=LATER))
    [conflict] = said["conflicts"]
    assert (conflict["applied"], conflict["snapshotId"]) == ("server", None)
    assert entity.content("custom/a.md") == "two"


def test_a_text_changed_after_the_server_deleted_it_comes_back(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    entity.ok("identity_delete_custom", filename="a.md")
    assert status(entity, file("custom/a.md", "one", version=1)) == "kept_server"
    assert status(entity, file("custom/a.md", "one")) == "kept_server"
    [conflict] = push(entity, file("custom/a.md", "mine", version=1))["conflicts"]
    assert (conflict["applied"], conflict["serverVersion"], conflict["snapshotId"]) == ("local", 2, None)
    assert entity.content("custom/a.md") == "mine"


def test_what_was_deleted_can_be_made_anew(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    entity.ok("identity_delete_custom", filename="a.md")
    assert status(entity, file("custom/a.md", "one", version=2)) == "applied"
    entity.ok("identity_delete_custom", filename="a.md")
    assert status(entity, file("custom/a.md", "one", version=0)) == "applied"


def test_significant_memories_without_a_slug_get_one(entity: Entity) -> None:
    first = {
        "granularity": "significant",
        "date": "2026-05-12",
        "sourceInstance": "psy-desk",
        "content": "# Our talk\n\nx",
    }
    second = {**first, "content": "# Our talk\n\ny"}
    said = push(entity, first, second)
    ids = ["significant-2026-05-12_our-talk", "significant-2026-05-12_our-talk-2"]
    assert [each["entityId"] for each in said["results"]] == ids
    again = push(entity, first)
    assert [(each["entityId"], each["status"]) for each in again["results"]] == [(ids[0], "unchanged")]
    assert status(entity, {**first, "content": "changed", "slug": "Our-Talk", "version": 1}) == "applied"


GOOD = [file("custom/good.md", "fine"), daily("- fine")]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        (file("self/a.md", deleted=True), "identityChanges[1].deleted"),
        (file("custom/a.md"), "identityChanges[1].content"),
        (file("custom/a.md", ""), "identityChanges[1].content"),
        (file("custom/good.md", "again"), "identityChanges[1]"),
        (file("custom/a.txt", "x"), "identityChanges[1].filename"),
        (file("other/a.md", "x"), "identityChanges[1].category"),
        (file("custom/a.md", "x", version=-1), "identityChanges[1].version"),
        (file("custom/a.md", "x", version="1"), "identityChanges[1].version"),
        (file("custom/a.md", "x", lastModified="yesterday"), "identityChanges[1].lastModified"),
        (file("custom/a.md", "x", promptLabel="a b"), "identityChanges[1].promptLabel"),
        (file("custom/a.md", "x", modifiedBy="a\nb"), "identityChanges[1].modifiedBy"),
        (file("custom/a.md", "x\0"), "identityChanges[1].content"),
        (file("custom/a.md", "x", colour="red"), "identityChanges[1].colour"),
        (daily(" \n", date="2026-05-13"), "memoryChanges[1].content"),
        (daily("x", date="2026-02-29"), "memoryChanges[1].date"),
        (daily("x", date="2026-W20"), "memoryChanges[1].date"),
        (daily("x", date="2026-05-13", slug="a"), "memoryChanges[1].slug"),
        (daily("x"), "memoryChanges[1]"),
        (daily("x", date="2026-05-13", chatIds=["a]"]), "memoryChanges[1].chatIds[0]"),
        (daily("x", date="2026-05-13", participatingInstances=["../x"]), "memoryChanges[1].participatingInstances[0]"),
        (daily("x", date="2026-05-13", updatedAt="2026-13-01T00:00:00Z"), "memoryChanges[1].updatedAt"),
        ({**daily("x", date="2026-05-13"), "sourceInstance": "a/b"}, "memoryChanges[1].sourceInstance"),
    ],
)
def test_one_bad_item_refuses_the_whole_push(entity: Entity, wrong: dict[str, Any], field: str) -> None:
    changes = [*GOOD, wrong]
    said = entity.assert_fails(
        "sync_push",
        "invalid_input",
        instance=ATTIC,
        identityChanges=[each for each in changes if "category" in each],
        memoryChanges=[each for each in changes if "granularity" in each],
    )
    assert said["field"] == field
    assert names(pull(entity)) == []
    assert [each["id"] for each in entity.ok("sync_status")["connectedInstances"]] == ["psy-desk"]


@pytest.mark.parametrize(
    ("instance", "field"),
    [
        ({"type": "other"}, "instance.id"),
        ({"id": "a"}, "instance.type"),
        ({"id": "a/b", "type": "other"}, "instance.id"),
        ({"id": "a", "type": "Other"}, "instance.type"),
        ({"id": "a", "type": "other", "version": "1"}, "instance.version"),
        ({"id": "a", "type": "other", "mood": "good"}, "instance.mood"),
    ],
)
def test_the_pusher_must_be_named_well(entity: Entity, instance: dict[str, Any], field: str) -> None:
    assert entity.assert_fails("sync_push", "invalid_input", instance=instance)["field"] == field


def test_keys_of_items_may_be_spelled_either_way(entity: Entity) -> None:
    push(
        entity,
        {**file("custom/a.md", "one"), "modified_by": "x", "prompt_label": "tea", "version": None},
        {
            "granularity": "daily",
            "date": "2026-05-12",
            "source_instance": "psy-desk",
            "content": "- a",
            "chat_ids": ["c"],
        },
    )
    said = pull(entity)
    assert said["identityFiles"]["custom"][0]["promptLabel"] == "tea"
    assert said["memories"][0]["chatIds"] == ["c"]


def test_a_push_has_its_limits(entity: Entity) -> None:
    many = [file(f"custom/a{number}.md", "x") for number in range(5001)]
    entity.assert_fails("sync_push", "too_large", instance=ATTIC, identityChanges=many)
    large = file("custom/a.md", "x" * (1 << 20) + "y")
    assert entity.assert_fails("sync_push", "too_large", instance=ATTIC, identityChanges=[large])["field"] == (
        "identityChanges[0].content"
    )


def test_nothing_to_push_is_unchanged(entity: Entity) -> None:
    said = entity.ok("sync_push", instance=DESK)
    assert (said["results"], said["conflicts"], said["unchanged"], said["tx"]) == ([], [], True, 0)


def test_what_was_pulled_and_pushed_on_by_another_embodiment_is_unchanged(entity: Entity) -> None:
    entity.write("custom/a.md", "one")
    push(entity, daily("- a thing", editedBy="human"))
    for granularity, date in (("weekly", "2026-W18"), ("significant", "2026-05-01")):
        entity.ok("memory_create", granularity=granularity, date=date, content="# Big\n\nday", instanceId="psy-desk")
    said = pull(entity)
    results = entity.ok(
        "sync_push", instance=DESK, identityChanges=said["identityFiles"]["custom"], memoryChanges=said["memories"]
    )["results"]
    assert [each["status"] for each in results] == ["unchanged"] * 4


def test_an_id_that_belongs_to_another_memory_is_refused(entity: Entity) -> None:
    item = {**daily("- a thing"), "id": "daily-2026-05-11_psy-desk"}
    said = entity.assert_fails("sync_push", "invalid_input", instance=DESK, memoryChanges=[item])
    assert said["field"] == "memoryChanges[0].id"


def test_every_memory_of_one_push_is_listed_and_found(entity: Entity) -> None:
    push(entity, daily("- the kiln was lit", date="2026-05-11"), daily("- the glaze cracked", date="2026-05-12"))
    assert entity.ok("memory_list")["total"] == 2
    found = entity.ok("memory_grep", query="glaze")["results"]
    assert [each["date"] for each in found] == ["2026-05-12"]
