"""`python -m benchmarks.faults`: faults of the store file, made on purpose and counted.

python -m benchmarks.faults --damaged 40 --backups 20 --stops 10
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from urllib.request import Request, urlopen

import apsw

from benchmarks.stores import build, opened
from benchmarks.writes import record_operation
from recollect.errors import RecollectError
from recollect.keep.store_checks import repair_store
from recollect.store.file_copies import copy_store
from recollect.store.salvage import damaged_store
from recollect.store.sqlite_file import StoreFile

PAGE = 4096


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    for name, count in (("damaged", 40), ("backups", 20), ("stops", 10)):
        parser.add_argument(f"--{name}", type=int, default=count)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with TemporaryDirectory(prefix="recollect-faults-") as name:
        store = build(Path(name), "1k").path
        lines = [
            *damage_pages(store, given.damaged, Random(given.seed)),
            *back_up_while_writing(store, given.backups),
            *stop_servers(store, given.stops),
        ]
    print("\n".join(lines))  # noqa: T201


def damage_pages(store: Path, count: int, random: Random) -> list[str]:
    """Files with one broken page each: whether the checks see it, and how much a repair saves."""
    broken = quick = full = 0
    facts = _count(store, "fact")
    saved: list[float] = []
    for number in range(count):
        path = store.with_name(f"damaged-{number}.db")
        shutil.copy(store, path)
        _damage(path, random)
        if _is_whole(path):
            continue
        broken += 1
        found = [_finds_damage(path, full=each) for each in (False, True)]
        quick, full = quick + found[0], full + found[1]
        saved.append(_repair(path, store.with_name(f"repaired-{number}.db")) / facts)
    mean = sum(saved) / len(saved) if saved else 1
    return [
        f"damaged files: {broken} of {count} fail integrity_check; the quick check finds {quick}, --full {full}",
        f"repair: {mean:.1%} of the facts saved on average, {min(saved, default=1):.1%} in the worst file",
    ]


def _damage(path: Path, random: Random) -> None:
    page = random.randrange(1, path.stat().st_size // PAGE)
    with path.open("r+b") as file:
        file.seek(page * PAGE + random.choice((0, random.randrange(PAGE - 64))))
        file.write(random.randbytes(random.choice((16, 64, PAGE // 2))))


def _is_whole(path: Path) -> bool:
    raw = apsw.Connection(str(path))
    try:
        return bool(raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)])
    except apsw.Error:
        return False
    finally:
        raw.close()


def _finds_damage(path: Path, *, full: bool) -> bool:
    try:
        with opened(path) as memory:
            return bool(memory.engine.check(full=full))
    except RecollectError:
        return True


def _repair(path: Path, target: Path) -> int:
    try:
        with damaged_store(StoreFile(str(path))) as damaged, opened(target) as memory:
            repair_store(damaged, memory)
    except RecollectError:
        return 0
    return _count(target, "fact")


def _count(path: Path, table: str) -> int:
    raw = apsw.Connection(str(path))
    [[number]] = raw.execute(f"SELECT COUNT(*) FROM {table}").fetchall()
    raw.close()
    return int(str(number))


def back_up_while_writing(store: Path, count: int) -> list[str]:
    """Backups beside a writer: each must be whole and have all that was acknowledged before it began."""
    path = store.with_name("written.db")
    shutil.copy(store, path)
    before = _count(path, "tx")
    acknowledged, stop = [0], threading.Event()

    def write() -> None:
        with opened(path) as memory:
            deed = record_operation(memory)
            while not stop.is_set():
                deed(acknowledged[0])
                acknowledged[0] += 1

    writer = threading.Thread(target=write)
    writer.start()
    lost = 0
    for number in range(count):
        target, known = store.with_name(f"backup-{number}.db"), acknowledged[0]
        copy_store(StoreFile(str(path)), target)
        lost += not _is_whole(target) or _count(target, "tx") < before + known
    stop.set()
    writer.join()
    return [f"backups while writing: {count}, not whole or behind {lost}, {acknowledged[0]} writes meanwhile"]


def stop_servers(store: Path, count: int) -> list[str]:
    """Servers that are terminated: what the file alone has afterwards."""
    lost = logs = 0
    for number in range(count):
        folder = store.with_name(f"served-{number}")
        folder.mkdir()
        path = folder / "memory.db"
        shutil.copy(store, path)
        before = _count(path, "tx")
        acknowledged = _serve(path, writes=5)
        logs += Path(f"{path}-wal").exists()
        lost += before + acknowledged - _count(Path(shutil.copy(path, folder / "alone.db")), "tx")
    return [f"servers stopped by SIGTERM: {count}, acknowledged writes not in the file alone {lost}, logs left {logs}"]


def _serve(path: Path, writes: int) -> int:
    environment = {**os.environ, "RECOLLECT_DB": str(path), "RECOLLECT_SERVE_HOOKS": "false"}
    command = [sys.executable, "-m", "recollect", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        address = process.stderr.readline().split()[-1]
        for number in range(writes):
            body = json.dumps({"text": f"Ada lives in house {number}."}).encode()
            request = Request(f"{address}/api/v1/remember", body, {"Content-Type": "application/json"})
            urlopen(request, timeout=60).close()
        process.send_signal(signal.SIGTERM)
        process.communicate()
    return writes


if __name__ == "__main__":
    main()
