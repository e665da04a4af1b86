"""`get_relationship`: how two entities hang together."""

from recollect.memory import Memory
from recollect.model.ids import say_fact
from recollect.reason.item_lookup import closed_items
from recollect.reason.paths import MOST_HOPS, Hop, facts_between, shortest_path
from recollect.surfaces.pearscarf.inputs import MaxHops, read_at
from recollect.surfaces.pearscarf.results import RelationshipFound, StepShown
from recollect.surfaces.pearscarf.shown import Printer
from recollect.surfaces.pearscarf.surface import surface
from recollect.surfaces.pearscarf.who import say_type, show_name, the_entity
from recollect.surfaces.shapes import AsOf, AtTime, NameText
from recollect.when.instant import say_instant


@surface.tool("read", example={"entity_a": "Harrow Bridge", "entity_b": "Lumen Audit"})
def get_relationship(
    memory: Memory,
    entity_a: NameText,
    entity_b: NameText,
    max_hops: MaxHops = MOST_HOPS,
    as_of: AsOf = None,
    at_time: AtTime = None,
) -> RelationshipFound:
    """How two entities hang together: a shortest path, and the facts between them."""
    with memory.read(as_of) as view:
        at = read_at(view.world, at_time)
        one = the_entity(memory, view, entity_a, "entity_a")
        other = the_entity(memory, view, entity_b, "entity_b")
        is_same = one.id == other.id
        direct = [] if is_same else facts_between(view, one.id, other.id, at)
        path = (Hop(one.id, other.id, direct[0]),) if direct else shortest_path(view, one.id, other.id, at, max_hops)
        closed = closed_items(view, {one.id})
        printer = Printer(view, at, closed)
        return {
            "path": [_step(hop) for hop in path],
            "direct_facts": [printer.fact(fact) for fact in reversed(direct) if fact.id not in closed],
            "entity_a": show_name(one),
            "entity_b": show_name(other),
            "hops": len(path) if path or is_same else None,
        }


def _step(hop: Hop) -> StepShown:
    fact = hop.by
    return {
        "entity": hop.end_name,
        "edge_label": fact.label,
        "fact_type": fact.fact_type,
        "fact": fact.text,
        "direction": "outgoing" if hop.is_outgoing else "incoming",
        "from": hop.start_name,
        "entity_type": say_type(hop.end_type),
        "fact_id": say_fact(fact.id),
        "source_at": say_instant(fact.source_at),
    }
