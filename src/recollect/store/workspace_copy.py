"""Copies a workspace to another PostgreSQL: every table, only what differs, and the rows that change meanwhile."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from recollect.errors import Conflict
from recollect.store.port import StoreBusy
from recollect.store.postgres import transaction
from recollect.store.postgres_connect import Raw
from recollect.store.postgres_pool import PostgresPool

GROUPS = 4096
_AT_HOME = "access_token changed_row closed_workspace member shard_workspace workspace workspace_reader".split()
"""Tables of the first database, whatever the workspace."""
SAME_TEXT = "; SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'"
"""Statements after which equal rows have equal texts on every server."""

_TABLES = b"""
SELECT c.table_name, ARRAY_AGG(c.column_name::TEXT ORDER BY c.column_name),
  MAX(c.column_name) FILTER (WHERE c.is_identity = 'YES'),
  (SELECT ARRAY_AGG(a.attname::TEXT ORDER BY a.attname) FROM pg_index i
   JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
   WHERE i.indisprimary AND i.indrelid = c.table_name::REGCLASS)
FROM information_schema.columns c JOIN workspace_tables() t ON t = c.table_name
WHERE c.table_schema = CURRENT_SCHEMA() AND c.table_name <> ALL(%s) GROUP BY c.table_name ORDER BY c.table_name
"""

Digest = dict[int, tuple[int, int]]
"""By group: how many rows it has, and a digest of them."""


class CopyDiffers(Conflict):
    code = "copy_differs"

    def __init__(self, table: str) -> None:
        super().__init__(f"the copy of {table} differs from the original; the workspace stays where it is")


class CopiedTable(NamedTuple):
    name: str
    columns: tuple[str, ...]
    numbered: str | None
    """The column that the server numbers by itself."""
    key: tuple[str, ...]

    @property
    def columns_sql(self) -> str:
        return ", ".join(f'"{each}"' for each in self.columns)

    @property
    def digest_sql(self) -> str:
        """A number of 64 bits for the content of a row."""
        return f"('x' || LEFT(MD5(ROW({self.columns_sql})::TEXT), 16))::BIT(64)::BIGINT"

    def rows_sql(self, ws: int, groups: list[int] | None) -> str:
        """What follows the name of the table; `groups` are those wanted, None for all."""
        within = (
            "" if groups is None else f" AND ({self.digest_sql} & {GROUPS - 1}) = ANY('{{{_join_numbers(groups)}}}')"
        )
        return f"FROM {self.name} WHERE ws = {ws}{within}"


def _join_numbers(groups: list[int]) -> str:
    return ",".join(map(str, groups))


def copied_tables(raw: Raw) -> list[CopiedTable]:
    rows = raw.execute(_TABLES, (_AT_HOME,)).fetchall()
    return [CopiedTable(name, tuple(columns), numbered, tuple(key)) for name, columns, numbered, key in rows]


def filled_tables(raw: Raw, tables: Sequence[CopiedTable], ws: int) -> set[str]:
    """The names of those tables that have rows of a workspace: most have none, and need no comparing."""
    query = (f"SELECT '{each.name}' WHERE EXISTS (SELECT {each.rows_sql(ws, None)})" for each in tables)
    return {name for [name] in raw.execute(" UNION ALL ".join(query).encode()).fetchall()}


def digest_of(raw: Raw, table: CopiedTable, ws: int) -> Digest:
    hashed = f"SELECT {table.digest_sql} AS hash {table.rows_sql(ws, None)}"
    grouped = f"SELECT hash & {GROUPS - 1}, COUNT(*), BIT_XOR(hash) FROM ({hashed}) h GROUP BY 1"
    return {group: (count, digest) for group, count, digest in raw.execute(grouped.encode()).fetchall()}


def copy_table(source: Raw, target: Raw, table: CopiedTable, ws: int) -> int:
    """Make the rows of a table in the target those of the source; how many had to be sent."""
    source_digests, target_digests = digest_of(source, table, ws), digest_of(target, table, ws)
    differing = sorted(
        each
        for each in source_digests.keys() | target_digests.keys()
        if source_digests.get(each) != target_digests.get(each)
    )
    if not differing:
        return 0
    if target_digests:
        target.execute(f"DELETE {table.rows_sql(ws, differing)}".encode())
    send_rows(source, target, table, table.rows_sql(ws, differing if target_digests else None))
    if digest_of(target, table, ws) != source_digests:
        raise CopyDiffers(table.name)
    keep_numbers_apart(source, target, table)
    return sum(source_digests[each][0] for each in differing if each in source_digests)


def send_rows(source: Raw, target: Raw, table: CopiedTable, rows: str) -> None:
    """Through a table of the transaction's own, since rows cannot be copied straight behind row security."""
    columns = table.columns_sql
    target.execute(f"CREATE TEMPORARY TABLE incoming AS SELECT {columns} FROM {table.name} WITH NO DATA".encode())
    with source.cursor() as reader, target.cursor() as writer:
        out, into = f"COPY (SELECT {columns} {rows}) TO STDOUT", f"COPY incoming ({columns}) FROM STDIN"
        with reader.copy(out.encode()) as sent, writer.copy(into.encode()) as taken:
            for block in sent:
                taken.write(block)
    insert = f"INSERT INTO {table.name} ({columns}) OVERRIDING SYSTEM VALUE SELECT {columns} FROM incoming"
    target.execute(insert.encode())
    target.execute(b"DROP TABLE incoming")


def keep_numbers_apart(source: Raw, target: Raw, table: CopiedTable) -> None:
    """Let the target number new rows after those of the source: a number never comes twice in a workspace.

    The numbers between are drawn one by one: setting the counter could take back one that another writer has drawn.
    """
    if table.numbered is None:
        return
    named = f"SELECT PG_GET_SERIAL_SEQUENCE('{table.name}', '{table.numbered}')".encode()
    [[of_source]], [[of_target]] = source.execute(named).fetchall(), target.execute(named).fetchall()
    [[reached]] = source.execute(f"SELECT last_value FROM {of_source}".encode()).fetchall()
    [[own]] = target.execute(f"SELECT last_value FROM {of_target}".encode()).fetchall()
    target.execute(f"SELECT COUNT(NEXTVAL('{of_target}')) FROM GENERATE_SERIES(1, {reached - own})".encode())


def copy_workspace_row(source: Raw, target: Raw, ws: int) -> None:
    """The last transaction; the name stays in the catalogue, and stands for itself here."""
    query = b"SELECT created_at, last_tx FROM workspace WHERE ws = %s"
    [[created_at, last_tx]] = source.execute(query, (ws,)).fetchall()
    target.execute(
        b"INSERT INTO workspace (ws, name, created_at, last_tx) VALUES (%s, %s, %s, %s)"
        b" ON CONFLICT (ws) DO UPDATE SET last_tx = EXCLUDED.last_tx",
        (ws, f"moved:{ws}", created_at, last_tx),
    )


def drop_copy(target: Raw, ws: int) -> int:
    """Delete the rows of a workspace that lives elsewhere; how many there were."""
    return sum(target.execute(f"DELETE {each.rows_sql(ws, None)}".encode()).rowcount for each in copied_tables(target))


KEYS_AT_ONCE = 20_000
LOCK_TRIES = 10
_NAME = "note_changed_row"
_TAKE = b"SELECT number, changed, key::TEXT FROM changed_row WHERE ws = %s ORDER BY number LIMIT %s"


@contextmanager
def noting_changes(pool: PostgresPool, ws: int) -> Iterator[None]:
    """Inside, every row that changes in a workspace is noted; what a killed command left behind goes first."""
    forget_changes(pool, ws)
    with transaction(pool, "BEGIN", ws) as raw:
        tables = copied_tables(raw)
    try:
        for each in tables:
            columns = ", ".join(f"'{column}'" for column in each.key)
            when = f"AFTER INSERT OR UPDATE OR DELETE ON {each.name} FOR EACH ROW"
            _alter(pool, ws, f"CREATE TRIGGER {_trigger(ws)} {when} EXECUTE FUNCTION {_NAME}('{ws}', {columns})")
        yield
    finally:
        forget_changes(pool, ws)


def forget_changes(pool: PostgresPool, ws: int) -> None:
    """Stop noting changes, and forget those that were noted."""
    with transaction(pool, "BEGIN", ws) as raw:
        named = raw.execute(b"SELECT tgrelid::REGCLASS::TEXT FROM pg_trigger WHERE tgname = %s", (_trigger(ws),))
        noted = [name for [name] in named.fetchall()]
    for each in noted:
        _alter(pool, ws, f"DROP TRIGGER IF EXISTS {_trigger(ws)} ON {each}")
    with transaction(pool, "BEGIN", ws) as raw:
        raw.execute(b"DELETE FROM changed_row WHERE ws = %s", (ws,))
        raw.execute(b"COMMIT", prepare=False)


def noted_workspaces(pool: PostgresPool) -> list[int]:
    """The workspaces whose changes are noted here, by a move or since one was killed."""
    with transaction(pool, "BEGIN", None) as raw:
        named = raw.execute(b"SELECT DISTINCT tgname FROM pg_trigger WHERE tgname ~ %s", (f"^{_NAME}_[0-9]+$",))
        return sorted(int(name.removeprefix(f"{_NAME}_")) for [name] in named.fetchall())


def _trigger(ws: int) -> str:
    return f"{_NAME}_{ws}"


def _alter(pool: PostgresPool, ws: int, statement: str) -> None:
    """Change a table as soon as no transaction writes to it; others wait for us only for a moment."""
    for left in reversed(range(LOCK_TRIES)):
        try:
            with transaction(pool, "BEGIN", ws, "; SET LOCAL lock_timeout = '2s'") as raw:
                raw.execute(statement.encode())
                raw.execute(b"COMMIT", prepare=False)
                return
        except StoreBusy:
            if not left:
                raise


def copy_changes(source: Raw, target: Raw, ws: int, tables: Sequence[CopiedTable]) -> tuple[list[int], int]:
    """Make the rows with noted keys in the target those of the source; the notes that are done, and how many rows."""
    notes = source.execute(_TAKE, (ws, KEYS_AT_ONCE)).fetchall()
    keys: dict[str, set[str]] = {}
    for _, changed, key in notes:
        keys.setdefault(changed, set()).add(key)
    rows = sum(_copy_keys(source, target, each, sorted(keys[each.name])) for each in tables if each.name in keys)
    return [number for number, _, _ in notes], rows


def drop_notes(raw: Raw, ws: int, numbers: Sequence[int]) -> None:
    raw.execute(b"DELETE FROM changed_row WHERE ws = %s AND number = ANY(%s)", (ws, list(numbers)))


def _copy_keys(source: Raw, target: Raw, table: CopiedTable, keys: Sequence[str]) -> int:
    wanted = f"[{','.join(keys)}]"
    where = _with_keys(table, wanted)
    target.execute(f"DELETE FROM {table.name} {where}".encode())
    send_rows(source, target, table, f"FROM {table.name} {where}")
    if _digests(source, table, where) != _digests(target, table, where):
        raise CopyDiffers(table.name)
    keep_numbers_apart(source, target, table)
    return len(keys)


def _with_keys(table: CopiedTable, keys: str) -> str:
    """The condition that a row has one of these keys, which are a list in JSON."""
    columns = ", ".join(f'"{each}"' for each in table.key)
    escaped = keys.replace("'", "''")
    # A row of the table tells the types; its name may be that of a type of the server's own.
    row = f"(SELECT r FROM {table.name} r LIMIT 0)"
    return f"WHERE ({columns}) IN (SELECT {columns} FROM JSONB_POPULATE_RECORDSET({row}, '{escaped}'))"


def _digests(raw: Raw, table: CopiedTable, where: str) -> list[int]:
    return sorted(digest for [digest] in raw.execute(f"SELECT {table.digest_sql} FROM {table.name} {where}".encode()))
