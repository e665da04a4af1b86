"""Write buffer of a batch: rows of its transactions wait and go to the store in few, long statements.

A transaction's rows stand behind those of earlier ones and are discarded if it fails. A read that could
miss a buffered row flushes the buffer first, so a transaction always sees everything that came before it.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from sys import exc_info
from typing import Any

from recollect.store.port import Connection, Parameters, Row
from recollect.store.tables import AppendTable, VersionedTable

FLUSH_ROWS = 12_000
# What these ask for is known to `Recent` for every row that is held.
CACHED_QUERIES = frozenset(
    "entities_named entity_by_id facts_in_slot document_by_key line_taken predicate_used token_known "
    "any_superseding disputes_of_fact said_at identity_key lines_taken documents_by_keys entities_named_any "
    "tokens_known facts_in_slots facts_of_subject_with facts_of_object_with assertions_retracting".split()
)
# These only add what nobody asks the store for before it is there, so they may wait.
APPEND_QUERIES = frozenset("content_add said_put identity_add awaited_add".split())

PendingAppend = tuple[str, AppendTable | None, Iterable[Any]]
"""Rows that are only added to a table, with its name, or what a query adds."""


class PendingRows:
    """What was done to one table and is not written: the versions that begin, and which keys end, after how many."""

    __slots__ = ("ends", "rows", "table")

    def __init__(self, table: VersionedTable) -> None:
        self.table = table
        self.rows: list[Row] = []
        self.ends: list[tuple[int, Row, int]] = []

    def cut(self, tx: int) -> "PendingRows":
        """Split off what came after a transaction, which stands behind all before it."""
        place, rows, ends = 1 + len(self.table.key), self.rows, self.ends
        begun, ended = len(rows), len(ends)
        while begun and rows[begun - 1][place] > tx:
            begun -= 1
        while ended and ends[ended - 1][2] > tx:
            ended -= 1
        after = PendingRows(self.table)
        after.rows, after.ends = rows[begun:], [(at - begun, key, by) for at, key, by in ends[ended:]]
        del rows[begun:], ends[ended:]
        return after

    def __bool__(self) -> bool:
        return bool(self.rows or self.ends)


@dataclass(slots=True)
class PendingVersions:
    """What it comes to in one table: versions that begin, by key if they may end, and keys whose stored one ends."""

    table: VersionedTable
    key: slice
    open: dict[Row, Row] = field(default_factory=dict)
    begun: list[Row] = field(default_factory=list)
    ends: dict[Row, int] = field(default_factory=dict)

    def begin(self, rows: Iterable[Row]) -> None:
        self.open.update((row[self.key], row) for row in rows)

    def end(self, key: Row, tx: int) -> None:
        """End the open version of a key; one that began in the same transaction just goes."""
        row = self.open.pop(key, None)
        place = self.key.stop
        if row is None:
            self.ends.setdefault(key, tx)
        elif row[place] != tx:
            self.begun.append((*row[: place + 1], tx, *row[place + 2 :]))

    @property
    def rows(self) -> list[Row]:
        """Every version that begins, whether or not it ends again."""
        return [*self.begun, *self.open.values()]


def _collapse_versions(waiting: PendingRows) -> PendingVersions:
    versions = PendingVersions(waiting.table, slice(1, 1 + len(waiting.table.key)))
    if not waiting.ends:
        versions.begun = waiting.rows
        return versions
    done = 0
    for at, key, tx in waiting.ends:
        versions.begin(waiting.rows[done:at])
        versions.end(key, tx)
        done = at
    versions.begin(waiting.rows[done:])
    return versions


class BufferedConnection:
    """A connection that holds back what is written, one transaction of the batch after the other.

    Each ends by `keep` or `drop`.
    """

    def __init__(self, connection: Connection, ws: int, last_tx: int) -> None:
        self._to = connection
        self._ws = ws
        self._last_tx = self._written_tx = last_tx
        self._waiting: dict[str, PendingRows] = {}
        self._added: list[PendingAppend] = []
        self._added_to: set[str] = set()
        self._kept_added = 0
        self._count = 0
        self._tx_before = last_tx
        self._through: ExitStack | None = None

    @property
    def last_tx(self) -> int:
        """The number of the last transaction of the batch, or of the one before it."""
        return self._last_tx

    def rows(self, query: str, parameters: Parameters) -> list[Row]:
        if query not in CACHED_QUERIES and self._holds(self.reads(query)):
            self._write_through()
        return self._to.rows(query, parameters)

    def next_tx(self, ws: int) -> int:  # noqa: ARG002 one batch, one workspace
        # Nobody else can take a number while this writer holds the lock.
        self._last_tx += 1
        return self._last_tx

    def _holds(self, tables: frozenset[str]) -> bool:
        return not (tables.isdisjoint(self._waiting) and tables.isdisjoint(self._added_to))

    def reads(self, query: str) -> frozenset[str]:
        return self._to.reads(query)

    def run(self, query: str, parameters: Parameters) -> None:
        self.run_many(query, (parameters,))

    def run_many(self, query: str, parameters: Iterable[Parameters]) -> None:
        if query in APPEND_QUERIES:
            self._added_to |= self.reads(query)
            self._added.append((query, None, parameters))
        else:
            self._write_through()
            self._to.run_many(query, parameters)

    def insert(self, table: VersionedTable, rows: Sequence[Row]) -> None:
        waiting = self._waiting.get(table.name)
        if waiting is None:
            waiting = self._waiting[table.name] = PendingRows(table)
        waiting.rows += rows
        self._count += len(rows)

    def add(self, table: AppendTable, rows: Sequence[Row]) -> None:
        self._added_to.add(table.name)
        self._added.append((table.name, table, rows))
        self._count += 1

    def end(self, table: VersionedTable, ws: int, key: Row, tx: int) -> None:  # noqa: ARG002 one batch, one workspace
        waiting = self._waiting.setdefault(table.name, PendingRows(table))
        waiting.ends.append((len(waiting.rows), key, tx))
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

    def whole(self, table: str, columns: Sequence[str], order: Sequence[str], ws: int) -> Iterator[Row]:
        self._write_through()
        return self._to.whole(table, columns, order, ws)

    def fill(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        self._write_through()
        self._to.fill(table, columns, rows)

    def open_version(self, table: VersionedTable, ws: int, key: Row) -> Row | None:
        self._write_through()
        return self._to.open_version(table, ws, key)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        self._write_through()
        with self._to.savepoint():
            yield

    def commit_transaction(self) -> None:
        """Let the transaction join the batch; one that had to read what it wrote is written at once."""
        if self._through is not None:
            self._write_own()
            self._through.close()
            self._through = None
        self._kept_added = len(self._added)
        self._tx_before = self._last_tx
        if self._count > FLUSH_ROWS:
            self.flush()

    def discard_transaction(self) -> None:
        """Leave no trace of the transaction; all that came before it is written down."""
        if self._through is not None:
            self._through.__exit__(*exc_info())
        for waiting in self._waiting.values():
            waiting.cut(self._tx_before)
        del self._added[self._kept_added :]
        self._last_tx, self._through = self._tx_before, None
        self.flush()

    def flush(self) -> None:
        """Write down what the transactions that ended well have left."""
        own = {name: after for name, each in self._waiting.items() if (after := each.cut(self._tx_before))}
        for versions in (settled := [_collapse_versions(each) for each in self._waiting.values()]):
            # None of these keys has a stored version of the same transaction, so ending needs no second look.
            self._to.end_many(versions.table, self._ws, list(versions.ends.items()))
        self._write(settled, self._added[: self._kept_added])
        del self._added[: self._kept_added]
        self._waiting, self._kept_added, self._count = own, 0, 0
        if not self._added:
            self._added_to = set()
        if self._last_tx != self._written_tx:
            self._to.run("last_tx_put", {"ws": self._ws, "tx": self._last_tx})
            self._written_tx = self._last_tx

    def _write_through(self) -> None:
        self.flush()
        if self._through is None:
            self._through = ExitStack()
            self._through.enter_context(self._to.savepoint())
        self._write_own()

    def _write_own(self) -> None:
        for versions in (settled := [_collapse_versions(each) for each in self._waiting.values()]):
            for key, tx in versions.ends.items():
                self._to.end(versions.table, self._ws, key, tx)
        self._write(settled, self._added)
        self._waiting, self._added, self._added_to = {}, [], set()

    def _write(self, settled: Iterable[PendingVersions], added: Iterable[PendingAppend]) -> None:
        for versions in settled:
            if rows := versions.rows:
                self._to.insert(versions.table, rows)
        together: dict[str, tuple[AppendTable | None, list[Any]]] = {}
        for name, table, what in added:
            held = together.get(name)
            if held is None:
                held = together[name] = table, []
            held[1].extend(what)
        for name, (table, all_of_it) in together.items():
            if table is None:
                self._to.run_many(name, all_of_it)
            else:
                self._to.add(table, all_of_it)
