"""Point-in-time recovery of a PostgreSQL store: a base backup and the archived log, up to just before a mistake."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from recollect.keep.store_checks import digest_store
from recollect.memory import open_memory
from recollect.settings import Settings
from tests.databases import (
    OwnServer,
    copy_postgres,
    make_data_folder,
    own_postgres,
    start_postgres,
    stop_postgres,
    wait_until,
)
from tests.durability.looking import assert_whole, rows
from tests.durability.workers import record_fact


@pytest.fixture
def archiving() -> Iterator[OwnServer]:
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


def test_a_store_comes_back_as_it_was_just_before_a_mistake(archiving: OwnServer) -> None:
    data, archive = archiving.data.parent / "restored", archiving.data.parent / "archive"
    with closing(open_memory(archiving.address, settings=Settings())) as memory:
        record_fact(memory, "Alder", "before the backup")
        copy_postgres(archiving, data)
        record_fact(memory, "Alder", "after the backup")
        wanted = digest_store(memory)
        [[moment]] = rows(archiving.address, "SELECT clock_timestamp()::TEXT")
        record_fact(memory, "Birch", "the mistake")
    [[segment]] = rows(archiving.address, "SELECT pg_walfile_name(pg_current_wal_lsn())")
    rows(archiving.address, "SELECT pg_switch_wal()")
    wait_until((archive / segment).exists)

    with (data / "postgresql.auto.conf").open("a", encoding="utf-8") as settings:
        settings.write(f"restore_command = 'cp {archive}/%f %p'\nrecovery_target_time = '{moment}'\n")
        settings.write("recovery_target_action = 'promote'\narchive_mode = off\n")
    (data / "recovery.signal").touch()
    restored = start_postgres(archiving, data)
    try:
        wait_until(lambda: rows(restored, "SELECT pg_is_in_recovery()") == [(False,)])
        with closing(open_memory(restored, settings=Settings())) as memory:
            assert digest_store(memory) == wanted
            record_fact(memory, "Alder", "life goes on")
        assert_whole(restored)
    finally:
        stop_postgres(data)
