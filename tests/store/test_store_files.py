"""Which files are opened, which are refused, and what a refusal leaves behind."""

import os
from pathlib import Path

import apsw
import pytest
from tests.durability.looking import rows
from tests.durability.workers import record_fact
from tests.support.databases import new_postgres_database, new_sqlite_file

from recollect import __version__ as version
from recollect.memory import Memory, open_memory
from recollect.settings import Settings
from recollect.store.address import engine_for
from recollect.store.port import NewerStore
from recollect.store.postgres_migration import ForeignTables
from recollect.store.queries import schema
from recollect.store.sqlite_file import (
    APPLICATION_ID,
    ForeignDatabase,
    LogDeleted,
    StoreDamaged,
    StoreFile,
    StoreReadOnly,
    share_page_caches,
)

NEWEST = schema("sqlite")[-1][0]


@pytest.fixture
def store(sqlite_template: Path, tmp_path: Path) -> Path:
    """The path of an empty store."""
    return Path(new_sqlite_file(sqlite_template, tmp_path))


def opened(path: Path) -> Memory:
    return open_memory(str(path), settings=Settings())


def change(path: Path, sql: str) -> None:
    raw = apsw.Connection(str(path))
    raw.execute(sql).fetchall()
    raw.close()


def test_a_new_store_is_marked_as_ours_and_says_which_release_made_it(store: Path) -> None:
    assert rows(str(store), "PRAGMA application_id") == [(APPLICATION_ID,)]
    assert rows(str(store), "SELECT number, release FROM migration") == [(NEWEST, version)]


def test_a_store_from_before_the_mark_is_recognised_and_marked(store: Path) -> None:
    change(store, "PRAGMA application_id = 0")
    engine_for(str(store)).close()
    assert rows(str(store), "PRAGMA application_id") == [(APPLICATION_ID,)]


def test_a_store_of_a_newer_release_is_refused_with_that_release(store: Path) -> None:
    change(store, f"PRAGMA user_version = {NEWEST + 9}; INSERT INTO migration VALUES ({NEWEST + 9}, 'later', '7.1.0')")
    before = store.read_bytes()
    with pytest.raises(NewerStore, match=r"recollect 7\.1\.0 \(schema .*install recollect 7\.1\.0 or later"):
        opened(store)
    assert store.read_bytes() == before


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE poem (line TEXT)",
        "PRAGMA application_id = 7",
        "PRAGMA user_version = 3",
        "CREATE TABLE workspace (theirs TEXT); PRAGMA user_version = 3",
    ],
)
def test_the_database_of_another_program_is_refused_untouched(tmp_path: Path, sql: str) -> None:
    theirs = tmp_path / "theirs.db"
    change(theirs, sql)
    before = theirs.read_bytes()
    with pytest.raises(ForeignDatabase):
        opened(theirs)
    assert theirs.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["theirs.db"]


def test_newer_and_foreign_postgres_databases_are_refused(postgres_server: str) -> None:
    import psycopg

    address = new_postgres_database(postgres_server)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("INSERT INTO migration (number, name, release) VALUES (998, '998_later', '7.1.0')")
        with pytest.raises(NewerStore, match=r"install recollect 7\.1\.0"):
            engine_for(address)
        connection.execute("DELETE FROM migration WHERE number = 998")
        engine_for(address).close()
        connection.execute("UPDATE migration SET name = '0001_users' WHERE number = 1")
    with pytest.raises(ForeignTables):
        engine_for(address)


def test_what_was_stored_is_in_the_file_alone_after_closing_though_a_reader_is_open(store: Path) -> None:
    memory = opened(store)
    reader = memory.engine.reading()
    with reader as connection:
        assert connection.rows("workspaces", {})
        record_fact(memory, "Ada", "stored")
    memory.engine.borrow()  # type: ignore[attr-defined]
    memory.close()
    alone = store.with_name("alone.db")
    alone.write_bytes(store.read_bytes())
    assert rows(str(alone), "SELECT literal FROM fact") == [("stored",)]


def test_a_deleted_log_loses_nothing_and_is_one_clear_failure(store: Path) -> None:
    memory = opened(store)
    for number in range(3):
        record_fact(memory, "Ada", f"stored {number}")
    StoreFile(str(store)).log.unlink()
    with pytest.raises(LogDeleted, match="restart every recollect process"), memory.write() as later:
        later.put_setting("timezone", "Europe/London")
    memory.close()
    again = opened(store)
    with again.read() as view:
        assert (view.last_tx, view.counts()["facts"]) == (3, 3)
    again.close()


@pytest.fixture
def unwritable(store: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with one fact that this process may not write to, nor create files beside it."""
    memory = opened(store)
    record_fact(memory, "Ada", "stored")
    memory.close()
    readable = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK and readable(path, mode))
    return store


def test_a_read_only_store_is_read_and_refuses_writes(unwritable: Path) -> None:
    memory = opened(unwritable)
    with memory.read() as view:
        assert view.counts()["facts"] == 1
    with pytest.raises(StoreReadOnly, match="it can be read"), memory.write():
        pass
    memory.close()
    assert [path.name for path in unwritable.parent.iterdir()] == ["memory.db"]


def damage(path: Path, table: str) -> None:
    """Overwrite the first page of a table."""
    [[page]] = rows(str(path), f"SELECT rootpage FROM sqlite_schema WHERE name = '{table}'")
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 4096)


def test_a_damaged_page_is_found_and_nothing_is_written_after_it(store: Path) -> None:
    memory = opened(store)
    record_fact(memory, "Ada", "stored")
    memory.close()
    damage(store, "assertion")
    memory = opened(store)
    assert memory.engine.check()
    with pytest.raises(StoreDamaged, match=r"memory\.db is damaged .*doctor --repair"), memory.write():
        pass
    with memory.read() as view:
        assert view.counts()["facts"] == 1
    memory.close()


def test_a_call_that_meets_a_damaged_page_is_told_so_in_one_line(store: Path) -> None:
    memory = opened(store)
    record_fact(memory, "Ada", "stored")
    memory.close()
    damage(store, "fact")
    memory = opened(store)
    with pytest.raises(StoreDamaged), memory.read() as view:
        list(view.connection.all_rows("fact", ("id", "words"), ("id",), view.ws))
    with pytest.raises(StoreDamaged), memory.write():
        pass
    memory.close()


def test_connections_that_share_their_caches_hold_no_copies_of_the_store(tmp_path: Path) -> None:
    megabyte = 1024 * 1024
    with apsw.Connection(str(tmp_path / "large.db")) as raw:
        raw.execute("CREATE TABLE t (text); WITH n AS (SELECT 1 i UNION ALL SELECT i + 1 FROM n WHERE i < 4000) "
                    "INSERT INTO t SELECT HEX(RANDOMBLOB(1000)) FROM n")  # fmt: skip
    held, before = apsw.memory_used(), apsw.soft_heap_limit(-1)
    share_page_caches(held + 4 * megabyte)
    try:
        readers = [apsw.Connection(str(tmp_path / "large.db")) for _ in range(6)]
        for reader in readers:
            reader.execute("PRAGMA cache_size = -65536; SELECT SUM(LENGTH(text)) FROM t").fetchall()
        assert apsw.memory_used() < held + 6 * megabyte
        for reader in readers:
            reader.close()
    finally:
        share_page_caches(before)
