"""Creating and updating our tables in a PostgreSQL database."""

import re

import psycopg

from recollect import __version__ as version
from recollect.store.port import NewerStore, NoVectors, StoreUnusable
from recollect.store.postgres_connect import Raw
from recollect.store.queries import schema

_MIGRATION_LOCK = 7273301
RELEASE_COLUMN = 51
"""The schema from which on a store says which release wrote it."""
ROW_SECURITY = 72
"""The schema from which on transactions see the rows of their workspace only."""
_TEXT = re.compile(r"\bTEXT\b(?! COLLATE)")


class ForeignTables(StoreUnusable):
    def __init__(self, where: str) -> None:
        advice = "nothing was changed; pass the address of another database with --db"
        super().__init__(f"the PostgreSQL database {where} has migrations of another program", advice)


def migrate(raw: Raw, where: str) -> None:
    """Bring the tables of a database up to date, or create them."""
    raw.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))
    raw.execute("CREATE TABLE IF NOT EXISTS migration (number BIGINT PRIMARY KEY, name TEXT NOT NULL)")
    done = _migrations_done(raw, where)
    pending = [each for each in schema("postgres") if each[0] not in done]
    if pending:
        _create_vectors(raw, where)
    for number, name, script in pending:
        raw.execute(_to_postgres(script).encode())
        raw.execute("INSERT INTO migration (number, name) VALUES (%s, %s)", (number, name))
    if pending and pending[-1][0] >= RELEASE_COLUMN:
        raw.execute("UPDATE migration SET release = %s WHERE release = ''", (version,))
    if pending and pending[-1][0] >= ROW_SECURITY:
        raw.execute("SELECT protect_workspaces()")
    raw.execute(b"COMMIT", prepare=False)


def _create_vectors(raw: Raw, where: str) -> None:
    """Create the extension for vectors, which a superuser may have done before."""
    query = b"SELECT installed_version FROM pg_available_extensions WHERE name = 'vector'"
    available = raw.execute(query).fetchall()
    if not available:
        raise NoVectors(where, is_installed=False)
    if available[0][0] is None:
        try:
            raw.execute("CREATE EXTENSION IF NOT EXISTS vector")
        except psycopg.errors.InsufficientPrivilege as error:
            raise NoVectors(where, is_installed=True) from error


def _migrations_done(raw: Raw, where: str) -> set[int]:
    """The numbers of the migrations of a database, unless it is another program's or a newer release's."""
    # Through JSON, since the column of the release was added later.
    rows = raw.execute("SELECT number, name, to_jsonb(m) ->> 'release' FROM migration m ORDER BY number").fetchall()
    ours = {number: name for number, name, _ in schema("postgres")}
    if any(ours.get(number, name) != name for number, name, _ in rows):
        raise ForeignTables(where)
    newest = max(ours)
    if rows and rows[-1][0] > newest:
        raise NewerStore(where, rows[-1][0], newest, rows[-1][2])
    return {number for number, _, _ in rows}


def _to_postgres(script: str) -> str:
    """Text compares by code points, as in SQLite, independent of the database's locale."""
    return _TEXT.sub('TEXT COLLATE "C"', script).replace("BLOB", "BYTEA")
