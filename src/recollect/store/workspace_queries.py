"""Queries of workspace import: filling tables, and rebuilding the name index."""

from collections.abc import Sequence

from recollect.store.change import Change
from recollect.store.port import Row
from recollect.store.table_dump import DumpTable
from recollect.store.view import View


def fill_table(change: Change, table: DumpTable, rows: Sequence[Row]) -> None:
    """Insert exported rows, which lack the workspace."""
    change.connection.fill(table.name, table.columns, [(change.ws, *row) for row in rows])


def put_last_tx(change: Change, tx: int) -> None:
    change.connection.run("last_tx_put", {"ws": change.ws, "tx": tx})


def names_to_index(view: View) -> list[tuple[str, str]]:
    """The folded texts and keys of all names."""
    return [(folded, key) for folded, key in view.rows("names_to_index")]


def is_token_known(view: View, token: str) -> bool:
    """Whether the variants of a token are indexed."""
    return bool(view.rows("token_known", token=token))
