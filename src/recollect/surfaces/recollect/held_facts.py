"""Recording a held fact once it was decided which entity is meant."""

from recollect.model.ids import EntityId, FactId
from recollect.store.change import Change
from recollect.store.held_fact_queries import HeldFact


def record_held_fact(change: Change, held: HeldFact, entity: EntityId | None) -> tuple[FactId, ...]:
    """Record a held fact with the entity chosen, or with a new one."""
    raise NotImplementedError
