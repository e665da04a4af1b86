"""The audit log: a chain that shows every change, and names and ids instead of contents."""

import json
from pathlib import Path

import pytest

from recollect.memory import Memory
from recollect.serve.api.calls import VerbCalls
from recollect.serve.audit import AuditLog, find_ids
from recollect.serve.callers import Caller
from recollect.serve.counted_calls import CountedCalls
from recollect.serve.metrics import Metrics
from recollect.serve.open_store import OpenStore
from recollect.settings import Settings
from recollect.store.audit import AuditCheck, AuditEntry, AuditStore
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

BEGIN_LATE, BEGIN_EARLY = "UPDATE audit_chain SET first_number = 9; ", "; UPDATE audit_chain SET first_number = 0"
"""What somebody with the database in hand does to get around the triggers."""
WITHOUT_TRIGGER = "DROP TRIGGER IF EXISTS audit_entry_unchanged{on}; "
MOVE = "UPDATE audit_entry SET number = {1} WHERE number = {0}"
COLUMNS = "rowid, number, at, workspace, actor, client, surface, tool, outcome, ids, hash"
BLANKS = "0, '', '', '', '', '', '', '', ''"


def entry(at: int, tool: str = "recall") -> AuditEntry:
    return AuditEntry(0, at, "default", "ann", "agent", "recollect", tool, "ok", "[]")


@pytest.fixture
def store(memory: Memory) -> AuditStore:
    log = AuditStore(memory.engine)
    for at in (10, 20, 30):
        log.append(entry(at))
    return log


def damage(memory: Memory, sql: str) -> None:
    with memory.engine.writing() as connection:
        connection._raw.execute(sql)  # type: ignore[attr-defined]


def test_an_untouched_log_is_whole(store: AuditStore) -> None:
    found = store.verify()
    assert found == AuditCheck(3, store.chain().last_hash)
    assert [(each.number, each.at) for each in store.entries(1)] == [(2, 20), (3, 30)]


def test_an_entry_cannot_be_changed(memory: Memory, store: AuditStore) -> None:
    with pytest.raises(Exception, match="do not change"):
        damage(memory, "UPDATE audit_entry SET actor = 'bob'")
    assert store.verify().broken_at is None


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("engine_name", "sql"),
    [
        ("sqlite", "DELETE FROM audit_entry"),
        ("sqlite", "DELETE FROM audit_entry WHERE number = 3"),
        ("sqlite", "INSERT OR REPLACE INTO audit_entry SELECT * FROM audit_entry WHERE number = 2"),
        ("sqlite", f"REPLACE INTO audit_entry SELECT number, {BLANKS} FROM audit_entry WHERE number = 2"),
        ("sqlite", f"REPLACE INTO audit_entry ({COLUMNS}) SELECT 2, 99, {BLANKS}"),
        ("postgres", "DELETE FROM audit_entry"),
        ("postgres", "DELETE FROM audit_entry WHERE number = 3"),
        ("postgres", "TRUNCATE audit_entry"),
    ],
)  # fmt: skip
def test_an_entry_can_neither_be_removed_nor_replaced(memory: Memory, store: AuditStore, sql: str) -> None:
    with pytest.raises(Exception, match="entries of the audit log"):
        damage(memory, sql)
    assert store.verify() == AuditCheck(3, store.chain().last_hash)


@pytest.mark.parametrize(
    ("sql", "number"),
    [
        (f"{BEGIN_LATE}DELETE FROM audit_entry WHERE number = 2{BEGIN_EARLY}", 2),
        (f"{BEGIN_LATE}DELETE FROM audit_entry WHERE number = 3{BEGIN_EARLY}", 3),
        (f"{BEGIN_LATE}DELETE FROM audit_entry WHERE number = 1{BEGIN_EARLY}", 1),
        (f"{WITHOUT_TRIGGER}UPDATE audit_entry SET actor = 'bob' WHERE number = 2", 2),
        (f"{WITHOUT_TRIGGER}{MOVE.format(1, 7)}; {MOVE.format(2, 1)}; {MOVE.format(7, 2)}", 1),
    ],
)
def test_a_missing_changed_or_moved_entry_is_found(memory: Memory, store: AuditStore, sql: str, number: int) -> None:
    damage(memory, sql.format(on=" ON audit_entry" if memory.engine.name == "postgres" else ""))
    assert store.verify().broken_at == number


def test_retention_removes_the_oldest_and_the_rest_stays_whole(store: AuditStore) -> None:
    store.drop_before(25, 40)
    assert [each.at for each in store.entries()] == [30]
    assert store.verify() == AuditCheck(1, store.chain().last_hash)
    store.append(entry(40))
    assert store.verify().entries == 2


def test_retention_keeps_the_newest_though_the_clock_was_set_back_and_forward(store: AuditStore) -> None:
    for at in (5, 99, 35):
        store.append(entry(at))
    store.drop_before(25, 40)
    assert [each.at for each in store.entries()] == [30, 5, 99, 35]
    store.drop_before(33, 40)
    assert [each.at for each in store.entries()] == [35]
    assert store.verify().broken_at is None


def test_an_entry_names_ids_and_no_contents(memory: Memory) -> None:
    remember = find_surface("recollect").tools["remember"]
    arguments = {"text": "Ada Lovelace lives in London."}
    answer = call(remember, lambda _: memory, arguments)
    AuditLog(AuditStore(memory.engine), memory.clock).note(
        Caller("ann", "default", "write", "agent"), remember, arguments, answer
    )
    [noted] = AuditStore(memory.engine).entries()
    assert (noted.actor, noted.client, noted.tool, noted.outcome) == ("ann", "agent", "remember", answer.outcome)
    assert json.loads(noted.ids)
    assert "Ada" not in repr(noted)


def test_ids_are_found_anywhere() -> None:
    ident = "fact_01ARZ3NDEKTSV4RRFFQ69G5FAV"
    assert list(find_ids({"a": [{"id": ident}, "not an id", 7]})) == [ident]


def test_calls_of_the_api_are_logged_when_it_is_switched_on(tmp_path: Path) -> None:
    here = {"RECOLLECT_DB": str(tmp_path / "memory.db"), "RECOLLECT_AUDIT_ENABLED": "true"}
    with OpenStore(Settings(environment=here)) as opened:
        calls = VerbCalls(CountedCalls(opened.open_for, Metrics(), opened.audit))
        calls.call(find_surface("recollect").tools["recall"], opened.local, {"query": "Ada"})
        assert [(each.actor, each.tool) for each in AuditStore(opened.engine).entries()] == [("local", "recall")]
