"""Typed queries for current facts as links between two entities, with columns of the newest assertion."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from recollect.model.ids import EntityId, FactId
from recollect.store.rows import read_json
from recollect.store.view import View
from recollect.when.instant import Instant


class LinkRow(NamedTuple):
    """A current fact with both ends; the columns from `source_at` on are those of its newest assertion."""

    id: FactId
    predicate: str
    literal: str | None
    recorded_at: Instant
    source_count: int
    subject: EntityId
    subject_type: str
    subject_name: str
    object: EntityId | None
    object_type: str | None
    object_name: str | None
    source_at: Instant
    tx: int
    confidence: float
    given: str | None
    document: str | None
    source_url: str | None
    source_key: str | None
    attributes: str

    @property
    def marks(self) -> Mapping[str, Any]:
        """All that is noted of the fact besides what it says."""
        return read_json(self.attributes)


class LinkNeighbourRow(NamedTuple):
    """An entity, and the number of facts that link it to another."""

    id: EntityId
    type: str
    name: str
    facts: int


class LinkedEntityRow(NamedTuple):
    """An entity, when it was created and by which transaction."""

    id: EntityId
    type: str
    name: str
    created_at: Instant
    tx: int


def links_of_entity(
    view: View, entity: EntityId, predicates: Sequence[str], limit: int, closed: Collection[FactId] = ()
) -> list[LinkRow]:
    """Links of an entity without the closed items, newest record first."""
    parameters = {"entity": entity, "predicates": predicates, "limit": limit, "closed": sorted(closed)}
    return view.fetch(LinkRow, "links_about", **parameters, **_present(view))


def links_of_entities(view: View, entities: Collection[EntityId], predicates: Sequence[str]) -> list[LinkRow]:
    """Links of any of these entities, newest source first."""
    return view.fetch(LinkRow, "links_touching", entities=sorted(entities), predicates=predicates, **_present(view))


def links_with_predicates(
    view: View, predicates: Sequence[str], since: Instant | None, literal: str | None
) -> list[LinkRow]:
    """Links of the whole workspace, newest source first."""
    return view.fetch(LinkRow, "links_with", predicates=predicates, since=since, literal=literal, **_present(view))


def link_neighbours(
    view: View, entity: EntityId, predicates: Sequence[str], limit: int, closed: Collection[FactId] = ()
) -> list[LinkNeighbourRow]:
    """The entities that share most facts with this one, closed items not counted."""
    parameters = {"entity": entity, "predicates": predicates, "limit": limit, "closed": sorted(closed)}
    return view.fetch(LinkNeighbourRow, "link_neighbours", **parameters, **_present(view))


def entities_linked_since(
    view: View, types: Sequence[str], predicates: Sequence[str], since: Instant
) -> list[LinkedEntityRow]:
    """Live entities of these types that were created, or linked to anything, since then."""
    return view.fetch(
        LinkedEntityRow, "entities_linked_since", types=types, predicates=predicates, since=since, **_present(view)
    )


def _present(view: View) -> dict[str, int]:
    at = view.world.now
    return {"at_lo": at.lo, "at_hi": at.hi}
