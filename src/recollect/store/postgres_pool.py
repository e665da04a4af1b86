"""Connections to one PostgreSQL: reused, replaced once lost, asked about a lost commit, held by whoever leads.

A pool of our own rather than `psycopg_pool`: that one checks a connection by a statement before each use and waits
between attempts to reconnect, up to half a minute after the server is back.
"""

import logging
import threading
import time
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from typing import Any, Literal, NamedTuple

import psycopg

from recollect.deadline import Lock, acquire_in_time
from recollect.store.port import FOREVER, OutcomeUnknown, Row, StoreBusy, StoreClosed, StoreUnavailable, StoreUnusable
from recollect.store.postgres_connect import Raw, connect
from recollect.when.instant import Instant

log = logging.getLogger("recollect.store")

UNREACHABLE = (psycopg.OperationalError, psycopg.InterfaceError)

LEADER_LOCK = 7273302
ASK_AGAIN_SECONDS = 0.2
SLOW_SECONDS = 1.0
OUTCOME_SECONDS = 10.0
"""How long we look for the outcome of a commit whose reply was lost; a server restarts in less."""


class PostgresUnreachable(StoreUnusable):
    def __init__(self, where: str, error: psycopg.Error) -> None:
        reason = str(error).partition("\n")[0].rpartition("failed: ")[2]
        super().__init__(f"cannot connect to PostgreSQL at {where}: {reason}", _connection_advice(error))


def _connection_advice(error: psycopg.Error) -> str:
    """What to do about a connection that failed: libpq says whether it came to a password, but not what was wrong."""
    if error.pgconn is not None and error.pgconn.needs_password:
        return "give the password in the address (postgresql://USER:PASSWORD@HOST/DATABASE) or in ~/.pgpass"
    if error.pgconn is not None and error.pgconn.used_password:
        return "the server is running; check the user, the password and the database, which createdb makes"
    return "check the address, that the database exists and that the server is running"


@contextmanager
def _log_if_slow(where: str) -> Iterator[None]:
    """Log soon what a caller waits for; the timeout in the address is easily forgotten."""
    words = "PostgreSQL at %s has not answered yet; waiting for as long as connect_timeout in its address says. %s"
    timer = threading.Timer(SLOW_SECONDS, log.warning, (words, where, "Check the address and that the server runs."))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def see_workspace(ws: int | None) -> str:
    """The statement after which row security lets a transaction see one workspace, or all of them."""
    return f"SET LOCAL recollect.ws = '{'all' if ws is None else ws}'"


def lock_limit(wait: float) -> str:
    """The setting that limits how long a transaction waits for another writer."""
    return "" if wait == FOREVER else f"; SET LOCAL lock_timeout = {max(1, round(wait * 1000))}"


class PostgresPool:
    """At most `size` connections at once; idle ones are kept, the last used first."""

    def __init__(self, address: str, where: str, options: dict[str, Any], *, size: int, settings: str = "") -> None:
        self._address = address
        self.where = where
        self._options = options
        self.settings = settings
        """Statements that every transaction begins with."""
        self._is_closed = False
        self._idle: deque[Raw] = deque()
        self._free = threading.BoundedSemaphore(size)

    def begin(self, statement: bytes, wait: float) -> Raw:
        """A connection in a new transaction. One that was lost while idle is replaced, with all that were idle then."""
        if self._is_closed:
            raise StoreClosed
        if not self._free.acquire(timeout=wait):
            raise StoreBusy("all connections are in use")
        try:
            return self._begin_on_idle(statement) or self._begin_on_new(statement)
        except BaseException:
            self._free.release()
            raise

    def _begin_on_idle(self, statement: bytes) -> Raw | None:
        try:
            raw = self._idle.pop()
        except IndexError:
            return None
        try:
            raw.execute(statement, prepare=False)
        except UNREACHABLE:
            raw.close()
            self.drop_idle()
            return None
        except psycopg.Error:
            raw.close()
            raise
        return raw

    def _begin_on_new(self, statement: bytes) -> Raw:
        raw = self.connect()
        try:
            raw.execute(statement, prepare=False)
        except UNREACHABLE as error:
            raw.close()
            raise StoreUnavailable(type(error).__name__) from error
        except psycopg.Error:
            raw.close()
            raise
        return raw

    def ask(self, ws: int | None, question: bytes, parameters: Sequence[object] = ()) -> Row:
        """The one row of a short query; a server whose connections are all in use counts as away."""
        raw = self.begin(f"BEGIN READ ONLY; {see_workspace(ws)}".encode(), wait=0)
        try:
            [row] = raw.execute(question, parameters).fetchall()
            raw.execute(b"ROLLBACK", prepare=False)
        except UNREACHABLE as error:
            raw.close()
            raise StoreUnavailable(type(error).__name__) from error
        finally:
            self.give_back(raw)
        return row

    def connect(self) -> Raw:
        """A connection of the caller's own; a wait that the address itself allows is logged while it lasts."""
        has_own_limit = "connect_timeout" not in self._options
        try:
            with _log_if_slow(self.where) if has_own_limit else nullcontext():
                return connect(self._address, self._options)
        except psycopg.OperationalError as error:
            raise PostgresUnreachable(self.where, error) from error

    def give_back(self, raw: Raw) -> None:
        """Keep a connection whose transaction has ended; close one that is lost or still inside a transaction."""
        if raw.closed or raw.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            raw.close()
        else:
            self._idle.append(raw)
        self._free.release()

    def drop_idle(self) -> None:
        """Close what is idle: after a restart or failover no connection from before is any good."""
        # Several threads find out at once; each takes what is left.
        with suppress(IndexError):
            while True:
                self._idle.pop().close()

    def close(self) -> None:
        self._is_closed = True
        self.drop_idle()


def roll_back(raw: Raw) -> None:
    if raw.closed or raw.info.transaction_status == psycopg.pq.TransactionStatus.IDLE:
        return
    with suppress(*UNREACHABLE):
        raw.execute(b"ROLLBACK", prepare=False)


class ServerDiskFull(StoreUnusable):
    def __init__(self) -> None:
        advice = "nothing of this call was stored, earlier ones are safe; free some space there and try again"
        super().__init__("the disk of the database server is full", advice)


class PostgresCommits:
    """Listens for the notification that every transaction sends when it commits."""

    def __init__(self, raw: Raw) -> None:
        self._raw = raw
        self._raw.execute("LISTEN recollect_commit")
        self._seen = self._count()

    def wait(self, seconds: float) -> bool:
        """Through a pooler that lends connections by transaction no notification comes, so numbers are compared too."""
        try:
            is_notified = any(True for _ in self._raw.notifies(timeout=seconds, stop_after=1))
            before, self._seen = self._seen, self._count()
        except UNREACHABLE as error:
            raise StoreUnavailable(type(error).__name__) from error
        return is_notified or self._seen != before

    def _count(self) -> int:
        with self._raw.transaction():
            self._raw.execute(see_workspace(None).encode())
            [[count]] = self._raw.execute("SELECT COALESCE(SUM(last_tx), 0)::BIGINT FROM workspace").fetchall()
        return int(count)

    def close(self) -> None:
        self._raw.close()


class Leadership:
    """Whether this process leads: at most one of those that use the database does, until its connection ends.

    The lock belongs to an open transaction, so it also holds through a pooler that lends connections by transaction.
    Between statements such a transaction keeps no snapshot, so it does not keep the server from cleaning up.
    """

    def __init__(self, pool: PostgresPool) -> None:
        self._pool = pool
        self._raw: Raw | None = None

    def hold(self) -> bool:
        """Whether this process is the leader; without another one, it becomes it."""
        if self._raw is not None and _answers(self._raw):
            return True
        self.give_up()
        raw = self._pool.connect()
        try:
            raw.execute(b"BEGIN", prepare=False)
            row = raw.execute(b"SELECT pg_try_advisory_xact_lock(%s)", (LEADER_LOCK,)).fetchone()
        except UNREACHABLE as error:
            raw.close()
            raise StoreUnavailable(type(error).__name__) from error
        if row and row[0]:
            self._raw = raw
        else:
            raw.close()
        return self._raw is not None

    def give_up(self) -> None:
        if self._raw is not None:
            self._raw.close()
            self._raw = None


def _answers(raw: Raw) -> bool:
    try:
        raw.execute(b"SELECT 1", prepare=False)
    except UNREACHABLE:
        return False
    return True


class NumberedTransaction(NamedTuple):
    """A transaction under the server's own id and under ours."""

    ident: str
    ws: int
    tx: int
    at: Instant


def commit(raw: Raw, pool: PostgresPool, numbered: NumberedTransaction | None) -> None:
    """Commit; where the reply is lost, ask the server what became of it before anybody is told.

    It cannot be asked about what has no number: tokens, members, workspaces, the audit log.
    """
    try:
        raw.execute(b"COMMIT", prepare=False)
    except psycopg.errors.DiskFull as error:
        raise ServerDiskFull from error
    except UNREACHABLE as error:
        raw.close()
        if numbered is None:
            raise OutcomeUnknown from error
        outcome = _outcome(pool, numbered)
        log.warning("the reply to a commit was lost; it was %s", outcome)
        if outcome == "aborted":
            raise StoreUnavailable("the connection was lost; nothing was written") from error
        if outcome == "unknown":
            raise OutcomeUnknown from error


def _outcome(pool: PostgresPool, numbered: NumberedTransaction) -> Literal["committed", "aborted", "unknown"]:
    until = time.monotonic() + OUTCOME_SECONDS
    while time.monotonic() < until:
        status = find_status(pool, numbered)
        if status == "committed" or status == "aborted":
            return "committed" if status == "committed" else "aborted"
        time.sleep(ASK_AGAIN_SECONDS)
    return "unknown"


def find_status(pool: PostgresPool, numbered: NumberedTransaction) -> str | None:
    """What the server knows of a transaction, None if it cannot be asked.

    After a crash or a failover it may give both ids again, to a transaction that another writer commits: ours is the
    one that happened at our instant.
    """
    try:
        # On a connection of its own: all those of the pool may be in use, by calls that ask the same.
        with pool.connect() as raw:
            raw.execute(f"BEGIN READ ONLY; {see_workspace(numbered.ws)}".encode(), prepare=False)
            query = b"SELECT pg_xact_status(%s::xid8), (SELECT at FROM tx WHERE ws = %s AND tx = %s)"
            [[status, at]] = raw.execute(query, numbered[:3]).fetchall()
            raw.execute(b"ROLLBACK", prepare=False)
    except (StoreUnavailable, *UNREACHABLE, psycopg.errors.InvalidParameterValue):
        # The last: a server that has never heard of the transaction, such as a standby that took over without it.
        return None
    return "aborted" if status == "committed" and at != numbered.at else str(status)


class WriterLocks:
    """One writer at a time in each workspace, and at most so many in all: other connections are left for reads.

    Writers of a workspace wait for each other, and the one whose turn it is may need a second connection for a read.
    Were they to wait with a connection each, they could hold all there are, and the one they wait for would wait for
    them.
    """

    def __init__(self, most: int) -> None:
        self._any = threading.BoundedSemaphore(most)
        self._locks: defaultdict[int, threading.RLock] = defaultdict(threading.RLock)

    @contextmanager
    def turn(self, ws: int | None, wait: float) -> Iterator[None]:
        locks = (self._any,) if ws is None else (self._locks[ws], self._any)
        with ExitStack() as stack:
            for each in locks:
                _acquire(each, wait)
                stack.callback(each.release)
            yield


def _acquire(lock: Lock, wait: float) -> None:
    if wait == FOREVER:
        acquire_in_time(lock)
    elif not lock.acquire(timeout=wait):
        raise StoreBusy("LockNotAvailable")
