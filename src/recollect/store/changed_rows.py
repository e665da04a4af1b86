"""Rows of a workspace that change while it is copied to another PostgreSQL: noted by triggers, then copied by key.

A row is copied as it is when its key is looked up, so the order of changes does not matter, nor does a key that comes
twice.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from recollect.store.port import StoreBusy
from recollect.store.postgres import transaction
from recollect.store.postgres_connect import Raw
from recollect.store.postgres_pool import PostgresPool
from recollect.store.workspace_copy import CopiedTable, CopyDiffers, copied_tables, keep_numbers_apart, send_rows

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
