"""Named queries from .sql files: shared ones and a small overlay for each engine."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

_HERE = Path(__file__).parent
# A fragment, with what stands for the sign $ in its text.
_FRAGMENT = re.compile(r"@(\w+)(?:\((\w+)\))?")
_IN_LIST = re.compile(r"\bIN_LIST\(:(\w+)\)")
# A list of texts as a table with the column `value`.
_LISTED = re.compile(r"\bLISTED\(:(\w+)\)")
_TABLE = re.compile(r"\b(?:FROM|JOIN|INTO)\s+([a-z_]+)")
_PARAMETER = r"(?<![:\w]):([a-z_]+)"
ERASE_QUERIES = "forget_in_"


class Query(NamedTuple):
    """A query in one engine's dialect, its list parameters, and the tables it reads or inserts into."""

    sql: str
    lists: tuple[str, ...]
    tables: frozenset[str]


class Queries(dict[str, Query]):
    """Queries by name, each translated into the engine's dialect on first use: a process needs few of them."""

    def __init__(self, engine: str, translate: Callable[[str], str]) -> None:
        super().__init__()
        self._translate = translate
        self._texts, self._fragments = _load(engine)

    @property
    def names(self) -> Iterable[str]:
        return self._texts.keys()

    def __missing__(self, name: str) -> Query:
        sql = _expand(self._texts[name], self._fragments)
        lists = tuple(sorted({*_IN_LIST.findall(sql), *_LISTED.findall(sql)}))
        query = self[name] = Query(self._translate(sql), lists, frozenset(_TABLE.findall(sql)))
        return query


@cache
def sqlite_queries() -> Queries:
    """Queries for SQLite; a list parameter is passed as a JSON array."""
    return Queries("sqlite", _to_sqlite)


@cache
def postgres_queries() -> Queries:
    """Queries for psycopg; a list parameter is passed as an array."""
    return Queries("postgres", _to_psycopg)


def _to_sqlite(sql: str) -> str:
    return _LISTED.sub(r"json_each(:\1)", _IN_LIST.sub(r"IN (SELECT value FROM json_each(:\1))", sql))


def _to_psycopg(sql: str) -> str:
    rows = _LISTED.sub(r"(SELECT UNNEST(CAST(:\1 AS TEXT[])) AS value)", sql.replace("%", "%%"))
    listed = _IN_LIST.sub(r"= ANY(:\1)", rows)
    return re.sub(_PARAMETER, r"%(\1)s", listed)


def _load(engine: str) -> tuple[dict[str, str], dict[str, str]]:
    """The text of the queries, and the fragments that they use."""
    queries: dict[str, str] = {}
    fragments: dict[str, str] = {}
    for place in (_HERE / "sql", _HERE / "sql" / engine):
        for file in sorted(place.glob("*.sql")):
            _collect(file.read_text("utf-8"), queries, fragments)
    return queries, fragments


def _expand(sql: str, fragments: Mapping[str, str]) -> str:
    return _FRAGMENT.sub(lambda found: _expand(fragments[found[1]].replace("$", found[2] or "$"), fragments), sql)


def _collect(text: str, queries: dict[str, str], fragments: dict[str, str]) -> None:
    """Add the parts of a file; cut at its comments, since patterns would take longer than many a read of a store."""
    target, name = fragments, ""
    for part in f"\n{text}".split("\n--")[1:]:
        comment, _, sql = part.partition("\n")
        kind, _, title = comment.strip().partition(": ")
        if kind in ("name", "fragment"):
            target, name = (queries if kind == "name" else fragments), title
            if name in target:
                raise ValueError(f"two queries have the name {name}")
            target[name] = sql.strip().rstrip(";")
        elif kind == "erased":
            queries |= _erasures(*title.split())
        elif kind == "upsert":
            queries |= _upsert(*title.split())
        elif name:
            target[name] = f"{target[name]}\n{sql}".strip().rstrip(";")


def _erasures(table: str, *columns: str) -> dict[str, str]:
    """The queries of `-- erased: table column …`: each deletes the rows that have one of some ids in a column."""
    sql = f"DELETE FROM {table} WHERE ws = :ws AND "
    return {f"{ERASE_QUERIES}{table}_{column}": f"{sql}{column} IN_LIST(:ids)" for column in columns}


def _upsert(name: str, table: str, *columns: str) -> dict[str, str]:
    """The query of `-- upsert: name table key … = column …`."""
    middle = columns.index("=")
    key, rest = ("ws", *columns[:middle]), columns[middle + 1 :]
    values = f"({', '.join((*key, *rest))}) VALUES ({', '.join(f':{each}' for each in (*key, *rest))})"
    updates = ", ".join(f"{each} = excluded.{each}" for each in rest)
    return {name: f"INSERT INTO {table} {values} ON CONFLICT ({', '.join(key)}) DO UPDATE SET {updates}"}


@cache
def schema(engine: str) -> tuple[tuple[int, str, str], ...]:
    """The migrations in order: number, name and script, shared statements before those of the engine."""
    scripts: dict[str, str] = {}
    for place in (_HERE / "schema", _HERE / "schema" / engine):
        for file in sorted(place.glob("*.sql")):
            scripts[file.name] = scripts.get(file.name, "") + file.read_text("utf-8") + "\n"
    return tuple((int(name[:3]), name.removesuffix(".sql"), scripts[name]) for name in sorted(scripts))
