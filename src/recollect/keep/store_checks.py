"""Whether two stores hold the same: counts, a digest of every row and a sample of answers, by workspace."""

import hashlib
import json
from collections.abc import Iterable
from heapq import nsmallest
from typing import NamedTuple

from recollect.keep.workspace_export import copy_workspace, export_lines, read_end
from recollect.memory import Memory, create_workspace
from recollect.search.name_search import find_candidates
from recollect.store.fact_rows import FactFilter
from recollect.store.view import View
from recollect.store.workspaces import all_workspaces, find_workspace

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
    wanted = FactFilter(view.world.now.span, every=True)
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
