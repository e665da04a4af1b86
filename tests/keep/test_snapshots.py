"""Ids of snapshots, flags, and the counters beside them."""

import pytest
from tests.conftest import MovingClock

from recollect.keep.reading.health import Health, health, note_attempt, queue
from recollect.keep.snapshots.naming import (
    ALL_MEMORIES,
    WHOLE,
    BadSnapshotId,
    Subject,
    drop_expired,
    find_snapshot,
    flag_snapshot,
    name_one,
    of_file,
    of_memory,
    read_id,
    say_id,
    snapshots_in,
)
from recollect.keep.sync.instances import Instance, instances, known_instance, note_sync
from recollect.memory import Memory
from recollect.settings import Settings
from recollect.when.instant import Instant

AT = Instant(1778751000000000)


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        (of_file("self", "my_wants.md"), "self/my_wants_2026-05-14T09-30-00-000Z"),
        (
            of_file("custom", "a_2026-05-14T09-30-00-000Z.md"),
            "custom/a_2026-05-14T09-30-00-000Z_2026-05-14T09-30-00-000Z",
        ),
        (ALL_MEMORIES, "memories/all_2026-05-14T09-30-00-000Z"),
        (WHOLE, "all/everything_2026-05-14T09-30-00-000Z"),
        (of_memory("daily-2026-05-12_a.b"), "memories/daily-2026-05-12_a.b_2026-05-14T09-30-00-000Z"),
        (of_memory("weekly-2026-W19"), "memories/weekly-2026-W19_2026-05-14T09-30-00-000Z"),
    ],
)
def test_an_id_is_read_as_it_was_said(subject: Subject, text: str) -> None:
    assert say_id(subject, AT) == text
    assert read_id(text) == (subject, AT)


@pytest.mark.parametrize(
    "text", ["self/a_x", "all/other_2026-05-14T09-30-00-000Z", "memories/daily-2026-05-12_2026-05-14T09-30-00-000Z"]
)
def test_what_names_nothing_is_no_id(text: str) -> None:
    with pytest.raises(BadSnapshotId):
        read_id(text)


def test_a_flagged_name_stays(memory: Memory, clock: MovingClock) -> None:
    with memory.write() as change:
        first, second = (name_one(change, of_file("custom", "a.md"), "manual") for _ in range(2))
        flag_snapshot(change, first)
    clock.set("2027-01-01T00:00:00Z")
    with memory.write() as change:
        assert drop_expired(change, Settings()) == 1
        assert (find_snapshot(change, second.id), len(snapshots_in(change, {"custom"}))) == (None, 1)
        flag_snapshot(change, first, flagged=False)
        assert drop_expired(change, Settings()) == 1


def test_a_name_that_nobody_in_particular_gave_is_the_servers(memory: Memory) -> None:
    with memory.write() as change:
        assert name_one(change, WHOLE, "scheduled").source == "entity-core"
        assert not change.has_changed


def test_counters_grow_and_remember_the_last_of_each(memory: Memory, clock: MovingClock) -> None:
    with memory.write() as change:
        assert health(change) == Health()
        note_attempt(change, nodes=2, edges=1)
    first = clock.now()
    clock.set("2026-05-21T00:00:00Z")
    with memory.write() as change:
        note_attempt(change, error="no answer")
        note_attempt(change)
    with memory.read() as view:
        last = clock.now()
        assert health(view) == Health(3, 1, 2, 1, last, first, last, "no answer")
        assert (queue(view).waiting, queue(view).oldest, view.last_tx) == (0, None, 0)


def test_an_instance_is_known_by_what_it_said_last(memory: Memory) -> None:
    with memory.write() as change:
        note_sync(change, Instance("a", "sby", "Desk", 1.5), 7)
        note_sync(change, known_instance(change, "a"), None)
        note_sync(change, known_instance(change, "b"), 3)
    with memory.read() as view:
        found = instances(view)
    assert [(each.id, each.type, each.name, each.version, each.synced_tx) for each in found] == [
        ("a", "sby", "Desk", 1.5, 7),
        ("b", "other", None, None, 3),
    ]
