"""The named tuple that a query is fetched as has one field for each column of that query."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import apsw
import apsw.ext
import pytest

import recollect.store
from recollect.store.fact_rows import FactRow
from recollect.store.queries import postgres_queries, schema, sqlite_queries
from recollect.store.rows import DOCUMENT_WIDTH, FACT_WIDTH
from recollect.store.tables import ASSERTION, DOCUMENT, ENTITY, FACT

FETCHERS = {"fetch", "fetch_one"}
# Of what a table has, a query of its records leaves out the workspace and the end of the version.
RECORD_WIDTHS = {
    "fetch_facts": len(FACT.columns) - 2,
    "fetch_assertions": len(ASSERTION.columns) - 2,
    "fetch_entities": len(ENTITY.columns) - 2,
    "fetch_documents": len(DOCUMENT.columns) - 2,
}
# Rows that are more than one record side by side.
JOINED = {
    "facts_about": FACT_WIDTH + len(FactRow._fields) - 1,
    "facts_about_unordered": FACT_WIDTH + len(FactRow._fields) - 1,
    "facts_seen": FACT_WIDTH + len(FactRow._fields) - 1,
    "facts_superseding_further": 1 + FACT_WIDTH,
    "entities_named": 1 + RECORD_WIDTHS["fetch_entities"],
    "entities_named_any": 2 + RECORD_WIDTHS["fetch_entities"],
}


class Fetch(NamedTuple):
    module: str
    row_type: str
    query: str

    def __str__(self) -> str:
        return f"{self.module}:{self.query}"


def fetches() -> Iterator[Fetch]:
    """Every call of `view.fetch(Type, "query")` or `fetch(connection, Type, "query")` in the store."""
    for module in pkgutil.iter_modules(recollect.store.__path__):
        path = Path(recollect.store.__path__[0]) / f"{module.name}.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and _called(node) in FETCHERS:
                row_type, query = node.args[:2] if isinstance(node.func, ast.Attribute) else node.args[1:3]
                yield Fetch(module.name, ast.unparse(row_type), ast.literal_eval(query))


def record_fetches() -> Iterator[tuple[str, str]]:
    """Every call of `view.fetch_facts("query")` and its like: the method and the query."""
    for path in sorted(Path(recollect.store.__path__[0]).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and _called(node) in RECORD_WIDTHS and isinstance(node.args[0], ast.Constant):
                yield _called(node), ast.literal_eval(node.args[0])


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)


@pytest.fixture(scope="module")
def database() -> apsw.Connection:
    raw = apsw.Connection(":memory:")
    for _, _, script in schema("sqlite"):
        raw.execute(script).fetchall()
    return raw


def _column_count(database: apsw.Connection, query: str) -> int:
    if query not in sqlite_queries().names:
        listed = re.match(r"SELECT (.+?) FROM ", postgres_queries()[query].sql, re.DOTALL)
        assert listed is not None
        return listed[1].count(",") + 1
    return len(apsw.ext.query_info(database, sqlite_queries()[query].sql).description)


@pytest.mark.parametrize("fetch", sorted(set(fetches())), ids=str)
def test_a_row_type_has_a_field_for_each_column_of_its_query(database: apsw.Connection, fetch: Fetch) -> None:
    row_type = getattr(importlib.import_module(f"recollect.store.{fetch.module}"), fetch.row_type)
    assert len(row_type._fields) == _column_count(database, fetch.query)


@pytest.mark.parametrize("query", JOINED)
def test_a_joined_row_is_as_wide_as_its_parts(database: apsw.Connection, query: str) -> None:
    assert JOINED[query] == _column_count(database, query)


@pytest.mark.parametrize(("method", "query"), sorted(set(record_fetches())))
def test_a_query_of_records_has_their_columns(database: apsw.Connection, method: str, query: str) -> None:
    assert _column_count(database, query) == RECORD_WIDTHS[method]


def test_the_widths_are_those_of_the_records() -> None:
    assert (RECORD_WIDTHS["fetch_facts"], RECORD_WIDTHS["fetch_documents"]) == (FACT_WIDTH, DOCUMENT_WIDTH)
