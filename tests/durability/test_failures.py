"""Failures of the machine: a clear error, nothing half done, and the next call works."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from recollect.memory import Memory, open_memory
from recollect.settings import Settings
from recollect.store import postgres, sqlite_file
from recollect.store.change import Change
from recollect.store.port import StoreUnavailable
from recollect.store.view import View
from recollect.write.entity_refs import NamedRef, find_or_create
from tests.durability.looking import assert_whole, rows
from tests.durability.workers import fill_the_disk, read_on_a_full_disk, record_fact, record_long, working
from tests.support.databases import new_postgres_database
from tests.support.processes import LONGEST_WAIT


def test_a_call_that_fails_in_the_middle_leaves_no_trace(memory: Memory, address: str) -> None:
    record_fact(memory, "Before", "all is well")
    before = _everything(address)
    with pytest.raises(ZeroDivisionError), memory.write() as change:
        _fail_late(change)
    assert _everything(address) == before
    assert record_fact(memory, "Ada", "fresh")
    assert_whole(address)


def _fail_late(change: Change) -> None:
    found = find_or_create(change, NamedRef("Ada", "person", aliases=("Countess",)))
    change.put_setting("timezone", "Europe/London")
    change.put_entity(found.entity._replace(name="Lovelace"))
    raise ZeroDivisionError


def _everything(address: str) -> list[list[tuple[object, ...]]]:
    tables = ("workspace", "tx", "entity", "name", "fact", "assertion", "setting", "predicate", "token_variant")
    return [sorted(rows(address, f"SELECT * FROM {table}"), key=repr) for table in tables]


def test_a_full_disk_is_a_clear_error_and_later_calls_work(tmp_path: Path) -> None:
    memory = open_memory(str(tmp_path / "memory.db"), settings=Settings())
    record_fact(memory, "Before", "there is room")
    writer = memory.engine._writer  # type: ignore[attr-defined]
    most = writer.pragma("max_page_count")
    writer.pragma("max_page_count", writer.pragma("page_count") + 2)
    with pytest.raises(StoreUnavailable):
        _write_many(memory)
    assert_whole(str(tmp_path / "memory.db"))
    with memory.read() as view:
        assert view.counts()["facts"] >= 1
    writer.pragma("max_page_count", most)
    record_long(memory, "After")
    memory.close()
    assert_whole(str(tmp_path / "memory.db"))


def _write_many(memory: Memory) -> None:
    for number in range(50):
        record_long(memory, f"Note {number}")


@pytest.mark.parametrize("room", [200_000, 450_000, 1_000_000])
def test_files_that_may_not_grow_are_a_clear_error_and_later_calls_work(tmp_path: Path, room: int) -> None:
    address = str(tmp_path / "memory.db")
    open_memory(address, settings=Settings()).close()
    with working(fill_the_disk, address, room) as worker:
        failure, acknowledged, *after = worker.rest()
    assert failure == "StoreUnavailable"
    assert len(after) == 1
    assert_whole(address)
    assert rows(address, "SELECT COUNT(*) FROM tx") == [(int(acknowledged) + 1,)]


def test_a_store_on_a_full_disk_is_read_and_written_to_once_there_is_room(tmp_path: Path) -> None:
    address = str(tmp_path / "memory.db")
    memory = open_memory(address, settings=Settings())
    record_fact(memory, "Before", "there is room")
    memory.close()
    with working(read_on_a_full_disk, address) as worker:
        told = worker.rest()
    assert told == ["1", "DiskFull", "StoreBusy", "2", "None", "3"]
    assert_whole(address)


@contextmanager
def locked_file(path: Path) -> Iterator[None]:
    """Somebody else is writing and takes very long."""
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def test_a_locked_file_is_a_clear_error_and_later_calls_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_file, "BUSY_SECONDS", 0)
    memory = open_memory(str(tmp_path / "memory.db"), settings=Settings())
    record_fact(memory, "Before", "unlocked")
    with locked_file(tmp_path / "memory.db"):
        with pytest.raises(StoreUnavailable):
            record_long(memory, "During")
        with memory.read() as view:
            assert view.last_tx == 1
    record_long(memory, "After")
    memory.close()
    assert_whole(str(tmp_path / "memory.db"))


def test_a_locked_workspace_on_postgres_is_a_clear_error_and_later_calls_work(
    postgres_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    monkeypatch.setattr(postgres, "_SETTINGS", ("lock_timeout=50",))
    address = new_postgres_database(postgres_server)
    memory = open_memory(address, settings=Settings())
    record_fact(memory, "Before", "unlocked")
    with psycopg.connect(address) as other:
        other.execute("SELECT last_tx FROM workspace FOR UPDATE")
        with pytest.raises(StoreUnavailable):
            record_long(memory, "During")
    record_long(memory, "After")
    memory.close()
    assert_whole(address)


def test_a_lost_connection_is_a_clear_error_and_later_calls_work(postgres_server: str) -> None:
    address = new_postgres_database(postgres_server)
    memory = open_memory(address, settings=Settings())
    record_fact(memory, "Before", "connected")
    with pytest.raises(StoreUnavailable), memory.write() as change:
        _make_and_cut(change, address)
    with pytest.raises(StoreUnavailable), memory.read() as view:
        _cut_and_read(view, address)
    record_long(memory, "After")
    memory.close()
    assert_whole(address)


def _make_and_cut(change: Change, address: str) -> None:
    _make_twice(change)
    _cut_connections(address)


def _make_twice(change: Change) -> None:
    """Made, then looked up: what the second finds is kept for the writes that follow."""
    for _ in range(2):
        find_or_create(change, NamedRef("Ghost", "project"))


def _cut_and_read(view: View, address: str) -> None:
    _cut_connections(address)
    view.counts()


def _cut_connections(address: str) -> None:
    rows(
        address,
        "SELECT pg_terminate_backend(pid, 300000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )


def test_what_a_lost_commit_had_looked_up_is_forgotten(postgres_server: str) -> None:
    """The name of an entity that was never committed must not be believed, even if the numbers fit again."""
    address = new_postgres_database(postgres_server)
    memory, another = (open_memory(address, settings=Settings()) for _ in range(2))
    record_fact(memory, "Before", "connected")
    with pytest.raises(StoreUnavailable), memory.write() as change:
        _make_and_cut(change, address)
    record_fact(another, "Another", "came between")
    record_fact(memory, "Ghost", "is it real?")
    memory.close()
    another.close()
    assert_whole(address)


def test_what_a_refused_commit_had_looked_up_is_forgotten(tmp_path: Path) -> None:
    address = str(tmp_path / "memory.db")
    memory, another = (open_memory(address, settings=Settings()) for _ in range(2))
    record_fact(memory, "Before", "all is well")
    writer = memory.engine._writer  # type: ignore[attr-defined]
    writer.set_commit_hook(lambda: True)
    with pytest.raises(apsw.ConstraintError), memory.write() as change:
        _make_twice(change)
    writer.set_commit_hook(None)
    record_fact(another, "Another", "came between")
    record_fact(memory, "Ghost", "is it real?")
    memory.close()
    another.close()
    assert_whole(address)


def test_two_threads_of_one_process_lose_nothing(memory: Memory, address: str) -> None:
    done: list[str] = []

    def write(who: str) -> None:
        done.extend(record_fact(memory, f"Project {number}", f"{who} {number}") for number in range(25))

    threads = [threading.Thread(target=write, args=(f"thread {number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONGEST_WAIT)
    assert len(set(done)) == 100
    assert rows(address, "SELECT COUNT(*) FROM tx") == [(100,)]
    assert_whole(address)
