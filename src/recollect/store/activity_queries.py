"""Queries of the list of transactions: who wrote when, and what each transaction began."""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.store.tables import OPEN
from recollect.store.view import Tx, View
from recollect.when.instant import MAX, MIN


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
