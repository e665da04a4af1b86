"""Queries that a call waits for are probes of an index, however young the store and whatever it holds."""

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import apsw
import pytest

from recollect.store.address import engine_for
from recollect.store.queries import sqlite_queries
from recollect.store.tables import VERSIONED, VersionedTable, begun_sql, drop_sql, end_sql, ended_sql, open_sql

HOT_FILES = (
    "cognitive.sql",
    "documents.sql",
    "entities.sql",
    "facts.sql",
    "lore.sql",
    "pearscarf.sql",
    "workspace.sql",
)
# These are asked for by a person and answer for a whole workspace.
WHOLE = frozenset("counts disputes entity_types names_to_index relations_used tx_latest tx_undoing".split())
LARGE = frozenset("tx entity name fact assertion document mention line chunk content name_word token_variant".split())
_NAME = re.compile(r"^-- name: (\w+)", re.MULTILINE)
_TABLE = re.compile(
    r"\b(?:FROM|JOIN|UPDATE|INTO)\s+([a-z_]+)(?:\s+(?!ON\b|WHERE\b|SET\b|GROUP\b|ORDER\b|LIMIT\b)([a-z]\w*))?"
)
_STEP = re.compile(r"(SCAN|SEARCH) (\w+)(?: USING .*?\((.*)\))?")


def hot() -> list[str]:
    folder = files("recollect.store") / "sql"
    names = {name for file in HOT_FILES for name in _NAME.findall((folder / file).read_text("utf-8"))}
    return sorted(names - WHOLE)


def walks(plan: list[str], sql: str) -> Iterator[str]:
    """The steps that look at a large table with no more to go by than the workspace."""
    tables = {alias or table: table for table, alias in _TABLE.findall(sql)}
    for step in plan:
        match = _STEP.match(step)
        if match is None or tables.get(match[2], match[2]) not in LARGE:
            continue
        if match[1] == "SCAN" or match[3] in (None, "ws=?"):
            yield step


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> apsw.Connection:
    path = tmp_path_factory.mktemp("plans") / "memory.db"
    engine_for(str(path)).close()
    return apsw.Connection(str(path))


def plan(raw: apsw.Connection, sql: str, values: Any) -> list[str]:
    return [str(row[3]) for row in raw.execute(f"EXPLAIN QUERY PLAN {sql}", values)]


@pytest.mark.parametrize("name", hot())
def test_a_query_walks_no_table(raw: apsw.Connection, name: str) -> None:
    sql = sqlite_queries()[name].sql
    values = dict.fromkeys(re.findall(r":([a-z_]+)", sql), 1)
    assert list(walks(plan(raw, sql, values), sql)) == []


@pytest.mark.parametrize("name", ["facts_by_start", "facts_by_end", "events_by_source"])
def test_the_history_of_everything_reads_an_index_in_order(raw: apsw.Connection, name: str) -> None:
    sql = sqlite_queries()[name].sql
    values = dict.fromkeys(re.findall(r":([a-z_]+)", sql), 1)
    steps = plan(raw, sql, values)
    assert list(walks(steps, sql)) == []
    assert not any("TEMP B-TREE" in step for step in steps)


@pytest.mark.parametrize("table", VERSIONED, ids=lambda table: table.name)
def test_ending_and_undoing_walk_no_table(raw: apsw.Connection, table: VersionedTable) -> None:
    statements = {
        end_sql(table, "?"): len(table.key) + 3,
        drop_sql(table, "?"): len(table.key) + 2,
        open_sql(table, "?"): len(table.key) + 1,
        begun_sql(table, "?"): 2,
        ended_sql(table, "?"): 2,
    }
    for sql, count in statements.items():
        assert list(walks(plan(raw, sql, (1,) * count), sql)) == [], sql


def test_suggested_employers_are_not_looked_for_among_the_stated_ones(raw: apsw.Connection) -> None:
    sql = sqlite_queries()["employers_suggested"].sql
    steps = plan(raw, sql, dict.fromkeys(re.findall(r":([a-z_]+)", sql), 1))
    assert any("USING INDEX fact_suggested_employer" in step for step in steps), steps


def test_memories_are_not_looked_for_where_there_are_none(raw: apsw.Connection) -> None:
    sql = sqlite_queries()["memory_lagging"].sql
    steps = plan(raw, sql, dict.fromkeys(re.findall(r":([a-z_]+)", sql), 1))
    assert any("document_key (ws=? AND kind=?)" in step for step in steps), steps
