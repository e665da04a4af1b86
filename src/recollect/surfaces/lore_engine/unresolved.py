"""`get_unresolved`: entities nobody has confirmed."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import kind_of, read_label
from recollect.reason.lore.sources import Source, names_of
from recollect.resolve.suggest import suggest
from recollect.store.rows import entity_of
from recollect.surfaces.declare import Result
from recollect.surfaces.lore_engine.answers import listed
from recollect.surfaces.lore_engine.asking import Asking, asking
from recollect.surfaces.lore_engine.context_results import FlagShown
from recollect.surfaces.lore_engine.results import Ref, SuggestionShown
from recollect.surfaces.lore_engine.shapes import AsOf, LabelText
from recollect.surfaces.lore_engine.shown import say_ref
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.lore_engine.touching import flagged_entities, flags_on
from recollect.surfaces.shapes import folded_into
from recollect.when.instant import say_instant

UnresolvedLimit = Annotated[int, Field(ge=1, le=500, description="At most this many, the most mentioned")]
Which = Annotated[
    Literal["provisional", "flagged", "all"],
    folded_into("provisional", "flagged", "all"),
    Field(description="Those nobody confirmed, those marked for review, or both"),
]

_ALIKE = 0.75
_REASONS = {"guessed": "auto_created"}


class Unresolved(Ref):
    """An entity that waits for somebody to look at it."""

    created_at: str
    mentions: int
    sources: list[str]
    reason: str
    flags: list[FlagShown]
    candidates: list[SuggestionShown]


@surface.tool("read", example={})
def get_unresolved(
    memory: Memory,
    limit: UnresolvedLimit = 50,
    type: LabelText | None = None,  # noqa: A002 the published name
    kind: Which = "provisional",
    as_of: AsOf = None,
) -> Result[list[Unresolved]]:
    """Entities nobody has confirmed, or somebody marked for review, the most mentioned first."""
    with asking(memory, as_of) as asked:
        wanted = None if type is None else read_label(type)
        found = [each for each in _waiting(asked, kind) if wanted is None or wanted.admits(kind_of(each))]
        mentions = asked.lore.counts(each.id for each in found)
        found.sort(key=lambda each: (-mentions[each.id], each.name, each.id))
        return listed(_shown(asked, found[:limit], mentions), limit, asked, total=len(found))


def _waiting(asked: Asking, kind: str) -> list[Entity]:
    found: dict[EntityId, Entity] = {}
    if kind != "flagged":
        found = {entity.id: entity for entity in map(entity_of, asked.view.rows("entities_unconfirmed"))}
        asked.lore.keep(*found.values())
    if kind != "provisional":
        found |= asked.lore.entities(flagged_entities(asked))
    return list(found.values())


def _shown(asked: Asking, found: Sequence[Entity], mentions: dict[EntityId, int]) -> list[Unresolved]:
    ids = [each.id for each in found]
    sources, flags = _sources(asked, ids), flags_on(asked, ids)
    return [
        {
            **say_ref(each),
            "created_at": say_instant(each.created_at),
            "mentions": mentions[each.id],
            "sources": names_of(sources.get(each.id, ())),
            "reason": _reason(each),
            "flags": flags.get(each.id, []),
            "candidates": _candidates(asked, each),
        }
        for each in found
    ]


def _reason(entity: Entity) -> str:
    return _REASONS.get(entity.reason, entity.reason) if entity.provisional else "flagged"


def _sources(asked: Asking, entities: list[EntityId]) -> dict[EntityId, list[Source]]:
    relations = asked.lore.relations_of(entities)
    told = asked.lore.sources(each.id for each in relations)
    found: dict[EntityId, list[Source]] = {}
    for each in relations:
        for end in each.ends:
            found.setdefault(end, []).extend(told[each.id])
    for sources in found.values():
        sources.sort(key=lambda source: (source.source_at, source.tx, source.assertion))
    return found


def _candidates(asked: Asking, entity: Entity) -> list[SuggestionShown]:
    """Confirmed entities of nearly the same name."""
    near = [each for each in suggest(asked.memory.names(asked.view), entity.name) if each.score >= _ALIKE]
    held = asked.lore.entities(each.entity for each in near)
    return [
        {**say_ref(held[each.entity]), "score": each.score}
        for each in near
        if each.entity in held and each.entity != entity.id and not held[each.entity].provisional
    ]
