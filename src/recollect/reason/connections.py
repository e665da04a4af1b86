"""The neighbours of an entity and the kinds of facts that join them."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from recollect.model.fact import Label
from recollect.model.ids import EntityId
from recollect.store.seen import Wanted
from recollect.store.view import View
from recollect.when.instant import Instant

Direction = Literal["outgoing", "incoming", "both"]


class Connection(NamedTuple):
    """One neighbour by one kind of fact, however many facts stand behind it."""

    entity: EntityId
    name: str
    type: str
    label: Label
    fact_type: str
    fact_count: int
    last_source_at: Instant
    direction: Direction


@dataclass(frozen=True, slots=True)
class Connections:
    """The newest connections of an entity, and how many it has in all."""

    newest: tuple[Connection, ...]
    count: int

    @property
    def is_cut(self) -> bool:
        return self.count > len(self.newest)


def connections(view: View, entity: EntityId, wanted: Wanted) -> Connections:
    """The neighbours over the facts wanted, the last said first; no entity is its own neighbour."""
    rows = view.rows("connections_of", entity=entity, **wanted.parameters())
    found = tuple(Connection._make((*row[:7], _direction(row[7], row[5]))) for row in rows)
    return Connections(found, rows[0][8] if rows else 0)


def _direction(outgoing: int, facts: int) -> Direction:
    if not outgoing:
        return "incoming"
    return "outgoing" if outgoing == facts else "both"
