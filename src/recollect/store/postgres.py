"""PostgreSQL through psycopg: many stateless server processes on one database."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from functools import partial
from itertools import chain
from typing import Any

import psycopg

from recollect.deadline import CommitGuard, check_deadline, current_deadline
from recollect.model.progress import batches
from recollect.store.port import (
    FOREVER,
    CommitWatch,
    Connection,
    LastTx,
    NotOurTables,
    Parameters,
    Row,
    RowRefused,
    StoreBusy,
    StoreUnavailable,
    WorkspaceMoved,
)
from recollect.store.postgres_connect import PostgresAddress, Raw, read_postgres_address
from recollect.store.postgres_migration import migrate
from recollect.store.postgres_pool import (
    UNREACHABLE,
    Leadership,
    NumberedTransaction,
    PostgresCommits,
    PostgresPool,
    ServerDiskFull,
    WriterLocks,
    commit,
    lock_limit,
    roll_back,
    see_workspace,
)
from recollect.store.postgres_replicas import PostgresReplicas
from recollect.store.queries import postgres_queries
from recollect.store.tables import (
    AppendTable,
    VersionedTable,
    add_sql,
    begun_sql,
    delete_sql,
    drop_sql,
    end_sql,
    ended_sql,
    fill_sql,
    insert_sql,
    open_sql,
    versions_sql,
    whole_sql,
)
from recollect.when.instant import Instant

POOL_SIZE = 16
CONNECT_SECONDS = 2
"""For each host; libpq takes no less. A command fails within five seconds if no host answers."""
LOCK_SECONDS = 60
MAX_STATEMENT_SECONDS = 86_400
# Rows are read by key, from memory or from SSDs: with the default cost of random reads the planner prefers sequential
# scans. No query runs long enough to be worth compiling.
_SETTINGS = (f"lock_timeout={LOCK_SECONDS}s", "random_page_cost=1.1", "jit=off", "recollect.searches_words=yes")
_QUOTED_SETTINGS = tuple(each.replace("=", " = '") + "'" for each in _SETTINGS)
FETCH_SIZE = 2_000
INSERT_SIZE = 500
INSERT_TOGETHER = 20
"""Always as many, so that the statement is prepared once."""
MOVED = "RC001"
"""The SQLSTATE with which a database says that it no longer serves a workspace."""
_MARK = "%s"
_NAMED = re.compile(r"%\((\w+)\)s")
# Plain inserts can be combined into one statement; of upserts, two could affect the same row.
_PLAIN_INSERT = re.compile(
    r"(?P<into>INSERT INTO \w+ \([^()]+\))\s+VALUES (?P<values>\((?:%\(\w+\)s|[ ,\n])+\))"
    r"(?P<rest>\s+ON CONFLICT DO NOTHING)?"
)


class PostgresConnection:
    """A transaction on one psycopg connection."""

    def __init__(self, raw: Raw) -> None:
        self._raw = raw
        self._sql = postgres_queries()
        self.numbered: NumberedTransaction | None = None

    def rows(self, query: str, parameters: Parameters) -> list[Row]:
        check_deadline()
        sql, lists, _ = self._sql[query]
        return self._raw.execute(sql.encode(), _bound(parameters, lists)).fetchall()

    def rows_in_index(self, query: str, parameters: Parameters) -> int | None:
        return _rows_of_bitmap(self._explain("ANALYZE, TIMING OFF", query, parameters))

    def expected_rows(self, query: str, parameters: Parameters) -> int | None:
        return int(self._explain("ANALYZE OFF", query, parameters)["Plan Rows"])

    def _explain(self, options: str, query: str, parameters: Parameters) -> dict[str, Any]:
        check_deadline()
        sql, lists, _ = self._sql[query]
        [[[explained]]] = self._raw.execute(
            f"EXPLAIN ({options}, FORMAT JSON) {sql}".encode(), _bound(parameters, lists)
        ).fetchall()
        plan: dict[str, Any] = explained["Plan"]
        return plan

    def next_tx(self, ws: int, now: Instant, last: LastTx | None = None) -> tuple[int, Instant]:
        del last  # the row is updated and read in one statement anyway
        [[number, latest, ident]] = self.rows("next_tx", {"ws": ws})
        self.numbered = NumberedTransaction(ident, ws, number, max(now, latest or now))
        return number, self.numbered.at

    def put_last_tx(self, ws: int, tx: int, at: Instant) -> None:
        for _, ident in self.rows("last_tx_put", {"ws": ws, "tx": tx}):
            self.numbered = NumberedTransaction(ident, ws, tx, at)

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
            for some in batches(parameters, INSERT_SIZE):
                _insert_together(cursor, together, some)

    def insert(self, table: VersionedTable, rows: Sequence[Row]) -> None:
        """In their order, since some are numbered by it; COPY, the fastest way, is refused behind row security."""
        few = len(rows) % INSERT_TOGETHER
        many = [tuple(chain.from_iterable(each)) for each in batches(rows[few:], INSERT_TOGETHER)]
        with self._raw.cursor() as cursor:
            if few:
                cursor.executemany(insert_sql(table, _MARK).encode(), rows[:few])
            if many:
                cursor.executemany(insert_sql(table, _MARK, INSERT_TOGETHER).encode(), many)

    def add(self, table: AppendTable, rows: Sequence[Row]) -> None:
        marks = f"({', '.join([_MARK] * len(table.columns))})"
        for some in batches(rows, INSERT_SIZE):
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

    def all_rows(self, table: str, columns: Sequence[str], order: Sequence[str], ws: int) -> Iterator[Row]:
        with self._raw.cursor(f"whole_{table}") as cursor:
            cursor.itersize = FETCH_SIZE
            yield from cursor.execute(whole_sql(table, columns, order, _MARK).encode(), (ws,))

    def fill(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        try:
            with self._raw.cursor() as cursor:
                cursor.executemany(fill_sql(table, columns, _MARK).encode(), rows)
        except (psycopg.IntegrityError, psycopg.DataError, psycopg.ProgrammingError, ValueError) as error:
            raise RowRefused(table) from error

    def delete_rows(self, table: str, ws: int) -> None:
        self._raw.execute(delete_sql(table, _MARK).encode(), (ws,))

    def open_version(self, table: VersionedTable, ws: int, key: Row) -> Row | None:
        return next(iter(self._raw.execute(open_sql(table, _MARK).encode(), (ws, *key)).fetchall()), None)

    def versions(self, table: VersionedTable, ws: int, key: Row) -> list[Row]:
        return list(self._raw.execute(versions_sql(table, _MARK).encode(), (ws, *key)).fetchall())

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


def _rows_of_bitmap(plan: Mapping[str, Any]) -> int | None:
    """How many rows the index of words gave in a plan that was run; none if it was not asked."""
    if plan["Node Type"] == "Bitmap Index Scan" and "@@" in plan.get("Index Cond", ""):
        return int(plan["Actual Rows"])
    below = (_rows_of_bitmap(each) for each in plan.get("Plans", ()))
    return next((count for count in below if count is not None), None)


def _bound(parameters: Parameters, lists: tuple[str, ...]) -> Parameters:
    return {**parameters, **{name: list(parameters[name]) for name in lists}} if lists else parameters


def _options(where: PostgresAddress) -> dict[str, Any]:
    """Connection options; the address may set its own connect timeout.

    A pooler that lends connections by transaction keeps neither the settings nor the prepared statements of a session.
    """
    limit = {} if where.has_timeout else {"connect_timeout": CONNECT_SECONDS}
    settings = " ".join(f"-c {each}" for each in _SETTINGS)
    return {"autocommit": True, **({"prepare_threshold": None} if where.is_pooled else {"options": settings}), **limit}


def _wait_seconds() -> float:
    """How long the current call may wait for a connection."""
    deadline = current_deadline()
    return LOCK_SECONDS if deadline is None else max(0.0, min(LOCK_SECONDS, deadline.remaining))


def _statement_limit() -> str:
    """The statement that keeps every other one of a transaction within the deadline of the current call."""
    deadline = current_deadline()
    if deadline is None or deadline.remaining > MAX_STATEMENT_SECONDS:
        return ""
    return f"; SET LOCAL statement_timeout = {max(1, int(deadline.remaining * 1000) + 1)}"


@contextmanager
def _cancel_on_interrupt(raw: Raw) -> Iterator[None]:
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


class PostgresEngine:
    """A database reached by its address."""

    name = "postgres"
    is_checked = True

    def __init__(self, address: str, replicas: Sequence[str] = ()) -> None:
        self.pool = _pool(address)
        self._writers = WriterLocks(POOL_SIZE // 2)
        self._serves_moved = False
        self._replicas = PostgresReplicas(self.pool, [_pool(each) for each in replicas]) if replicas else None
        self._leadership = Leadership(self.pool)

    def migrate(self) -> None:
        try:
            with transaction(self.pool, "BEGIN", None) as raw:
                migrate(raw, self.pool.where)
        except psycopg.ProgrammingError as error:
            raise NotOurTables(error) from error

    @contextmanager
    def reading(self, ws: int | None = None, as_of_tx: int | None = None) -> Iterator[Connection]:
        pool = self.pool if self._replicas is None else self._replicas.choose(ws, as_of_tx)
        check = "" if ws is None or self._serves_moved else f"; SELECT check_workspace_open({ws})"
        with transaction(pool, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", ws, check) as raw:
            yield PostgresConnection(raw)
            if not raw.closed:
                raw.execute(b"ROLLBACK", prepare=False)

    @contextmanager
    def writing(self, ws: int | None = None, *, wait: float = FOREVER) -> Iterator[Connection]:
        try:
            with (
                self._writers.turn(ws, wait),
                transaction(self.pool, "BEGIN", ws, lock_limit(wait)) as raw,
                CommitGuard() as guard,
            ):
                if ws is not None and not self._serves_moved:
                    raw.execute(b"SELECT begin_workspace_write(%s)", (ws,))
                connection = PostgresConnection(raw)
                yield connection
                guard.begin()
                commit(raw, self.pool, connection.numbered)
        except psycopg.errors.ReadOnlySqlTransaction as error:
            # A standby answers reads and refuses writes: after a failover the primary is elsewhere.
            self.pool.drop_idle()
            raise StoreUnavailable(type(error).__name__) from error

    def serving_moved(self) -> "PostgresEngine":
        """The same engine for whoever moves workspaces, and looks at what is closed to others."""
        other = copy(self)
        other._serves_moved = True
        return other

    def watch_commits(self) -> CommitWatch:
        """On a connection of its own, since it waits for as long as somebody listens."""
        return PostgresCommits(self.pool.connect())

    def leads(self) -> bool:
        return self._leadership.hold()

    def compact(self, *, full: bool = False) -> bool:
        """Return the space of erased rows to the server, which overwrites it in time; `full` rewrites every table."""
        with self.pool.connect() as raw:
            raw.execute("VACUUM (FULL)" if full else "VACUUM")
        return full

    def check(self, *, full: bool = False) -> list[str]:
        """Nothing: the server checks its own files, and pg_amcheck does so on demand."""
        del full
        return []

    def close(self) -> None:
        self._leadership.give_up()
        if self._replicas is not None:
            self._replicas.close()
        self.pool.close()


def _pool(address: str) -> PostgresPool:
    where = read_postgres_address(address)
    settings = "".join(f"; SET LOCAL {each}" for each in _QUOTED_SETTINGS) if where.is_pooled else ""
    return PostgresPool(where.plain, where.shown, _options(where), size=POOL_SIZE, settings=settings)


@contextmanager
def transaction(pool: PostgresPool, begin: str, ws: int | None, more: str = "") -> Iterator[Raw]:
    """A transaction that whoever uses it ends; what is left open is rolled back."""
    settings = f"{pool.settings}; {see_workspace(ws)}{_statement_limit()}{more}"
    with _telling_moved():
        raw = pool.begin(f"{begin}{settings}".encode(), _wait_seconds())
    try:
        with _cancel_on_interrupt(raw), _telling_moved():
            yield raw
    except psycopg.errors.LockNotAvailable as error:
        check_deadline()
        raise StoreBusy(type(error).__name__) from error
    except psycopg.errors.DiskFull as error:
        raise ServerDiskFull from error
    except UNREACHABLE as error:
        check_deadline()
        raise StoreUnavailable(type(error).__name__) from error
    finally:
        roll_back(raw)
        pool.give_back(raw)


@contextmanager
def _telling_moved() -> Iterator[None]:
    try:
        yield
    except psycopg.DatabaseError as error:
        if error.sqlstate == MOVED:
            raise WorkspaceMoved from error
        raise
