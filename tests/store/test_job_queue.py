"""Leases of background jobs, while the clock is moved."""

from tests.conftest import MovingClock

from recollect.ingest.job_steps import claim_job
from recollect.memory import Memory
from recollect.store import job_queries
from recollect.when.instant import MINUTE

KIND = "records:test"


def claim(memory: Memory) -> bool:
    return claim_job(memory, KIND, 3, 5 * MINUTE) is not None


def test_a_lease_holds_until_its_time(memory: Memory, clock: MovingClock) -> None:
    clock.set("2026-03-10T10:00:00Z")
    with memory.write() as change:
        job_queries.put_job(change, f"{KIND}:1", KIND, "{}")
    assert (claim(memory), claim(memory)) == (True, False)
    clock.set("2026-03-10T10:05:00Z")
    assert claim(memory)


def test_a_job_is_not_held_up_by_a_clock_that_was_hours_ahead(memory: Memory, clock: MovingClock) -> None:
    clock.set("2026-03-10T15:00:00Z")
    with memory.write() as change:
        job_queries.put_job(change, f"{KIND}:1", KIND, "{}")
    assert claim(memory)
    clock.set("2026-03-10T10:00:00Z")
    assert (claim(memory), claim(memory)) == (True, False)
