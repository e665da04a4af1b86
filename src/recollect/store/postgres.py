"""PostgreSQL through psycopg: many stateless server processes on one database."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain, islice
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import ConnectionPool, PoolTimeout

from recollect.deadline import CommitGuard, check_deadline, current_deadline
from recollect.errors import Refused
from recollect.store.port import (
    Connection,
    NotOurTables,
    OutcomeUnknown,
    Parameters,
    Row,
    StoreBusy,
    StoreUnavailable,
    StoreUnusable,
)
from recollect.store.queries import postgres_queries, schema
from recollect.store.tables import (
    AppendTable,
    VersionedTable,
    add_sql,
    begun_sql,
    copy_sql,
    delete_sql,
    drop_sql,
    end_sql,
    ended_sql,
    fill_sql,
    insert_sql,
    open_sql,
    whole_sql,
)

POOL_SIZE = 16
CONNECT_SECONDS = 4
LOCK_SECONDS = 60
POOL_SECONDS = 30
MAX_STATEMENT_SECONDS = 86_400
# Rows are read by key, from memory or from SSDs: with the default cost of random reads the planner prefers sequential
# scans. No query runs long enough to be worth compiling.
_OPTIONS = f"-c lock_timeout={LOCK_SECONDS}s -c random_page_cost=1.1 -c jit=off"
FETCH_SIZE = 2_000
INSERT_SIZE = 500
COPY_THRESHOLD = 10
_MIGRATION_LOCK = 7273301
_TEXT = re.compile(r"\bTEXT\b(?! COLLATE)")
_MARK = "%s"
_NAMED = re.compile(r"%\((\w+)\)s")
# Plain inserts can be combined into one statement; of upserts, two could affect the same row.
_PLAIN_INSERT = re.compile(
    r"(?P<into>INSERT INTO \w+ \([^()]+\))\s+VALUES (?P<values>\((?:%\(\w+\)s|[ ,\n])+\))"
    r"(?P<rest>\s+ON CONFLICT DO NOTHING)?"
)
LOST_CONNECTION = (None, "57P01", "57P02")
"""The codes of errors that leave open whether a commit was carried out."""
UNREACHABLE = (psycopg.OperationalError, psycopg.InterfaceError)

Raw = psycopg.Connection[Row]


class PostgresConnection:
    """A transaction on one psycopg connection."""

    def __init__(self, raw: Raw) -> None:
        self._raw = raw
        self._sql = postgres_queries()

    def rows(self, query: str, parameters: Parameters) -> list[Row]:
        check_deadline()
        sql, lists, _ = self._sql[query]
        return self._raw.execute(sql.encode(), _bound(parameters, lists)).fetchall()

    def next_tx(self, ws: int) -> int:
        [[number]] = self.rows("next_tx", {"ws": ws})
        return int(number)

    def reads(self, query: str) -> frozenset[str]:
        return self._sql[query].tables

    def run(self, query: str, parameters: Parameters) -> None:
        check_deadline()
        sql, lists, _ = self._sql[query]
        self._raw.execute(sql.encode(), _bound(parameters, lists))

    def run_many(self, query: str, parameters: Iterable[Parameters]) -> None:
        sql, lists, _ = self._sql[query]
        together = _PLAIN_INSERT.fullmatch(sql)
        with self._raw.cursor() as cursor:
            if together is None:
                cursor.executemany(sql.encode(), [_bound(each, lists) for each in parameters])
                return
            given = iter(parameters)
            while some := list(islice(given, INSERT_SIZE)):
                _insert_together(cursor, together, some)

    def insert(self, table: VersionedTable, rows: Sequence[Row]) -> None:
        if len(rows) < COPY_THRESHOLD:
            with self._raw.cursor() as cursor:
                cursor.executemany(insert_sql(table, _MARK).encode(), rows)
            return
        with self._raw.cursor() as cursor, cursor.copy(copy_sql(table).encode()) as copy:
            for row in rows:
                copy.write_row(row)

    def add(self, table: AppendTable, rows: Sequence[Row]) -> None:
        given, marks = iter(rows), f"({', '.join([_MARK] * len(table.columns))})"
        while some := list(islice(given, INSERT_SIZE)):
            self._raw.execute(add_sql(table, ", ".join([marks] * len(some))).encode(), list(chain.from_iterable(some)))

    def end(self, table: VersionedTable, ws: int, key: Row, tx: int) -> None:
        ended = self._raw.execute(end_sql(table, _MARK).encode(), (tx, ws, *key, tx))
        if not ended.rowcount:
            self._raw.execute(drop_sql(table, _MARK).encode(), (ws, *key, tx))

    def end_many(self, table: VersionedTable, ws: int, ends: Sequence[tuple[Row, int]]) -> None:
        with self._raw.cursor() as cursor:
            cursor.executemany(end_sql(table, _MARK).encode(), [(tx, ws, *key, tx) for key, tx in ends])

    def begun_by(self, table: VersionedTable, ws: int, tx: int) -> list[Row]:
        return self._raw.execute(begun_sql(table, _MARK).encode(), (ws, tx)).fetchall()

    def ended_by(self, table: VersionedTable, ws: int, tx: int) -> list[Row]:
        return self._raw.execute(ended_sql(table, _MARK).encode(), (ws, tx)).fetchall()

    def whole(self, table: str, columns: Sequence[str], order: Sequence[str], ws: int) -> Iterator[Row]:
        with self._raw.cursor(f"whole_{table}") as cursor:
            cursor.itersize = FETCH_SIZE
            yield from cursor.execute(whole_sql(table, columns, order, _MARK).encode(), (ws,))

    def fill(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        with self._raw.cursor() as cursor:
            cursor.executemany(fill_sql(table, columns, _MARK).encode(), rows)

    def delete_rows(self, table: str, ws: int) -> None:
        self._raw.execute(delete_sql(table, _MARK).encode(), (ws,))

    def open_version(self, table: VersionedTable, ws: int, key: Row) -> Row | None:
        return next(iter(self._raw.execute(open_sql(table, _MARK).encode(), (ws, *key)).fetchall()), None)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        with self._raw.transaction():
            yield


def _insert_together(cursor: psycopg.Cursor[Row], sql: re.Match[str], some: Sequence[Parameters]) -> None:
    """Insert many rows in one statement, with the values in the order of the statement for one row."""
    names = _NAMED.findall(sql["values"])
    marks = ", ".join([f"({', '.join([_MARK] * len(names))})"] * len(some))
    values = [each[name] for each in some for name in names]
    cursor.execute(f"{sql['into']} VALUES {marks} {sql['rest'] or ''}".encode(), values)


def _bound(parameters: Parameters, lists: tuple[str, ...]) -> Parameters:
    return {**parameters, **{name: list(parameters[name]) for name in lists}} if lists else parameters


class BadPostgresAddress(Refused):
    """The parser's own message may quote the password, so it is not repeated."""

    code = "bad_address"

    def __init__(self) -> None:
        form = "postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
        message = f"the PostgreSQL address is malformed; write {form}, with special characters percent-encoded"
        super().__init__(message, field="db")


class PostgresUnreachable(StoreUnusable):
    def __init__(self, where: str, error: psycopg.OperationalError) -> None:
        reason = str(error).partition("\n")[0].rpartition("failed: ")[2]
        advice = "check the address and that the server is running"
        super().__init__(f"cannot connect to PostgreSQL at {where}: {reason}", advice)


def _options(address: str) -> dict[str, Any]:
    """Connection options; the address may set its own connect timeout."""
    given = _parts(address).get("connect_timeout")
    limit = {} if given else {"connect_timeout": CONNECT_SECONDS}
    return {"autocommit": True, "options": _OPTIONS, **limit}


def _parts(address: str) -> dict[str, str]:
    try:
        parts = {key: str(value) for key, value in conninfo_to_dict(address).items()}
    except psycopg.ProgrammingError:
        raise BadPostgresAddress from None
    if not parts.get("port", "0").replace(",", "").isdigit() or any(
        "@" in parts.get(key, "") and parts[key] in address for key in ("host", "dbname")
    ):
        # A password with an unescaped @ or / is cut there, and the rest is parsed as host or database.
        raise BadPostgresAddress
    return parts


def _without_credentials(address: str) -> str:
    """The server and database of an address, without user and password."""
    parts = _parts(address)
    host, port = parts.get("host") or parts.get("hostaddr") or "the default host", parts.get("port")
    return f"{host}{f':{port}' if port else ''}/{parts.get('dbname') or ''}"


def _wait_seconds() -> float:
    """How long the current call may wait for a connection."""
    deadline = current_deadline()
    return POOL_SECONDS if deadline is None else max(0.0, min(POOL_SECONDS, deadline.remaining))


def _statement_limit() -> str:
    """The statement that keeps every other one of a transaction within the deadline of the current call."""
    deadline = current_deadline()
    if deadline is None or deadline.remaining > MAX_STATEMENT_SECONDS:
        return ""
    return f"; SET LOCAL statement_timeout = {max(1, int(deadline.remaining * 1000) + 1)}"


@contextmanager
def _interrupting(raw: Raw) -> Iterator[None]:
    """Inside, cancelling the current call cancels the statement that the server executes."""
    deadline = current_deadline()
    if deadline is None:
        yield
        return
    with deadline.interrupting(partial(_cancel_statement, raw)):
        yield


def _cancel_statement(raw: Raw) -> None:
    with suppress(psycopg.Error):
        raw.cancel_safe(timeout=CONNECT_SECONDS)


def _migrate(raw: Raw) -> None:
    with raw.transaction():
        raw.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))
        raw.execute("CREATE TABLE IF NOT EXISTS migration (number BIGINT PRIMARY KEY, name TEXT NOT NULL)")
        done = {number for [number] in raw.execute("SELECT number FROM migration").fetchall()}
        for number, name, script in schema("postgres"):
            if number not in done:
                raw.execute(_to_postgres(script).encode())
                raw.execute("INSERT INTO migration (number, name) VALUES (%s, %s)", (number, name))


class PostgresEngine:
    """A database reached by its address."""

    name = "postgres"

    def __init__(self, address: str) -> None:
        self._address = address
        self._options = _options(address)
        self._pool: ConnectionPool[Raw] = ConnectionPool(
            address,
            min_size=1,
            max_size=POOL_SIZE,
            timeout=POOL_SECONDS,
            open=False,
            check=ConnectionPool.check_connection,
            kwargs=self._options,
        )

    def migrate(self) -> None:
        """Migrate the schema, on a connection of its own: the pool would keep retrying an unreachable server."""
        try:
            raw: Raw = psycopg.connect(self._address, **self._options)
        except psycopg.OperationalError as error:
            raise PostgresUnreachable(_without_credentials(self._address), error) from error
        try:
            with raw:
                _migrate(raw)
        except psycopg.ProgrammingError as error:
            raise NotOurTables(error) from error
        except psycopg.errors.LockNotAvailable as error:
            raise StoreBusy(type(error).__name__) from error
        except UNREACHABLE as error:
            raise StoreUnavailable(type(error).__name__) from error
        self._pool.open()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._borrowed() as raw:
            raw.execute(f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY{_statement_limit()}".encode())
            try:
                yield PostgresConnection(raw)
            finally:
                if not raw.closed:
                    raw.execute("ROLLBACK")

    @contextmanager
    def writing(self, *, wait: bool = True) -> Iterator[Connection]:
        guard = CommitGuard()
        try:
            with self._borrowed() as raw, guard, raw.transaction():
                limits = _statement_limit() + ("" if wait else "; SET LOCAL lock_timeout = '1ms'")
                if limits:
                    raw.execute(limits.removeprefix("; ").encode())
                yield PostgresConnection(raw)
                if raw.closed:
                    # Otherwise the block would end without a commit and without an error.
                    raise psycopg.OperationalError("the connection is closed")
                guard.begin()
        except psycopg.errors.ReadOnlySqlTransaction as error:
            # A replica answers reads and refuses writes.
            raise StoreUnavailable(type(error).__name__) from error
        except StoreUnavailable as error:
            if guard.is_committing and getattr(error.__cause__, "sqlstate", None) in LOST_CONNECTION:
                raise OutcomeUnknown from error
            raise

    @contextmanager
    def _borrowed(self) -> Iterator[Raw]:
        try:
            with self._pool.connection(_wait_seconds()) as raw, _interrupting(raw):
                yield raw
        except psycopg.errors.LockNotAvailable as error:
            check_deadline()
            raise StoreBusy(type(error).__name__) from error
        except (*UNREACHABLE, PoolTimeout) as error:
            check_deadline()
            raise StoreUnavailable(type(error).__name__) from error

    def compact(self) -> bool:
        """Return the space of erased rows to the server, which overwrites it."""
        with self._borrowed() as raw:
            raw.execute("VACUUM")
        return True

    def close(self) -> None:
        self._pool.close()


def _to_postgres(script: str) -> str:
    """Text compares by code points, as in SQLite, independent of the database's locale."""
    return _TEXT.sub('TEXT COLLATE "C"', script).replace("BLOB", "BYTEA")
