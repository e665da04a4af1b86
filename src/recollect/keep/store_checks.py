"""Whether two stores hold the same, and the repair of a damaged one."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from heapq import nsmallest
from typing import NamedTuple

from recollect.keep.workspace_export import BATCH_SIZE, copy_workspace, export_lines, index_names, read_end
from recollect.memory import Memory, create_workspace
from recollect.model.progress import batches
from recollect.search.name_search import find_candidates
from recollect.store.change import Change
from recollect.store.fact_rows import FactFilter
from recollect.store.passage_index import index_words
from recollect.store.port import Row, RowRefused
from recollect.store.salvage import DamagedStore
from recollect.store.table_dump import PASSAGES, DumpTable, dump_tables
from recollect.store.view import View
from recollect.store.workspaces import all_workspaces, fill_table, find_workspace

SAMPLE = 20
_ENTITY_LINE = '["entity",'


class WorkspaceDigest(NamedTuple):
    """What a workspace holds; equal for equal workspaces, on either engine."""

    workspace: str
    tx: int
    facts: int
    entities: int
    documents: int
    rows: int
    sha256: str
    """Of its export."""
    answers: str
    """A digest of what is answered about a sample of entities."""


def digest_store(memory: Memory) -> list[WorkspaceDigest]:
    """A digest of every workspace of the store, by name."""
    return [digest_workspace(each) for each in _every_workspace(memory)]


def digest_workspace(memory: Memory) -> WorkspaceDigest:
    with memory.read() as view:
        last, sampled = "", Sample()
        for last in export_lines(view):
            sampled.add(last)
        end = read_end(last.encode())
        assert end is not None
        counts = view.counts()
        numbers = counts["facts"], counts["entities"], counts["documents"]
        answers = _digest_answers(memory, view, sampled.names())
        return WorkspaceDigest(view.workspace.name, view.last_tx, *numbers, end.rows, end.sha256, answers)


class Sample:
    """The names of some entities, the same ones wherever the same entities are."""

    def __init__(self) -> None:
        self._kept: dict[str, str] = {}

    def add(self, line: str) -> None:
        if line.startswith(_ENTITY_LINE):
            _, ident, _, _, _, name, *_ = json.loads(line)
            self._kept[ident] = name
            if len(self._kept) > 2 * SAMPLE:
                self._kept = {each: self._kept[each] for each in self._chosen()}

    def _chosen(self) -> list[str]:
        return nsmallest(SAMPLE, self._kept, key=lambda ident: hashlib.sha256(ident.encode()).digest())

    def names(self) -> list[str]:
        return sorted({self._kept[ident] for ident in self._chosen()})


def _digest_answers(memory: Memory, view: View, names: Iterable[str]) -> str:
    digest = hashlib.sha256()
    wanted = FactFilter(view.world.present, every=True)
    for name in names:
        found = sorted(hit.entity for hit in find_candidates(view, memory.names(view), name))
        facts = [sorted(seen.fact.id for seen in view.facts_about(entity, wanted)) for entity in found]
        digest.update(json.dumps([name, found, facts]).encode())
    return digest.hexdigest()[:16]


def copy_workspaces(source: Memory, target: Memory) -> int:
    """Copy every workspace into another store, in which none of them may hold anything yet; how many rows."""
    rows = 0
    for each in _every_workspace(source):
        made = create_workspace(target.engine, each.workspace.name, target.clock)
        rows += copy_workspace(each, target.for_workspace(made))
    return rows


def _every_workspace(memory: Memory) -> Iterable[Memory]:
    for each in all_workspaces(memory.engine):
        found = find_workspace(memory.engine, each.name)
        if found is not None:
            yield memory.for_workspace(found)


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
            change.put_last_tx(damaged.last_tx(each.ws))
            index_names(change)
            index_words(change)
        found += [table for table in tables if table.rows or table.lost != 0]
    return found


def _repair_table(damaged: DamagedStore, change: Change, table: DumpTable, ws: int) -> RepairedTable:
    saved = sum(_fill(change, table, some) for some in batches(damaged.rows(table, ws), BATCH_SIZE))
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
