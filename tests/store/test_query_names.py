"""Every query that the store asks for by name exists, so that renaming one cannot leave a call behind."""

import ast
from collections.abc import Iterator
from pathlib import Path

import recollect.store
from recollect.store.queries import postgres_queries, sqlite_queries

_STORE = Path(recollect.store.__file__).parent
_NAMED_FIRST = {
    "rows",
    "run",
    "run_many",
    "expected_rows",
    "rows_in_index",
    "fetch_values",
    "fetch_text",
    "fetch_number",
} | {f"fetch_{what}" for what in ("facts", "assertions", "entities", "documents")}
_NAMED_SECOND = {"fetch", "fetch_one"}


def _asked(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            place = 0 if node.func.attr in _NAMED_FIRST else 1 if node.func.attr in _NAMED_SECOND else len(node.args)
            name = node.args[place] if place < len(node.args) else None
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield name.value


def test_every_query_that_is_asked_for_by_name_exists() -> None:
    known = {*sqlite_queries().names, *postgres_queries().names}
    asked = {name for path in _STORE.glob("*.py") for name in _asked(path)}
    assert len(asked) > 400
    assert asked - known == set()
