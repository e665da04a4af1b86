"""Queries of transactions: who wrote when, what each began, and the versions of facts and entities."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, TypeVar

from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.model.ids import EntityId, FactId
from recollect.store.fact_rows import FactRow, fact_row_of
from recollect.store.rows import fact_of
from recollect.store.tables import OPEN
from recollect.store.view import Counts, Tx, View
from recollect.store.workspaces import list_workspaces
from recollect.when.instant import MAX, MIN, Instant

Id = TypeVar("Id", EntityId, FactId)


@dataclass(frozen=True, slots=True)
class ActivityFilter:
    """Which transactions to list; `before` is the cursor: only those with a lower number."""

    actor: str | None = None
    surface: str | None = None
    tool: str | None = None
    entity: EntityId | None = None
    since: int = MIN
    until: int = MAX
    before: int = OPEN
    limit: int = 25


class Author(NamedTuple):
    """Somebody who wrote, and through which tool."""

    surface: str
    tool: str
    actor: str


class AliasChange(NamedTuple):
    """An alias that was added or removed."""

    entity: EntityId
    spelling: str
    is_added: int


class SettingChange(NamedTuple):
    """A setting as JSON, before and after; None if it had no value."""

    key: str
    before: str | None
    after: str


class DecisionRow(NamedTuple):
    question: str
    choice: str


def list_transactions(view: View, where: ActivityFilter) -> list[Tx]:
    """The transactions wanted, newest first."""
    parameters = asdict(where)
    if parameters.pop("entity") is None:
        return view.fetch(Tx, "activity", **parameters)
    return view.fetch(Tx, "activity_of_entity", entity=where.entity, **parameters)


def recent_authors(view: View, limit: int) -> list[Author]:
    """Who wrote the last so many transactions."""
    return view.fetch(Author, "activity_authors", limit=limit)


def count_facts_begun(view: View, tx: int) -> int:
    return view.fetch_number("facts_begun_count", tx=tx)


def entities_begun(view: View, tx: int, limit: int) -> list[Entity]:
    """The versions of entities that a transaction began."""
    return view.fetch_entities("entities_begun_by", tx=tx, limit=limit)


def entities_ended(view: View, tx: int, ids: Collection[EntityId]) -> dict[EntityId, Entity]:
    """The versions of these entities that a transaction ended."""
    found = view.fetch_entities("entities_ended_by", tx=tx, ids=sorted(ids)) if ids else ()
    return {entity.id: entity for entity in found}


def alias_changes(view: View, tx: int, limit: int) -> list[AliasChange]:
    return view.fetch(AliasChange, "aliases_begun_by", tx=tx, limit=limit)


def setting_changes(view: View, tx: int, limit: int) -> list[SettingChange]:
    return view.fetch(SettingChange, "settings_begun_by", tx=tx, limit=limit)


def decisions_made(view: View, tx: int, limit: int) -> list[DecisionRow]:
    """The decisions of reviews that a transaction recorded."""
    return view.fetch(DecisionRow, "decisions_begun_by", tx=tx, limit=limit)


def facts_touched(view: View, after: int, upto: int, limit: int) -> list[FactId]:
    """Facts of which a version began or ended after one transaction and up to another, the newest first."""
    return [fact for fact, _ in view.rows("facts_touched_between", after=after, upto=upto, limit=limit)]


def entities_touched(view: View, after: int, upto: int, limit: int) -> list[EntityId]:
    """Entities of which a version began or ended after one transaction and up to another, the newest first."""
    return [entity for entity, _ in view.rows("entities_touched_between", after=after, upto=upto, limit=limit)]


def growth_between(view: View, after: int, upto: int) -> Counts:
    """By how much the counts grew after one transaction and up to another."""
    [counts] = view.fetch(Counts, "counts_between", after=after, upto=upto)
    return counts


def counts_since(view: View, before: Counts, tx: int) -> Counts:
    """The counts of a view, from those as of an earlier transaction; reads what changed since."""
    change = growth_between(view, tx, view.last_tx)
    entities, facts, documents = (was + more for was, more in zip(before[:3], change[:3], strict=True))
    return Counts(entities, facts, documents, change.jobs)


def storage_bytes(view: View) -> int:
    """The size of the whole store, other workspaces included."""
    return int(next(iter(view.rows("storage_bytes")))[0])


def time_of_last_transaction(view: View) -> Instant | None:
    """When the last transaction of this view happened; none if there was none."""
    rows = view.rows("tx_time")
    return Instant(rows[0][0]) if rows else None


def instants_of(view: View, txs: Collection[int]) -> dict[int, Instant]:
    """By number, when transactions happened."""
    return {tx: Instant(at) for tx, at in view.rows("tx_instants", txs=sorted(set(txs)))} if txs else {}


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


def dated_facts_among(view: View, facts: Collection[FactId]) -> list[FactRow]:
    """Those of these facts that are neither stale nor retracted, and have a bound or are events."""
    return [fact_row_of(row) for row in view.rows("facts_with_dates", facts=sorted(facts))] if facts else []


def changes_of_entities(view: View, entities: Collection[Entity]) -> dict[EntityId, int]:
    """By entity, the transaction of the change that stands."""
    return _changes_of(view, {each.id: each.tx_from for each in entities}, view.entity_versions)


def changes_of_facts(view: View, facts: Collection[Fact]) -> dict[FactId, int]:
    """By fact, the transaction of the change that stands."""
    return _changes_of(view, {each.id: each.tx_from for each in facts}, view.fact_versions)


def _changes_of(
    view: View, changed: Mapping[Id, int], versions: Callable[[Id], Iterable[Entity | Fact]]
) -> dict[Id, int]:
    undone = _undone_by(view, changed.values())
    return {
        id_: _standing(view, tx, (each.tx_from for each in versions(id_))) if tx in undone else tx
        for id_, tx in changed.items()
    }


def _standing(view: View, changed: int, versions: Iterable[int]) -> int:
    """The transaction that first made a version as it is, given those that began versions: undos are followed back."""
    begun = list(versions)
    undone = _undone_by(view, begun)
    while (undo := undone.get(changed)) is not None and (before := [tx for tx in begun if tx < undo]):
        changed = max(before)
    return changed


def _undone_by(view: View, txs: Iterable[int]) -> dict[int, int]:
    """By the number of each undo among these transactions, what it undoes."""
    wanted = sorted(set(txs))
    return dict(view.rows("transactions_undone", txs=wanted)) if wanted else {}
