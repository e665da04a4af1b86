"""Workspaces: each sees only its own rows; how an import fills one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from recollect.errors import NotKnown
from recollect.store.port import Connection, Engine, Row, fetch
from recollect.store.view import View, Workspace
from recollect.when.clock import Clock
from recollect.when.instant import Instant

if TYPE_CHECKING:
    from recollect.store.change import Change
    from recollect.store.table_dump import DumpTable


class UnknownWorkspace(NotKnown):
    code = "unknown_workspace"

    def __init__(self, name: str, known: Sequence[str] = ()) -> None:
        from difflib import get_close_matches

        # The workspace of a repository is called after its folder, with a mark of its place.
        near = get_close_matches(name, known, n=1) or [each for each in known if each.startswith(f"{name}-")]
        hint = f"did you mean {near[0]!r}? Otherwise " if near else ""
        super().__init__(f"there is no workspace {name!r}; {hint}make it with: recollect workspace create {name}")


class StoredWorkspace(NamedTuple):
    ws: int
    name: str
    created_at: Instant
    last_tx: int


def all_workspaces(engine: Engine) -> list[StoredWorkspace]:
    """Every workspace, by name; of one that has moved, the last transaction before that."""
    with engine.reading() as connection:
        return list_workspaces(connection)


def list_workspaces(connection: Connection) -> list[StoredWorkspace]:
    return fetch(connection, StoredWorkspace, "workspaces")


def find_workspace(engine: Engine, name: str) -> Workspace | None:
    with engine.reading() as connection:
        found = fetch(connection, StoredWorkspace, "workspace_named", name=name)
    return Workspace(found[0].ws, found[0].name) if found else None


def rename_workspace(engine: Engine, workspace: Workspace, name: str) -> None:
    with engine.writing() as connection:
        connection.run("workspace_rename", {"ws": workspace.ws, "name": name})


def delete_workspace(engine: Engine, workspace: Workspace) -> None:
    """Delete everything in a workspace, its tokens included."""
    # Where it lives, then in the database with the list of workspaces, which may be another.
    for home in (workspace.ws, None):
        with engine.writing(home) as connection:
            # First the row that writers lock, so that none of them writes behind us.
            connection.run("workspace_end", {"ws": workspace.ws})
            # Word indexes without a workspace column are found through the rows they index.
            connection.run("passage_words_drop", {"ws": workspace.ws})
            connection.run("fact_words_drop", {"ws": workspace.ws})
            for (table,) in connection.rows("tables_by_workspace", {}):
                connection.delete_rows(table, workspace.ws)
    engine.compact()


def last_tx_of(engine: Engine, ws: int) -> int:
    """The number of the last transaction, asked where the workspace lives."""
    with engine.reading(ws) as connection:
        return next((int(tx) for (tx,) in connection.rows("last_tx", {"ws": ws})), 0)


def create_workspace(engine: Engine, name: str, clock: Clock) -> Workspace:
    """The workspace with this name, created if it is missing."""
    while True:
        with engine.writing() as connection:
            connection.run("workspace_create", {"name": name, "at": clock.now()})
            found = fetch(connection, StoredWorkspace, "workspace_named", name=name)
        # Where another process took the same number at the same time, the next attempt takes the next one.
        if found:
            return Workspace(found[0].ws, found[0].name)


def bypasses_row_security(engine: Engine) -> bool:
    """Whether the role that a PostgreSQL is used as sees the rows of every workspace whatever the policies say."""
    with engine.reading() as connection:
        return any(bypasses for (bypasses,) in connection.rows("role_bypasses_row_security", {}))


def fill_table(change: "Change", table: "DumpTable", rows: Sequence[Row]) -> None:
    """Insert exported rows, which lack the workspace."""
    change.connection.fill(table.name, table.columns, [(change.ws, *row) for row in rows])


def names_to_index(view: View) -> list[tuple[str, str]]:
    """The folded texts and keys of all names."""
    return [(folded, key) for folded, key in view.rows("names_to_index")]


def is_token_known(view: View, token: str) -> bool:
    """Whether the variants of a token are indexed."""
    return bool(view.rows("token_known", token=token))
