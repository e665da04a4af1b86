"""Queries of current facts as links: those of entities with their newest assertion, ties by predicate, degrees."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from recollect.model.ids import EntityId, FactId
from recollect.store.entity_queries import CountedEntity
from recollect.store.rows import read_json
from recollect.store.view import View
from recollect.when.instant import Instant
from recollect.when.span import Span


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


def sentences_of_entities(view: View, entities: Collection[EntityId], predicates: Sequence[str]) -> list[LinkRow]:
    """Like `links_of_entities`, with the facts that have their text alone instead of an object."""
    return view.fetch(LinkRow, "sentences_touching", entities=sorted(entities), predicates=predicates, **_present(view))


def sentences_with_predicates(view: View, predicates: Sequence[str]) -> list[LinkRow]:
    """Like `links_with_predicates`, with the facts that have their text alone instead of an object."""
    return view.fetch(LinkRow, "sentences_with", predicates=predicates, **_present(view))


def link_neighbours(
    view: View, entity: EntityId, predicates: Sequence[str], limit: int, closed: Collection[FactId] = ()
) -> list[CountedEntity]:
    """The entities that share most facts with this one, closed items not counted."""
    parameters = {"entity": entity, "predicates": predicates, "limit": limit, "closed": sorted(closed)}
    return view.fetch(CountedEntity, "link_neighbours", **parameters, **_present(view))


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


MAX_DEGREE = 1_000


class NeighborRow(NamedTuple):
    """A neighbour: its edges to the entities asked about, and about how many it has in all.

    `holding` of them are true at the time asked about.
    """

    far: EntityId
    edges: int
    holding: int
    newest: Instant
    degree: int


@dataclass(frozen=True, slots=True)
class Neighbors:
    """The neighbours with most edges, and how many neighbours there are by type, and edges by predicate."""

    nodes: list[NeighborRow]
    count_by_type: dict[str, int]
    edges_by_predicate: dict[str, int]


@dataclass(frozen=True, slots=True)
class NeighborFilter:
    """The time asked about, and the types and predicates wanted; none stand for all."""

    at: Span
    types: frozenset[str] = frozenset()
    predicates: frozenset[str] = frozenset()

    def parameters(self) -> dict[str, Any]:
        return {
            "at_lo": self.at.lo,
            "at_hi": self.at.hi,
            "any_type": int(not self.types),
            "types": sorted(self.types),
            "any_predicate": int(not self.predicates),
            "predicates": sorted(self.predicates),
        }


class TimedEdgeRow(NamedTuple):
    """An edge with the bounds of its valid time; None is open."""

    fact: FactId
    subject: EntityId
    object: EntityId
    predicate: str
    label: str
    from_lo: int | None
    until_hi: int | None
    confidence: float
    source_at: Instant


def ties_of(
    view: View, entities: Collection[EntityId], wanted: NeighborFilter, known: Collection[EntityId], limit: int
) -> Neighbors:
    """The live neighbours of these entities over edges of any valid time, without those known; the likeliest first."""
    asked = {"entities": sorted(entities), "known_nodes": sorted(known), **wanted.parameters()}
    nodes = [
        NeighborRow(far, int(edges), int(holding), newest, int(degree))
        for far, edges, holding, newest, degree in view.rows("ego_neighbours", limit=limit, **asked)
    ]
    types = {type_: int(count) for type_, count in view.rows("ego_neighbours_by_type", **asked)}
    counting = "ego_edges_of_types_by_predicate" if wanted.types else "ego_edges_by_predicate"
    predicates = {name: int(count) for name, count in view.rows(counting, **asked)}
    return Neighbors(nodes, types, predicates)


def timed_edges(view: View, entities: Collection[EntityId], limit: int) -> list[TimedEdgeRow]:
    """The edges between two of these entities, of any valid time, newest source first."""
    return view.fetch(TimedEdgeRow, "ego_edges", entities=sorted(entities), limit=limit) if entities else []


def degrees(view: View, entities: Collection[EntityId]) -> dict[EntityId, int]:
    """How many edges, of any valid time, each of these entities has; `MAX_DEGREE` and above mean at least so many."""
    return dict(view.rows("ego_degrees", entities=sorted(entities), limit=MAX_DEGREE)) if entities else {}
