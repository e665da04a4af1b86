"""One acknowledged write against a bare insert-and-commit, and ingest against the bare inserts of its rows."""

import shutil
import sys
import time
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import apsw

from benchmarks.stores import Built, build, opened
from benchmarks.timing import Clock, Operation, Row, interleaved, table
from benchmarks.world import name, shaped, write_lines, written_name
from recollect.change_listeners import standard_listeners
from recollect.importers.bundle import import_bundle
from recollect.memory import Memory
from recollect.store.tables import ASSERTION, DOCUMENT, ENTITY, FACT, LINE, MENTION, NAME, VersionedTable, insert_sql
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

ROUNDS = 100
_SAME = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL"
_FACTS_PER_SECOND = 10_000
SHAPED = 20_000
TRIES = 3
BARE = "bare insert and commit of a row"
ONE_FACT, THREE_FACTS = "remember with one fact", "remember with three facts"


def compare_writes(store: Path, scratch: Path, size: str) -> list[Row]:
    """Waiting for the disk is most of what a write costs, so wall time counts; the processor time stands beside it."""
    wall, busy = (_written(store, scratch, clock) for clock in (time.perf_counter, time.process_time))
    most = {"record_fact": 4, ONE_FACT: 4, THREE_FACTS: 6}
    return [
        *(Row(f"{name} at {size}", wall[name], wall[BARE], BARE, ratio) for name, ratio in most.items()),
        *(Row(f"{name} at {size}, processor time", busy[name], busy[BARE], BARE) for name in most),
    ]


def _written(store: Path, scratch: Path, clock: Clock) -> dict[str, float]:
    """The seconds of each kind of write to a copy of a store, with what every server does beside it."""
    with TemporaryDirectory(dir=scratch) as folder:
        copied = Path(shutil.copy(store, folder))
        with opened(copied) as memory:
            writer = memory.with_parts(listeners=standard_listeners())
            deeds = {
                "record_fact": record_operation(writer),
                ONE_FACT: remember_operation(writer, 1),
                THREE_FACTS: remember_operation(writer, 3),
                BARE: _bare_insert(Path(folder)),
            }
            return interleaved(deeds, ROUNDS, clock)


def record_operation(memory: Memory) -> Operation:
    tool = find_surface("cognitive-graph").find("record_fact")
    writer = memory.as_actor("cognitive-graph", "record_fact")
    began, written = time.time_ns(), count()

    def write(number: int) -> None:
        subject = {"type": "person", "name": written_name(number)}
        fact = {
            "subject": subject,
            "predicate": "tagged",
            "object": {"literal": f"tag {began} {next(written)}"},
            "source": "bench",
        }
        answer = call(tool, lambda _: writer, fact)
        if answer.is_error or answer.outcome != "ok":
            raise SystemExit(f"record_fact failed: {answer.structured}")

    return write


def remember_operation(memory: Memory, facts_each: int) -> Operation:
    tool = find_surface("recollect").find("remember")
    writer = memory.as_actor("recollect", "remember")
    began, written = time.time_ns(), count()

    def write(number: int) -> None:
        facts = [
            {"subject": written_name(number), "predicate": "uses", "value": f"tool {began} {next(written)}"}
            for _ in range(facts_each)
        ]
        answer = call(tool, lambda _: writer, {"facts": facts, "source": "bench"})
        if answer.is_error or any("id" not in fact for fact in answer.structured["facts"]):
            raise SystemExit(f"remember failed: {answer.structured}")

    return write


def _bare_insert(folder: Path) -> Operation:
    raw = apsw.Connection(str(folder / "bare.db"))
    raw.execute(_SAME).fetchall()
    raw.execute("CREATE TABLE IF NOT EXISTS row (id INTEGER PRIMARY KEY, text TEXT)")

    def write(number: int) -> None:
        raw.execute("BEGIN IMMEDIATE")
        raw.execute("INSERT INTO row (text) VALUES (?)", (f"{name(number)} tagged {number}",))
        raw.execute("COMMIT")

    return write


def compare_ingest(folder: Path) -> list[Row]:
    """Processor seconds of ingest in several shapes, against what is asked and against its bare rows."""
    shapes = {
        "4 facts to a record": (4, True),
        "50 facts to a record": (50, True),
        "one fact to a line, no record": (1, False),
        "20 facts to a line, no record": (20, False),
    }
    return [row for what, (per_line, records) in shapes.items() for row in _ingest(folder, what, per_line, records)]


def _ingest(folder: Path, what: str, per_line: int, records: bool) -> list[Row]:
    taken = [_ingest_once(folder, per_line, records) for _ in range(TRIES)]
    seconds, rows = (median(each) for each in zip(*taken, strict=True))
    return [
        Row(f"ingest, {what}", seconds, SHAPED / _FACTS_PER_SECOND, "10,000 facts a second", 1),
        Row(f"ingest, {what}", seconds, rows, "bare inserts of the same rows"),
    ]


def _ingest_once(folder: Path, per_line: int, records: bool) -> tuple[float, float]:
    """Processor seconds of one ingest into a new store, and of the bare inserts of its rows."""
    with TemporaryDirectory(dir=folder) as place:
        bundle, store, bare = (Path(place) / name for name in ("lines.jsonl", "store.db", "bare.db"))
        write_lines(bundle, shaped(SHAPED, per_line, records=records))
        with opened(store) as memory:
            began = time.process_time()
            import_bundle(memory, bundle)
            seconds = time.process_time() - began
        return seconds, copy_rows(store, bare)


def ingest_of(built: Built, size: str) -> list[Row]:
    """What a large store took to build; nothing if it was there already."""
    if built.seconds is None:
        return []
    asked = built.facts / _FACTS_PER_SECOND
    return [Row(f"ingest of {size} facts and {size} names", built.seconds, asked, "10,000 facts a second", 1)]


def copy_rows(store: Path, target: Path) -> float:
    """Seconds of the processor that the rows of the graph take when they are only inserted."""
    with opened(target):
        pass
    source, raw = apsw.Connection(str(store)), apsw.Connection(str(target))
    raw.execute(_SAME).fetchall()
    return sum(_copy(source, raw, table) for table in (ENTITY, NAME, FACT, ASSERTION, DOCUMENT, MENTION, LINE))


def _copy(source: apsw.Connection, raw: apsw.Connection, table: VersionedTable) -> float:
    rows = source.execute(f"SELECT {', '.join(table.columns)} FROM {table.name} ORDER BY rowid").fetchall()
    began = time.process_time()
    raw.execute("BEGIN IMMEDIATE")
    raw.executemany(insert_sql(table, "?"), rows)
    raw.execute("COMMIT")
    return time.process_time() - began


def main() -> None:
    """The writes alone: `python -m benchmarks.writes FOLDER`, with the store in that folder."""
    folder = Path(sys.argv[1])
    print(table(compare_writes(build(folder, "1k").path, folder, "1k")))  # noqa: T201


if __name__ == "__main__":
    main()
