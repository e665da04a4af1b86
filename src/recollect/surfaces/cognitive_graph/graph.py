"""What this surface sees of the graph: current facts with its predicates, their ends under its types."""

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import NamedTuple

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.reason.decisions import LINKING, Created
from recollect.reason.item_lookup import closed_items
from recollect.reason.links import Link, Moment, Ref, Told, source_of, told_by
from recollect.reason.newest import Newest, newest_facts
from recollect.resolve.answer import Resolution
from recollect.resolve.cascade import resolve
from recollect.store.port import Row
from recollect.store.seen import Wanted
from recollect.store.view import View
from recollect.surfaces.cognitive_graph.projection import Projection, projection_from
from recollect.surfaces.cognitive_graph.words import EntityType
from recollect.when.instant import Instant


class Neighbour(NamedTuple):
    """An entity and the number of facts that join it to another."""

    entity: Ref
    facts: int


class Graph:
    """One view through the surface's projection."""

    def __init__(self, memory: Memory, view: View) -> None:
        self.view = view
        self._memory = memory

    @cached_property
    def projection(self) -> Projection:
        return projection_from(self._memory.settings_in(self.view))

    @cached_property
    def _now(self) -> dict[str, int]:
        at = self.view.world.now
        return {"at_lo": at.lo, "at_hi": at.hi}

    def ref(self, entity: Entity) -> Ref:
        return Ref(entity.id, self.projection.type_of(entity.type), entity.name)

    def resolve(self, text: str, type_: EntityType | None = None) -> Resolution:
        """Whom a reader means, among the entities printed with this type."""
        names = self._memory.names(self.view)
        return resolve(names, text, self.projection.stored_types(type_)) if type_ else resolve(names, text)

    def about(self, entity: EntityId, limit: int) -> list[Link]:
        """The facts of an entity, newest record first."""
        known = self.projection.stored_predicates()
        rows = self.view.rows("links_about", entity=entity, predicates=known, limit=limit, **self._now)
        return [self._link(row) for row in rows]

    def others_about(self, entity: EntityId, limit: int) -> Newest:
        """The current facts of an entity whose predicates have no place here."""
        closed = frozenset(closed_items(self.view, {entity}))
        known = frozenset(self.projection.stored_predicates())
        at = self.view.world.now.span
        return newest_facts(self.view, entity, Wanted(at, limit=limit, closed=closed, without=known))

    def neighbours(self, entity: EntityId, limit: int) -> list[Neighbour]:
        """The entities that share most facts with this one."""
        known = self.projection.stored_predicates()
        rows = self.view.rows("link_neighbours", entity=entity, predicates=known, limit=limit, **self._now)
        return [Neighbour(self._ref(*row[:3]), row[3]) for row in rows]

    def touching(self, entities: Collection[EntityId], *predicates: str) -> list[Link]:
        """The facts of any of these entities with one of these predicates."""
        if not entities:
            return []
        known = self.projection.stored_predicates(predicates)
        rows = self.view.rows("links_touching", entities=sorted(entities), predicates=known, **self._now)
        return [self._link(row) for row in rows]

    def having(self, predicate: str, *, since: Instant | None = None, literal: str | None = None) -> list[Link]:
        """The facts of the whole workspace with this predicate."""
        known = self.projection.stored_predicates((predicate,))
        rows = self.view.rows("links_with", predicates=known, since=since, literal=literal, **self._now)
        return [self._link(row) for row in rows]

    def decisions_since(self, since: Instant) -> list[Created]:
        """Decision entities that were made, or linked to anything, since then."""
        types = sorted(self.projection.stored_types("decision").listed)
        known = self.projection.stored_predicates(LINKING)
        rows = self.view.rows("entities_linked_since", types=types, predicates=known, since=since, **self._now)
        return [Created(self._ref(*row[:3]), Moment(*row[3:])) for row in rows]

    def told(self, links: Iterable[Link]) -> dict[FactId, Told]:
        """What the assertions of each fact say; only facts said more than once are looked up."""
        told = {link.id: link for link in links}
        said_again = [link.id for link in told.values() if link.source_count != 1]
        assertions = self.view.assertions_of(said_again) if said_again else {}
        return {fact: told_by(assertions[fact]) if assertions.get(fact) else link.newest for fact, link in told.items()}

    def _ref(self, entity: EntityId, type_: str, name: str) -> Ref:
        return Ref(entity, self.projection.type_of(type_), name)

    def _link(self, row: Row) -> Link:
        fact, predicate, literal, recorded_at, source_count = row[:5]
        object_ = None if row[8] is None else self._ref(*row[8:11])
        latest = Moment(row[11], row[12])
        return Link(
            fact,
            self.projection.predicate_of(predicate),
            self._ref(*row[5:8]),
            object_,
            literal,
            recorded_at,
            latest,
            Told(latest, row[13], source_of(*row[14:18])),
            source_count,
        )
