"""Row security on PostgreSQL: the rows of another workspace stay unseen, whatever a query asks for."""

from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest
from tests.durability.workers import record_fact
from tests.support.databases import ROLE, new_postgres_database

from recollect.memory import Memory, create_workspace, open_memory
from recollect.settings import Settings
from recollect.store.address import engine_for
from recollect.store.audit import AuditEntry, AuditStore
from recollect.store.port import Connection
from recollect.store.postgres import PostgresConnection
from recollect.store.workspaces import bypasses_row_security
from recollect.surfaces.dispatch import invoke
from recollect.surfaces.registry import find_surface

READER = "analyst"
ALL_TABLES = (
    "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace"
)
WITHOUT_WORKSPACES = {"audit_chain", "migration", "shard", "shard_store"}
"""Tables that hold nothing of a workspace."""


@pytest.fixture
def address(postgres_server: str) -> str:
    return new_postgres_database(postgres_server)


@pytest.fixture
def memories(address: str) -> Iterator[tuple[Memory, Memory]]:
    """Two workspaces, each with a fact."""
    one = open_memory(address, settings=Settings())
    other = one.for_workspace(create_workspace(one.engine, "other", one.clock))
    record_fact(one, "Alder", "mine")
    record_fact(other, "Birch", "theirs")
    yield one, other
    one.close()


def run(connection: Connection, sql: str) -> list[tuple[object, ...]]:
    assert isinstance(connection, PostgresConnection)
    return connection._raw.execute(sql.encode()).fetchall()


def test_a_query_that_forgets_the_workspace_sees_only_its_own(memories: tuple[Memory, Memory]) -> None:
    one, other = memories
    with one.read() as view, other.read() as theirs:
        assert run(view.connection, "SELECT name FROM entity") == [("Alder",)]
        assert run(theirs.connection, "SELECT name FROM entity") == [("Birch",)]
        assert run(view.connection, "SELECT literal FROM fact WHERE ws = 2") == []


def test_a_write_to_another_workspace_is_refused_or_finds_nothing(memories: tuple[Memory, Memory]) -> None:
    one, _ = memories
    with one.write() as change:
        assert run(change.connection, "UPDATE entity SET name = 'Stolen' WHERE ws = 2 RETURNING id") == []
        assert run(change.connection, "DELETE FROM fact WHERE ws = 2 RETURNING id") == []
    with pytest.raises(psycopg.errors.InsufficientPrivilege), one.write() as change:
        run(change.connection, "INSERT INTO setting SELECT 2, 'now', 1, 2, '' RETURNING ws")


def test_the_application_s_role_sees_nothing_until_it_names_a_workspace(
    memories: tuple[Memory, Memory], address: str
) -> None:
    del memories
    with psycopg.connect(address, options="-c recollect.ws=") as raw:
        assert raw.execute("SELECT name FROM workspace").fetchall() == []
        assert raw.execute("SELECT literal FROM fact").fetchall() == []
        raw.execute("SET recollect.ws = 2")
        assert raw.execute("SELECT literal FROM fact").fetchall() == [("theirs",)]


def test_a_role_that_the_wall_does_not_hold_is_known(address: str) -> None:
    superuser = address.replace(f"//{ROLE}:", "//postgres:")
    found = []
    for each in (address, superuser):
        with closing(engine_for(each)) as engine:
            found.append(bypasses_row_security(engine))
    assert found == [False, True]


def test_every_table_with_workspaces_is_behind_the_wall(address: str) -> None:
    with psycopg.connect(address) as raw:
        open_tables = raw.execute(
            "SELECT t FROM workspace_tables() t JOIN pg_class c ON c.oid = t::regclass"
            " WHERE NOT (c.relrowsecurity AND c.relforcerowsecurity)"
        ).fetchall()
        free = raw.execute("SELECT tablename FROM pg_policies WHERE qual = 'true'").fetchall()
    assert open_tables == []
    assert free == []


@pytest.mark.parametrize("setting", ["", "99"])
def test_no_table_shows_a_row_of_another_workspace(memories: tuple[Memory, Memory], address: str, setting: str) -> None:
    for each in memories:
        invoke(find_surface("recollect").find("remember"), each, {"text": "Ada lives in Bergen and likes tea."})
    AuditStore(memories[0].engine).append(AuditEntry(0, 0, "other", "ada", "", "recollect", "recall", "ok", "[]"))
    with psycopg.connect(address, options=f"-c recollect.ws={setting}") as raw:
        tables = [name for [name] in raw.execute(ALL_TABLES).fetchall()]
        seen = {each for each in tables if raw.execute(f"SELECT FROM {each} LIMIT 1".encode()).fetchall()}
        unguarded = {name for [name] in raw.execute(f"{ALL_TABLES} AND NOT relforcerowsecurity").fetchall()}
    assert seen <= WITHOUT_WORKSPACES
    assert unguarded == WITHOUT_WORKSPACES


def test_words_are_found_by_their_index_behind_the_wall(memories: tuple[Memory, Memory]) -> None:
    one, _ = memories
    with one.read() as view:
        run(view.connection, "SELECT set_config('enable_seqscan', 'off', TRUE)")
        plan = run(view.connection, "EXPLAIN SELECT number FROM chunk_word WHERE words @@ 'tea'::tsquery AND ws = 1")
    assert any("chunk_word_words" in str(line) for [line] in plan)


@pytest.fixture
def reader(postgres_server: str, address: str, memories: tuple[Memory, Memory]) -> Iterator[str]:
    """The address of a role that was granted the second workspace."""
    del memories
    with psycopg.connect(postgres_server, autocommit=True) as raw:
        raw.execute(f"CREATE ROLE {READER} LOGIN")
    with psycopg.connect(address, autocommit=True) as raw:
        raw.execute("SELECT grant_workspace(%s, 'other')", (READER,))
    yield address.replace(f"//{ROLE}:", f"//{READER}:")
    with psycopg.connect(address, autocommit=True) as raw:
        raw.execute("SELECT revoke_workspace(%s)", (READER,))
    with psycopg.connect(postgres_server, autocommit=True) as raw:
        raw.execute(f"DROP ROLE {READER}")


def test_a_reader_of_one_workspace_sees_only_that_whatever_it_sets(reader: str) -> None:
    with psycopg.connect(reader, autocommit=True) as raw:
        for setting in ("", "all", "1"):
            raw.execute("SELECT set_config('recollect.ws', %s, FALSE)", (setting,))
            assert raw.execute("SELECT literal FROM fact").fetchall() == [("theirs",)]
            assert raw.execute("SELECT name FROM workspace").fetchall() == [("other",)]
            assert raw.execute("SELECT DISTINCT ws FROM fact_word").fetchall() in ([], [(2,)])
        for forbidden in (
            "SELECT hash FROM access_token",
            "DELETE FROM fact",
            "SELECT grant_workspace('x', 'other')",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                raw.execute(forbidden.encode())


def test_a_table_that_a_later_schema_adds_is_open_to_the_same_readers(reader: str, address: str) -> None:
    with psycopg.connect(address, autocommit=True) as raw:
        raw.execute("CREATE TABLE later (ws BIGINT NOT NULL, word TEXT NOT NULL)")
        raw.execute("INSERT INTO later VALUES (1, 'mine'), (2, 'theirs')")
        raw.execute("SELECT protect_workspaces()")
    with psycopg.connect(reader, options="-c recollect.ws=all") as raw:
        assert raw.execute("SELECT word FROM later").fetchall() == [("theirs",)]
