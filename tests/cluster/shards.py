"""`make shards MOVES=…`: move a workspace to and fro between two clusters under load, kill movers, look for losses."""

import argparse
import statistics
import sys
import threading
from contextlib import closing
from random import Random

from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory, open_memory
from recollect.settings import Settings
from recollect.store.postgres_shards import FIRST, Shard, ShardedPostgres, add_shard
from recollect.store.workspace_move import move_workspace
from recollect.store.workspaces import last_tx_of
from tests.durability.looking import rows
from tests.durability.workers import move_until, record_fact, working
from tests.support.databases import new_postgres_database, quick_postgres
from tests.support.processes import end_on_sigterm

WRITERS = 4
STEPS = ("copied", "verified", "closed", "switched")
OTHER = "b"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--moves", type=int, default=20)
    options.add_argument("--facts", type=int, default=0, help="facts that the workspace has before")
    given = options.parse_args()
    end_on_sigterm()
    with quick_postgres() as one, quick_postgres() as other:
        first, second = new_postgres_database(one), new_postgres_database(other)
        with closing(open_memory(first, settings=Settings())) as memory:
            engine = memory.engine
            assert isinstance(engine, ShardedPostgres)
            add_shard(engine, Shard(OTHER, second, memory.clock.now()))
            _fill(memory, given.facts)
            begun = last_tx_of(engine, memory.workspace.ws)
            acknowledged, pauses = drill(engine, first, given.moves)
            last = last_tx_of(engine, memory.workspace.ws) - begun
        lost = set(acknowledged) - _held(first if given.moves % 2 == 0 else second)
    shown = f"{given.facts} facts: median {statistics.median(pauses):.2f} s, longest {max(pauses):.2f} s"
    sys.stdout.write(
        f"{given.moves} moves, {given.moves} movers killed, {len(acknowledged)} acknowledged writes, {len(lost)} lost, "
        f"{last} transactions; writers waited {shown}\n"
    )
    sys.exit(1 if lost or last != len(acknowledged) else 0)


def _fill(memory: Memory, facts: int) -> None:
    """Give the workspace some size, a thousand facts in each transaction."""
    for start in range(0, facts, 1_000):
        with memory.write() as change:
            for number in range(start, min(start + 1_000, facts)):
                subject = {"name": f"Person {number // 10}", "type": "person"}
                fact = {"from": subject, "predicate": "note", "to": {"literal": f"number {number}"}}
                write_line(change, parse_line({"facts": [fact]}))


def _held(address: str) -> set[str]:
    return {str(fact) for [fact] in rows(address, "SELECT id FROM fact")}


def drill(engine: ShardedPostgres, address: str, moves: int) -> tuple[list[str], list[float]]:
    """The facts that writers were told of, and the pause of each move that was finished."""
    acknowledged, pauses, done, random = list[str](), list[float](), threading.Event(), Random(11)

    def write(who: int) -> None:
        with closing(open_memory(address, settings=Settings())) as memory:
            number = 0
            while not done.is_set():
                acknowledged.append(record_fact(memory, f"Project {number % 50}", f"{who} {number}"))
                number += 1

    writers = [threading.Thread(target=write, args=(who,)) for who in range(WRITERS)]
    for each in writers:
        each.start()
    try:
        for number in range(moves):
            shard = (OTHER, FIRST)[number % 2]
            with working(move_until, address, shard, random.choice(STEPS)) as worker:
                worker.rest()
            pauses.append(move_workspace(engine, 1, shard).pause)
    finally:
        done.set()
        for each in writers:
            each.join()
    return acknowledged, pauses


if __name__ == "__main__":
    main()
