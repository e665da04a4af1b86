"""`get_conflicts`: what cannot both be true and nothing has decided."""

from recollect.memory import Memory
from recollect.model.ids import say_entity, say_fact
from recollect.reason.conflicts import Undecided, undecided
from recollect.surfaces.pearscarf.inputs import ConflictLimit
from recollect.surfaces.pearscarf.results import ConflictsFound, ConflictShown
from recollect.surfaces.pearscarf.surface import surface
from recollect.surfaces.pearscarf.who import the_entity
from recollect.surfaces.shapes import AsOf, NameText
from recollect.when.instant import say_instant


@surface.tool("read", example={"entity": "Teo Quist"}, older={"entity": ("entity_name",)})
def get_conflicts(
    memory: Memory, entity: NameText | None = None, as_of: AsOf = None, limit: ConflictLimit = 200
) -> ConflictsFound:
    """Pairs of current facts that cannot both stand, undecided, newest pair first.

    Without `entity`, those of the whole graph.
    """
    with memory.read(as_of) as view:
        who = None if entity is None else the_entity(memory, view, entity)
        found = undecided(view, None if who is None else who.id)
        return {
            "conflicts": [_shown(pair) for pair in found[:limit]],
            "count": len(found),
            "truncated": len(found) > limit,
        }


def _shown(pair: Undecided) -> ConflictShown:
    one, other = pair.one, pair.other
    return {
        "entity": one.subject_name,
        "edge_label": one.fact.label,
        "fact_type": one.fact.fact_type,
        "fact_a": one.text,
        "fact_b": other.text,
        "source_at_a": say_instant(one.fact.source_at),
        "source_at_b": say_instant(other.fact.source_at),
        "entity_id": say_entity(one.fact.subject),
        "target": one.fact.literal if one.object_name is None else one.object_name,
        "fact_id_a": say_fact(one.fact.id),
        "fact_id_b": say_fact(other.fact.id),
        "reason": "disputed" if pair.is_disputed else "equal_source_at",
    }
