"""Entities by name for the command palette, for search and for fields that take an entity."""

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.model.entity import Entity
from recollect.model.ids import ENTITY_PREFIX, EntityId, format_entity_id, is_id, read_id
from recollect.model.names import Name, fold
from recollect.resolve.suggestions import spelled_with
from recollect.serve.web.framework.cards import entity_badges
from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection
from recollect.store.view import View
from recollect.surfaces.recollect.parameters import match_entity, near_entities
from recollect.text.tokens import name_tokens
from recollect.write.owner import is_owner_word

MOST = 8


@dataclass(frozen=True, slots=True)
class EntityHitCard:
    """An entity that a text found, and by what: its name, an alias, or a spelling like one of them."""

    id: str
    name: str
    type: str
    why: tuple[str, ...]
    badges: tuple[str, ...]
    change: str = ""
    """`added` if it was not known at the moment that the page shows."""


@dataclass(frozen=True, slots=True)
class PalettePage(PageModel):
    entities: tuple[EntityHitCard, ...]


def show(request: PageRequest) -> PalettePage:
    """Entities by name and, where few have one like the text, by its letters in order, as pages are found."""
    text = _query_text(request)
    hits = find_by_name(request)
    if not text or len(hits) >= MOST:
        return PalettePage("Names", hits)
    with request.memory.read() as view:
        spelled = spelled_with(request.memory.names(view), text, MOST)
        entities = view.entities({each.entity for each in spelled})
    cards = [_hit(entities[each.entity], "spelling") for each in spelled if each.entity in entities]
    known = {each.id for each in hits}
    return PalettePage("Names", (*hits, *(each for each in cards if each.id not in known))[:MOST])


def find_by_name(request: PageRequest) -> tuple[EntityHitCard, ...]:
    """The entity that a text names, then those with names like it; meanings take too long while somebody types."""
    with request.memory.read() as view:
        return entity_hits(request, view, named_alike(request, view, MOST))


def named_alike(request: PageRequest, view: View, most: int) -> list[Entity]:
    """The entities that the text of a request may name, the likest first."""
    text = _query_text(request)
    if not text:
        return []
    exact, candidates = match_entity(request.memory, view, text, by_meaning=False)
    near = near_entities(request.memory, view, text, most)
    idents = [each["id"] for each in (*candidates, *near)]
    ids = dict.fromkeys(EntityId(read_id(each, ENTITY_PREFIX)) for each in idents)
    entities = view.entities(ids)
    found = {each.id: each for each in (exact, *(entities.get(each) for each in ids)) if each is not None}
    return list(found.values())[:most]


def entity_hits(request: PageRequest, view: View, entities: Sequence[Entity]) -> tuple[EntityHitCard, ...]:
    """Entities, and how the text of a request found them."""
    text = _query_text(request)
    return tuple(_hit(each, _way_to(text, view.names_of(each.id))) for each in entities)


def _query_text(request: PageRequest) -> str:
    return request.query.get("q", "").strip()[:200]


def _hit(entity: Entity, way: str) -> EntityHitCard:
    return EntityHitCard(format_entity_id(entity.id), entity.name, entity.type, (way,), entity_badges(entity))


def _way_to(text: str, names: Sequence[Name]) -> str:
    """The name by which a text found an entity: the equal one, else one that it begins or shares a word with."""
    if is_id(text, ENTITY_PREFIX):
        return "id"
    asked, words = fold(text), set(name_tokens(fold(text)))
    same = [each.kind for each in names if each.folded == asked]
    shared = [
        each.kind for each in names if each.folded.startswith(asked) or not words.isdisjoint(name_tokens(each.folded))
    ]
    kinds = same or shared
    if not kinds:
        return "you" if is_owner_word(text) else "spelling"
    return "name" if "name" in kinds else kinds[0]


PAGES = (Page("palette", "palette", show),)
SECTION = WebSection("palette", PAGES)
