"""The interface of a database engine: connections that read a consistent snapshot, and one that writes."""

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
    """A store for which trying again is no use until somebody follows the advice in the message."""

    def __init__(self, what: str, advice: str) -> None:
        Unavailable.__init__(self, f"{what}; {advice}")


class NotOurTables(StoreUnavailable):
    """A database in which our tables cannot be created: it has others of these names, or forbids creating any."""

    def __init__(self, error: Exception) -> None:
        reason = str(error).partition("\n")[0]
        super().__init__(f"its tables are not those of a memory: {reason}")


class StoreBusy(StoreUnavailable):
    """Another writer has held the lock for longer than we wait."""

    code = "busy"


class OutcomeUnknown(StoreUnavailable):
    """The database went away during a commit, and did not say whether it was carried out."""

    code = "outcome_unknown"

    def __init__(self) -> None:
        Unavailable.__init__(
            self,
            "the connection to the database was lost during the commit, so it is not known whether this was written; "
            "look at the latest transactions before you repeat it, or repeat it with the same idempotency key",
        )


class Connection(Protocol):
    """One open transaction on an engine, addressed by query name."""

    def rows(self, query: str, parameters: Parameters) -> list[Row]: ...

    def next_tx(self, ws: int) -> int:
        """Allocate the number of a new transaction."""

    def reads(self, query: str) -> frozenset[str]:
        """The tables that a query reads or inserts into."""

    def run(self, query: str, parameters: Parameters) -> None: ...

    def run_many(self, query: str, parameters: Iterable[Parameters]) -> None: ...

    def insert(self, table: VersionedTable, rows: Sequence[Row]) -> None: ...

    def add(self, table: AppendTable, rows: Sequence[Row]) -> None:
        """Insert the rows; in a table with repeats, those that are not there yet."""

    def end(self, table: VersionedTable, ws: int, key: Row, tx: int) -> None:
        """End the open version of a key in this tx; a version that the same tx began is deleted."""

    def end_many(self, table: VersionedTable, ws: int, ends: Sequence[tuple[Row, int]]) -> None:
        """End the open versions of many keys, each in a tx that began none of them."""

    def begun_by(self, table: VersionedTable, ws: int, tx: int) -> list[Row]: ...

    def ended_by(self, table: VersionedTable, ws: int, tx: int) -> list[Row]: ...

    def whole(self, table: str, columns: Sequence[str], order: Sequence[str], ws: int) -> Iterator[Row]:
        """Every row of a workspace, streamed."""

    def fill(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Insert complete rows."""

    def delete_rows(self, table: str, ws: int) -> None:
        """Delete every row of a workspace, in every version."""

    def open_version(self, table: VersionedTable, ws: int, key: Row) -> Row | None: ...

    def savepoint(self) -> AbstractContextManager[None]:
        """A part that is rolled back alone if it raises."""


def fetch(connection: Connection, row_type: type[RowType], query: str, /, **parameters: Any) -> list[RowType]:
    """The rows of a query that belongs to no workspace, each as a named tuple."""
    return list(map(row_type._make, connection.rows(query, parameters)))


class Engine(Protocol):
    """A database with workspaces."""

    name: str

    def migrate(self) -> None: ...

    def reading(self) -> AbstractContextManager[Connection]:
        """A read-only connection to one consistent snapshot."""

    def writing(self, *, wait: bool = True) -> AbstractContextManager[Connection]:
        """A connection that commits at the end or rolls back; without `wait`, refused if another writes."""

    def compact(self) -> bool:
        """Reclaim the space of erased rows; False if readers of an earlier state prevent it for now."""

    def close(self) -> None: ...


class NestedEngine:
    """Each transaction is a savepoint of the one that is open; each read sees what was written so far."""

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
        """The outer engine stays open."""
