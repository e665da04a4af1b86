"""Ids of snapshots, flags, and the counters beside them."""

import pytest
from tests.conftest import MovingClock

from recollect.keep.client_sync.pull import find_instance, list_instances, record_sync
from recollect.keep.graph.extraction_queue import queue_status, record_attempt
from recollect.keep.snapshot_store import (
    ALL_MEMORIES,
    WHOLE_STATE,
    BadSnapshotId,
    SnapshotSubject,
    create_snapshot,
    drop_expired,
    file_subject,
    find_snapshot,
    flag_snapshot,
    format_snapshot_id,
    memory_subject,
    parse_snapshot_id,
    snapshots_in,
)
from recollect.memory import Memory
from recollect.settings import Settings
from recollect.store.client_sync_queries import SyncInstance
from recollect.store.job_queries import ExtractionHealth, extraction_health
from recollect.when.instant import Instant

AT = Instant(1778751000000000)


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        (file_subject("self", "my_wants.md"), "self/my_wants_2026-05-14T09-30-00-000Z"),
        (
            file_subject("custom", "a_2026-05-14T09-30-00-000Z.md"),
            "custom/a_2026-05-14T09-30-00-000Z_2026-05-14T09-30-00-000Z",
        ),
        (ALL_MEMORIES, "memories/all_2026-05-14T09-30-00-000Z"),
        (WHOLE_STATE, "all/everything_2026-05-14T09-30-00-000Z"),
        (memory_subject("daily-2026-05-12_a.b"), "memories/daily-2026-05-12_a.b_2026-05-14T09-30-00-000Z"),
        (memory_subject("weekly-2026-W19"), "memories/weekly-2026-W19_2026-05-14T09-30-00-000Z"),
    ],
)
def test_an_id_is_read_as_it_was_said(subject: SnapshotSubject, text: str) -> None:
    assert format_snapshot_id(subject, AT) == text
    assert parse_snapshot_id(text) == (subject, AT)


@pytest.mark.parametrize(
    "text", ["self/a_x", "all/other_2026-05-14T09-30-00-000Z", "memories/daily-2026-05-12_2026-05-14T09-30-00-000Z"]
)
def test_what_names_nothing_is_no_id(text: str) -> None:
    with pytest.raises(BadSnapshotId):
        parse_snapshot_id(text)


def test_a_flagged_name_stays(memory: Memory, clock: MovingClock) -> None:
    with memory.write() as change:
        first, second = (create_snapshot(change, file_subject("custom", "a.md"), "manual") for _ in range(2))
        flag_snapshot(change, first)
    clock.set("2027-01-01T00:00:00Z")
    with memory.write() as change:
        assert drop_expired(change, Settings()) == 1
        assert (find_snapshot(change, second.id), len(snapshots_in(change, {"custom"}))) == (None, 1)
        flag_snapshot(change, first, flagged=False)
        assert drop_expired(change, Settings()) == 1


def test_a_name_that_nobody_in_particular_gave_is_the_servers(memory: Memory) -> None:
    with memory.write() as change:
        assert create_snapshot(change, WHOLE_STATE, "scheduled").source == "entity-core"
        assert not change.has_changed


def test_counters_grow_and_remember_the_last_of_each(memory: Memory, clock: MovingClock) -> None:
    with memory.write() as change:
        assert extraction_health(change) == ExtractionHealth()
        record_attempt(change, nodes=2, edges=1)
    first = clock.now()
    clock.set("2026-05-21T00:00:00Z")
    with memory.write() as change:
        record_attempt(change, error="no answer")
        record_attempt(change)
    with memory.read() as view:
        last = clock.now()
        assert extraction_health(view) == ExtractionHealth(3, 1, 2, 1, last, first, last, "no answer")
        assert (queue_status(view).waiting, queue_status(view).oldest, view.last_tx) == (0, None, 0)


def test_an_instance_is_known_by_what_it_said_last(memory: Memory) -> None:
    with memory.write() as change:
        record_sync(change, SyncInstance("a", "sby", "Desk", 1.5), 7)
        record_sync(change, find_instance(change, "a"), None)
        record_sync(change, find_instance(change, "b"), 3)
    with memory.read() as view:
        found = list_instances(view)
    assert [(each.id, each.type, each.name, each.version, each.synced_tx) for each in found] == [
        ("a", "sby", "Desk", 1.5, 7),
        ("b", "other", None, None, 3),
    ]
