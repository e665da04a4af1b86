"""`get_entity_context`: everything about one entity in one call."""

from dataclasses import replace

from recollect.memory import Memory
from recollect.reason.entity_overview import find_connections, newest_facts, recent_activity
from recollect.reason.item_lookup import closed_items
from recollect.store.fact_rows import FactFilter
from recollect.surfaces.parameter_types import AsOf, AtTime, NameText
from recollect.surfaces.pearscarf.connections import render_connections
from recollect.surfaces.pearscarf.entities import render_entity, resolve_entity
from recollect.surfaces.pearscarf.facts import FactRenderer
from recollect.surfaces.pearscarf.parameters import (
    ACTIVITY_DAYS,
    CONTEXT_LIMIT,
    ContextLimit,
    FactFormat,
    IncludeStale,
    Since,
    date_before,
    parse_at_time,
)
from recollect.surfaces.pearscarf.results import EntityContextResult
from recollect.surfaces.pearscarf.surface import surface


@surface.tool("read", example={"entity": "Lumen Audit"}, older={"entity": ("entity_name",)})
def get_entity_context(
    memory: Memory,
    entity: NameText,
    since: Since | None = None,
    include_stale: IncludeStale = False,
    format: FactFormat = "chronological",  # noqa: A002 the published name
    as_of: AsOf = None,
    at_time: AtTime = None,
    limit: ContextLimit = CONTEXT_LIMIT,
) -> EntityContextResult:
    """Everything about one entity: its facts, its connections and what happened lately.

    `recent_activity` holds changes and references since `since`, by default the last seven days. When `truncated`,
    `get_facts` and `get_connections` list the rest.
    """
    with memory.read(as_of) as view:
        at, zone = parse_at_time(view.world, at_time), view.world.zone
        who = resolve_entity(memory, view, entity)
        window = since or date_before(view.now, ACTIVITY_DAYS, zone)
        closed = closed_items(view, {who.id})
        wanted = FactFilter(at, every=include_stale, limit=limit, closed=frozenset(closed))
        facts = newest_facts(view, who.id, wanted)
        joined = find_connections(view, who.id, replace(wanted, every=False))
        recent = recent_activity(view, who.id, wanted, window.bounds(zone)[0], facts)
        printer = FactRenderer(view, at, closed)
        return {
            "entity": render_entity(who),
            "current_facts": printer.facts(facts.facts, format),
            "connections": render_connections(view, joined.newest),
            "recent_activity": printer.facts(recent.facts, format),
            "aliases": view.aliases(who),
            "since": window.format(zone),
            "truncated": facts.is_cut or joined.is_cut or recent.is_cut,
        }
