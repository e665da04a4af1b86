"""Recording a held fact once it was decided which entity is meant."""

from recollect.ingest.notes import remember
from recollect.ingest.notes.fact_request import parse_fact
from recollect.model.ids import EntityId, FactId
from recollect.store.change import Change
from recollect.store.held_fact_queries import HeldFact, drop_held_fact
from recollect.surfaces.recollect.parameters import read_when


def record_held_fact(change: Change, held: HeldFact, entity: EntityId | None) -> tuple[FactId, ...]:
    """Record a held fact with the entity chosen, or a new one; if its other end is ambiguous too, it is held again."""
    request = parse_fact(held.claim, "fact", lambda text, field: read_when(change.world, text, field))
    outcome = remember.record_held_fact(change, held, request, entity)
    if outcome.error is not None:
        raise outcome.error
    if outcome.fact is None:
        drop_held_fact(change, held.id)
    return (*(() if outcome.fact is None else (outcome.fact,)), *outcome.replaced, *outcome.conflicts_with)
