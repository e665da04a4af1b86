"""Workspaces on several PostgreSQL clusters: the first database has the catalogue, and each workspace one home.

Tokens, members, the audit log and the list of workspaces are in the first database. A server keeps the catalogue in
memory; a workspace that has moved since is refused by the database that it left, and looked up again.
"""

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import NamedTuple

from recollect.deadline import check_deadline
from recollect.errors import NotKnown, Refused
from recollect.store.port import FOREVER, CommitWatch, Connection, StoreUnusable, WorkspaceMoved, fetch
from recollect.store.postgres import PostgresEngine
from recollect.store.postgres_connect import read_postgres_address
from recollect.when.instant import Instant

FIRST = "first"
"""The name of the database with the catalogue."""
SWITCH_SECONDS = 10.0
"""How long a call waits between the moment a workspace is closed in one place and the moment it is open in the next."""
ASK_AGAIN_SECONDS = 0.05
LIST_LIMIT = 100_000


class Shard(NamedTuple):
    """A database in which workspaces may live."""

    name: str
    address: str
    added_at: Instant

    @property
    def where(self) -> str:
        return read_postgres_address(self.address).shown


class WorkspaceHome(NamedTuple):
    """Where a workspace lives, and where an unfinished move takes it."""

    ws: int
    shard: str
    moving_to: str | None


class UnknownShard(NotKnown):
    code = "unknown_shard"

    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(f"there is no shard {name!r}, only {', '.join(known)}; add it with: recollect shard add")


class BadShard(Refused):
    code = "bad_shard"

    def __init__(self, why: str) -> None:
        super().__init__(f"{why}; nothing was changed", field="shard")


class ForeignShard(StoreUnusable):
    def __init__(self, shard: Shard) -> None:
        advice = "correct its address with: recollect shard add"
        super().__init__(f"the database of shard {shard.name!r} at {shard.where} is not part of this store", advice)


class ShardedPostgres:
    """An engine that sends each transaction to the home of its workspace."""

    name = "postgres"
    is_checked = True

    def __init__(self, first: PostgresEngine) -> None:
        self.first = first
        self._lock = threading.Lock()
        self._engines: dict[str, PostgresEngine] = {FIRST: first}
        self._shards: dict[str, Shard] = {}
        self._homes: dict[int, str] | None = None
        """The homes of workspaces that were moved; None until the catalogue is read."""

    def migrate(self) -> None:
        self.first.migrate()

    def reload(self) -> None:
        """Read the catalogue."""
        with self.first.reading() as connection:
            shards = fetch(connection, Shard, "shards", limit=LIST_LIMIT)
            homes = fetch(connection, WorkspaceHome, "shard_homes", limit=LIST_LIMIT)
        self._shards = {each.name: each for each in shards}
        self._homes = {each.ws: each.shard for each in homes}

    def shards(self) -> list[Shard]:
        self.reload()
        return list(self._shards.values())

    def homes(self) -> list[WorkspaceHome]:
        """The workspaces that were ever moved; all others are in the first database."""
        with self.first.reading() as connection:
            return fetch(connection, WorkspaceHome, "shard_homes", limit=LIST_LIMIT)

    def engine_of(self, name: str) -> PostgresEngine:
        """The engine of a shard, opened on first use."""
        found = self._engines.get(name)
        if found is not None:
            return found
        with self._lock:
            if name not in self._engines:
                self._engines[name] = self._open(name)
            return self._engines[name]

    def address_of(self, name: str) -> str:
        if name not in self._shards:
            self.reload()
        if name not in self._shards:
            raise UnknownShard(name, [FIRST, *self._shards])
        return self._shards[name].address

    def _open(self, name: str) -> PostgresEngine:
        engine = PostgresEngine(self.address_of(name))
        try:
            engine.migrate()
            if store_id(engine) != store_id(self.first):
                raise ForeignShard(self._shards[name])
        except BaseException:
            engine.close()
            raise
        return engine

    def _home(self, ws: int | None) -> PostgresEngine:
        if ws is None:
            return self.first
        if self._homes is None:
            self.reload()
        return self.engine_of((self._homes or {}).get(ws, FIRST))

    def _enter(
        self, stack: ExitStack, ws: int | None, begin: Callable[[PostgresEngine], AbstractContextManager[Connection]]
    ) -> Connection:
        """Begin a transaction in the home of a workspace; while that changes, wait for the new one."""
        until = time.monotonic() + SWITCH_SECONDS
        while True:
            home = self._home(ws)
            try:
                return stack.enter_context(begin(home))
            except WorkspaceMoved:
                check_deadline()
                if time.monotonic() > until:
                    raise
            self.reload()
            if self._home(ws) is home:
                time.sleep(ASK_AGAIN_SECONDS)

    @contextmanager
    def reading(self, ws: int | None = None, as_of_tx: int | None = None) -> Iterator[Connection]:
        with ExitStack() as stack:
            yield self._enter(stack, ws, lambda home: home.reading(ws, as_of_tx))

    @contextmanager
    def writing(self, ws: int | None = None, *, wait: float = FOREVER) -> Iterator[Connection]:
        with ExitStack() as stack:
            yield self._enter(stack, ws, lambda home: home.writing(ws, wait=wait))

    def watch_commits(self) -> CommitWatch:
        self.reload()
        if not self._shards:
            return self.first.watch_commits()
        return ShardCommits([self.engine_of(name).watch_commits() for name in (FIRST, *self._shards)])

    def leads(self) -> bool:
        return self.first.leads()

    def compact(self, *, full: bool = False) -> bool:
        compacted = [each.compact(full=full) for each in list(self._engines.values())]
        return all(compacted)

    def check(self, *, full: bool = False) -> list[str]:
        return self.first.check(full=full)

    def close(self) -> None:
        for each in self._engines.values():
            each.close()


class ShardCommits:
    """The commits of several databases, each of which is listened to for its part of the time."""

    def __init__(self, watches: list[CommitWatch]) -> None:
        self._watches = watches

    def wait(self, seconds: float) -> bool:
        return any(each.wait(seconds / len(self._watches)) for each in self._watches)

    def close(self) -> None:
        for each in self._watches:
            each.close()


def store_id(engine: PostgresEngine) -> str | None:
    """The store that a database is a part of; None as long as it is the only one."""
    with engine.reading() as connection:
        return next((str(id_) for (id_,) in connection.rows("shard_store", {})), None)


def add_shard(engine: ShardedPostgres, shard: Shard) -> None:
    """Let workspaces live in another database, which must be empty or a shard of this store under a new address."""
    if shard.name == FIRST:
        raise BadShard(f"{FIRST!r} is the name of the database with the catalogue")
    added = PostgresEngine(shard.address)
    try:
        added.migrate()
        _join_store(engine.first, added, shard)
    finally:
        added.close()
    with engine.first.writing() as connection:
        connection.run("shard_add", {"name": shard.name, "address": shard.address, "at": shard.added_at})
    engine.reload()


def _join_store(first: PostgresEngine, added: PostgresEngine, shard: Shard) -> None:
    known = store_id(added)
    if known is None:
        with added.reading() as connection:
            if connection.rows("workspaces", {}):
                raise BadShard(f"the database at {shard.where} already has workspaces; pass a new, empty one")
        with added.writing() as connection:
            connection.run("shard_store_add", {"id": _own_store_id(first)})
        return
    with added.reading() as connection:
        is_catalogue = bool(connection.rows("shards", {"limit": 1}))
    if known != store_id(first) or is_catalogue:
        raise BadShard(f"the database at {shard.where} is the first of a store, or a shard of another store")


def _own_store_id(first: PostgresEngine) -> str:
    known = store_id(first)
    if known is None:
        known = secrets.token_hex(8)
        with first.writing() as connection:
            connection.run("shard_store_add", {"id": known})
    return known
