"""Several servers on one PostgreSQL: one leads, all see each other's writes, also through PgBouncer."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from recollect.deadline import CallDeadline
from recollect.memory import Memory, create_workspace, open_memory
from recollect.serve.background_jobs import BackgroundJob
from recollect.serve.job_runner import JobRunner
from recollect.settings import Settings
from recollect.store.address import engine_for
from recollect.store.port import StoreUnavailable
from recollect.store.workspaces import last_tx_of
from recollect.when.clock import clock_from
from tests.durability.looking import assert_whole, rows
from tests.durability.workers import record_fact
from tests.support.databases import new_postgres_database
from tests.support.processes import LONGEST_WAIT

WRITERS = 16
PORT = "6432"


@pytest.fixture
def address(postgres_server: str) -> str:
    return new_postgres_database(postgres_server)


def opened(address: str) -> Memory:
    return open_memory(address, settings=Settings())


def test_one_server_leads_and_another_takes_over_when_it_ends(address: str) -> None:
    first, second = engine_for(address), engine_for(address)
    assert [first.leads(), second.leads(), first.leads()] == [True, False, True]
    first.close()
    assert second.leads()
    second.close()


def test_a_leader_whose_connection_is_cut_leads_no_more(address: str) -> None:
    first, second = engine_for(address), engine_for(address)
    assert first.leads()
    cut = "SELECT pg_terminate_backend(pid, 300000) FROM pg_stat_activity WHERE datname = current_database()"
    rows(address, f"{cut} AND pid <> pg_backend_pid()")
    assert second.leads()
    assert not first.leads()
    first.close()
    second.close()


def test_only_the_leader_runs_background_jobs(address: str) -> None:
    ran: list[str] = []
    memories = {"first": opened(address), "second": opened(address)}

    def runner(name: str) -> JobRunner:
        def run(_: Memory) -> bool:
            ran.append(name)
            return False

        job = BackgroundJob("job", lambda *_: True, run)
        return JobRunner(lambda: [memories[name]], jobs=(job,))

    first, second = runner("first"), runner("second")
    for _ in range(2):
        first.step()
        second.step()
    memories["first"].close()
    second.step()
    memories["second"].close()
    assert ran == ["first", "first", "second"]


def test_writers_of_several_servers_make_one_entity_of_one_name(address: str) -> None:
    with closing(opened(address)) as one, closing(opened(address)) as other, ThreadPoolExecutor(WRITERS) as pool:
        facts = [pool.submit(record_fact, (one, other)[n % 2], "Shared", f"tag {n}") for n in range(WRITERS)]
        assert len({each.result() for each in facts}) == WRITERS
    assert rows(address, "SELECT name FROM entity") == [("Shared",)]
    assert_whole(address)


def test_a_writer_may_read_however_many_others_of_its_server_wait_for_it(address: str) -> None:
    with closing(opened(address)) as memory, ThreadPoolExecutor(WRITERS) as pool:
        with memory.write():
            waiting = [pool.submit(record_fact, memory, "Project 1", f"note {each}") for each in range(WRITERS)]
            time.sleep(0.3)
            CallDeadline(5).run(lambda: last_tx_of(memory.engine, 1))
        assert len({each.result() for each in waiting}) == WRITERS


def test_servers_that_create_workspaces_at_once_give_each_a_number_of_its_own(address: str) -> None:
    engines, clock = (engine_for(address), engine_for(address)), clock_from("2026-05-20T10:00:00Z")
    with ThreadPoolExecutor(WRITERS) as pool:
        made = pool.map(lambda n: create_workspace(engines[n % 2], f"team-{n // 2}", clock), range(WRITERS))
        assert len({each.ws for each in made}) == WRITERS // 2
    for engine in engines:
        engine.close()


@contextmanager
def pgbouncer(server: str, folder: Path) -> Iterator[str]:
    """The address of a PgBouncer that lends connections by transaction; it does not run as root."""
    known = psycopg.conninfo.conninfo_to_dict(server)
    folder.chmod(0o777)
    settings = folder / "pgbouncer.ini"
    settings.write_text(
        f"[databases]\n* = host={known['host']} user={known['user']}\n"
        f"[pgbouncer]\npool_mode = transaction\nunix_socket_dir = {folder}\nlisten_addr =\nlisten_port = {PORT}\n"
        "auth_type = any\ndefault_pool_size = 8\nlogfile =\n",
        "utf-8",
    )
    user = ("-u", Path(str(known["host"])).owner()) if os.geteuid() == 0 else ()
    with subprocess.Popen(["pgbouncer", "-q", *user, str(settings)], stderr=subprocess.DEVNULL) as process:
        try:
            yield f"{server.replace(str(known['host']), str(folder))}&port={PORT}&pooler=transaction"
        finally:
            process.terminate()


def _reach(address: str) -> Memory:
    until = time.monotonic() + LONGEST_WAIT
    while True:
        try:
            return opened(address)
        except StoreUnavailable:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


@pytest.mark.skipif(shutil.which("pgbouncer") is None, reason="needs pgbouncer (Debian: apt-get install pgbouncer)")
def test_through_a_pooler_that_lends_connections_by_transaction(address: str) -> None:
    with TemporaryDirectory(prefix="rcl-") as folder, pgbouncer(address, Path(folder)) as pooled:
        one, other = _reach(pooled), _reach(pooled)
        with ThreadPoolExecutor(WRITERS) as pool:
            list(pool.map(lambda n: record_fact((one, other)[n % 2], "Shared", f"tag {n}"), range(WRITERS)))
        assert [one.engine.leads(), other.engine.leads()] == [True, False]
        watch = other.engine.watch_commits()
        record_fact(one, "Later", "noticed")
        assert watch.wait(1) or watch.wait(1)
        watch.close()
        one.close()
        other.close()
    assert sorted(rows(address, "SELECT name FROM entity")) == [("Later",), ("Shared",)]
    assert_whole(address)
