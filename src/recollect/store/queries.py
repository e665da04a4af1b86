"""Named queries, read from .sql files: shared ones and a small overlay for each engine."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

_NAME = re.compile(r"^-- (name|fragment): (\w+)\s*$", re.MULTILINE)
_COMMENT = re.compile(r"^--.*$", re.MULTILINE)
_FRAGMENT = re.compile(r"@(\w+)")
_IN_LIST = re.compile(r"\bIN_LIST\(:(\w+)\)")
_TABLE = re.compile(r"\b(?:FROM|JOIN|INTO)\s+([a-z_]+)")
_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]+)")


class Query(NamedTuple):
    """A query in one engine's words, which of its parameters are lists, and which tables it reads or adds to."""

    sql: str
    lists: tuple[str, ...]
    tables: frozenset[str]


@cache
def sqlite_queries() -> Mapping[str, Query]:
    """Every query in SQLite's words; a list parameter arrives as a JSON array."""
    return {
        name: Query(_IN_LIST.sub(r"IN (SELECT value FROM json_each(:\1))", sql), _lists(sql), _tables(sql))
        for name, sql in _load("sqlite").items()
    }


@cache
def postgres_queries() -> Mapping[str, Query]:
    """Every query in psycopg's words; a list parameter arrives as an array."""
    return {name: Query(_to_psycopg(sql), _lists(sql), _tables(sql)) for name, sql in _load("postgres").items()}


def _lists(sql: str) -> tuple[str, ...]:
    return tuple(sorted(set(_IN_LIST.findall(sql))))


def _tables(sql: str) -> frozenset[str]:
    return frozenset(_TABLE.findall(sql))


def _to_psycopg(sql: str) -> str:
    listed = _IN_LIST.sub(r"= ANY(:\1)", sql.replace("%", "%%"))
    return _PARAMETER.sub(r"%(\1)s", listed)


def _load(engine: str) -> dict[str, str]:
    folder = files("recollect.store") / "sql"
    texts = [*sorted(folder.iterdir(), key=str), *sorted((folder / engine).iterdir(), key=str)]
    queries: dict[str, str] = {}
    fragments: dict[str, str] = {}
    for text in texts:
        if text.name.endswith(".sql"):
            _collect(text.read_text("utf-8"), queries, fragments)
    return {name: _FRAGMENT.sub(lambda found: _expand(found[1], fragments), sql) for name, sql in queries.items()}


def _expand(name: str, fragments: Mapping[str, str]) -> str:
    return _FRAGMENT.sub(lambda found: _expand(found[1], fragments), fragments[name])


def _collect(text: str, queries: dict[str, str], fragments: dict[str, str]) -> None:
    parts = _NAME.split(text)
    for kind, name, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        named = queries if kind == "name" else fragments
        if name in named:
            raise ValueError(f"two queries are called {name}")
        named[name] = _COMMENT.sub("", body).strip().rstrip(";")


@cache
def schema(engine: str) -> tuple[tuple[int, str, str], ...]:
    """The migrations in order: number, name and script, the shared part before the engine's own."""
    folder = files("recollect.store") / "schema"
    scripts: dict[str, str] = {}
    for place in (folder, folder / engine):
        for text in sorted(place.iterdir(), key=str):
            if text.name.endswith(".sql"):
                scripts[text.name] = scripts.get(text.name, "") + text.read_text("utf-8") + "\n"
    return tuple((int(name[:3]), name.removesuffix(".sql"), scripts[name]) for name in sorted(scripts))
