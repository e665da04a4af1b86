"""Write buffer of a batch: rows of its transactions go to the store in few, long statements.

The rows of a transaction follow those of earlier ones and are discarded if it fails. A read that could miss a
buffered row flushes the buffer first, unless the write cache has the answer for every buffered row.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from sys import exc_info
from typing import Any

from recollect.store.port import Connection, LastTx, Parameters, Row
from recollect.store.tables import AppendTable, VersionedTable
from recollect.store.write_cache import CACHED_QUERIES, WriteCache
from recollect.when.instant import Instant

FLUSH_ROWS = 12_000
# These add what is read only through the cache before it is flushed.
APPEND_QUERIES = frozenset("content_add said_put identity_add awaited_add".split())

BufferedAppend = tuple[str, AppendTable | None, Iterable[Any]]
"""Rows for an append-only table under its name, or the parameters of a query."""


class BufferedRows:
    """New versions of one table, and the keys whose versions end, each with its position among the new rows."""

    __slots__ = ("ends", "rows", "table")

    def __init__(self, table: VersionedTable) -> None:
        self.table = table
        self.rows: list[Row] = []
        self.ends: list[tuple[int, Row, int]] = []

    def split_after(self, tx: int) -> "BufferedRows":
        """Remove and return what later transactions wrote, which is at the end."""
        tx_from, rows, ends = 1 + len(self.table.key), self.rows, self.ends
        begun, ended = len(rows), len(ends)
        while begun and rows[begun - 1][tx_from] > tx:
            begun -= 1
        while ended and ends[ended - 1][2] > tx:
            ended -= 1
        later = BufferedRows(self.table)
        later.rows, later.ends = rows[begun:], [(at - begun, key, by) for at, key, by in ends[ended:]]
        del rows[begun:], ends[ended:]
        return later


@dataclass(slots=True)
class NetVersions:
    """The net effect on one table: versions to insert, and keys whose stored version ends."""

    table: VersionedTable
    key: slice
    open: dict[Row, Row] = field(default_factory=dict)
    ended: list[Row] = field(default_factory=list)
    ends: dict[Row, int] = field(default_factory=dict)

    def begin(self, rows: Iterable[Row]) -> None:
        self.open.update((row[self.key], row) for row in rows)

    def end(self, key: Row, tx: int) -> None:
        """End the open version of a key; one that began in the same transaction is dropped."""
        row = self.open.pop(key, None)
        tx_from = self.key.stop
        if row is None:
            self.ends.setdefault(key, tx)
        elif row[tx_from] != tx:
            self.ended.append((*row[: tx_from + 1], tx, *row[tx_from + 2 :]))

    @property
    def rows(self) -> list[Row]:
        """Every version to insert, open or already ended."""
        return [*self.ended, *self.open.values()]


def _net_versions(buffered: BufferedRows) -> NetVersions:
    versions = NetVersions(buffered.table, slice(1, 1 + len(buffered.table.key)))
    if not buffered.ends:
        versions.ended = buffered.rows
        return versions
    done = 0
    for at, key, tx in buffered.ends:
        versions.begin(buffered.rows[done:at])
        versions.end(key, tx)
        done = at
    versions.begin(buffered.rows[done:])
    return versions


class BufferedConnection:
    """A connection that buffers what the transactions of a batch write, with the cache that knows those rows.

    Each transaction ends by `commit_transaction` or `discard_transaction`.
    """

    def __init__(self, connection: Connection, ws: int, last_tx: int, cache: WriteCache) -> None:
        self._to = connection
        self._ws = ws
        self._cache = cache
        self._cache.begin_batch(last_tx)
        self._last_tx = self._flushed_tx = self._committed_tx = last_tx
        self._last_at: Instant | None = None
        self._versions: dict[str, BufferedRows] = {}
        self._appends: list[BufferedAppend] = []
        self._committed_appends = 0
        self._append_tables: set[str] = set()
        self._count = 0
        self._savepoint: ExitStack | None = None

    @property
    def last_tx(self) -> int:
        """The number of the last transaction of the batch, or of the one before it."""
        return self._last_tx

    def rows(self, query: str, parameters: Parameters) -> list[Row]:
        if query not in CACHED_QUERIES and self._buffers(self.reads(query)):
            self._write_through()
        return self._to.rows(query, parameters)

    def rows_in_index(self, query: str, parameters: Parameters) -> int | None:
        if self._buffers(self.reads(query)):
            self._write_through()
        return self._to.rows_in_index(query, parameters)

    def expected_rows(self, query: str, parameters: Parameters) -> int | None:
        return self._to.expected_rows(query, parameters)

    def next_tx(self, ws: int, now: Instant, last: LastTx | None = None) -> tuple[int, Instant]:
        del last  # that of the transaction before in this batch, which no query returns yet
        # Nobody else can take a number while this writer holds the lock.
        if self._last_at is None:
            before = self._to.rows("tx_one", {"ws": ws, "tx": self._last_tx})
            self._last_at = next((at for _, at, *_ in before), now)
        self._last_tx += 1
        self._last_at = max(now, self._last_at)
        return self._last_tx, self._last_at

    def put_last_tx(self, ws: int, tx: int, at: Instant) -> None:
        self._to.put_last_tx(ws, tx, at)

    def _buffers(self, tables: frozenset[str]) -> bool:
        return not (tables.isdisjoint(self._versions) and tables.isdisjoint(self._append_tables))

    def reads(self, query: str) -> frozenset[str]:
        return self._to.reads(query)

    def run(self, query: str, parameters: Parameters) -> None:
        self.run_many(query, (parameters,))

    def run_many(self, query: str, parameters: Iterable[Parameters]) -> None:
        if query in APPEND_QUERIES:
            self._append_tables |= self.reads(query)
            self._appends.append((query, None, parameters))
        else:
            self._write_through()
            self._to.run_many(query, parameters)

    def insert(self, table: VersionedTable, rows: Sequence[Row]) -> None:
        buffered = self._versions.get(table.name)
        if buffered is None:
            buffered = self._versions[table.name] = BufferedRows(table)
        buffered.rows += rows
        self._count += len(rows)

    def add(self, table: AppendTable, rows: Sequence[Row]) -> None:
        self._append_tables.add(table.name)
        self._appends.append((table.name, table, rows))
        self._count += 1

    def end(self, table: VersionedTable, ws: int, key: Row, tx: int) -> None:  # noqa: ARG002 one batch, one workspace
        buffered = self._versions.setdefault(table.name, BufferedRows(table))
        buffered.ends.append((len(buffered.rows), key, tx))
        self._count += 1

    def end_many(self, table: VersionedTable, ws: int, ends: Sequence[tuple[Row, int]]) -> None:
        for key, tx in ends:
            self.end(table, ws, key, tx)

    def begun_by(self, table: VersionedTable, ws: int, tx: int) -> list[Row]:
        self._write_through()
        return self._to.begun_by(table, ws, tx)

    def ended_by(self, table: VersionedTable, ws: int, tx: int) -> list[Row]:
        self._write_through()
        return self._to.ended_by(table, ws, tx)

    def all_rows(self, table: str, columns: Sequence[str], order: Sequence[str], ws: int) -> Iterator[Row]:
        self._write_through()
        return self._to.all_rows(table, columns, order, ws)

    def fill(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        self._write_through()
        self._to.fill(table, columns, rows)

    def delete_rows(self, table: str, ws: int) -> None:
        self._write_through()
        self._to.delete_rows(table, ws)

    def open_version(self, table: VersionedTable, ws: int, key: Row) -> Row | None:
        self._write_through()
        return self._to.open_version(table, ws, key)

    def versions(self, table: VersionedTable, ws: int, key: Row) -> list[Row]:
        self._write_through()
        return self._to.versions(table, ws, key)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        self._write_through()
        with self._to.savepoint():
            yield

    def commit_transaction(self) -> None:
        """Add the transaction to the batch; one that had to read what it wrote is flushed at once."""
        if self._savepoint is not None:
            self._flush_current()
            self._savepoint.close()
            self._savepoint = None
        self._committed_appends = len(self._appends)
        self._committed_tx = self._last_tx
        if self._count > FLUSH_ROWS:
            self.flush()

    def discard_transaction(self) -> None:
        """Remove every trace of the transaction; all that came before it is flushed."""
        if self._savepoint is not None:
            self._savepoint.__exit__(*exc_info())
        for buffered in self._versions.values():
            buffered.split_after(self._committed_tx)
        del self._appends[self._committed_appends :]
        self._last_tx, self._savepoint = self._committed_tx, None
        self.flush()
        self._cache.clear()

    def close(self) -> None:
        """Flush the batch; from here on the store has every row."""
        self.flush()
        self._cache.end_batch(self._last_tx)

    def flush(self) -> None:
        """Write what committed transactions have buffered."""
        later = {name: each.split_after(self._committed_tx) for name, each in self._versions.items()}
        net = [_net_versions(each) for each in self._versions.values()]
        for versions in net:
            # None of these keys has a stored version of the same transaction, so they can be ended together.
            self._to.end_many(versions.table, self._ws, list(versions.ends.items()))
        self._write(net, self._appends[: self._committed_appends])
        del self._appends[: self._committed_appends]
        self._versions = {name: each for name, each in later.items() if each.rows or each.ends}
        self._committed_appends = self._count = 0
        if not self._appends:
            self._append_tables = set()
        if self._last_tx != self._flushed_tx and self._last_at is not None:
            self._to.put_last_tx(self._ws, self._last_tx, self._last_at)
            self._flushed_tx = self._last_tx

    def _write_through(self) -> None:
        """Write everything, what the current transaction has buffered under a savepoint."""
        self.flush()
        if self._savepoint is None:
            self._savepoint = ExitStack()
            self._savepoint.enter_context(self._to.savepoint())
        self._flush_current()

    def _flush_current(self) -> None:
        net = [_net_versions(each) for each in self._versions.values()]
        for versions in net:
            for key, tx in versions.ends.items():
                self._to.end(versions.table, self._ws, key, tx)
        self._write(net, self._appends)
        self._versions, self._appends, self._append_tables = {}, [], set()

    def _write(self, net: Iterable[NetVersions], appends: Iterable[BufferedAppend]) -> None:
        for versions in net:
            if rows := versions.rows:
                self._to.insert(versions.table, rows)
        grouped: dict[str, tuple[AppendTable | None, list[Any]]] = {}
        for name, table, rows_or_parameters in appends:
            grouped.setdefault(name, (table, []))[1].extend(rows_or_parameters)
        for name, (table, together) in grouped.items():
            if table is None:
                self._to.run_many(name, together)
            else:
                self._to.add(table, together)
