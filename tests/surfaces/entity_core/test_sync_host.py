"""Pushes of entity-core's own host, which sends `version: 1` with everything: no text is lost."""

from typing import Any

import pytest

from tests.surfaces.entity_core.asking import Entity
from tests.surfaces.entity_core.syncing import BASE, daily, file, pull, weekly

PLACE = "user/user_life.md"
HOUR = "2026-05-14T{:02d}:00:00Z"


def push_at(entity: Entity, hour: int, item: dict[str, Any], by: str = "psy-desk", **more: Any) -> dict[str, Any]:
    """What the host is answered when it pushes one item at that hour."""
    entity.at(HOUR.format(hour))
    kind, stamp = ("identity", "lastModified") if "category" in item else ("memory", "updatedAt")
    pushed = {"version": 1, stamp: HOUR.format(hour), **item}
    instance = {"id": by, "type": "psycheros", "version": 1}
    return entity.ok("sync_push", instance=instance, **{f"{kind}Changes": [pushed]}, **more)


def life(text: str, **more: Any) -> dict[str, Any]:
    return file(PLACE, text, **more)


def status_of(said: dict[str, Any]) -> str:
    return str(said["results"][0]["status"])


def remembered(entity: Entity) -> str:
    [memory] = pull(entity)["memories"]
    return str(memory["content"])


def test_each_push_of_one_instance_is_what_a_later_read_shows(entity: Entity) -> None:
    texts = [BASE, BASE.replace("one", "ONE"), BASE.replace("five", "FIVE"), BASE, "all new", BASE.replace("two", "")]
    for hour, text in enumerate(texts, start=10):
        said = push_at(entity, hour, life(text))
        assert (status_of(said), said["conflicts"]) == ("applied", [])
        assert entity.content(PLACE) == text


def test_the_earlier_texts_of_one_instance_stay_in_history(entity: Entity) -> None:
    known = [push_at(entity, hour, life(f"text of {hour}"))["tx"] for hour in (10, 11, 12)]
    assert [entity.content(PLACE, as_of=tx) for tx in known] == ["text of 10", "text of 11", "text of 12"]


@pytest.mark.parametrize("make", [daily, weekly])
def test_a_memory_pushed_again_reads_as_it_was_pushed(entity: Entity, make: Any) -> None:
    texts = ["- first [chat:a]\n- second [chat:a]\n", "- first [chat:a]\n- third [chat:b]\n", "- second [chat:a]\n"]
    for hour, text in enumerate(texts, start=10):
        said = push_at(entity, hour, make(text))
        assert (status_of(said), said["conflicts"]) == ("applied", [])
        assert remembered(entity) == text


def test_pushes_within_one_millisecond_follow_each_other(entity: Entity) -> None:
    for text in ("one", "two", "three", "one"):
        assert status_of(push_at(entity, 10, life(text))) == "applied"
        assert entity.content(PLACE) == text


def test_a_clock_that_is_a_little_behind_loses_no_edit(entity: Entity) -> None:
    for hour, text in ((10, "one"), (11, "two"), (11, "three")):
        said = push_at(entity, hour, life(text, lastModified=f"2026-05-14T{hour - 1:02d}:58:00Z"))
        assert (status_of(said), said["conflicts"]) == ("applied", [])
        assert entity.content(PLACE) == text


def test_edits_of_two_instances_far_apart_are_merged(entity: Entity) -> None:
    push_at(entity, 10, life(BASE))
    push_at(entity, 11, life(BASE.replace("one", "ONE")), by="psy-attic")
    said = push_at(entity, 12, life(BASE.replace("five", "FIVE")))
    assert (status_of(said), said["conflicts"]) == ("merged", [])
    assert entity.content(PLACE) == "ONE\ntwo\nthree\nfour\nFIVE\n"


def test_a_push_that_does_not_know_of_the_merge_is_a_conflict(entity: Entity) -> None:
    push_at(entity, 10, life(BASE))
    push_at(entity, 11, life(BASE.replace("one", "ONE")), by="psy-attic")
    push_at(entity, 12, life(BASE.replace("five", "FIVE")))
    said = push_at(entity, 13, life(BASE.replace("five", "FIVE!")))
    [conflict] = said["conflicts"]
    assert entity.ok("snapshot_get", snapshotId=conflict["snapshotId"])["content"] == "ONE\ntwo\nthree\nfour\nFIVE\n"
    said = push_at(entity, 14, life(BASE))
    assert (status_of(said), said["conflicts"]) == ("applied", [])


def test_edits_of_two_instances_to_one_line_are_a_conflict(entity: Entity) -> None:
    push_at(entity, 10, life(BASE))
    push_at(entity, 11, life(BASE.replace("five", "V")), by="psy-attic")
    said = push_at(entity, 12, life(BASE.replace("five", "FIVE")))
    assert entity.content(PLACE) == BASE.replace("five", "FIVE")
    [conflict] = said["conflicts"]
    assert (conflict["applied"], conflict["suggestedResolution"]) == ("local", "keep_local")
    kept = entity.ok("snapshot_get", snapshotId=conflict["snapshotId"])
    assert kept["content"] == BASE.replace("five", "V")
    said = push_at(entity, 13, life(BASE))
    assert (status_of(said), said["conflicts"]) == ("applied", [])


@pytest.mark.parametrize("at", [12, 14])
def test_a_bullet_that_a_tool_added_in_between_survives_every_push(entity: Entity, at: int) -> None:
    push_at(entity, 10, daily("- one [chat:a]\n"))
    push_at(entity, 11, daily("- one [chat:a]\n- three [chat:c]\n"))
    entity.at(HOUR.format(13))
    entity.ok(
        "memory_create",
        granularity="daily",
        date="2026-05-12",
        instanceId="psy-desk",
        content="- by tool [chat:d]",
    )
    four = "- one [chat:a]\n- three [chat:c]\n- four [chat:c]\n"
    said = push_at(entity, 14, daily(four, updatedAt=HOUR.format(at)))
    assert (status_of(said), said["conflicts"]) == ("merged", [])
    said = push_at(entity, 15, daily(four + "- five [chat:e]\n"))
    assert (status_of(said), said["conflicts"]) == ("merged", [])
    assert remembered(entity) == (
        "- one [chat:a]\n- three [chat:c]\n- by tool [chat:d]\n- four [chat:c]\n- five [chat:e]\n"
    )


def test_a_day_that_two_instances_push_has_the_bullets_of_both(entity: Entity) -> None:
    push_at(entity, 10, daily("- one\n"))
    push_at(entity, 11, daily("- one\n- two from the attic\n"), by="psy-attic")
    said = push_at(entity, 12, daily("- one\n- three from the desk\n"))
    assert (status_of(said), said["conflicts"]) == ("merged", [])
    said = push_at(entity, 13, daily("- one\n"), by="psy-attic")
    assert (status_of(said), said["conflicts"]) == ("kept_server", [])
    assert remembered(entity) == "- one\n- two from the attic\n- three from the desk\n"


def test_going_back_to_the_first_text_is_an_edit_like_any_other(entity: Entity) -> None:
    push_at(entity, 10, life("one"))
    push_at(entity, 11, life("two"), by="psy-attic")
    push_at(entity, 12, life("three"), by="psy-attic")
    said = push_at(entity, 13, life("one"))
    assert (status_of(said), said["conflicts"][0]["applied"]) == ("conflict", "local")
    assert entity.content(PLACE) == "one"


@pytest.mark.parametrize("by", ["psy-desk", "psy-attic"])
def test_an_older_edit_loses_and_the_answer_says_where_it_is(entity: Entity, by: str) -> None:
    push_at(entity, 10, life("one"))
    push_at(entity, 11, life("two"))
    said = push_at(entity, 12, life("written before", lastModified=HOUR.format(8)), by=by)
    [conflict] = said["conflicts"]
    assert (status_of(said), conflict["applied"]) == ("conflict", "server")
    assert entity.content(PLACE) == "two"
    assert entity.ok("snapshot_get", snapshotId=conflict["snapshotId"])["content"] == "written before"


@pytest.mark.parametrize("at", [HOUR.format(8), None])
def test_an_older_copy_of_the_first_text_is_no_conflict(entity: Entity, at: str | None) -> None:
    push_at(entity, 10, life("one"))
    push_at(entity, 11, life("two"))
    said = push_at(entity, 12, life("one", lastModified=at), by="psy-attic")
    assert (status_of(said), said["conflicts"], said["unchanged"]) == ("kept_server", [], True)
    assert entity.content(PLACE) == "two"


def test_the_first_text_by_a_clock_slightly_behind_is_reported_as_not_taken(entity: Entity) -> None:
    push_at(entity, 10, life("one"))
    push_at(entity, 11, life("two"))
    said = push_at(entity, 12, life("one", lastModified="2026-05-14T10:58:00Z"), by="psy-attic")
    [conflict] = said["conflicts"]
    assert (status_of(said), conflict["applied"], conflict["snapshotId"]) == ("kept_server", "server", None)
    assert entity.content(PLACE) == "two"


@pytest.mark.parametrize("by", ["psy-desk", "psy-attic"])
def test_the_same_content_again_changes_nothing(entity: Entity, by: str) -> None:
    push_at(entity, 10, life("one"))
    push_at(entity, 11, life("two"))
    before = entity.tx
    said = push_at(entity, 12, life("two"), by=by)
    assert (status_of(said), said["conflicts"], said["unchanged"], entity.tx) == ("unchanged", [], True, before)


def test_a_week_pushed_without_a_time_counts_as_the_earlier(entity: Entity) -> None:
    push_at(entity, 10, weekly("the week"))
    push_at(entity, 11, weekly("the week at length"))
    said = push_at(entity, 12, weekly("the week as the attic saw it", updatedAt=None), by="psy-attic")
    [conflict] = said["conflicts"]
    assert (conflict["applied"], conflict["suggestedResolution"]) == ("server", "merge")
    assert remembered(entity) == "the week at length"
    kept = entity.ok("snapshot_get", snapshotId=conflict["snapshotId"])
    assert kept["content"] == "the week as the attic saw it"


def test_an_edit_made_here_in_between_is_kept_when_the_host_pushes_later(entity: Entity) -> None:
    push_at(entity, 10, life(BASE))
    for hour, text in ((11, BASE.replace("one", "one?")), (12, BASE.replace("one", "ONE"))):
        entity.at(HOUR.format(hour))
        entity.write(PLACE, text)
    said = push_at(entity, 13, life(BASE.replace("five", "FIVE")))
    assert entity.content(PLACE) == BASE.replace("five", "FIVE")
    kept = entity.ok("snapshot_get", snapshotId=said["conflicts"][0]["snapshotId"])
    assert kept["content"] == BASE.replace("one", "ONE")


def test_an_edit_by_a_tool_of_the_same_instance_is_not_its_push(entity: Entity) -> None:
    for hour in (10, 11):
        push_at(entity, hour, life(f"text of {hour}"))
    entity.at(HOUR.format(12))
    entity.ok("identity_append", category="user", filename="user_life.md", content="by tool", instanceId="psy-desk")
    said = push_at(entity, 13, life("text of 13"))
    [conflict] = said["conflicts"]
    assert "by tool" in entity.ok("snapshot_get", snapshotId=conflict["snapshotId"])["content"]


def test_a_deleted_file_that_is_written_again_comes_back(entity: Entity) -> None:
    push_at(entity, 10, file("custom/a.md", "one"))
    entity.at(HOUR.format(11))
    entity.ok("identity_delete_custom", filename="a.md")
    said = push_at(entity, 12, file("custom/a.md", "one"))
    assert (status_of(said), said["conflicts"][0]["applied"]) == ("conflict", "local")
    assert entity.content("custom/a.md") == "one"


@pytest.mark.parametrize(("at", "is_reported"), [(HOUR.format(10), False), ("2026-05-14T10:58:00Z", True)])
def test_a_copy_of_a_deleted_file_is_reported_if_it_may_be_newer(entity: Entity, at: str, is_reported: bool) -> None:
    push_at(entity, 10, file("custom/a.md", "one"))
    entity.at(HOUR.format(11))
    entity.ok("identity_delete_custom", filename="a.md")
    said = push_at(entity, 12, file("custom/a.md", "one", lastModified=at))
    assert status_of(said) == "kept_server"
    assert [each["applied"] for each in said["conflicts"]] == ["server"] * is_reported
    assert entity.content("custom/a.md") is None


def test_a_host_that_tells_when_it_last_synced_has_its_edit_merged(entity: Entity) -> None:
    since = push_at(entity, 10, life(BASE))["tx"]
    push_at(entity, 11, life(BASE.replace("one", "ONE")), by="psy-attic")
    said = push_at(entity, 12, life(BASE.replace("five", "FIVE")), lastSyncVersion=since)
    assert status_of(said) == "merged"
    assert entity.content(PLACE) == "ONE\ntwo\nthree\nfour\nFIVE\n"
