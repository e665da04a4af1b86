"""Stores that stand for devices, each with a clock of its own, and what passes between them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.conftest import MovingClock
from tests.support.databases import new_sqlite_file

from recollect.change_listeners import standard_listeners
from recollect.keep.replication.apply import ApplyResult, apply_transactions
from recollect.keep.replication.log import (
    TransactionLog,
    own_device,
    read_transaction,
    write_transaction,
)
from recollect.memory import Memory, WorkspaceCache, open_memory
from recollect.settings import Settings
from recollect.store.table_dump import PASSAGES, DumpTable, dump_rows, dump_tables
from recollect.store.tables import OPEN
from recollect.store.view import View
from recollect.surfaces.everyday_memory import EverydayMemory
from recollect.when.clock import clock_from
from recollect.when.instant import MINUTE, Instant

START = "2026-05-20T10:00:00Z"


@dataclass
class Device:
    """A store with a clock of its own."""

    memory: EverydayMemory
    clock: MovingClock
    address: str = ""

    def pass_time(self) -> None:
        self.clock.instant = Instant(self.clock.instant + MINUTE)


def device_at(address: str, ahead: int = 0) -> Device:
    clock = MovingClock(Instant(clock_from(START).now() + ahead * MINUTE))
    memory = open_memory(address, settings=Settings(), clock=clock, followers=standard_listeners())
    parts = {each.name: getattr(memory, each.name) for each in fields(memory)}
    return Device(EverydayMemory(**{**parts, "cache": WorkspaceCache([None])}), clock, address)


@contextmanager
def three_devices(template: Path) -> Iterator[list[Device]]:
    with TemporaryDirectory() as folder:
        found = []
        for name, ahead in (("one", 0), ("two", 45), ("three", -30)):
            (Path(folder) / name).mkdir()
            found.append(device_at(new_sqlite_file(template, Path(folder) / name), ahead))
        yield found
        for each in found:
            each.memory.close()


def send(source: Memory, target: Memory) -> ApplyResult:
    """What the target lacks, through the lines that are sent."""
    with target.read() as view:
        seen = TransactionLog.of(view, own_device(target)).seen
    with source.read() as view:
        lines = [write_transaction(each) for each in TransactionLog.of(view, own_device(source)).after(seen)]
    return apply_transactions(target, [read_transaction(each) for each in lines])


def send_all(devices: list[Device]) -> None:
    for _ in range(2):
        for source in devices:
            for target in devices:
                if source is not target:
                    send(source.memory, target.memory)


COMPARED = ("entity", "name", "fact", "assertion", "dispute", "document", "mention", "setting", "chunk")


LOCAL = {"tx_from", "tx_to", "confirmed_at", "number", "place"}
"""Columns that say when something came here."""


def state(memory: Memory) -> dict[str, list[dict[str, Any]]]:
    """What a memory holds now, by table."""
    with memory.read() as view:
        tables = {table.name: table for table in (*dump_tables(), PASSAGES)}
        found = {name: sorted(_current_rows(view, tables[name]), key=str) for name in COMPARED}
        for entity in found["entity"]:
            survivor = view.survivor(entity["id"])
            entity["merged_into"] = None if survivor is None else survivor.id
        found["fact"] = [_without_leftovers(each) for each in found["fact"]]
        return found


def _without_leftovers(fact: dict[str, Any]) -> dict[str, Any]:
    """A fact that was joined with another says no more than that; by way of which others it came there may differ."""
    is_joined = fact["source_count"] == 0 and fact["replaced_by"] is not None
    return {"id": fact["id"], "joined": True} if is_joined else fact


def _current_rows(view: View, table: DumpTable) -> Iterator[dict[str, Any]]:
    for row in dump_rows(view.connection, table, view.ws):
        named = dict(zip(table.columns[1:], row, strict=True))
        if named["tx_to"] == OPEN:
            yield {column: value for column, value in named.items() if column not in LOCAL}


def erase(memory: EverydayMemory, text: str) -> None:
    asked = memory.forget(text, erase=True)
    memory.forget(text, erase=True, confirm=asked["confirm"])
