"""`python -m benchmarks.postgres_size --sizes 100k,1M`: the same calls to a large and to a small store on PostgreSQL.

Stores are built through our own ingest on a PostgreSQL of their own, with its usual durability; `--folder` keeps them.
With `--seed 250k` only a store of that size is, and both are made of copies of its rows (`benchmarks.postgres_growth`).
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import psycopg
from tests.support.databases import own_postgres

from benchmarks.postgres_growth import grow
from benchmarks.reads import EARLIER, exact_operation, facts_operation, fuzzy_operation
from benchmarks.timing import Operation, Row, p95, said, table, timed
from benchmarks.world import PROBES, more_lines, probe_name, write_lines, write_world
from benchmarks.writes import record_operation
from recollect.importers.bundle import import_bundle
from recollect.memory import Memory, open_memory
from recollect.search.fact_search import search_facts
from recollect.settings import Settings
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

ROUNDS = 200
SIZES = {
    "10k": 10_000,
    "40k": 40_000,
    "100k": 100_000,
    "250k": 250_000,
    "1M": 1_000_000,
    "3M": 3_000_000,
    "10M": 10_000_000,
}
WITHOUT_MODEL = Settings(environment={"RECOLLECT_EMBEDDING_MODEL": "none"})
SERVER_SETTINGS = {"max_wal_size": "'4GB'", "maintenance_work_mem": "'256MB'"}
LINES_AT_ONCE = 100
SLOW_ROUNDS = 20
"""Of what takes long enough to be told from noise by few rounds."""
CHANGED_ROWS = "UPDATE fact SET confirmed_at = confirmed_at + 1 WHERE ws = 1 AND hashtext(id) %% 50 = %s"
"""One row of fifty, a new version of each on disk."""
CHANGES = 5


class Stored(NamedTuple):
    """A store, what it cost to build and what it takes on disk; no cost if it was there."""

    size: str
    address: str
    seconds: float | None
    gigabytes: float


def main() -> None:
    options = comparison_options("postgres_size", __doc__, "100k,1M", ROUNDS)
    options.add_argument("--seed", choices=SIZES, help="grow both from a store of this size, instead of by ingest")
    given = options.parse_args()
    small, large = given.sizes.split(",")
    with TemporaryDirectory(prefix="rcl-", ignore_cleanup_errors=True) as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        with own_postgres(folder / "data") as server:
            configure(server.address)
            if given.seed:
                _build(server.address, given.seed, folder)
                _grow(server.address, given.seed, (small, large))
            stores = [_build(server.address, size, folder) for size in (small, large)]
            for each in stores:
                say(f"{each.size}: {each.gigabytes:.1f} GB, {_rate(each)}")
            say(f"load at the start: {os.getloadavg()[0]:.1f}")
            rows = _compare(stores[0], stores[1], folder, given.rounds, tuple(given.only.split(",")))
            say(f"load at the end: {os.getloadavg()[0]:.1f}\n\n{table(rows)}\n")
            for each in () if given.only else stores:
                say(_vacuum(each))


def comparison_options(name: str, description: str | None, sizes: str, rounds: int) -> argparse.ArgumentParser:
    """What every comparison of two sizes of a store is told on the command line."""
    options = argparse.ArgumentParser(prog=f"python -m benchmarks.{name}", description=description)
    options.add_argument("--sizes", default=sizes, help=f"two of {', '.join(SIZES)}: the small one first")
    options.add_argument("--only", default="", help="only the kinds of calls whose name begins so, with commas")
    options.add_argument("--rounds", type=int, default=rounds, help="calls of each kind")
    options.add_argument("--folder", type=Path, help="keep the server's files here, and use those that are there")
    return options


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def configure(server: str) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        for name, value in SERVER_SETTINGS.items():
            connection.execute(f"ALTER SYSTEM SET {name} = {value}".encode())
        connection.execute("SELECT pg_reload_conf()")


def _rate(stored: Stored) -> str:
    return "kept" if stored.seconds is None else f"{SIZES[stored.size] / stored.seconds:,.0f} facts/s of wall time"


def _grow(server: str, seed: str, sizes: Sequence[str]) -> None:
    for size in sizes:
        if _create(server, size, seed):
            grow(_address(server, size), SIZES[seed], SIZES[size] // SIZES[seed])


def _create(server: str, size: str, template: str | None = None) -> bool:
    """Create the database of a size, unless it is there."""
    name, of = f"world_{size.lower()}", f"world_{template.lower()}" if template else "template1"
    with psycopg.connect(server, autocommit=True) as connection:
        is_there = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone()
        if is_there is None:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{of}" STRATEGY file_copy'.encode())
    return is_there is None


def _address(server: str, size: str) -> str:
    return server.replace("/postgres?", f"/world_{size.lower()}?")


def _build(server: str, size: str, folder: Path) -> Stored:
    address, is_new = _address(server, size), _create(server, size)
    seconds = _fill(address, SIZES[size], folder / f"world_{size}.jsonl") if is_new else None
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("ANALYZE")
        [[taken]] = connection.execute("SELECT pg_database_size(current_database())").fetchall()
    return Stored(size, address, seconds, taken / 1e9)


def _fill(address: str, count: int, bundle: Path) -> float:
    write_world(bundle, count, count)
    memory = open_memory(address, "default", WITHOUT_MODEL)
    began = time.monotonic()
    _, skipped = import_bundle(memory, bundle)
    seconds = time.monotonic() - began
    memory.close()
    bundle.unlink()
    if skipped:
        raise SystemExit(f"{len(skipped)} lines were not taken: {skipped[0]}")
    return seconds


def _compare(small: Stored, large: Stored, folder: Path, most: int, only: tuple[str, ...]) -> list[Row]:
    kinds: dict[str, Callable[[Memory], Operation]] = {
        "get_facts, 20 facts": facts_operation,
        "get_facts as of an early transaction": partial(facts_operation, as_of=EARLIER),
        "exact resolution": exact_operation,
        "fuzzy resolution": fuzzy_operation,
        "get_connections": connections_operation,
        "search among facts": _search_deed,
        "search by common words alone": _common_words_deed,
        "recall by words": _recall_deed,
        "record_fact": record_operation,
        f"ingest of {LINES_AT_ONCE} notes with {LINES_AT_ONCE * 4} facts": partial(ingest_operation, folder),
    }
    little, big = (open_memory(each.address, "default", WITHOUT_MODEL) for each in (small, large))
    rows = []
    for what, make in kinds.items():
        if not what.startswith(only):
            continue
        deeds = {"large": make(big), "small": make(little)}
        rounds = SLOW_ROUNDS if what.startswith("ingest") else most
        taken = timed(deeds, rounds, clock=time.perf_counter)
        figures = (f"{name} p50 {said(median(each))} p95 {said(p95(each))}" for name, each in taken.items())
        say(f"{what}: {', '.join(figures)}")
        against = f"at {small.size}"
        rows.append(Row(f"{what} at {large.size}, p95", p95(taken["large"]), p95(taken["small"]), against, 2))
    little.close()
    big.close()
    return rows


def connections_operation(memory: Memory) -> Operation:
    tool, reader = find_surface("pearscarf").find("get_connections"), memory.as_actor("pearscarf", "get_connections")

    def ask(number: int) -> None:
        answer = call(tool, lambda _: reader, {"entity": probe_name(number % PROBES)})
        if answer.is_error:
            raise SystemExit(f"get_connections failed: {answer.structured}")

    return ask


def _search_deed(memory: Memory) -> Operation:
    def ask(number: int) -> None:
        with memory.read() as view:
            if not search_facts(view, f"{probe_name(number % PROBES)} owner", 10):
                raise SystemExit("a probe should be found")

    return ask


def _common_words_deed(memory: Memory) -> Operation:
    def ask(number: int) -> None:
        del number
        with memory.read() as view:
            if not search_facts(view, "owner employee note", 10):
                raise SystemExit("every fifth fact says it")

    return ask


def _recall_deed(memory: Memory) -> Operation:
    tool, reader = find_surface("recollect").find("recall"), memory.as_actor("recollect", "recall")

    def ask(number: int) -> None:
        answer = call(tool, lambda _: reader, {"query": f"who is the owner of {probe_name(number % PROBES)}"})
        if answer.is_error or "Wilhelmina" not in str(answer.structured):
            raise SystemExit(f"recall failed: {answer.structured}")

    return ask


def ingest_operation(folder: Path, memory: Memory) -> Operation:
    began, bundle = time.time_ns(), folder / "more.jsonl"

    def take_in(number: int) -> None:
        write_lines(bundle, more_lines(f"more-{began}-{number}", LINES_AT_ONCE))
        _, skipped = import_bundle(memory, bundle)
        if skipped:
            raise SystemExit(f"{len(skipped)} lines were not taken: {skipped[0]}")

    return take_in


def _vacuum(stored: Stored) -> str:
    """How long vacuum takes after each of some updates, and what the table has grown by."""
    with psycopg.connect(stored.address, autocommit=True) as connection:
        before, taken = _table_size(connection), []
        for turn in range(CHANGES):
            connection.execute(CHANGED_ROWS, (turn,))
            began = time.perf_counter()
            connection.execute("VACUUM fact")
            taken.append(time.perf_counter() - began)
        grown = _table_size(connection) / before - 1
    return f"{stored.size}: VACUUM after {CHANGES} updates of 2 %: {median(taken):.1f} s each, fact grew by {grown:.1%}"


def _table_size(connection: psycopg.Connection[tuple[Any, ...]]) -> int:
    [[size]] = connection.execute("SELECT pg_total_relation_size('fact')").fetchall()
    return int(size)


if __name__ == "__main__":
    main()
