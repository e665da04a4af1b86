"""`get_connections`: the neighbours of an entity."""

from recollect.memory import Memory
from recollect.model.ids import say_entity
from recollect.reason.connections import Connection, connections
from recollect.reason.item_lookup import closed_items
from recollect.store.seen import Wanted
from recollect.surfaces.pearscarf.inputs import DEFAULT_LIMIT, FactLimit, IncludeStale, read_at
from recollect.surfaces.pearscarf.results import ConnectionsFound, ConnectionShown
from recollect.surfaces.pearscarf.surface import surface
from recollect.surfaces.pearscarf.who import say_type, show_name, the_entity
from recollect.surfaces.shapes import AsOf, AtTime, EdgeLabel, NameText
from recollect.when.instant import say_instant


@surface.tool("read", example={"entity": "Odile Ferrant"}, older={"entity": ("entity_name",)})
def get_connections(
    memory: Memory,
    entity: NameText,
    edge_label: EdgeLabel | None = None,
    include_stale: IncludeStale = False,
    as_of: AsOf = None,
    at_time: AtTime = None,
    limit: FactLimit = DEFAULT_LIMIT,
) -> ConnectionsFound:
    """The neighbours of an entity and by what kind of fact each is joined.

    One row for each neighbour, edge label and fact type; the most recently mentioned come first.
    """
    with memory.read(as_of) as view:
        at = read_at(view.world, at_time)
        who = the_entity(memory, view, entity)
        closed = frozenset(closed_items(view, {who.id}))
        wanted = Wanted(at, every=include_stale, label=edge_label, limit=limit, closed=closed)
        found = connections(view, who.id, wanted)
        return {
            "connections": [show_connection(each) for each in found.newest],
            "entity": show_name(who),
            "count": found.count,
            "truncated": found.is_cut,
        }


def show_connection(found: Connection) -> ConnectionShown:
    return {
        "entity_name": found.name,
        "entity_type": say_type(found.type),
        "edge_label": found.label,
        "fact_type": found.fact_type,
        "entity_id": say_entity(found.entity),
        "direction": found.direction,
        "fact_count": found.fact_count,
        "last_source_at": say_instant(found.last_source_at),
    }
