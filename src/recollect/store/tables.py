"""The tables, and the statements that insert, end, read and copy their rows."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

OPEN = 9223372036854775807
LATEST = OPEN - 1


class VersionedTable(NamedTuple):
    """A table whose columns are ws, its key, tx_from, tx_to and the rest, in this order."""

    name: str
    key: tuple[str, ...]
    rest: tuple[str, ...]

    def __hash__(self) -> int:
        """By name alone: a table is looked up for every row that is written."""
        return hash(self.name)

    @property
    def columns(self) -> tuple[str, ...]:
        return ("ws", *self.key, "tx_from", "tx_to", *self.rest)


class Version(NamedTuple):
    """A row of a versioned table."""

    table: VersionedTable
    row: tuple[Any, ...]

    def value(self, column: str) -> Any:
        return self.row[_place(self.table, column)]

    @property
    def key(self) -> tuple[Any, ...]:
        return self.row[1 : 1 + len(self.table.key)]

    @property
    def content(self) -> tuple[Any, ...]:
        """What is behind the key and the transactions."""
        return self.row[3 + len(self.table.key) :]


@cache
def _place(table: VersionedTable, column: str) -> int:
    return table.columns.index(column)


def _table(name: str, key: str, rest: str) -> VersionedTable:
    return VersionedTable(name, tuple(key.split()), tuple(rest.split()))


_BOUNDS = "valid_from from_lo from_hi from_grain valid_until until_lo until_hi until_grain begins"

SETTING = _table("setting", "key", "value")
DEFINITION = _table("definition", "kind slug", "value")
PREDICATE = _table("predicate", "name", "first_surface is_symmetric")
ENTITY = _table(
    "entity",
    "id",
    "type name folded provisional confidence properties created_at confirmed_at reason merged_into deleted",
)
NAME = _table("name", "folded entity kind", "spelling key digits type place trust")
FACT = _table(
    "fact",
    "id",
    f"subject predicate object literal label fact_type policy slot is_alias words evidence {_BOUNDS} until_said_at "
    "source_at recorded_at confirmed_at confidence certainty source_kind stale replaced_by disputed supersedes "
    "attributes newest source_count",
)
DISPUTE = _table("dispute", "one other", "reason")
ASSERTION = _table(
    "assertion",
    "id",
    "fact document source_key source_url given quote evidence extracted_by surface tool actor source_at recorded_at "
    f"confidence certainty source_kind {_BOUNDS} attributes",
)
DOCUMENT = _table("document", "id", "kind type key title author url source_at content properties deleted")
MENTION = _table("mention", "document entity", "")
LINE = _table("line", "hash", "")
MANIFEST = _table("manifest", "source", "value")
MEASUREMENT = _table("measurement", "id", "source metric at account category value")
MESSAGE = _table("message", "document seq", "key role at estimated start stop more")
CHAT_BULLET = _table("chat_bullet", "document memory hash", "messages")
TOLD = _table("told_of", "hearer fact encounter", "document teller learned learned_lo learned_hi learned_grain")
RETCON = _table("retcon", "old fact", "")
RULE = _table("ontology_rule", "id", "cypher description severity enabled min_confidence deleted")
FLAG = _table("review_flag", "node", "kind reason flagged_by flagged_at")
HELD_FACT = _table("held_fact", "id", "document candidates held_at value")
FOLIO = _table("folio", "id", "name folded readme")
FOLIO_COMMIT = _table("folio_commit", "id", "folio identity committed_at documents facts links")
MEMORY_LINK = _table("memory_link", "one other type", "origin confidence")
CHUNK = _table("chunk", "document seq", "start stop hash text")


class AppendTable(NamedTuple):
    """A table without versions that rows are only inserted into; with `repeats`, existing rows are skipped."""

    name: str
    columns: tuple[str, ...]
    repeats: bool = False

    def __hash__(self) -> int:
        return hash(self.name)


TX = AppendTable("tx", ("ws", "tx", "at", "surface", "tool", "actor", "undoes"))
NAME_WORD = AppendTable("name_word", ("ws", "token", "key"), repeats=True)
TOKEN_VARIANT = AppendTable("token_variant", ("ws", "variant", "token"), repeats=True)
TITLE = AppendTable("title", ("ws", "folded", "document"), repeats=True)

VERSIONED = (
    SETTING,
    DEFINITION,
    PREDICATE,
    ENTITY,
    NAME,
    FACT,
    DISPUTE,
    ASSERTION,
    DOCUMENT,
    MENTION,
    LINE,
    TOLD,
    RETCON,
    RULE,
    FLAG,
    MANIFEST,
    MEASUREMENT,
    MESSAGE,
    CHAT_BULLET,
    FOLIO,
    FOLIO_COMMIT,
    MEMORY_LINK,
    HELD_FACT,
)


@cache
def insert_sql(table: VersionedTable, mark: str, count: int = 1) -> str:
    marks = ", ".join([mark] * len(table.columns))
    return f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES {', '.join([f'({marks})'] * count)}"


@cache
def add_sql(table: AppendTable, marks: str) -> str:
    on_conflict = " ON CONFLICT DO NOTHING" if table.repeats else ""
    return f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES {marks}{on_conflict}"


def _where(table: VersionedTable, mark: str) -> str:
    return " AND ".join(f"{column} = {mark}" for column in ("ws", *table.key))


@cache
def end_sql(table: VersionedTable, mark: str) -> str:
    """End the open version that an earlier tx began; parameters: tx, ws, key, tx."""
    return f"UPDATE {table.name} SET tx_to = {mark} WHERE {_where(table, mark)} AND tx_to = {OPEN} AND tx_from < {mark}"


@cache
def drop_sql(table: VersionedTable, mark: str) -> str:
    """Delete the version that the same tx began; parameters: ws, key, tx."""
    return f"DELETE FROM {table.name} WHERE {_where(table, mark)} AND tx_from = {mark}"


@cache
def begun_sql(table: VersionedTable, mark: str) -> str:
    return f"SELECT {', '.join(table.columns)} FROM {table.name} WHERE ws = {mark} AND tx_from = {mark}"


@cache
def ended_sql(table: VersionedTable, mark: str) -> str:
    return (
        f"SELECT {', '.join(table.columns)} FROM {table.name} WHERE ws = {mark} AND tx_to = {mark} AND tx_to < {OPEN}"
    )


@cache
def open_sql(table: VersionedTable, mark: str) -> str:
    return f"SELECT {', '.join(table.columns)} FROM {table.name} WHERE {_where(table, mark)} AND tx_to = {OPEN}"


@cache
def versions_sql(table: VersionedTable, mark: str) -> str:
    return f"SELECT {', '.join(table.columns)} FROM {table.name} WHERE {_where(table, mark)} ORDER BY tx_from"


def whole_sql(table: str, columns: Sequence[str], order: Sequence[str], mark: str) -> str:
    """Every row of a workspace; text is ordered by bytes, so that every engine gives the same order."""
    return f"SELECT {', '.join(columns)} FROM {table} WHERE ws = {mark} ORDER BY {', '.join(order)}"


def delete_sql(table: str, mark: str) -> str:
    return f"DELETE FROM {table} WHERE ws = {mark}"


def fill_sql(table: str, columns: Sequence[str], mark: str) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join([mark] * len(columns))})"
