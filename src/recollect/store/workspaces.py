"""Workspaces: each sees only its own rows."""

from typing import NamedTuple

from recollect.store.port import Engine, fetch
from recollect.store.view import Workspace
from recollect.when.clock import Clock
from recollect.when.instant import Instant


class StoredWorkspace(NamedTuple):
    ws: int
    name: str
    created_at: Instant
    last_tx: int


def all_workspaces(engine: Engine) -> list[StoredWorkspace]:
    """Every workspace, by name."""
    with engine.reading() as connection:
        return fetch(connection, StoredWorkspace, "workspaces")


def find_workspace(engine: Engine, name: str) -> Workspace | None:
    with engine.reading() as connection:
        found = fetch(connection, StoredWorkspace, "workspace_named", name=name)
    return Workspace(found[0].ws, found[0].name) if found else None


def create_workspace(engine: Engine, name: str, clock: Clock) -> Workspace:
    """The workspace with this name, created if it is missing."""
    with engine.writing() as connection:
        connection.run("workspace_create", {"name": name, "at": clock.now()})
        [created] = fetch(connection, StoredWorkspace, "workspace_named", name=name)
    return Workspace(created.ws, created.name)
