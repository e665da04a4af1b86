"""A connection to PostgreSQL that breaks at the worst moment: what callers are told is what happened."""

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from recollect.memory import Memory, open_memory
from recollect.serve.auth import make_token
from recollect.settings import Settings
from recollect.store import postgres_pool
from recollect.store.access_tokens import TokenStore
from recollect.store.port import OutcomeUnknown, StoreUnavailable
from recollect.store.postgres import PostgresConnection
from recollect.store.postgres_pool import PostgresPool, find_status
from recollect.when.instant import Instant
from recollect.write.entity_refs import NamedRef, find_or_create
from tests.durability.looking import assert_whole, rows
from tests.durability.workers import record_fact, record_long
from tests.support.databases import new_postgres_database

COMMIT = b"COMMIT\0"


class Proxy:
    """A socket before the real one. On request it breaks off before or after a commit, or is not there at all."""

    def __init__(self, folder: Path, real: str) -> None:
        self.break_before_commit = self.break_after_commit = self.stay_away = False
        self._real = real
        self._path = str(folder / ".s.PGSQL.5432")
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self._path)
        self._listener.listen()
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self.stay_away:
                    client.close()
                    continue
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._real)
                self._open += [client, server]
                threading.Thread(target=self._carry_to_server, args=(client, server), daemon=True).start()
                threading.Thread(target=self._carry, args=(server, client), daemon=True).start()

    def _carry_to_server(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while sent := client.recv(65_536):
                if sent.endswith(COMMIT) and self.break_before_commit:
                    self.cut()
                    return
                if sent.endswith(COMMIT) and self.break_after_commit:
                    client.close()
                    server.sendall(sent)
                    server.recv(65_536)
                    self.cut()
                    return
                server.sendall(sent)
        server.close()

    @staticmethod
    def _carry(server: socket.socket, client: socket.socket) -> None:
        with suppress(OSError):
            while received := server.recv(65_536):
                client.sendall(received)
        client.close()

    def cut(self) -> None:
        """Break every connection."""
        while self._open:
            each = self._open.pop()
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def close(self) -> None:
        self._listener.close()
        self.cut()


@pytest.fixture
def direct(postgres_server: str) -> str:
    return new_postgres_database(postgres_server)


@pytest.fixture
def proxy(direct: str) -> Iterator[Proxy]:
    # The path of a socket must be short.
    with TemporaryDirectory(prefix="rcl-") as folder:
        host = psycopg.conninfo.conninfo_to_dict(direct)["host"]
        made = Proxy(Path(folder), f"{host}/.s.PGSQL.5432")
        made.folder = folder  # type: ignore[attr-defined]
        yield made
        made.close()


@pytest.fixture
def memory(direct: str, proxy: Proxy) -> Iterator[Memory]:
    known = psycopg.conninfo.conninfo_to_dict(direct)
    address = direct.replace(str(known["host"]), proxy.folder)  # type: ignore[attr-defined]
    opened = open_memory(address, settings=Settings())
    record_fact(opened, "Before", "connected")
    yield opened
    opened.close()


def subjects(address: str) -> list[str]:
    return sorted(name for [name] in rows(address, "SELECT name FROM entity"))


def test_a_commit_whose_reply_was_lost_counts_as_done(memory: Memory, proxy: Proxy, direct: str) -> None:
    proxy.break_after_commit = True
    assert record_fact(memory, "During", "written")
    proxy.break_after_commit = False
    record_fact(memory, "After", "connected again")
    assert subjects(direct) == ["After", "Before", "During"]
    assert_whole(direct)


def test_a_commit_that_never_arrived_is_told_as_not_written(memory: Memory, proxy: Proxy, direct: str) -> None:
    proxy.break_before_commit = True
    with pytest.raises(StoreUnavailable, match="nothing was written"):
        record_long(memory, "During")
    proxy.break_before_commit = False
    record_fact(memory, "After", "connected again")
    assert subjects(direct) == ["After", "Before"]
    assert_whole(direct)


def record_batch(memory: Memory) -> None:
    with memory.batch() as batch:
        for name in ("During", "Meanwhile"):
            with batch.change() as change:
                find_or_create(change, NamedRef(name, "project"))


def test_a_batch_whose_reply_was_lost_counts_as_done(memory: Memory, proxy: Proxy, direct: str) -> None:
    proxy.break_after_commit = True
    record_batch(memory)
    proxy.break_after_commit = False
    record_fact(memory, "After", "connected again")
    assert subjects(direct) == ["After", "Before", "During", "Meanwhile"]


def test_a_batch_that_never_arrived_is_told_as_not_written(memory: Memory, proxy: Proxy, direct: str) -> None:
    proxy.break_before_commit = True
    with pytest.raises(StoreUnavailable, match="nothing was written"):
        record_batch(memory)
    proxy.break_before_commit = False
    assert subjects(direct) == ["Before"]


def test_of_a_token_whose_commit_was_lost_nobody_is_told_that_there_is_none(
    memory: Memory, proxy: Proxy, direct: str
) -> None:
    _, token = make_token("ann", "default", "read", memory.clock.now())
    proxy.break_after_commit = True
    with pytest.raises(OutcomeUnknown, match="may or may not have been written"):
        TokenStore(memory.engine).add(token)
    assert rows(direct, "SELECT id FROM access_token") == [(token.id,)]


def test_an_id_that_another_writer_got_after_a_crash_does_not_count_as_ours(memory: Memory, direct: str) -> None:
    with memory.write() as change:
        find_or_create(change, NamedRef("During", "project"))
        assert isinstance(change.connection, PostgresConnection)
        numbered = change.connection.numbered
    assert numbered is not None
    pool = PostgresPool(direct, "here", {}, size=1)
    assert find_status(pool, numbered) == "committed"
    assert find_status(pool, numbered._replace(at=Instant(numbered.at + 1))) == "aborted"
    assert find_status(pool, numbered._replace(tx=numbered.tx + 1)) == "aborted"


def test_where_nobody_can_be_asked_the_outcome_is_told_as_unknown(
    memory: Memory, proxy: Proxy, direct: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_pool, "OUTCOME_SECONDS", 0.1)
    proxy.break_after_commit = proxy.stay_away = True
    with pytest.raises(OutcomeUnknown, match="idempotency key"):
        record_long(memory, "During")
    proxy.break_after_commit = proxy.stay_away = False
    record_fact(memory, "After", "connected again")
    assert subjects(direct) == ["After", "Before", "During"]


def test_a_server_that_is_back_is_used_by_the_next_call(memory: Memory, proxy: Proxy, direct: str) -> None:
    proxy.stay_away = True
    proxy.cut()
    for _ in range(3):
        with pytest.raises(StoreUnavailable, match="cannot connect"):
            record_long(memory, "During")
    proxy.stay_away = False
    record_fact(memory, "After", "back")
    assert subjects(direct) == ["After", "Before"]


def test_threads_that_notice_a_lost_server_at_once_all_go_on(direct: str) -> None:
    pool = PostgresPool(direct, "here", {"autocommit": True}, size=200)
    for each in [pool.begin(b"SELECT 1", 1) for _ in range(8)]:
        pool.give_back(each)
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda _: pool.drop_idle(), range(200)))
    assert pool.ask(None, b"SELECT 1") == (1,)
    pool.close()
