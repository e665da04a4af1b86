"""What the consistency engine costs: one write with it and without, and a full run, as the world grows.

    python -m benchmarks.checking [--people 500,5000,50000]
    python -m benchmarks.checking --store PATH

A write must cost the same however large the world; a full run must hold no more memory for a larger one than the
store's own page cache. With a store that is there, such as the one that `lore_reads` keeps, only the full run.
"""

# ruff: noqa: T201

import argparse
import resource
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.family import grow, load
from recollect.change_listeners import open_memory
from recollect.memory import Memory
from recollect.model.fact import Claim, Statement
from recollect.model.vocabulary import resolve_predicate
from recollect.reason.checks.check_runs import ensure_initial_scan, run_full_check
from recollect.settings import Settings
from recollect.write.entity_refs import NamedRef, find_or_create
from recollect.write.record_statement import record_statement

WRITES = 100


def main() -> None:
    parser = argparse.ArgumentParser(description="The cost of the consistency engine.")
    parser.add_argument("--people", default="500,5000,50000")
    parser.add_argument("--store", help="only a full run over this store")
    asked = parser.parse_args()
    if asked.store:
        print(full_run(asked.store))
        return
    with TemporaryDirectory(prefix="recollect-checking-") as folder:
        for people in map(int, asked.people.split(",")):
            measure(str(Path(folder) / f"{people}.db"), people)


def measure(path: str, people: int) -> None:
    memory = open_memory(path, settings=Settings())
    load(memory, grow(people, 1))
    ensure_initial_scan(memory)
    watched = [_write(memory, people, number) for number in range(WRITES)]
    alone = [_write(replace(memory, listeners=()), people, WRITES + number) for number in range(WRITES)]
    with memory.read() as view:
        facts = view.counts()["facts"]
    memory.close()
    print(
        f"{facts:>8} facts: a write {median(watched):.2f} ms with the engine, {median(alone):.2f} ms without; ", end=""
    )
    # A process of its own, since memory once held is not given back.
    command = [sys.executable, "-m", "benchmarks.checking", "--store", path]
    print(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip(), flush=True)


def _write(memory: Memory, people: int, number: int) -> float:
    """How many milliseconds one relation between two people took."""
    began = time.perf_counter()
    with memory.write() as change:
        one, other = (
            find_or_create(change, NamedRef(f"Person {(number * step) % people}", "person")).entity.id
            for step in (7, 11)
        )
        if one != other:
            means = resolve_predicate("serves", None, None, "entity", change.usage("serves"))
            claim = Claim(one, means.name, means.label, means.fact_type, other, None, False, means.policy)
            record_statement(change, Statement(claim, change.now, "stated", "extracted", 1.0, is_open_start=True))
    return (time.perf_counter() - began) * 1000


def full_run(path: str) -> str:
    """How long a full run takes, and what the process held at most."""
    memory = open_memory(path, settings=Settings())
    before = resource.getrusage(resource.RUSAGE_SELF)
    run = run_full_check(memory).run
    after = resource.getrusage(resource.RUSAGE_SELF)
    memory.close()
    seconds, megabytes = after.ru_utime - before.ru_utime, after.ru_maxrss / 1024
    return f"a full run over {run['relations_checked']} relations {seconds:.1f} s of work, {megabytes:.0f} MB at most"


if __name__ == "__main__":
    main()
