"""Every row of a workspace, table by table, in an order that does not depend on the engine."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from recollect.store.port import Connection, Row
from recollect.store.queries import schema
from recollect.store.tables import CHUNK

DERIVED_TABLES = frozenset(
    "artifact artifact_tag chunk_word embedding fact_number fact_word indexed memory_entry memory_word name_word title "
    "token_variant vector_code vector_coded".split()
)
"""Tables that are rebuilt from the rest."""

PRIVATE_TABLES = frozenset(
    "access_token audit_chain audit_entry idempotent_call member mesh_secret mesh_slot mesh_token_used mesh_use "
    "changed_row closed_workspace mailbox_read migration shard shard_store shard_workspace sync_device sync_origin "
    "sync_peer workspace workspace_reader".split()
)
"""Tables that belong to one installation: secrets, who may do what, the audit log and running work."""

_CREATE = re.compile(r"CREATE TABLE (\w+) \((.*?)\n\);", re.DOTALL)
_ADD = re.compile(r"ALTER TABLE (\w+) ADD COLUMN (\w+) (?:BIGINT|TEXT) NOT NULL DEFAULT (?:(\d+)|'(\w+)')")
_DROP = re.compile(r"DROP TABLE (\w+)")
_COLUMN = re.compile(r"^  ([a-z]\w*) ", re.MULTILINE)
_KEY = re.compile(r"PRIMARY KEY \(([^)]*)\)")
_OWN_KEY = re.compile(r"^  (\w+) .* PRIMARY KEY", re.MULTILINE)


class DumpTable(NamedTuple):
    """A table: its columns, workspace first, its key, and the defaults of columns that were added later."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    added: tuple[int | str, ...] = ()

    def completed(self, row: Row) -> Row | None:
        """A row without its workspace, with the columns added after it was written; None if it does not fit."""
        missing = len(self.columns) - 1 - len(row)
        if not 0 <= missing <= len(self.added):
            return None
        return (*row, *self.added[len(self.added) - missing :])

    def __hash__(self) -> int:
        return hash(self.name)


@cache
def dump_tables() -> tuple[DumpTable, ...]:
    """The tables that are exported, by name; without chunks, since the engine assigns their numbers."""
    found: dict[str, DumpTable] = {}
    for _, _, script in schema("sqlite"):
        for name in _DROP.findall(script):
            found.pop(name, None)
        for name, body in _CREATE.findall(script):
            key = _KEY.search(body) or _OWN_KEY.search(body)
            found[name] = DumpTable(name, tuple(_COLUMN.findall(body)), tuple(key[1].split(", ")) if key else ())
        for name, column, number, word in _ADD.findall(script):
            before = found[name]
            added = (*before.added, word or int(number))
            found[name] = before._replace(columns=(*before.columns, column), added=added)
    excluded = DERIVED_TABLES | PRIVATE_TABLES | {CHUNK.name}
    return tuple(table for name, table in sorted(found.items()) if name not in excluded)


PASSAGES = DumpTable(CHUNK.name, CHUNK.columns, ("number",))


def dump_rows(connection: Connection, table: DumpTable, ws: int) -> Iterator[Row]:
    """Every row of a workspace without its number, in order."""
    return (row[1:] for row in connection.all_rows(table.name, table.columns, table.key, ws))
