"""Typed queries behind the lists that surfaces print: entities, documents, folios, findings and transactions."""

from collections.abc import Collection
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import AssertionId, DocumentId, EntityId, FactId
from recollect.store.rows import entity_of
from recollect.store.view import Counts, View
from recollect.when.instant import Instant
from recollect.when.span import Span


class FolioStatistics(NamedTuple):
    """How much a folio holds, and the period its artifacts cover; no period if it has none."""

    commits: int
    artifacts: int
    first_at: Instant | None
    last_at: Instant | None


class SourceTitle(NamedTuple):
    """The document behind an assertion."""

    fact: FactId
    title: str | None
    key: str

    @property
    def name(self) -> str:
        return self.title or self.key


def source_titles(view: View, assertions: Collection[AssertionId]) -> dict[FactId, SourceTitle]:
    """By fact, the document that one of these assertions comes from; hand-written facts are missing."""
    found = view.fetch(SourceTitle, "source_titles", assertions=sorted(assertions)) if assertions else ()
    return {each.fact: each for each in found}


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


def entity_types(view: View) -> list[str]:
    """The stored types that any entity has."""
    return view.fetch_values("entity_types")


def entity_named(view: View, folded: str) -> Entity | None:
    """The entity that alone has this folded name; none if several match or it matches as an alias."""
    rows = view.rows("entities_named", folded=folded)
    if len(rows) != 1:
        return None
    kind, *columns = rows[0]
    return entity_of(tuple(columns)) if kind == "name" else None


def unconfirmed_entities(view: View) -> list[Entity]:
    """Live entities that are still provisional."""
    return view.fetch_entities("entities_unconfirmed")


def entities_with_any_role(view: View) -> list[Entity]:
    """Live entities that have a role property."""
    return view.fetch_entities("entities_with_role")


def list_entities(view: View, type_: str | None, *, deleted: bool, limit: int, offset: int) -> list[Entity]:
    """Entities of a type, or of any, last changed first."""
    query = "nodes_listed" if type_ is None else "nodes_listed_of_type"
    return view.fetch_entities(query, type=type_, deleted=int(deleted), limit=limit, offset=offset)


def count_entities(view: View, type_: str | None, *, deleted: bool) -> int:
    return view.fetch_number("nodes_counted", type=type_, deleted=int(deleted))


def source_documents_of(view: View, entity: EntityId) -> list[DocumentId]:
    """Documents that the current relations of an entity come from."""
    return view.fetch_values("documents_behind", entity=entity, superseded=0)


def folio_names(view: View) -> list[str]:
    return [name for _, name, *_ in view.rows("folios")]


def folio_statistics(view: View, folio: str) -> FolioStatistics:
    [[commits]] = view.rows("commits_counted", folio=folio)
    [[artifacts, first_at, last_at]] = view.rows("folio_span", in_folio=folio)
    return FolioStatistics(commits, artifacts, first_at, last_at)


def open_findings_by_rule(view: View) -> dict[str, int]:
    """The number of open findings of each rule that has any."""
    counts: dict[str, int] = {}
    for rule, _, _, count, _ in view.rows("findings_counted"):
        counts[rule] = counts.get(rule, 0) + int(count)
    return counts


def time_of_last_transaction(view: View) -> Instant | None:
    """When the last transaction of this view happened; none if there was none."""
    rows = view.rows("tx_time")
    return Instant(rows[0][0]) if rows else None


def documents_in_folio(view: View, folio: str) -> list[DocumentId]:
    return view.fetch_values("documents_in_folio", folio=folio)


def edge_counts(view: View, entities: Collection[EntityId], at: Span) -> dict[EntityId, int]:
    """How many current edges each entity has; those without any are missing."""
    return dict(view.rows("edge_counts", entities=sorted(entities), at_lo=at.lo, at_hi=at.hi))


def newest_of(view: View, documents: Collection[DocumentId]) -> Instant | None:
    """The newest source time of documents."""
    [[newest]] = view.rows("newest_of_documents", ids=sorted(documents))
    return None if newest is None else Instant(newest)


def last_seen(view: View, entities: Collection[EntityId]) -> dict[EntityId, Instant]:
    """The newest source time of each entity's facts."""
    return dict(view.rows("entities_last_seen", entities=sorted(entities)))
