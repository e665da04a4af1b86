"""One connection to a SQLite file: named queries, versions of rows, whole tables."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import apsw

from recollect.deadline import check_deadline
from recollect.store.port import LastTx, Parameters, Row, RowRefused
from recollect.store.queries import sqlite_queries
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


class SqliteConnection:
    """A transaction on one apsw connection."""

    def __init__(self, raw: apsw.Connection) -> None:
        self._raw = raw
        self._sql = sqlite_queries()
        # One cursor for all queries, since each is read to its end before the next.
        self._cursor = raw.cursor()

    def begin(self) -> None:
        self._cursor.execute("BEGIN")

    def begin_writing(self) -> None:
        self._cursor.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        self._cursor.execute("COMMIT")

    def roll_back(self) -> None:
        self._cursor.execute("ROLLBACK")

    def close(self) -> None:
        self._raw.close()

    def interrupt(self) -> None:
        self._raw.interrupt()

    def check(self, pragma: str) -> list[str]:
        """What an integrity check finds."""
        return [str(problem) for (problem,) in self._cursor.execute(f"PRAGMA {pragma}(20)") if problem != "ok"]

    def rows(self, query: str, parameters: Parameters) -> list[Row]:
        check_deadline()
        sql, lists, _ = self._sql[query]
        return self._cursor.execute(sql, _bound(parameters, lists)).fetchall()

    def rows_in_index(self, query: str, parameters: Parameters) -> int | None:
        del query, parameters
        return None

    def expected_rows(self, query: str, parameters: Parameters) -> int | None:
        del query, parameters
        return None

    def next_tx(self, ws: int, now: Instant, last: LastTx | None = None) -> tuple[int, Instant]:
        # Nobody else writes meanwhile; RETURNING would fill a table of its own.
        [(number, at)] = self.rows("lock_workspace", {"ws": ws}) if last is None else [last]
        self.run("last_tx_put", {"ws": ws, "tx": number + 1})
        return number + 1, max(now, at or now)

    def put_last_tx(self, ws: int, tx: int, at: Instant) -> None:
        del at
        self.run("last_tx_put", {"ws": ws, "tx": tx})

    def reads(self, query: str) -> frozenset[str]:
        return self._sql[query].tables

    def run(self, query: str, parameters: Parameters) -> None:
        check_deadline()
        sql, lists, _ = self._sql[query]
        self._cursor.execute(sql, _bound(parameters, lists))

    def run_many(self, query: str, parameters: Iterable[Parameters]) -> None:
        sql, lists, _ = self._sql[query]
        self._raw.executemany(sql, [_bound(each, lists) for each in parameters] if lists else parameters)

    def insert(self, table: VersionedTable, rows: Sequence[Row]) -> None:
        self._put(insert_sql(table, "?"), rows)

    def add(self, table: AppendTable, rows: Sequence[Row]) -> None:
        self._put(add_sql(table, f"({', '.join('?' * len(table.columns))})"), rows)

    def _put(self, sql: str, rows: Sequence[Row]) -> None:
        if len(rows) == 1:
            self._cursor.execute(sql, rows[0])
        else:
            self._cursor.executemany(sql, rows)

    def end(self, table: VersionedTable, ws: int, key: Row, tx: int) -> None:
        self._cursor.execute(end_sql(table, "?"), (tx, ws, *key, tx))
        if not self._raw.changes():
            self._cursor.execute(drop_sql(table, "?"), (ws, *key, tx))

    def end_many(self, table: VersionedTable, ws: int, ends: Sequence[tuple[Row, int]]) -> None:
        self._raw.executemany(end_sql(table, "?"), [(tx, ws, *key, tx) for key, tx in ends])

    def begun_by(self, table: VersionedTable, ws: int, tx: int) -> list[Row]:
        return self._raw.execute(begun_sql(table, "?"), (ws, tx)).fetchall()

    def ended_by(self, table: VersionedTable, ws: int, tx: int) -> list[Row]:
        return self._raw.execute(ended_sql(table, "?"), (ws, tx)).fetchall()

    def all_rows(self, table: str, columns: Sequence[str], order: Sequence[str], ws: int) -> Iterator[Row]:
        yield from self._raw.execute(whole_sql(table, columns, order, "?"), (ws,))

    def fill(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        try:
            self._raw.executemany(fill_sql(table, columns, "?"), rows)
        except (apsw.ConstraintError, TypeError, OverflowError, ValueError) as error:
            raise RowRefused(table) from error

    def delete_rows(self, table: str, ws: int) -> None:
        self._raw.execute(delete_sql(table, "?"), (ws,))

    def open_version(self, table: VersionedTable, ws: int, key: Row) -> Row | None:
        return next(iter(self._raw.execute(open_sql(table, "?"), (ws, *key)).fetchall()), None)

    def versions(self, table: VersionedTable, ws: int, key: Row) -> list[Row]:
        return list(self._raw.execute(versions_sql(table, "?"), (ws, *key)).fetchall())

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        with self._raw:
            yield


def _bound(parameters: Parameters, lists: tuple[str, ...]) -> Parameters:
    if not lists:
        return parameters
    return {**parameters, **{name: _json_array(parameters[name]) for name in lists}}


def _json_array(values: Collection[Any]) -> str:
    return json.dumps(list(values)) if values else "[]"
