"""Opening a store: by several at once, or where none can be opened."""

import os
import threading
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from recollect.memory import open_memory
from recollect.settings import Settings
from recollect.store.address import engine_for
from recollect.store.port import StoreUnavailable
from tests.conftest import ENGINES
from tests.durability.looking import rows
from tests.durability.workers import open_first, record_fact, working
from tests.support.databases import new_database, new_postgres_database
from tests.support.processes import LONGEST_WAIT


def test_processes_that_open_an_empty_store_at_once_share_one_workspace(address: str) -> None:
    engine_for(address).close()
    with ExitStack() as stack:
        workers = [stack.enter_context(working(open_first, address)) for _ in range(4)]
        assert [worker.hear() for worker in workers] == ["1"] * 4
    assert rows(address, "SELECT ws, name FROM workspace") == [(1, "default")]


def test_threads_that_open_an_empty_store_at_once_share_one_workspace(postgres_server: str) -> None:
    address = new_postgres_database(postgres_server)
    opened: list[int] = []
    start = threading.Barrier(6)

    def open_it() -> None:
        start.wait(LONGEST_WAIT)
        memory = open_memory(address, settings=Settings())
        opened.append(memory.workspace.ws)
        memory.close()

    threads = [threading.Thread(target=open_it) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONGEST_WAIT)
    assert opened == [1] * 6


@pytest.mark.parametrize("kind", ["in a file", "a folder", "no database"])
def test_a_place_where_no_file_can_be_is_a_clear_error(tmp_path: Path, kind: str) -> None:
    (tmp_path / "file").write_text("This is no database, however long one looks at it. " * 50)
    place = {"in a file": tmp_path / "file" / "memory.db", "a folder": tmp_path, "no database": tmp_path / "file"}[kind]
    with pytest.raises(StoreUnavailable):
        open_memory(str(place), settings=Settings())


@pytest.mark.parametrize("engine_name", ENGINES)
def test_the_database_of_somebody_else_is_a_clear_error_and_stays_as_it_was(
    engine_name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    table = "CREATE TABLE fact (theirs TEXT); INSERT INTO fact VALUES ('a poem')"
    address = str(tmp_path / "theirs.db")
    if engine_name == "postgres":
        address = new_database(request.getfixturevalue("postgres_server"), f"theirs_{os.getpid()}", "template1")
        with psycopg.connect(address, autocommit=True) as theirs:
            theirs.execute(table)
    else:
        rows(address, table)
    with pytest.raises(StoreUnavailable, match=r"of another program|not those of a memory"):
        open_memory(address, settings=Settings())
    assert rows(address, "SELECT * FROM fact") == [("a poem",)]


def test_a_server_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(
        StoreUnavailable, match="check the address, that the database exists and that the server is running"
    ):
        open_memory(f"postgresql://nobody@/none?host={tmp_path}", settings=Settings())


def test_a_store_that_was_away_is_used_as_soon_as_it_is_there(tmp_path: Path) -> None:
    place = tmp_path / "later"
    place.write_text("in the way")
    with pytest.raises(StoreUnavailable):
        open_memory(str(place / "memory.db"), settings=Settings())
    place.unlink()
    memory = open_memory(str(place / "memory.db"), settings=Settings())
    assert record_fact(memory, "After", "it came back")
    memory.close()
