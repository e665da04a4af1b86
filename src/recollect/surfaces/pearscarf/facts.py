"""`get_facts`: facts about one entity, filtered."""

from recollect.memory import Memory
from recollect.reason.item_lookup import closed_items
from recollect.reason.newest import newest_facts
from recollect.store.seen import Wanted
from recollect.surfaces.pearscarf.inputs import (
    DEFAULT_LIMIT,
    FactLimit,
    FactType,
    Format,
    IncludeStale,
    Since,
    Until,
    read_at,
)
from recollect.surfaces.pearscarf.results import FactsFound
from recollect.surfaces.pearscarf.shown import Printer
from recollect.surfaces.pearscarf.surface import surface
from recollect.surfaces.pearscarf.who import show_name, the_entity
from recollect.surfaces.shapes import AsOf, AtTime, EdgeLabel, NameText


@surface.tool("read", example={"entity": "Lumen Audit", "edge_label": "ASSERTED"}, older={"entity": ("entity_name",)})
def get_facts(
    memory: Memory,
    entity: NameText,
    edge_label: EdgeLabel | None = None,
    fact_type: FactType | None = None,
    since: Since | None = None,
    include_stale: IncludeStale = False,
    format: Format = "chronological",  # noqa: A002 the published name
    until: Until | None = None,
    as_of: AsOf = None,
    at_time: AtTime = None,
    limit: FactLimit = DEFAULT_LIMIT,
) -> FactsFound:
    """Facts about one entity, as their subject or object, each with the record that says so.

    Only what is current, unless `include_stale`. Oldest first, or `clustered` by edge label, newest first.
    """
    with memory.read(as_of) as view:
        at, zone = read_at(view.world, at_time), view.world.zone
        who = the_entity(memory, view, entity)
        closed = frozenset(closed_items(view, {who.id}))
        wanted = Wanted(
            at,
            every=include_stale,
            label=edge_label,
            fact_type=fact_type,
            since=None if since is None else since.ends(zone)[0],
            until=None if until is None else until.ends(zone)[1],
            limit=limit,
            closed=closed,
        )
        found = newest_facts(view, who.id, wanted)
        return {
            "facts": Printer(view, at, closed).facts(found.facts, format),
            "entity": show_name(who),
            "count": found.count,
            "truncated": found.is_cut,
        }
