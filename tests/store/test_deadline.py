"""Deadlines in the store: a call that is stopped ends its query, waits no longer and commits nothing."""

import threading
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from recollect.deadline import CallCancelled, CallDeadline, DeadlineExceeded
from recollect.memory import Memory
from recollect.store.port import Connection, OutcomeUnknown

LONG_QUERY = {
    "sqlite": "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n",
    "postgres": "SELECT pg_sleep(300)",
}


def run_long_query(memory: Memory) -> None:
    with memory.engine.reading() as connection:
        raw: Any = connection
        raw._raw.execute(LONG_QUERY[memory.engine.name]).fetchall()


def add_setting(memory: Memory, key: str) -> None:
    with memory.write() as change:
        change.put_setting(key, "1")


def setting_keys(memory: Memory) -> set[str]:
    with memory.read() as view:
        return set(view.world.settings)


def test_a_long_query_ends_with_the_deadline(memory: Memory) -> None:
    with pytest.raises(DeadlineExceeded, match="nothing was written"):
        CallDeadline(0.1).run(lambda: run_long_query(memory))
    assert setting_keys(memory) == set()


def test_cancelling_ends_a_long_query(memory: Memory) -> None:
    deadline = CallDeadline()
    timer = threading.Timer(0.1, deadline.cancel)
    timer.start()
    with pytest.raises(CallCancelled, match="nothing was written"):
        deadline.run(lambda: run_long_query(memory))
    timer.join()
    assert setting_keys(memory) == set()


def test_a_call_over_its_deadline_commits_nothing(memory: Memory) -> None:
    deadline = CallDeadline()

    def work() -> None:
        with memory.write() as change:
            change.put_setting("a.b", "1")
            deadline.cancel()

    with pytest.raises(CallCancelled, match="nothing was written"):
        deadline.run(work)
    add_setting(memory, "c.d")
    assert setting_keys(memory) == {"c.d"}


def test_what_was_committed_before_the_call_was_stopped_is_said(memory: Memory) -> None:
    deadline = CallDeadline()

    def work() -> None:
        add_setting(memory, "a.b")
        deadline.cancel()
        add_setting(memory, "c.d")

    with pytest.raises(CallCancelled, match="part of it was written"):
        deadline.run(work)
    assert setting_keys(memory) == {"a.b"}


def test_a_call_does_not_wait_for_a_writer_beyond_its_deadline(memory: Memory) -> None:
    def wait_for_the_writer() -> None:
        with memory.write():
            pass

    failures: list[Exception] = []
    with memory.write():
        waiting = threading.Thread(target=lambda: failures.append(_failure(CallDeadline(0.1), wait_for_the_writer)))
        waiting.start()
        waiting.join()
    assert [type(each) for each in failures] == [DeadlineExceeded]


def _failure(deadline: CallDeadline, work: Callable[[], None]) -> Exception:
    with pytest.raises(DeadlineExceeded) as caught:
        deadline.run(work)
    return caught.value


def test_every_query_checks_the_deadline(memory: Memory) -> None:
    deadline = CallDeadline()

    def work(connection: Connection) -> None:
        deadline.cancel()
        connection.rows("tokens", {"limit": 1})

    with memory.engine.reading() as connection, pytest.raises(CallCancelled):
        deadline.run(lambda: work(connection))


@pytest.mark.parametrize("engine_name", ["postgres"])
def test_a_connection_lost_during_the_commit_leaves_the_outcome_open(memory: Memory, address: str) -> None:
    with pytest.raises(OutcomeUnknown, match="not known whether"):
        _write_and_lose_the_connection(memory, address)


def _write_and_lose_the_connection(memory: Memory, address: str) -> None:
    with memory.engine.writing() as connection, psycopg.connect(address, autocommit=True) as other:
        raw: Any = connection
        other.execute("SELECT pg_terminate_backend(%s, 10000)", (raw._raw.info.backend_pid,))
