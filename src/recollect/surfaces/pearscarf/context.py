"""`get_entity_context`: everything about one entity in one call."""

from dataclasses import replace

from recollect.memory import Memory
from recollect.model.ids import EntityId
from recollect.reason.connections import connections
from recollect.reason.item_lookup import closed_items
from recollect.reason.newest import Newest, newest_facts
from recollect.store.seen import Gist, Wanted, newest_first
from recollect.store.view import View
from recollect.surfaces.pearscarf.connections import show_connection
from recollect.surfaces.pearscarf.inputs import (
    DEFAULT_LIMIT,
    WINDOW_DAYS,
    Format,
    IncludeStale,
    Since,
    days_before,
    read_at,
)
from recollect.surfaces.pearscarf.results import EntityContext
from recollect.surfaces.pearscarf.shown import Printer
from recollect.surfaces.pearscarf.surface import surface
from recollect.surfaces.pearscarf.who import show_entity, the_entity
from recollect.surfaces.shapes import AsOf, AtTime, NameText
from recollect.when.instant import Instant

REFERENCE = "reference"


@surface.tool("read", example={"entity": "Lumen Audit"}, older={"entity": ("entity_name",)})
def get_entity_context(
    memory: Memory,
    entity: NameText,
    since: Since | None = None,
    include_stale: IncludeStale = False,
    format: Format = "chronological",  # noqa: A002 the published name
    as_of: AsOf = None,
    at_time: AtTime = None,
) -> EntityContext:
    """Everything about one entity: its facts, its connections and what happened lately.

    `recent_activity` holds changes and references since `since`, by default the last seven days.
    """
    with memory.read(as_of) as view:
        at, zone = read_at(view.world, at_time), view.world.zone
        who = the_entity(memory, view, entity)
        window = since or days_before(view.now, WINDOW_DAYS, zone)
        closed = frozenset(closed_items(view, {who.id}))
        wanted = Wanted(at, every=include_stale, limit=DEFAULT_LIMIT, closed=closed)
        facts = newest_facts(view, who.id, wanted)
        joined = connections(view, who.id, replace(wanted, every=False))
        recent = recent_activity(view, who.id, wanted, window.ends(zone)[0], facts)
        printer = Printer(view, at, closed)
        return {
            "entity": show_entity(who),
            "current_facts": printer.facts(facts.facts, format),
            "connections": [show_connection(each) for each in joined.newest],
            "recent_activity": printer.facts(recent.facts, format),
            "aliases": view.aliases(who),
            "since": window.said(zone),
            "truncated": facts.is_cut or joined.is_cut or recent.is_cut,
        }


def recent_activity(view: View, entity: EntityId, wanted: Wanted, since: Instant, known: Newest) -> Newest:
    """Transitions and references, newest first; read anew only where the facts known do not reach back."""
    if not known.is_cut or known.facts[-1].source_at < since:
        found = [fact for fact in known.facts if _is_activity(fact, since)]
        return Newest(found, len(found))
    changes = newest_facts(view, entity, replace(wanted, since=since, label="TRANSITIONED"))
    references = newest_facts(view, entity, replace(wanted, since=since, label="ASSERTED", fact_type=REFERENCE))
    both = newest_first((*changes.facts, *references.facts))
    return Newest(both[: wanted.limit], changes.count + references.count)


def _is_activity(fact: Gist, since: Instant) -> bool:
    is_kind = fact.label == "TRANSITIONED" or (fact.label == "ASSERTED" and fact.fact_type == REFERENCE)
    return is_kind and fact.source_at >= since
