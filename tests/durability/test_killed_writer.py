"""A writer that is killed at any moment has lost nothing that it acknowledged."""

from random import Random

from recollect.memory import open_memory
from recollect.settings import Settings
from tests.durability.looking import assert_whole, rows
from tests.durability.workers import record_fact, working, write_stream

ROUNDS = {"sqlite": 25, "postgres": 8}


def test_no_acknowledged_write_is_lost_by_a_kill(address: str, engine_name: str) -> None:
    random = Random(engine_name)
    open_memory(address, settings=Settings()).close()
    acknowledged: set[str] = set()
    for round_ in range(ROUNDS[engine_name]):
        acknowledged |= _killed_in_the_middle(address, f"writer {round_}", random)
        kept = {each for [each] in rows(address, "SELECT id FROM fact")}
        assert acknowledged <= kept
        # What was written but not yet told is whole as well; one call at most is such.
        assert len(kept) - len(acknowledged) <= round_ + 1
        assert_whole(address)
    assert len(acknowledged) > ROUNDS[engine_name]
    memory = open_memory(address, settings=Settings())
    assert record_fact(memory, "Project 0", "all is well")
    memory.close()


def _killed_in_the_middle(address: str, who: str, random: Random) -> set[str]:
    """What a writer acknowledged before it was killed, some calls and a part of a call after its start."""
    told: set[str] = set()
    with working(write_stream, address, who, 10_000) as worker:
        for _ in range(random.randrange(6)):
            told.add(worker.hear() or "")
        worker.process.join(random.uniform(0, 0.012))
        worker.kill()
        told.update(worker.rest())
    return told
