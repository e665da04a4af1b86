"""The interface of a database engine: connections that read a consistent snapshot, and one that writes."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple, Protocol, TypeVar

from recollect import __version__ as version
from recollect.errors import Conflict, Unavailable
from recollect.store.tables import AppendTable, VersionedTable
from recollect.when.instant import Instant

Row = tuple[Any, ...]
Parameters = Mapping[str, Any]
LastTx = tuple[int, Instant | None]
"""The number of the last transaction of a workspace, 0 before the first, and its time."""
RowType = TypeVar("RowType", bound=NamedTuple)
"""A named tuple whose fields are the columns of a query."""
FOREVER = math.inf
"""Seconds for which a writer waits until another has ended, within the deadline of its call."""


class StoreUnavailable(Unavailable):
    def __init__(self, why: str) -> None:
        super().__init__(f"the store cannot be used now ({why}); try again")


class OutcomeUnknown(StoreUnavailable):
    """The reply to a commit was lost, and the server could not be asked what became of it."""

    code = "outcome_unknown"
    retry_after = None

    def __init__(self) -> None:
        Unavailable.__init__(
            self,
            "the connection to the store was lost during the commit, so the change may or may not have been written;"
            " look before you repeat it, or repeat it with the same idempotency key",
        )


class StoreUnusable(StoreUnavailable):
    """A store that must be repaired as the message says before a retry can succeed."""

    retry_after = None

    def __init__(self, what: str, advice: str) -> None:
        Unavailable.__init__(self, f"{what}; {advice}")
        self.advice = advice


class StoreClosed(StoreUnusable):
    """A store that this program has closed itself."""

    def __init__(self) -> None:
        super().__init__("this memory was closed", "open it again with recollect.open()")


class NewerStore(StoreUnusable):
    """A store that a newer release has migrated: this one does not know what its rows mean."""

    def __init__(self, where: str, schema: int, newest: int, release: str | None) -> None:
        writer = f"recollect {release}" if release else "a newer recollect"
        needed = f"recollect {release} or later" if release else "that release or a later one"
        what = f"{where} was written by {writer} (schema {schema}); this is recollect {version} (schema {newest})"
        super().__init__(what, f"nothing was changed; install {needed}, or restore a backup from before the upgrade")


class NoVectors(StoreUnusable):
    """A PostgreSQL without the extension in which vectors are kept."""

    def __init__(self, where: str, *, is_installed: bool) -> None:
        missing = "this role may not create" if is_installed else "is not installed on the server"
        first = "" if is_installed else "install pgvector there, then "
        advice = f"{first}let a superuser run CREATE EXTENSION vector in this database"
        super().__init__(f"{where} needs the extension `vector`, which {missing}", advice)


class NotOurTables(StoreUnavailable):
    """A database in which our tables cannot be created: it has others of these names, or forbids creating any."""

    retry_after = None

    def __init__(self, error: Exception) -> None:
        reason = str(error).partition("\n")[0]
        super().__init__(f"its tables are not those of a memory: {reason}")


class WorkspaceMoved(StoreUnavailable):
    """A workspace that this database no longer serves; the catalogue of shards says which one does."""

    def __init__(self) -> None:
        why = "the workspace is being moved to another cluster"
        advice = "try again; if it stays so, recollect shard list shows what is unfinished"
        Unavailable.__init__(self, f"{why}; {advice}")


class RowRefused(Conflict):
    """Rows that the engine does not take together with those that are there."""

    def __init__(self, table: str) -> None:
        super().__init__(f"a row of {table} is a duplicate, incomplete or not storable")


class StoreBusy(StoreUnavailable):
    """Another writer has held the lock for longer than we wait."""

    code = "busy"


class Connection(Protocol):
    """One open transaction on an engine, addressed by query name."""

    def rows(self, query: str, parameters: Parameters) -> list[Row]: ...

    def rows_in_index(self, query: str, parameters: Parameters) -> int | None:
        """How many rows an index finds for a query, without reading them; none if the engine cannot tell."""

    def expected_rows(self, query: str, parameters: Parameters) -> int | None:
        """How many rows a query has by the statistics of the engine, without running it; none if it keeps none."""

    def next_tx(self, ws: int, now: Instant, last: LastTx | None = None) -> tuple[int, Instant]:
        """Allocate the number of a new transaction, and its time: now, but never before the previous transaction.

        `last` is the previous one, if the caller has read it under the lock.
        """

    def put_last_tx(self, ws: int, tx: int, at: Instant) -> None:
        """Store the number and the time of the last of the transactions that a batch has numbered itself."""

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

    def all_rows(self, table: str, columns: Sequence[str], order: Sequence[str], ws: int) -> Iterator[Row]:
        """Every row of a workspace, streamed."""

    def fill(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Insert complete rows."""

    def delete_rows(self, table: str, ws: int) -> None:
        """Delete every row of a workspace, in every version."""

    def open_version(self, table: VersionedTable, ws: int, key: Row) -> Row | None: ...

    def versions(self, table: VersionedTable, ws: int, key: Row) -> list[Row]:
        """Every version of a key, the first one first."""

    def savepoint(self) -> AbstractContextManager[None]:
        """A part that is rolled back alone if it raises."""


def fetch(connection: Connection, row_type: type[RowType], query: str, /, **parameters: Any) -> list[RowType]:
    """The rows of a query that belongs to no workspace, each as a named tuple."""
    return list(map(row_type._make, connection.rows(query, parameters)))


class CommitWatch(Protocol):
    """Notices the commits of all processes that use a store; one thread waits on it."""

    def wait(self, seconds: float) -> bool:
        """Whether something was committed since the last call; waits for it at most so long."""

    def close(self) -> None: ...


class Engine(Protocol):
    """A database with workspaces."""

    name: str
    is_checked: bool
    """Whether its files were checked for damage since it was opened."""

    def migrate(self) -> None: ...

    def reading(self, ws: int | None = None, as_of_tx: int | None = None) -> AbstractContextManager[Connection]:
        """A read-only connection to one consistent snapshot, of one workspace if it is given.

        With `as_of_tx`, the last transaction that the reader looks at, a replica may answer that has it.
        """

    def writing(self, ws: int | None = None, *, wait: float = FOREVER) -> AbstractContextManager[Connection]:
        """A connection that commits at the end or rolls back; refused if another writes for longer than `wait`."""

    def watch_commits(self) -> CommitWatch:
        """A watch on what is committed from now on, by this process or another."""

    def leads(self) -> bool:
        """Whether this process runs the background jobs of the store; of several servers on one database one does."""

    def compact(self, *, full: bool = False) -> bool:
        """Reclaim the space of erased rows; False if their bytes are still in the files.

        In SQLite readers of an earlier state can prevent it for a while; PostgreSQL keeps the bytes unless `full`,
        which locks every table.
        """

    def check(self, *, full: bool = False) -> list[str]:
        """What is damaged in the files of the store; `full` compares indexes with their tables as well."""

    def close(self) -> None: ...


class NestedEngine:
    """Each transaction is a savepoint of the one that is open; each read sees what was written so far."""

    def __init__(self, engine: Engine, connection: Connection) -> None:
        self.name = engine.name
        self.is_checked = True
        self._engine = engine
        self._connection = connection

    @contextmanager
    def reading(self, ws: int | None = None, as_of_tx: int | None = None) -> Iterator[Connection]:
        del ws, as_of_tx
        yield self._connection

    @contextmanager
    def writing(self, ws: int | None = None, *, wait: float = FOREVER) -> Iterator[Connection]:
        del ws, wait
        with self._connection.savepoint():
            yield self._connection

    def migrate(self) -> None:
        self._engine.migrate()

    def watch_commits(self) -> CommitWatch:
        return self._engine.watch_commits()

    def leads(self) -> bool:
        return self._engine.leads()

    def compact(self, *, full: bool = False) -> bool:
        del full
        return False

    def check(self, *, full: bool = False) -> list[str]:
        return self._engine.check(full=full)

    def close(self) -> None:
        """The outer engine stays open."""
