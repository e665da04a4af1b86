"""A PostgreSQL that cannot be used: one line says what to do, and nobody waits for it twice."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.support.databases import new_postgres_database

from recollect.memory import Memory, open_memory
from recollect.serve.doctor import NEED_AN_ANSWER, examine
from recollect.settings import Settings
from recollect.store import postgres_pool
from recollect.store.address import engine_for
from recollect.store.port import StoreUnusable
from recollect.store.postgres import PostgresConnection, _options
from recollect.store.postgres_connect import read_postgres_address
from recollect.store.postgres_pool import PostgresPool, PostgresUnreachable, ServerDiskFull
from recollect.write.entity_refs import NamedRef, find_or_create

ASK_FOR_PASSWORD = b"R" + struct.pack("!ii", 8, 3)
REASON = 'database "memory" does not exist'


def refusal() -> bytes:
    body = b"SFATAL\0C3D000\0M" + REASON.encode() + b"\0\0"
    return b"E" + struct.pack("!i", len(body) + 4) + body


def serve_one(server: socket.socket) -> None:
    client, _ = server.accept()
    with client:
        client.recv(4096)
        client.sendall(ASK_FOR_PASSWORD)
        if client.recv(4096):
            client.sendall(refusal())


@contextmanager
def refusing_server() -> Iterator[int]:
    """A server that asks for a password and then has no such database."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve_one, args=(server,))
        thread.start()
        yield server.getsockname()[1]
        thread.join()


@pytest.mark.parametrize(
    ("who", "told"),
    [
        ("ann:s3cret", f"{REASON}; the server is running; check the user, the password and the database"),
        ("ann", "no password supplied; give the password in the address"),
    ],
)
def test_a_server_that_refuses_is_told_from_one_that_is_away(
    who: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSFILE", "/nonexistent")
    plain = "sslmode=disable&gssencmode=disable"
    with refusing_server() as port, pytest.raises(StoreUnusable) as refused:
        engine_for(f"postgresql://{who}@127.0.0.1:{port}/memory?{plain}")
    assert told in str(refused.value)
    assert "s3cret" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_checkup_waits_once_for_a_server_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    connect = PostgresPool.connect

    def count(pool: PostgresPool) -> object:
        asked.append(pool.where)
        return connect(pool)

    monkeypatch.setattr(PostgresPool, "connect", count)
    found = {each.name: each for each in examine(Settings(file={"db": "postgresql://ann@127.0.0.1:1/memory"}))}
    assert asked == ["127.0.0.1:1/memory"]
    assert {found[name].detail for name in NEED_AN_ANSWER} == {"not checked: the store does not answer"}
    assert found["surfaces"].ok


def test_a_wait_that_the_address_allows_is_told_before_it_ends(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(postgres_pool, "SLOW_SECONDS", 0.01)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = f"127.0.0.1:{silent.getsockname()[1]}/memory"
        with pytest.raises(PostgresUnreachable):
            engine_for(f"postgresql://ann:s3cret@{place}?connect_timeout=2")
    assert f"PostgreSQL at {place} has not answered yet" in caplog.text
    assert "s3cret" not in caplog.text


@pytest.mark.parametrize("hosts", ["127.0.0.1", "127.0.0.1,localhost"])
def test_each_address_of_a_server_has_as_little_time_as_libpq_takes(hosts: str) -> None:
    assert _options(read_postgres_address(f"postgresql://ann@{hosts}/memory"))["connect_timeout"] == 2


def write_on_a_full_disk(memory: Memory) -> None:
    with memory.write() as change:
        find_or_create(change, NamedRef("Lost", "project"))
        assert isinstance(change.connection, PostgresConnection)
        change.connection._raw.execute("DO $$ BEGIN RAISE SQLSTATE '53100'; END $$")


def test_a_full_disk_of_the_server_is_told_in_a_line_and_recovered_from(postgres_server: str) -> None:
    memory = open_memory(new_postgres_database(postgres_server), settings=Settings())
    with pytest.raises(ServerDiskFull, match="nothing of this call was stored"):
        write_on_a_full_disk(memory)
    with memory.write() as change:
        find_or_create(change, NamedRef("Kept", "project"))
    with memory.read() as view:
        assert (view.counts()["entities"], view.last_tx) == (1, 1)
    memory.close()
