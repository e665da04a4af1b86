"""`find_entity`, and how names resolve to entities and entities print."""

from collections.abc import Sequence
from functools import lru_cache

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import format_entity_id
from recollect.model.names import ANY_TYPE, Types
from recollect.model.similarity import to_snake_case
from recollect.reason.review.duplicates import proposal_among
from recollect.resolve.port import NameCandidate, Resolution
from recollect.resolve.resolver import resolve
from recollect.resolve.suggestions import suggest
from recollect.store.entity_queries import entity_types
from recollect.store.view import View
from recollect.surfaces.parameter_types import AsOf, NameText
from recollect.surfaces.pearscarf.results import (
    CandidateView,
    EntityRef,
    EntityType,
    EntityView,
    FindEntityResult,
    NameResolution,
)
from recollect.surfaces.pearscarf.surface import NameField, UnresolvedName, surface
from recollect.surfaces.views import mark_entity, render_scored

_PRINTED_TYPES = {"organization": "Company"}
_STORED_TYPES = {"company": "organization"}


@lru_cache(1024)
def format_type(stored: str) -> str:
    """A stored type in PascalCase; only this surface calls an organization a company."""
    return _PRINTED_TYPES.get(stored) or "".join(part[:1].upper() + part[1:] for part in stored.split("_"))


def types_named(view: View, given: str | None) -> Types:
    """The stored types that a text names, in any case and with any separators."""
    if given is None:
        return ANY_TYPE
    wanted = _without_underscores(_STORED_TYPES.get(to_snake_case(given), to_snake_case(given)))
    return Types(frozenset(each for each in entity_types(view) if _without_underscores(each) == wanted), others=False)


def _without_underscores(stored: str) -> str:
    return stored.replace("_", "")


def resolve_name(memory: Memory, view: View, name: str, field: NameField, types: Types = ANY_TYPE) -> Resolution:
    """Resolve a name; fails with suggestions if nothing matches."""
    index = memory.names(view)
    found = resolve(index, name, types)
    if not found.tied:
        raise UnresolvedName(name, field, "not_found", render_candidates(view, suggest(index, name, types)))
    return found


def resolve_entity(memory: Memory, view: View, name: str, field: NameField = "entity") -> Entity:
    """The one entity of a name; fails with all candidates if there are several."""
    found = resolve_name(memory, view, name, field)
    entity = view.entity(found.entity) if found.entity is not None else None
    if entity is None:
        proposal = proposal_among(view, view.entities({each.entity for each in found.candidates}).values())
        raise UnresolvedName(name, field, "ambiguous", render_candidates(view, found.candidates), proposal)
    return entity


def render_candidates(view: View, candidates: Sequence[NameCandidate]) -> list[CandidateView]:
    entities = view.entities({each.entity for each in candidates})
    return render_scored(candidates, entities, _render_candidate)


def _render_candidate(entity: Entity, score: float) -> CandidateView:
    return {**entity_ref(entity), "metadata": entity.given_properties, "score": round(score, 4)}


def entity_ref(entity: Entity) -> EntityRef:
    shown: EntityRef = {"id": format_entity_id(entity.id), "name": entity.name, "type": format_type(entity.type)}
    mark_entity(shown, entity)
    return shown


def render_entity(entity: Entity) -> EntityView:
    return {**entity_ref(entity), "metadata": entity.given_properties, "provisional": entity.provisional}


@surface.tool("read", example={"name": "odile ferrant"}, older={"name": ("entity", "entity_name")})
def find_entity(
    memory: Memory, name: NameText, entity_type: EntityType | None = None, as_of: AsOf = None
) -> FindEntityResult:
    """The one entity a name, alias, email address or id stands for.

    A name that fits several gives `entity: null` and the candidates: ask again with the id or email address of one.
    """
    with memory.read(as_of) as view:
        return _render_resolution(view, resolve_name(memory, view, name, "name", types_named(view, entity_type)))


def _render_resolution(view: View, found: Resolution) -> FindEntityResult:
    entity = view.entity(found.entity) if found.entity is not None else None
    return {
        "entity": None if entity is None else render_entity(entity),
        "aliases": [] if entity is None else view.aliases(entity),
        "resolution": _resolution_method(found),
        "ambiguous": entity is None,
        "candidates": render_candidates(view, found.candidates) if entity is None else [],
    }


def _resolution_method(found: Resolution) -> NameResolution:
    assert found.rung != "none"
    return {"method": found.rung, "score": round(found.score, 4)}
