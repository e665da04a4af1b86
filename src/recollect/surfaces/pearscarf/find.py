"""`find_entity`: a surface form to one entity, or why not."""

from recollect.memory import Memory
from recollect.resolve.answer import Resolution
from recollect.store.view import View
from recollect.surfaces.pearscarf.inputs import EntityType
from recollect.surfaces.pearscarf.results import FoundEntity, ResolvedBy
from recollect.surfaces.pearscarf.surface import surface
from recollect.surfaces.pearscarf.who import find, show_candidates, show_entity, types_called
from recollect.surfaces.shapes import AsOf, NameText


@surface.tool("read", example={"name": "odile ferrant"}, older={"name": ("entity", "entity_name")})
def find_entity(
    memory: Memory, name: NameText, entity_type: EntityType | None = None, as_of: AsOf = None
) -> FoundEntity:
    """The one entity a name, alias, email address or id stands for.

    A name that fits several gives `entity: null` and the candidates: ask again with the id or email address of one.
    """
    with memory.read(as_of) as view:
        return _shown(view, find(memory, view, name, "name", types_called(view, entity_type)))


def _shown(view: View, found: Resolution) -> FoundEntity:
    entity = view.entity(found.entity) if found.entity is not None else None
    return {
        "entity": None if entity is None else show_entity(entity),
        "aliases": [] if entity is None else view.aliases(entity),
        "resolution": _resolved_by(found),
        "ambiguous": entity is None,
        "candidates": show_candidates(view, found.candidates) if entity is None else [],
    }


def _resolved_by(found: Resolution) -> ResolvedBy:
    assert found.rung != "none"
    return {"method": found.rung, "score": round(found.score, 4)}
