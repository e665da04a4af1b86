"""Typed queries over history and over the list of workspaces."""

from collections.abc import Collection
from typing import NamedTuple

from recollect.model.ids import EntityId, FactId
from recollect.store.port import Connection
from recollect.store.view import View
from recollect.when.instant import Instant


class WorkspaceRow(NamedTuple):
    ws: int
    name: str
    created_at: Instant
    last_tx: int


class HistorySourceRow(NamedTuple):
    """The source that one assertion of a fact names, and the transaction that added it."""

    fact: FactId
    tx: int
    given: str | None
    document: str | None
    url: str | None
    key: str | None


def list_workspaces(connection: Connection) -> list[WorkspaceRow]:
    return list(map(WorkspaceRow._make, connection.rows("workspaces", {})))


def all_facts_of_entity(view: View, entity: EntityId) -> list[FactId]:
    """Facts that ever had the entity at either end."""
    return [fact for (fact,) in view.rows("facts_ever_touching", ids=[entity])]


def all_sources_of_facts(view: View, facts: Collection[FactId]) -> list[HistorySourceRow]:
    """Sources ever given for these facts, oldest first."""
    return list(map(HistorySourceRow._make, view.rows("sources_ever", facts=sorted(facts)))) if facts else []


def undoing_transactions(view: View, tx: int) -> list[int]:
    """Transactions that undid this one, newest first."""
    return [number for (number,) in view.rows("tx_undoing", tx=tx)]


def workspace_created_at(view: View) -> Instant:
    return next(row.created_at for row in list_workspaces(view.connection) if row.ws == view.ws)
