"""A replica by streaming replication: it answers what it has, and never less than the caller knows."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from recollect.memory import Memory, open_memory
from recollect.settings import Settings
from recollect.store import postgres_replicas
from recollect.store.address import engine_for
from recollect.store.port import StoreUnavailable
from recollect.store.postgres import PostgresConnection
from tests.durability.looking import rows
from tests.durability.workers import record_fact, record_long
from tests.support.databases import OwnServer, copy_postgres, own_postgres, start_postgres, stop_postgres, wait_until


@pytest.fixture
def primary() -> Iterator[OwnServer]:
    # The path of a socket must be short.
    with TemporaryDirectory(prefix="rcl-", ignore_cleanup_errors=True) as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        with own_postgres(Path(folder) / "data") as server:
            engine_for(server.address).close()
            yield server


@pytest.fixture
def replica(primary: OwnServer) -> Iterator[str]:
    """The address of a copy that follows the primary."""
    data = primary.data.parent / "replica"
    copy_postgres(primary, data, "-R")
    yield start_postgres(primary, data)
    stop_postgres(data)


@pytest.fixture
def memory(primary: OwnServer, replica: str) -> Iterator[Memory]:
    given = {"RECOLLECT_DB": primary.address, "RECOLLECT_DB_REPLICAS": replica}
    with closing(open_memory(settings=Settings(environment=given))) as opened:
        yield opened


def read(memory: Memory, as_of: int | None = None) -> tuple[str, int]:
    """Which server answered, by the name of its folder, and how many facts it saw."""
    with memory.read(as_of) as view:
        assert isinstance(view.connection, PostgresConnection)
        return Path(view.connection._raw.info.host).name, view.counts()["facts"]


def wait_for_replica(memory: Memory, facts: int) -> None:
    """Until the replica answers; the primary logs things of its own at any time, and answers until those arrive."""
    wait_until(lambda: read(memory) == ("replica", facts))


def test_a_replica_answers_what_it_has_and_the_primary_the_rest(
    memory: Memory, primary: OwnServer, replica: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_fact(memory, "Alder", "first")
    wait_for_replica(memory, facts=1)
    rows(replica, "SELECT pg_wal_replay_pause()")
    record_fact(memory, "Alder", "second")
    assert read(memory) == ("data", 2)
    assert read(memory, as_of=1) == ("data", 1)
    rows(replica, "SELECT pg_wal_replay_resume()")
    wait_for_replica(memory, facts=2)

    primary.kill()
    assert read(memory, as_of=1) == ("replica", 1)
    with pytest.raises(StoreUnavailable):
        read(memory)
    with pytest.raises(StoreUnavailable):
        record_long(memory, "nowhere to go")
    primary.start()
    record_fact(memory, "Alder", "third")

    monkeypatch.setattr(postgres_replicas, "AWAY_SECONDS", 1_000)
    stop_postgres(primary.data.parent / "replica")
    assert [read(memory)[0], read(memory)[0]] == ["data", "data"]


def test_another_database_is_not_taken_for_a_replica(primary: OwnServer, postgres_server: str) -> None:
    given = {"RECOLLECT_DB": primary.address, "RECOLLECT_DB_REPLICAS": postgres_server}
    with closing(open_memory(settings=Settings(environment=given))) as memory:
        record_fact(memory, "Alder", "first")
        assert read(memory) == ("data", 1)
