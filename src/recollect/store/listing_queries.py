"""Pages of entities, documents and predicates, and how many there are."""

from typing import NamedTuple

from recollect.model.ids import EntityId
from recollect.store.view import View
from recollect.when.instant import Instant


class ListedEntity(NamedTuple):
    id: EntityId
    name: str
    type: str
    facts: int


class ListedDocument(NamedTuple):
    key: str
    kind: str
    type: str
    title: str | None
    source_at: Instant


class ListedPredicate(NamedTuple):
    predicate: str
    facts: int


def list_entities(view: View, kind: str | None, limit: int) -> list[ListedEntity]:
    """Entities by name, each with the number of facts it occurs in."""
    return view.fetch(ListedEntity, "entities_page", type=kind, limit=limit)


def count_entities(view: View, kind: str | None) -> int:
    return view.fetch_number("entities_counted", type=kind)


def list_documents(view: View, kind: str | None, limit: int) -> list[ListedDocument]:
    """Documents, newest first; `kind` may be a kind or a type."""
    return view.fetch(ListedDocument, "documents_page", type=kind, limit=limit)


def count_documents(view: View, kind: str | None) -> int:
    return view.fetch_number("documents_counted", type=kind)


def list_predicates(view: View) -> list[ListedPredicate]:
    """Predicates with the number of their facts, most used first."""
    return view.fetch(ListedPredicate, "predicates_page")
