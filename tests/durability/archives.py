"""A PostgreSQL that archives its log, and what is restored from a base backup and that archive."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from tests.durability.looking import rows
from tests.support.databases import OwnServer, make_data_folder, own_postgres, start_postgres, stop_postgres, wait_until


@contextmanager
def archiving_postgres() -> Iterator[OwnServer]:
    """A server that copies every finished segment of its log into the folder `archive` beside its files."""
    # The path of a socket must be short.
    with TemporaryDirectory(prefix="rcl-", ignore_cleanup_errors=True) as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        with own_postgres(Path(folder) / "data") as server:
            make_data_folder(Path(folder) / "archive")
            with psycopg.connect(server.address, autocommit=True) as raw:
                raw.execute("ALTER SYSTEM SET archive_mode = on")
                raw.execute(f"ALTER SYSTEM SET archive_command = 'cp %p {folder}/archive/%f'")
            server.kill()
            server.start()
            yield server


def wait_for_archive(server: OwnServer) -> None:
    """Wait until everything written so far is in the archive."""
    [[segment]] = rows(server.address, "SELECT pg_walfile_name(pg_current_wal_lsn())")
    rows(server.address, "SELECT pg_switch_wal()")
    wait_until((server.data.parent / "archive" / segment).exists)


@contextmanager
def restored_to(server: OwnServer, data: Path, moment: str) -> Iterator[str]:
    """The address of a server on a base backup that has gone on to a moment, and no further."""
    archive = server.data.parent / "archive"
    with (data / "postgresql.auto.conf").open("a", encoding="utf-8") as settings:
        settings.write(f"restore_command = 'cp {archive}/%f %p'\nrecovery_target_time = '{moment}'\n")
        settings.write("recovery_target_action = 'promote'\narchive_mode = off\n")
    (data / "recovery.signal").touch()
    restored = start_postgres(server, data)
    try:
        wait_until(lambda: rows(restored, "SELECT pg_is_in_recovery()") == [(False,)])
        yield restored
    finally:
        stop_postgres(data)
