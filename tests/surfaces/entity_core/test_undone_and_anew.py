"""Files and memories that were undone and came anew: each stays one thing, known by its name."""

import pytest

from recollect.keep.forgetting.erasure import forget
from recollect.keep.graph.extraction_queue import requeue_after_undo
from recollect.write.undo import LaterTransactionsDepend, undo
from tests.surfaces.entity_core.asking import Entity

WEEK = {"granularity": "weekly", "date": "2026-W10", "instanceId": "desk"}


def take_back(entity: Entity, tx: int) -> int:
    with entity.memory.write() as change:
        return undo(change, tx)


def remember(entity: Entity, date: str, content: str) -> None:
    entity.ok("memory_create", granularity="daily", date=date, content=content, instanceId="desk")


def texts(entity: Entity) -> list[str]:
    return sorted(each["preview"] for each in entity.ok("memory_list")["memories"])


def test_an_exact_restoration_keeps_what_was_made_anew_under_the_same_name(entity: Entity) -> None:
    entity.write("user/a.md", "one")
    then = entity.ok("memory_create", **WEEK, content="one")["tx"]
    take_back(entity, then)
    take_back(entity, then - 1)
    entity.write("user/a.md", "two")
    entity.ok("memory_create", **WEEK, content="two")
    said = entity.ok("snapshot_restore", target="all", as_of=then, exact=True)
    assert (entity.content("user/a.md"), texts(entity)) == ("one", ["one"])
    assert said["restored"] == {"identity": 1, "memories": 1, "unchanged": 0, "removed": 0}


def test_what_was_undone_twice_leaves_one_tombstone(entity: Entity) -> None:
    for text in ("one", "two"):
        take_back(entity, entity.write("custom/a.md", text)["tx"])
    gone = entity.ok("sync_pull", instanceId="attic", lastSyncVersion=0)["deleted"]
    assert [each["entityId"] for each in gone] == ["custom/a.md"]


def test_what_was_undone_does_not_come_back_beside_what_took_its_name(entity: Entity) -> None:
    undone = take_back(entity, entity.write("custom/a.md", "one")["tx"])
    again = entity.write("custom/a.md", "two")["tx"]
    with pytest.raises(LaterTransactionsDepend):
        take_back(entity, undone)
    assert entity.content("custom/a.md") == "two"
    take_back(entity, again)
    take_back(entity, undone)
    assert entity.content("custom/a.md") == "one"


def test_a_whole_state_is_restored_without_what_was_forgotten_since(entity: Entity) -> None:
    for date, content in (("2026-05-01", "- secret"), ("2026-05-02", "- secret"), ("2026-05-03", "- tea")):
        remember(entity, date, content)
    moment = entity.ok("snapshot_create")["momentId"]
    forget(entity.memory, ["daily-2026-05-01_desk"])
    for day in (2, 3):
        entity.ok("memory_delete", id=f"daily-2026-05-0{day}_desk")
    said = entity.ok("snapshot_restore", snapshotId=moment, exact=True)
    assert (said["restored"]["memories"], texts(entity)) == (1, ["- tea"])


def test_an_exact_restoration_leaves_what_was_so_then_though_another_like_it_was_forgotten(entity: Entity) -> None:
    for date in ("2026-05-01", "2026-05-02"):
        remember(entity, date, "- secret")
    moment = entity.ok("snapshot_create")["momentId"]
    forget(entity.memory, ["daily-2026-05-01_desk"])
    entity.ok("snapshot_restore", snapshotId=moment, exact=True)
    assert texts(entity) == ["- secret"]


def test_a_memory_waits_to_be_read_as_long_as_it_is_there(entity: Entity) -> None:
    def waiting() -> int:
        return int(entity.ok("sync_status")["extraction"]["queue"]["waitingForModel"])

    remember(entity, "2026-05-01", "- Noor lit the kiln for the first time")
    gone = follow(entity, entity.tx)
    assert waiting() == 0
    follow(entity, gone)
    assert waiting() == 1
    entity.ok("memory_delete", id="daily-2026-05-01_desk")
    assert waiting() == 0
    follow(entity, entity.tx)
    assert waiting() == 1


def follow(entity: Entity, tx: int) -> int:
    """Take a transaction back as the command line does."""
    with entity.memory.write() as change:
        number = undo(change, tx)
        requeue_after_undo(change)
    return number
