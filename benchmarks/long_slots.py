"""`python -m benchmarks.long_slots`: one more fact in a slot that has many, on both engines.

python -m benchmarks.long_slots --sizes 1000,10000 --engine sqlite

The slots are filled with rows as writes would have left them; what is measured is the next write, in wall time, as
PostgreSQL works in processes of its own.
"""

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import psycopg
from tests.support.databases import own_postgres

from benchmarks.timing import Operation, Row, interleaved, table
from recollect.memory import Memory, open_memory
from recollect.model.fact import Fact, Label, Source, Statement
from recollect.model.ids import FactId
from recollect.settings import Settings
from recollect.store.change import Change
from recollect.when.instant import Instant
from recollect.write.entity_refs import NamedRef, find_or_create
from recollect.write.predicates import claim
from recollect.write.record_statement import record_statement

MINUTE = 60_000_000
ENGINES = ("sqlite", "postgres")
LETTERS = str.maketrans("0123456789", "ghijklmnop")


class Kind(NamedTuple):
    """What the facts of a slot say, and whether each replaced the one before."""

    label: Label
    fact_type: str
    words: str
    is_replaced: bool


KINDS = {
    "a value that was replaced": Kind("AFFILIATED", "goal", "Ada is at stop {}", True),
    "an event": Kind("TRANSITIONED", "meeting", "Ada and Engine met, number {}", False),
    "a statement unlike the others": Kind("ASSERTED", "goal", "{1}", False),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.long_slots", description=__doc__)
    parser.add_argument("--sizes", default="1000,10000")
    parser.add_argument("--engine", choices=ENGINES, action="append")
    parser.add_argument("--rounds", type=int, default=20)
    given = parser.parse_args()
    small, large = (int(each) for each in given.sizes.split(","))
    rows = [row for engine in given.engine or ENGINES for row in _compare(engine, small, large, given.rounds)]
    print(table(rows))  # noqa: T201


def _compare(engine: str, small: int, large: int, rounds: int) -> Iterator[Row]:
    with _address(engine) as address, _opened(address) as memory:
        for what, kind in KINDS.items():
            for size in (small, large):
                _fill(memory, kind, size)
            if engine == "postgres":
                _renew_statistics(address)
            deeds = {str(size): _write(memory, kind, size) for size in (small, large)}
            taken = interleaved(deeds, rounds, time.perf_counter)
            yield Row(
                f"{engine}: {what}, beside {large:,}", taken[str(large)], taken[str(small)], f"beside {small:,}", 2
            )


@contextmanager
def _address(engine: str) -> Iterator[str]:
    with TemporaryDirectory(prefix="recollect-slots-") as name:
        if engine == "sqlite":
            yield str(Path(name) / "memory.db")
            return
        with own_postgres(Path(name) / "postgres") as server:
            yield server.address


@contextmanager
def _opened(address: str) -> Iterator[Memory]:
    memory = open_memory(address, "default", Settings())
    try:
        yield memory
    finally:
        memory.close()


def _renew_statistics(address: str) -> None:
    """What PostgreSQL does by itself within a minute."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("ANALYZE")


def _fill(memory: Memory, kind: Kind, size: int) -> None:
    with memory.write() as change:
        first = record_statement(change, _statement(change, kind, size, 0)).fact
        [assertion] = change.assertions(first.id)
        ids = [first.id, *(change.new_id() for _ in range(size - 1))]
        for number in range(1, size):
            said = kind.words.format(number, _unlike(number))
            newest = change.new_id()
            fact = first._replace(id=ids[number], words=said, source_at=_at(number), newest=newest)
            change.add_fact(_settled(fact, kind, ids, number), (assertion._replace(id=newest, fact=fact.id),))
        change.put_fact(_settled(first, kind, ids, 0))


def _settled(fact: Fact, kind: Kind, ids: list[FactId], number: int) -> Fact:
    """Replaced by the next, as a writer would have left it."""
    is_last = number == len(ids) - 1
    if not kind.is_replaced or is_last:
        return fact
    return fact._replace(stale=True, replaced_by=ids[number + 1])


def _write(memory: Memory, kind: Kind, size: int) -> Operation:
    def write(number: int) -> None:
        with memory.write() as change:
            record_statement(change, _statement(change, kind, size, size + number))

    return write


def _statement(change: Change, kind: Kind, size: int, number: int) -> Statement:
    names = ((f"Ada {size} {kind.label}", "person"), (f"Engine {size}", "project"))
    ada, engine = (find_or_create(change, NamedRef(*end)).entity for end in names)
    meant = claim(change, ada.id, engine.id, None, predicate=None, label=kind.label, fact_type=kind.fact_type)
    said = kind.words.format(number, _unlike(number))
    return Statement(meant, _at(number), "stated", "extracted", 0.9, said, source=Source(key=f"source {number}"))


def _unlike(number: int) -> str:
    """A text without numbers that is like no other."""
    return "Ada mends " + blake2b(str(number).encode(), digest_size=16).hexdigest().translate(LETTERS)


def _at(number: int) -> Instant:
    return Instant(1_700_000_000_000_000 + number * MINUTE)


if __name__ == "__main__":
    main()
