"""What an engine must offer: connections that read one moment, and one that writes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple, Protocol, TypeVar

from recollect.errors import Unavailable
from recollect.store.tables import AppendTable, VersionedTable

Row = tuple[Any, ...]
Parameters = Mapping[str, Any]
RowType = TypeVar("RowType", bound=NamedTuple)
"""A named tuple whose fields are the columns of a query."""


class StoreUnavailable(Unavailable):
    def __init__(self, why: str) -> None:
        super().__init__(f"the store cannot be used now ({why}); try again")


class StoreUnusable(StoreUnavailable):
    """A store that will not be there at the next attempt either, until somebody does what the message says."""

    def __init__(self, what: str, advice: str) -> None:
        Unavailable.__init__(self, f"{what}; {advice}")


class NotOurTables(StoreUnavailable):
    """A database in which our tables cannot be made: it holds others of these names, or lets nobody make any."""

    def __init__(self, error: Exception) -> None:
        said = str(error).partition("\n")[0]
        super().__init__(f"its tables are not those of a memory: {said}")


class StoreBusy(StoreUnavailable):
    """Another writer holds the store for longer than we wait."""

    code = "busy"


class Connection(Protocol):
    """One open transaction on an engine, addressed by query name."""

    def rows(self, query: str, parameters: Parameters) -> list[Row]: ...

    def next_tx(self, ws: int) -> int:
        """Take the number of a new transaction."""

    def reads(self, query: str) -> frozenset[str]:
        """The tables that a query looks at or adds to."""

    def run(self, query: str, parameters: Parameters) -> None: ...

    def run_many(self, query: str, parameters: Iterable[Parameters]) -> None: ...

    def insert(self, table: VersionedTable, rows: Sequence[Row]) -> None: ...

    def add(self, table: AppendTable, rows: Sequence[Row]) -> None:
        """Add the rows; where rows may come again, those that are not there."""

    def end(self, table: VersionedTable, ws: int, key: Row, tx: int) -> None:
        """End the open version of a key in this tx; what the tx itself began just goes."""

    def end_many(self, table: VersionedTable, ws: int, ends: Sequence[tuple[Row, int]]) -> None:
        """End the open versions of many keys, each in its tx, none of which began one of them."""

    def begun_by(self, table: VersionedTable, ws: int, tx: int) -> list[Row]: ...

    def ended_by(self, table: VersionedTable, ws: int, tx: int) -> list[Row]: ...

    def whole(self, table: str, columns: Sequence[str], order: Sequence[str], ws: int) -> Iterator[Row]:
        """Every row of a workspace, one after another."""

    def fill(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Insert whole rows."""

    def open_version(self, table: VersionedTable, ws: int, key: Row) -> Row | None: ...

    def savepoint(self) -> AbstractContextManager[None]:
        """What happens inside is undone alone if it raises."""


def fetch(connection: Connection, row_type: type[RowType], query: str, /, **parameters: Any) -> list[RowType]:
    """The rows of a query that belongs to no workspace, each as a named tuple."""
    return list(map(row_type._make, connection.rows(query, parameters)))


class Engine(Protocol):
    """A database with workspaces."""

    name: str

    def migrate(self) -> None: ...

    def reading(self) -> AbstractContextManager[Connection]:
        """A connection that sees one consistent moment and cannot write."""

    def writing(self, *, wait: bool = True) -> AbstractContextManager[Connection]:
        """A connection that commits at the end, or leaves no trace; without `wait`, refused if another writes."""

    def compact(self) -> bool:
        """Leave no trace of what was erased; false if others read an earlier state and hold it for now."""

    def close(self) -> None: ...


class NestedEngine:
    """Each transaction is a part of the one that is open; each read sees what was written so far."""

    def __init__(self, engine: Engine, connection: Connection) -> None:
        self.name = engine.name
        self._engine = engine
        self._connection = connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        yield self._connection

    @contextmanager
    def writing(self, *, wait: bool = True) -> Iterator[Connection]:
        del wait
        with self._connection.savepoint():
            yield self._connection

    def migrate(self) -> None:
        self._engine.migrate()

    def compact(self) -> bool:
        return False

    def close(self) -> None:
        """It is not ours to close."""
