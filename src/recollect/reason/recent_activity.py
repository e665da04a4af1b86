"""What happened to an entity lately: transitions and references since a moment."""

from dataclasses import replace

from recollect.model.ids import EntityId
from recollect.reason.entity_overview import NewestFacts, newest_facts
from recollect.store.fact_rows import FactFilter, FactSummaryRow, newest_first
from recollect.store.view import View
from recollect.when.instant import Instant

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
