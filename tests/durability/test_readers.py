"""Readers cannot write, do not wait for a writer, and see one moment."""

from typing import Any

import apsw
import psycopg
import pytest

from recollect.memory import Memory
from recollect.model.actor import Actor
from recollect.store.change import Change
from recollect.store.tables import ENTITY, OPEN, SETTING
from recollect.store.view import View
from recollect.write.entity_refs import NamedRef, find_or_create
from tests.durability.looking import assert_whole, rows
from tests.durability.workers import record_fact, record_long, working, write_stream

REFUSED_BY_THE_DATABASE = (apsw.ReadOnlyError, psycopg.errors.ReadOnlySqlTransaction)


def test_a_read_connection_cannot_insert(memory: Memory) -> None:
    with pytest.raises(REFUSED_BY_THE_DATABASE), memory.read() as view:
        view.connection.insert(SETTING, ((view.ws, "timezone", 1, OPEN, '"UTC"'),))
    assert record_fact(memory, "After", "the attempt")


def test_a_read_connection_cannot_end_a_version(memory: Memory, address: str) -> None:
    record_fact(memory, "Before", "the attempt")
    [[entity]] = rows(address, "SELECT id FROM entity")
    with pytest.raises(REFUSED_BY_THE_DATABASE), memory.read() as view:
        view.connection.end(ENTITY, view.ws, (entity,), 9)
    assert record_fact(memory, "After", "the attempt")
    assert_whole(address)


@pytest.mark.parametrize(
    ("query", "parameters"),
    [
        ("workspace_create", {"name": "another", "at": 0}),
        ("content_add", {"ws": 1, "hash": "h", "text": "t"}),
    ],
)
def test_a_read_connection_cannot_run_a_writing_query(memory: Memory, query: str, parameters: dict[str, Any]) -> None:
    with pytest.raises(REFUSED_BY_THE_DATABASE), memory.read() as view:
        view.connection.run(query, parameters)


def test_a_change_on_a_read_connection_is_refused_by_the_database(memory: Memory) -> None:
    with pytest.raises(REFUSED_BY_THE_DATABASE), memory.read() as view:
        _write_through(view, memory)
    with memory.read() as view:
        assert (view.last_tx, view.counts()["entities"]) == (0, 0)


def _write_through(view: View, memory: Memory) -> None:
    change = Change(view.connection, view.workspace, view.now, Actor("t", "t"), memory.new_id)
    find_or_create(change, NamedRef("Ada", "person"))


def test_a_reader_does_not_wait_for_a_writer_and_sees_what_was_committed(memory: Memory) -> None:
    record_fact(memory, "Project 1", "committed")
    with memory.write() as change:
        find_or_create(change, NamedRef("Uncommitted", "person"))
        with memory.read() as view:
            assert (view.last_tx, view.counts()["entities"]) == (1, 1)
    with memory.read() as view:
        assert (view.last_tx, view.counts()["entities"]) == (2, 2)


def test_a_writer_does_not_wait_for_a_reader_and_the_reader_sees_one_moment(memory: Memory) -> None:
    record_fact(memory, "Project 1", "old")
    with memory.read() as view:
        assert view.last_tx == 1
        record_fact(memory, "Project 2", "new")
        record_long(memory, "Project 3")
        assert (view.last_tx, view.counts()["facts"]) == (1, 1)
    with memory.read() as view:
        assert (view.last_tx, view.counts()["facts"]) == (3, 3)


def test_every_read_beside_a_stream_of_writes_is_of_one_moment(memory: Memory, address: str) -> None:
    seen = [0]
    with working(write_stream, address, "writer", 10_000) as worker:
        worker.hear()
        for _ in range(40):
            with memory.read() as view:
                last = view.last_tx
                worker.hear()
                counts = view.counts()
                assert (counts["facts"], view.last_tx) == (last, last)
                seen.append(last)
        worker.kill()
    assert seen == sorted(seen)
    assert seen[-1] > 1
    assert_whole(address)
