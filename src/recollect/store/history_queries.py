"""Typed queries over history and over the list of workspaces."""

from collections.abc import Collection
from typing import Any, Literal, NamedTuple

from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.model.ids import EntityId, FactId
from recollect.store.fact_rows import FactRow, fact_row_of
from recollect.store.rows import fact_of
from recollect.store.view import Tx, View
from recollect.store.workspaces import list_workspaces
from recollect.when.instant import Instant


class HistorySourceRow(NamedTuple):
    """The source that one assertion of a fact names, and the transaction that added it."""

    fact: FactId
    tx: int
    given: str | None
    document: str | None
    url: str | None
    key: str | None


def all_facts_of_entity(view: View, entity: EntityId) -> list[FactId]:
    """Facts that ever had the entity at either end."""
    return view.fetch_values("facts_ever_touching", ids=[entity])


def all_sources_of_facts(view: View, facts: Collection[FactId]) -> list[HistorySourceRow]:
    """Sources ever given for these facts, oldest first."""
    return view.fetch(HistorySourceRow, "sources_ever", facts=sorted(facts)) if facts else []


def workspace_created_at(view: View) -> Instant:
    return next(row.created_at for row in list_workspaces(view.connection) if row.ws == view.ws)


class ChangeWindow(NamedTuple):
    """Transactions after one and up to another, of some facts or of all, and at most how many changes."""

    after: int
    upto: int
    limit: int
    facts: Collection[FactId] | None = None
    entities: Collection[EntityId] | None = None

    def parameters(self) -> dict[str, Any]:
        return {"after": self.after, "upto": self.upto, "limit": self.limit}


def fact_versions_begun(view: View, window: ChangeWindow) -> list[Fact]:
    """The versions of facts that began in a window, newest first."""
    parameters = window.parameters()
    if window.facts is None:
        return view.fetch_facts("fact_versions_begun", **parameters)
    return view.fetch_facts("fact_versions_begun_of", facts=sorted(window.facts), **parameters)


class RemovedFact(NamedTuple):
    """The last version of a fact, and the transaction that removed it."""

    fact: Fact
    tx: int


def facts_removed(view: View, window: ChangeWindow, undone_by: Collection[int]) -> list[RemovedFact]:
    """Facts that an undo removed, newest first; without a scope, those that one of these transactions removed."""
    parameters = window.parameters()
    if window.facts is None:
        rows = view.rows("fact_versions_removed", txs=sorted(undone_by), **parameters)
    else:
        rows = view.rows("fact_versions_removed_of", facts=sorted(window.facts), **parameters)
    return [RemovedFact(fact_of(row), row[-1]) for row in rows]


def fact_versions_before(view: View, versions: Collection[Fact]) -> dict[tuple[FactId, int], Fact]:
    """By fact and transaction, the version that this transaction ended."""
    if not versions:
        return {}
    ids, txs = sorted({each.id for each in versions}), sorted({each.tx_from for each in versions})
    rows = view.rows("fact_versions_ended_by", ids=ids, txs=txs)
    return {(row[0], row[-1]): fact_of(row) for row in rows}


def has_recorded(view: View, tx: int, subject: EntityId, predicate: str) -> bool:
    """Whether a transaction recorded a new fact with this subject and predicate."""
    return bool(view.rows("facts_recorded_by", tx=tx, subject=subject, predicate=predicate))


def entities_merged_or_deleted(view: View, window: ChangeWindow) -> list[Entity]:
    """The versions with which entities were merged or deleted in a window, newest first."""
    parameters = window.parameters()
    if window.entities is None:
        return view.fetch_entities("entities_merged_or_deleted", **parameters)
    # What was merged into an entity brought its facts along.
    from recollect.store.erasure_queries import ends_of

    candidates = ends_of(view, window.facts or ()) | set(window.entities)
    scope = {"candidates": sorted(candidates), "entities": sorted(window.entities)}
    return view.fetch_entities("entities_merged_or_deleted_of", **parameters, **scope)


def documents_first_or_hidden(view: View, window: ChangeWindow) -> list[Document]:
    """The first versions of documents, and those with which they were hidden, in a window, newest first."""
    return view.fetch_documents("documents_first_or_hidden", **window.parameters())


def undos(view: View, window: ChangeWindow) -> list[Tx]:
    """The transactions of a window that undo others, newest first."""
    return view.fetch(Tx, "undos", **window.parameters())


def transactions(view: View, numbers: Collection[int]) -> dict[int, Tx]:
    rows = view.fetch(Tx, "txs_by_number", txs=sorted(numbers)) if numbers else ()
    return {row.tx: row for row in rows}


def latest_names(view: View, entities: Collection[EntityId]) -> dict[EntityId, str]:
    """The last name of each entity, also of those that an undo removed."""
    return dict(view.rows("entity_names_ever", ids=sorted(entities))) if entities else {}


def entities_ever_named(view: View, folded: str) -> list[EntityId]:
    """Entities that ever had this folded text as a name, alias or identifier."""
    return view.fetch_values("entities_ever_named", folded=folded)


WorldOrder = Literal["facts_by_start", "facts_by_end", "events_by_source"]


def facts_in_world_order(view: View, order: WorldOrder, since: int, until: int, limit: int) -> list[FactRow]:
    """Facts that are neither stale nor retracted and begin, end or happen in a span, latest first."""
    return [fact_row_of(row) for row in view.rows(order, since=since, until=until, limit=limit)]


def dated_facts(view: View, facts: Collection[FactId]) -> list[FactRow]:
    """Those of these facts that are neither stale nor retracted, and have a bound or are events."""
    return [fact_row_of(row) for row in view.rows("facts_with_dates", facts=sorted(facts))] if facts else []
