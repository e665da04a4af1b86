"""Overview of an entity: its newest facts, recent activity, neighbours and open conflicts."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from recollect.model.fact import DISPUTED, OUTRANKED
from recollect.model.history import is_current
from recollect.model.ids import EntityId, FactId
from recollect.reason.closures.open_items import ITEM_PREDICATES, Closing
from recollect.reason.items.item_lookup import closed_among, closed_items, closings_of, spellings_of_blockers
from recollect.store import edge_queries
from recollect.store.edge_queries import ConnectionRow
from recollect.store.fact_rows import SUMMARY_ORDER, FactFilter, FactRow, FactSummaryRow, newest_first
from recollect.store.view import View
from recollect.when.instant import Instant


@dataclass(frozen=True, slots=True)
class NewestFacts:
    """The newest facts, newest first, and how many there are in all."""

    facts: list[FactSummaryRow]
    count: int

    @property
    def is_cut(self) -> bool:
        return self.count > len(self.facts)


def newest_facts(view: View, entity: EntityId, wanted: FactFilter) -> NewestFacts:
    """The newest of the facts wanted; the store ranks and counts them only if there are more than the limit."""
    facts = edge_queries.facts_about(view, entity, wanted)
    if len(facts) <= wanted.limit:
        return NewestFacts(sorted(facts, key=SUMMARY_ORDER, reverse=True), len(facts))
    return NewestFacts(*edge_queries.newest_facts_about(view, entity, wanted))


def newest_open_facts(view: View, entity: EntityId, wanted: FactFilter) -> tuple[NewestFacts, Mapping[FactId, Closing]]:
    """The newest of the facts wanted without closed items, unless every fact is wanted; and the closed items.

    The facts are read first: most entities have no item that a fact may close, and then nothing else is read.
    """
    found = newest_facts(view, entity, wanted)
    is_cut = found.is_cut and not wanted.every  # closed items among the facts that were cut would free places
    closed = closed_items(view, {entity}) if is_cut else closed_among(view, entity, found.facts)
    if wanted.every:
        return found, closed
    if closed:
        wanted = replace(wanted, closed=frozenset(closed))
        found = newest_facts(view, entity, wanted)
    return with_each_blocker_once(view, entity, wanted, found), closed


def with_each_blocker_once(view: View, entity: EntityId, wanted: FactFilter, found: NewestFacts) -> NewestFacts:
    """The facts, with one spelling of each blocker, which counts the sources of all."""
    sources: Counter[FactId] = Counter()
    while not wanted.every and (spelled := spellings_of_blockers(view, found.facts)):
        counted = {fact.id: sources[fact.id] or fact.source_count for fact in found.facts}
        for kept, others in spelled.items():
            sources[kept] = sum(counted[each] for each in (kept, *others))
        wanted = replace(wanted, closed=wanted.closed.union(*spelled.values()))
        found = newest_facts(view, entity, wanted)
    if not sources:
        return found
    return NewestFacts(
        [fact._replace(source_count=sources[fact.id] or fact.source_count) for fact in found.facts], found.count
    )


@dataclass(frozen=True, slots=True)
class EntityConnections:
    """The newest connections of an entity, and how many it has in all."""

    newest: tuple[ConnectionRow, ...]
    count: int

    @property
    def is_cut(self) -> bool:
        return self.count > len(self.newest)


def find_connections(view: View, entity: EntityId, wanted: FactFilter) -> EntityConnections:
    """The neighbours over the facts wanted, newest source first; no entity is its own neighbour."""
    rows = edge_queries.connections_of(view, entity, wanted)
    return EntityConnections(tuple(rows), rows[0].total if rows else 0)


@dataclass(frozen=True, slots=True)
class OpenConflict:
    """Two facts that disagree, older first: disputed, or only stated at the same time with neither preferred."""

    one: FactRow
    other: FactRow
    is_disputed: bool


def find_open_conflicts(view: View, entity: EntityId | None = None) -> list[OpenConflict]:
    """Every open conflict of the workspace or of one entity, newest first."""
    pairs = view.disputes(entity)
    at = view.world.present
    rows = view.fact_rows({end for pair in pairs for end in (pair.one, pair.other)})
    closed = closings_of(view, [row.fact for row in rows if row.fact.predicate in ITEM_PREDICATES])
    current = {row.fact.id: row for row in rows if is_current(row.fact, at) and row.fact.id not in closed}
    outranked = {row.fact.id: row for row in rows if row.fact.replaced_by is not None and row.fact.id not in closed}
    conflicts = []
    for pair in pairs:
        # A fact that challenges a more trusted one is stale until somebody decides.
        asked = current | outranked if pair.reason == OUTRANKED else current
        if pair.one in asked and pair.other in asked and (pair.one in current or pair.other in current):
            conflicts.append(_order_pair(asked[pair.one], asked[pair.other], pair.reason == DISPUTED))
    return sorted(conflicts, key=lambda pair: (pair.other.order, pair.one.order), reverse=True)


def _order_pair(one: FactRow, other: FactRow, is_disputed: bool) -> OpenConflict:
    return OpenConflict(one, other, is_disputed) if one.order <= other.order else OpenConflict(other, one, is_disputed)


REFERENCE_TYPE = "reference"


def recent_activity(
    view: View, entity: EntityId, wanted: FactFilter, since: Instant, known: NewestFacts
) -> NewestFacts:
    """Transitions and references, newest first; queried only if the facts already read do not reach back that far."""
    if not known.is_cut or known.facts[-1].source_at < since:
        found = [fact for fact in known.facts if _is_activity(fact, since)]
        return NewestFacts(found, len(found))
    changes = newest_facts(view, entity, replace(wanted, since=since, label="TRANSITIONED"))
    references = newest_facts(view, entity, replace(wanted, since=since, label="ASSERTED", fact_type=REFERENCE_TYPE))
    both = newest_first((*changes.facts, *references.facts))
    return NewestFacts(both[: wanted.limit], changes.count + references.count)


def _is_activity(fact: FactSummaryRow, since: Instant) -> bool:
    is_kind = fact.label == "TRANSITIONED" or (fact.label == "ASSERTED" and fact.fact_type == REFERENCE_TYPE)
    return is_kind and fact.source_at >= since
