"""`python -m benchmarks.encryption`: a store under a key against the same store without one, on the same machine.

python -m benchmarks.encryption --size 10k
"""

import argparse
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.reads import facts_operation
from benchmarks.stores import SIZES, build
from benchmarks.timing import Operation, Row, interleaved, table
from benchmarks.writes import record_operation
from recollect.memory import Memory, open_memory
from recollect.settings import Settings
from recollect.store.encryption import StoreKey
from recollect.store.file_copies import change_key, copy_store
from recollect.store.sqlite_file import StoreFile

ROUNDS = 100
SLOW_ROUNDS = 5


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.encryption", description=__doc__)
    parser.add_argument("--size", choices=SIZES, default="10k")
    size = parser.parse_args().size
    with TemporaryDirectory(prefix="recollect-bench-") as folder:
        print(table(compare(Path(folder), size)))  # noqa: T201


def compare(folder: Path, size: str) -> list[Row]:
    key = StoreKey(os.urandom(32).hex())
    plain = StoreFile(str(build(folder, size).path))
    locked = StoreFile(str(folder / "locked.db"), key)
    copy_store(plain, Path(locked.path))
    change_key(StoreFile(locked.path), key, keep_backup=False)
    with _opened(plain) as ours, _opened(locked) as under_key:
        reads = _both(facts_operation(under_key), facts_operation(ours), ROUNDS)
        writes = _both(record_operation(under_key), record_operation(ours), ROUNDS)
        checks = _both(_check(under_key), _check(ours), SLOW_ROUNDS)
    opens = _both(_open_and_read(locked), _open_and_read(plain), ROUNDS // 5)
    copies = _both(_copy(locked, folder), _copy(plain, folder), SLOW_ROUNDS)
    against = "the same without a key"
    return [
        Row(f"get_facts, 20 facts, warm, at {size}", *reads, against),
        Row(f"record_fact, acknowledged, at {size}", *writes, against),
        Row(f"open the store and read 20 facts, at {size}", *opens, against),
        Row(f"quick check of the file, at {size}", *checks, against),
        Row(f"backup, at {size}", *copies, against),
    ]


def _both(ours: Operation, theirs: Operation, rounds: int) -> tuple[float, float]:
    taken = interleaved({"ours": ours, "theirs": theirs}, rounds, time.perf_counter)
    return taken["ours"], taken["theirs"]


def _settings(file: StoreFile) -> Settings:
    key = {} if file.key is None else {"RECOLLECT_KEY": file.key.secret}
    return Settings({"RECOLLECT_DB": file.path, **key})


@contextmanager
def _opened(file: StoreFile) -> Iterator[Memory]:
    memory = open_memory(settings=_settings(file))
    try:
        yield memory
    finally:
        memory.close()


def _open_and_read(file: StoreFile) -> Operation:
    def read(number: int) -> None:
        with _opened(file) as memory:
            facts_operation(memory)(number)

    return read


def _check(memory: Memory) -> Operation:
    return lambda _: memory.engine.check()


def _copy(file: StoreFile, folder: Path) -> Operation:
    target = folder / "copy.db"

    def copy(_: int) -> None:
        target.unlink(missing_ok=True)
        copy_store(file, target)

    return copy


if __name__ == "__main__":
    main()
