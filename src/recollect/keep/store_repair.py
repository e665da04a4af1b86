"""Repair of a damaged store: all that can be read goes into a new one, and what could not is counted."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from recollect.keep.workspace_export import BATCH_SIZE, index_names
from recollect.memory import Memory, create_workspace
from recollect.store.change import Change
from recollect.store.passage_index import index_words
from recollect.store.port import Row, RowRefused
from recollect.store.salvage import DamagedStore
from recollect.store.table_dump import PASSAGES, DumpTable, dump_tables
from recollect.store.workspaces import fill_table, put_last_tx


class RepairedTable(NamedTuple):
    workspace: str
    table: str
    rows: int
    lost: int | None
    """How many rows could not be read; None if not even their number could."""


def repair_store(damaged: DamagedStore, target: Memory) -> list[RepairedTable]:
    """Fill a new store with every row that can be read, one transaction for each workspace."""
    found = []
    for each in damaged.workspaces():
        made = create_workspace(target.engine, each.name, target.clock)
        with target.for_workspace(made).write() as change:
            tables = [_repair_table(damaged, change, table, each.ws) for table in (*dump_tables(), PASSAGES)]
            put_last_tx(change, damaged.last_tx(each.ws))
            index_names(change)
            index_words(change)
        found += [table for table in tables if table.rows or table.lost != 0]
    return found


def _repair_table(damaged: DamagedStore, change: Change, table: DumpTable, ws: int) -> RepairedTable:
    rows = damaged.rows(table, ws)
    saved = 0
    while some := list(islice(rows, BATCH_SIZE)):
        saved += _fill(change, table, some)
    expected = damaged.count(table, ws)
    return RepairedTable(change.workspace.name, table.name, saved, None if expected is None else expected - saved)


def _fill(change: Change, table: DumpTable, rows: list[Row]) -> int:
    """How many rows were stored: all at once, or else each that can be."""
    try:
        with change.connection.savepoint():
            fill_table(change, table, rows)
        return len(rows)
    except RowRefused:
        return sum(_one_by_one(change, table, rows))


def _one_by_one(change: Change, table: DumpTable, rows: list[Row]) -> Iterator[int]:
    for row in rows:
        try:
            with change.connection.savepoint():
                fill_table(change, table, [row])
            yield 1
        except RowRefused:
            yield 0
