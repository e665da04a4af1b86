"""What carabase asks of the store is a probe of an index, too."""

import re
from importlib.resources import files
from typing import Any

import apsw
import pytest
from tests.store.test_plans import plan, walks

from recollect.store.queries import sqlite_queries

LARGE = frozenset({"artifact", "artifact_tag", "folio_commit"})
# The names of all folios are few.
WHOLE = frozenset({"folios"})


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> apsw.Connection:
    from recollect.store.address import engine_for

    path = tmp_path_factory.mktemp("plans") / "memory.db"
    engine_for(str(path)).close()
    return apsw.Connection(str(path))


def names() -> list[str]:
    text = (files("recollect.store") / "sql" / "carabase.sql").read_text("utf-8")
    return sorted(set(re.findall(r"^-- name: (\w+)", text, re.MULTILINE)) - WHOLE)


@pytest.mark.parametrize("name", names())
def test_a_query_walks_no_table(raw: apsw.Connection, name: str) -> None:
    sql = sqlite_queries()[name].sql
    values: dict[str, Any] = dict.fromkeys(re.findall(r":([a-z_]+)", sql), 1)
    steps = plan(raw, sql, values)
    assert list(walks(steps, sql)) == []
    for step in steps:
        looked = re.match(r"(SCAN|SEARCH) x\b(?: USING .*?\((.*)\))?", step)
        assert looked is None or (looked[1] == "SEARCH" and looked[2] != "ws=?"), step
