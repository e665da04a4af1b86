"""A workspace that moves to another zone: days are those of its people, also for what was said before."""

from recollect.memory import Memory
from recollect.serve.workspace_settings import put_setting
from recollect.write.undo import undo
from tests.conftest import MovingClock
from tests.support.facts import fact, facts_of, tell, texts

STAYS = fact("Ada", "employee", "Acme", "Ada works at Acme", valid_until="2026-03-16")
LAST_SECOND_IN = {
    "UTC": "2026-03-16T23:59:59Z",
    "America/New_York": "2026-03-17T03:59:59Z",
    "Asia/Tokyo": "2026-03-16T14:59:59Z",
}
NEXT_SECOND_IN = {
    "UTC": "2026-03-17T00:00:00Z",
    "America/New_York": "2026-03-17T04:00:00Z",
    "Asia/Tokyo": "2026-03-16T15:00:00Z",
}


def move(memory: Memory, zone: str | None) -> int:
    with memory.as_actor("cli", "workspace").write() as change:
        put_setting(change, "timezone", zone)
        return change.last_tx


def ends_with_the_day_in(memory: Memory, clock: MovingClock, zone: str, **asked: int) -> bool:
    clock.set(LAST_SECOND_IN[zone])
    before = texts(memory, "Ada", **asked)
    clock.set(NEXT_SECOND_IN[zone])
    return (before, texts(memory, "Ada", **asked)) == (["Ada works at Acme"], [])


def test_a_bound_covers_its_day_in_the_zone_that_the_workspace_has(memory: Memory, clock: MovingClock) -> None:
    tell(memory, STAYS, id="a", source_at="2026-03-01T00:00:00Z")
    assert ends_with_the_day_in(memory, clock, "UTC")
    for zone in ("America/New_York", "Asia/Tokyo"):
        move(memory, zone)
        assert ends_with_the_day_in(memory, clock, zone)
    move(memory, None)
    assert ends_with_the_day_in(memory, clock, "UTC")


def test_what_was_known_before_the_move_is_read_in_the_zone_of_then(memory: Memory, clock: MovingClock) -> None:
    tell(memory, STAYS, id="a", source_at="2026-03-01T00:00:00Z")
    moved = move(memory, "Asia/Tokyo")
    assert ends_with_the_day_in(memory, clock, "UTC", as_of=moved - 1)
    with memory.write() as change:
        undo(change, moved)
    assert ends_with_the_day_in(memory, clock, "UTC")


def test_facts_said_before_and_after_the_move_are_one(memory: Memory) -> None:
    tell(memory, STAYS, id="a", source_at="2026-03-01T00:00:00Z")
    move(memory, "Asia/Tokyo")
    tell(memory, STAYS, id="b", source_at="2026-03-02T00:00:00Z")
    [seen] = facts_of(memory, "Ada", every=True)
    assert seen.fact.source_count == 2


def test_instants_and_in_world_days_stay_where_they_are(memory: Memory, clock: MovingClock) -> None:
    clock.set("2026-03-16T12:00:00Z")
    tell(memory, {**STAYS, "valid_until": "2026-03-16T12:00:00Z"}, id="a", source_at="2026-03-01T00:00:00Z")
    moved = move(memory, "Asia/Tokyo")
    assert texts(memory, "Ada") == ["Ada works at Acme"]
    with memory.write() as change:
        assert [table.name for table, _ in change.begun_by(moved)] == ["setting"]
