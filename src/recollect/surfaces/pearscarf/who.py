"""Names in: from a text to the entity that it stands for, and how entities and their types print."""

from collections.abc import Sequence
from functools import lru_cache

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import say_entity
from recollect.model.names import ANY_TYPE, Types
from recollect.model.wording import snake
from recollect.resolve.answer import Candidate, Resolution
from recollect.resolve.cascade import resolve
from recollect.resolve.suggest import suggest
from recollect.store.view import View
from recollect.surfaces.pearscarf.failures import NameField, UnresolvedName
from recollect.surfaces.pearscarf.results import CandidateShown, EntityNamed, EntityShown

_SHOWN_AS = {"organization": "Company"}
_STORED_AS = {"company": "organization"}


@lru_cache(1024)
def say_type(stored: str) -> str:
    """A stored type in PascalCase; only this surface calls an organization a company."""
    return _SHOWN_AS.get(stored) or "".join(part[:1].upper() + part[1:] for part in stored.split("_"))


def types_called(view: View, given: str | None) -> Types:
    """The stored types that a text names in any case, with or without marks between its words."""
    if given is None:
        return ANY_TYPE
    wanted = _squeezed(_STORED_AS.get(snake(given), snake(given)))
    stored = (row[0] for row in view.rows("entity_types"))
    return Types(frozenset(each for each in stored if _squeezed(each) == wanted), others=False)


def _squeezed(stored: str) -> str:
    return stored.replace("_", "")


def find(memory: Memory, view: View, name: str, field: NameField, types: Types = ANY_TYPE) -> Resolution:
    """What a name resolves to; when that is nothing, the call fails with suggestions."""
    index = memory.names(view)
    found = resolve(index, name, types)
    if not found.tied:
        raise UnresolvedName(name, field, "not_found", show_candidates(view, suggest(index, name, types)))
    return found


def the_entity(memory: Memory, view: View, name: str, field: NameField = "entity") -> Entity:
    """The one entity a name stands for; when there are several, the call fails with all of them."""
    found = find(memory, view, name, field)
    entity = view.entity(found.entity) if found.entity is not None else None
    if entity is None:
        raise UnresolvedName(name, field, "ambiguous", show_candidates(view, found.candidates))
    return entity


def show_candidates(view: View, candidates: Sequence[Candidate]) -> list[CandidateShown]:
    entities = view.entities({each.entity for each in candidates})
    return [
        {
            **show_name(entities[each.entity]),
            "metadata": entities[each.entity].properties,
            "score": round(each.score, 4),
        }
        for each in candidates
        if each.entity in entities
    ]


def show_name(entity: Entity) -> EntityNamed:
    return {"id": say_entity(entity.id), "name": entity.name, "type": say_type(entity.type)}


def show_entity(entity: Entity) -> EntityShown:
    return {**show_name(entity), "metadata": entity.properties, "provisional": entity.provisional}
