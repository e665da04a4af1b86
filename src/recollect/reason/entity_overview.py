"""Overview of an entity: its newest facts, its neighbours and its open conflicts."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from recollect.model.fact import Label
from recollect.model.history import is_current
from recollect.model.ids import EntityId
from recollect.store.fact_rows import FactFilter, FactRow, FactSummaryRow, newest_first
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
    """The newest facts of those wanted; ranking and counting are left to the store only if there are more of them."""
    asked = wanted.parameters()
    rows = view.rows("gists_about", entity=entity, **asked)
    if len(rows) <= wanted.limit:
        return NewestFacts(newest_first(map(FactSummaryRow._make, rows)), len(rows))
    ranked = view.rows("gists_about_counted", entity=entity, **asked)
    return NewestFacts([FactSummaryRow._make(row[:-1]) for row in ranked], ranked[0][-1])


ConnectionDirection = Literal["outgoing", "incoming", "both"]


class EntityConnection(NamedTuple):
    """One neighbour by one kind of fact, however many facts stand behind it."""

    entity: EntityId
    name: str
    type: str
    label: Label
    fact_type: str
    fact_count: int
    last_source_at: Instant
    direction: ConnectionDirection


@dataclass(frozen=True, slots=True)
class EntityConnections:
    """The newest connections of an entity, and how many it has in all."""

    newest: tuple[EntityConnection, ...]
    count: int

    @property
    def is_cut(self) -> bool:
        return self.count > len(self.newest)


def find_connections(view: View, entity: EntityId, wanted: FactFilter) -> EntityConnections:
    """The neighbours over the facts wanted, the last said first; no entity is its own neighbour."""
    rows = view.rows("connections_of", entity=entity, **wanted.parameters())
    found = tuple(EntityConnection._make((*row[:7], _direction_of(row[7], row[5]))) for row in rows)
    return EntityConnections(found, rows[0][8] if rows else 0)


def _direction_of(outgoing: int, facts: int) -> ConnectionDirection:
    if not outgoing:
        return "incoming"
    return "outgoing" if outgoing == facts else "both"


DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class OpenConflict:
    """Two facts that disagree, the earlier said first: by dispute, or only since they were said at one time."""

    one: FactRow
    other: FactRow
    is_disputed: bool


def find_open_conflicts(view: View, entity: EntityId | None = None) -> list[OpenConflict]:
    """Every open pair of the workspace or of one entity, newest pair first."""
    pairs = view.disputes(entity)
    at = view.world.present
    seen = {each.fact.id: each for each in view.fact_rows({end for pair in pairs for end in (pair.one, pair.other)})}
    current = {fact: each for fact, each in seen.items() if is_current(each.fact, at)}
    found = [
        _order_pair(current[pair.one], current[pair.other], pair.reason == DISPUTED)
        for pair in pairs
        if pair.one in current and pair.other in current
    ]
    return sorted(found, key=lambda pair: (pair.other.order, pair.one.order), reverse=True)


def _order_pair(one: FactRow, other: FactRow, is_disputed: bool) -> OpenConflict:
    return OpenConflict(one, other, is_disputed) if one.order <= other.order else OpenConflict(other, one, is_disputed)
