"""Point-in-time recovery of a PostgreSQL store: a base backup and the archived log, up to just before a mistake."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from recollect.keep.store_checks import digest_store
from recollect.memory import open_memory
from recollect.settings import Settings
from tests.durability.archives import archiving_postgres, restored_to, wait_for_archive
from tests.durability.looking import assert_whole, rows
from tests.durability.workers import record_fact
from tests.support.databases import OwnServer, copy_postgres


@pytest.fixture
def archiving() -> Iterator[OwnServer]:
    with archiving_postgres() as server:
        yield server


def test_a_store_comes_back_as_it_was_just_before_a_mistake(archiving: OwnServer) -> None:
    data = archiving.data.parent / "restored"
    with closing(open_memory(archiving.address, settings=Settings())) as memory:
        record_fact(memory, "Alder", "before the backup")
        copy_postgres(archiving, data)
        record_fact(memory, "Alder", "after the backup")
        wanted = digest_store(memory)
        [[moment]] = rows(archiving.address, "SELECT clock_timestamp()::TEXT")
        record_fact(memory, "Birch", "the mistake")
    wait_for_archive(archiving)
    with restored_to(archiving, data, moment) as restored:
        with closing(open_memory(restored, settings=Settings())) as memory:
            assert digest_store(memory) == wanted
            record_fact(memory, "Alder", "life goes on")
        assert_whole(restored)
