"""Entities by name for the command palette and for fields that take an entity."""

from dataclasses import dataclass

from recollect.serve.web.framework.cards import EntityCard, entity_card
from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection
from recollect.surfaces.recollect.parameters import match_entity, near_entities

MOST = 8


@dataclass(frozen=True, slots=True)
class PalettePage(PageModel):
    entities: tuple[EntityCard, ...]


def show(request: PageRequest) -> PalettePage:
    """The entity that a text names, then those with names like it; meanings take too long while somebody types."""
    text = request.query.get("q", "").strip()[:200]
    if not text:
        return PalettePage("Names", ())
    with request.memory.read() as view:
        exact, candidates = match_entity(request.memory, view, text, by_meaning=False)
        first = [] if exact is None else [entity_card(exact)]
        listed = [EntityCard(each["id"], each["name"], each["type"]) for each in candidates]
        near = near_entities(request.memory, view, text, MOST)
    listed += [EntityCard(each["id"], each["name"], each["type"]) for each in near]
    return PalettePage("Names", tuple({each.id: each for each in (*first, *listed)}.values())[:MOST])


PAGES = (Page("palette", "palette", show),)
SECTION = WebSection("palette", PAGES)
