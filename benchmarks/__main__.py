"""`python -m benchmarks`: one table of ratios, both sides of each measured in this run.

    python -m benchmarks --sizes 1k,100k --folder ~/bench

Dates in text and retrieval have their own: `python -m benchmarks.dates`, `python -m benchmarks.retrieval`.
"""

import argparse
import os
import platform
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.memories import compare_memories
from benchmarks.reads import compare_reads, compare_sizes
from benchmarks.recall import compare_recall
from benchmarks.serving import compare_doors, compare_peers, compare_starts
from benchmarks.stores import SIZES, build
from benchmarks.timing import Row, table
from benchmarks.writes import compare_ingest, compare_writes, ingest_of

SMALL, LARGE = "10k", "100k"


def main() -> None:
    asked = _arguments()
    if asked.folder is not None:
        asked.folder.mkdir(parents=True, exist_ok=True)
        run(asked.folder, asked.sizes, asked.peers)
        return
    with TemporaryDirectory(prefix="recollect-bench-") as folder:
        run(Path(folder), asked.sizes, asked.peers)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="One table of ratios.")
    parser.add_argument("--sizes", type=_sizes, default=_sizes("1k,100k,1M"), help="facts in the stores: 1k,100k,1M")
    parser.add_argument("--folder", type=Path, help="keep the stores here, and use those that are there")
    parser.add_argument("--no-peers", dest="peers", action="store_false", help="leave other memories out")
    return parser.parse_args()


def _sizes(text: str) -> list[str]:
    unknown = [each for each in text.split(",") if each not in SIZES]
    if unknown:
        raise argparse.ArgumentTypeError(f"{unknown[0]}: sizes are {', '.join(SIZES)}")
    return text.split(",")


def run(folder: Path, sizes: list[str], peers: bool) -> None:
    small = build(folder, SMALL)
    rows: list[Row] = [*compare_ingest(folder), *ingest_of(small, SMALL)]
    notes = [_machine()]
    for size in sizes:
        built = build(folder, size)
        rows += ingest_of(built, size)
        if built.seconds is not None:
            notes.append(f"After the ingest of {size} facts the process had held {built.megabytes:.0f} MB at most.")
        rows += compare_reads(built.path, size)
        rows += compare_sizes(built.path, small.path, size) if built.facts > small.facts else []
        rows += compare_writes(built.path, folder, size)
    rows += [*compare_memories(folder, LARGE, SMALL), *compare_recall(folder, LARGE)] if LARGE in sizes else []
    started, idle = compare_starts(small.path)
    rows += [*started, *compare_doors(small.path)]
    notes.append(idle)
    if peers:
        beside, missing = compare_peers(small.path, folder)
        rows += beside
        notes += missing
    print("\n\n".join([table(rows), *notes]))  # noqa: T201 the table is what this is for


def _machine() -> str:
    cores = os.cpu_count()
    return (
        f"{cores} cores, {platform.machine()}, {platform.system()}, Python {platform.python_version()}. "
        "Times are medians of interleaved rounds: processor time where only the processor works, wall time for "
        "writes and servers."
    )


if __name__ == "__main__":
    main()
