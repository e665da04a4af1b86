"""Rows held back: what the transactions of a batch write goes to the store in few, long statements.

Each transaction collects its rows apart and joins the batch when it ends well; one that fails is dropped. A read that
could miss something held has it written down first, so a transaction still sees all that came before it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from sys import exc_info

from recollect.store.port import Connection, Parameters, Row
from recollect.store.tables import Table

MOST = 40_000
# What these ask for is known to `Recent` for every row that is held.
ANSWERED = frozenset(
    "entities_named entity_by_id facts_in_slot document_by_key line_taken predicate_used token_known "
    "any_superseding disputes_of_fact".split()
)
# These only add what nobody asks the store for before it is there, so they may wait.
ADDING = frozenset("content_add tx_begin word_add variant_add said_put identity_add awaited_add".split())


@dataclass(slots=True)
class Versions:
    """Versions of one table: open ones by key, ended ones, and the keys whose stored version ends."""

    table: Table
    key: slice
    open: dict[Row, Row] = field(default_factory=dict)
    done: list[Row] = field(default_factory=list)
    ends: dict[Row, int] = field(default_factory=dict)


class Rows:
    """What waits to be written."""

    def __init__(self) -> None:
        self.tables: dict[str, Versions] = {}
        self.added: dict[str, list[Parameters]] = {}

    def of(self, table: Table) -> Versions:
        held = self.tables.get(table.name)
        if held is None:
            held = self.tables[table.name] = Versions(table, slice(1, 1 + len(table.key)))
        return held

    def begin(self, table: Table, rows: Iterable[Row]) -> None:
        held = self.of(table)
        opened, key = held.open, held.key
        for row in rows:
            opened[row[key]] = row

    def end(self, table: Table, key: Row, tx: int) -> None:
        """End what is stored of a key, unless this transaction began it or ended it already."""
        held = self.of(table)
        if held.open.pop(key, None) is None:
            held.ends[key] = tx

    def add(self, query: str, parameters: Iterable[Parameters]) -> None:
        self.added.setdefault(query, []).extend(parameters)

    def join(self, later: "Rows") -> None:
        """Take over what a later transaction did; versions that it ended and that wait here are ended here."""
        for name, versions in later.tables.items():
            held = self.tables.get(name)
            if held is None:
                self.tables[name] = versions
            else:
                if versions.ends:
                    _end_held(held, versions.ends)
                held.open.update(versions.open)
        for query, parameters in later.added.items():
            self.add(query, parameters)

    def count(self) -> int:
        return sum(map(len, self.added.values())) + sum(len(each.open) for each in self.tables.values())

    def holds(self, tables: frozenset[str]) -> bool:
        return not tables.isdisjoint(self.tables)


def _end_held(held: Versions, ends: Mapping[Row, int]) -> None:
    place = held.key.stop + 1
    for key, tx in ends.items():
        row = held.open.pop(key, None)
        if row is None:
            held.ends[key] = tx
        else:
            held.done.append((*row[:place], tx, *row[place + 1 :]))


class HeldConnection:
    """A connection that holds back what is written, from `begin` to `keep` or `drop` one transaction of the batch."""

    def __init__(self, connection: Connection, ws: int, last_tx: int) -> None:
        self._to = connection
        self._ws = ws
        self._last_tx = self._written_tx = last_tx
        self._batch = Rows()
        self._own = Rows()
        self._tx_before = last_tx
        self._through: ExitStack | None = None

    def rows(self, query: str, parameters: Parameters) -> list[Row]:
        if query == "next_tx":
            # Nobody else can take a number while this writer holds the lock.
            self._last_tx += 1
            return [(self._last_tx,)]
        if query not in ANSWERED:
            tables = self.reads(query)
            if self._own.holds(tables) or self._batch.holds(tables):
                self._write_through()
        return self._to.rows(query, parameters)

    def reads(self, query: str) -> frozenset[str]:
        return self._to.reads(query)

    def run(self, query: str, parameters: Parameters) -> None:
        self.run_many(query, (parameters,))

    def run_many(self, query: str, parameters: Iterable[Parameters]) -> None:
        if query in ADDING:
            self._own.add(query, parameters)
        else:
            self._write_through()
            self._to.run_many(query, parameters)

    def insert(self, table: Table, rows: Sequence[Row]) -> None:
        self._own.begin(table, rows)

    def end(self, table: Table, ws: int, key: Row, tx: int) -> None:  # noqa: ARG002 one batch, one workspace
        self._own.end(table, key, tx)

    def end_many(self, table: Table, ws: int, ends: Sequence[tuple[Row, int]]) -> None:
        for key, tx in ends:
            self.end(table, ws, key, tx)

    def begun_by(self, table: Table, ws: int, tx: int) -> list[Row]:
        self._write_through()
        return self._to.begun_by(table, ws, tx)

    def ended_by(self, table: Table, ws: int, tx: int) -> list[Row]:
        self._write_through()
        return self._to.ended_by(table, ws, tx)

    def whole(self, table: str, columns: Sequence[str], order: Sequence[str], ws: int) -> Iterator[Row]:
        self._write_through()
        return self._to.whole(table, columns, order, ws)

    def fill(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        self._write_through()
        self._to.fill(table, columns, rows)

    def has_open(self, table: Table, ws: int, key: Row) -> bool:
        self._write_through()
        return self._to.has_open(table, ws, key)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        self._write_through()
        with self._to.savepoint():
            yield

    def begin(self) -> None:
        """Begin one transaction of the batch."""
        self._own, self._tx_before, self._through = Rows(), self._last_tx, None

    def keep(self) -> None:
        """Let the transaction join the batch; one that had to read what it wrote is written at once."""
        if self._through is not None:
            self._write_own()
            self._through.close()
        self._batch.join(self._own)
        self._own, self._through = Rows(), None
        if self._batch.count() > MOST:
            self.flush()

    def drop(self) -> None:
        """Leave no trace of the transaction; all that came before it is written down."""
        if self._through is not None:
            self._through.__exit__(*exc_info())
        self._own, self._last_tx, self._through = Rows(), self._tx_before, None
        self.flush()

    def flush(self) -> None:
        """Write down what the transactions that ended well have left."""
        batch, self._batch = self._batch, Rows()
        for versions in batch.tables.values():
            # None of these keys has a stored version of the same transaction, so ending needs no second look.
            self._to.end_many(versions.table, self._ws, list(versions.ends.items()))
        _insert(self._to, batch)
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
        own, self._own = self._own, Rows()
        for versions in own.tables.values():
            for key, tx in versions.ends.items():
                self._to.end(versions.table, self._ws, key, tx)
        _insert(self._to, own)


def _insert(connection: Connection, rows: Rows) -> None:
    for versions in rows.tables.values():
        if versions.done or versions.open:
            connection.insert(versions.table, [*versions.done, *versions.open.values()])
    for query, parameters in rows.added.items():
        connection.run_many(query, parameters)
