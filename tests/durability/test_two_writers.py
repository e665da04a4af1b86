"""Two processes that write to one store at the same time."""

from recollect.memory import open_memory
from recollect.settings import Settings
from tests.durability.looking import OPEN, assert_whole, rows
from tests.durability.workers import working, write_stream

EACH = {"sqlite": 200, "postgres": 80}


def test_two_processes_that_write_at_once_lose_nothing(address: str, engine_name: str) -> None:
    count = EACH[engine_name]
    open_memory(address, settings=Settings()).close()
    with (
        working(write_stream, address, "one", count) as one,
        working(write_stream, address, "other", count) as other,
    ):
        acknowledged = one.rest() + other.rest()
        assert (one.wait(), other.wait()) == (0, 0)
    kept = {each for [each] in rows(address, f"SELECT id FROM fact WHERE tx_to = {OPEN}")}
    assert len(acknowledged) == len(set(acknowledged)) == 2 * count
    assert kept == set(acknowledged)
    assert rows(address, f"SELECT COUNT(*) FROM entity WHERE tx_to = {OPEN}") == [(count,)]
    assert rows(address, "SELECT COUNT(*) FROM tx") == [(2 * count,)]
    assert_whole(address)
