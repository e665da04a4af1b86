"""`lookup` and `get_unresolved`: candidates for a name, and unconfirmed entities."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, format_entity_id
from recollect.model.labels import format_label, kind_of, read_label, stored_types
from recollect.model.names import ANY_TYPE, Types, fold
from recollect.reason.lore.sources import LoreSource, source_age, source_names
from recollect.resolve.port import NameCandidate, NameIndex
from recollect.resolve.resolver import ALIAS_SCORE, EXACT_SCORE, fuzzy_candidates, resolve_exact, semantic_candidates
from recollect.resolve.suggestions import partial_matches, suggest
from recollect.store.entity_queries import unconfirmed_entities
from recollect.store.view import View
from recollect.surfaces.declarations import Result
from recollect.surfaces.lore_engine.finding_rendering import flagged_entities, flags_about
from recollect.surfaces.lore_engine.rendering import disambiguation_hints, entity_ref
from recollect.surfaces.lore_engine.results import (
    TEXT_LIMIT,
    AsOf,
    EntitySuggestionView,
    FlagView,
    LabelText,
    LoreEntityRef,
    text_validators,
)
from recollect.surfaces.lore_engine.session import ReadSession, list_result, read_session
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.parameter_types import fold_case_into
from recollect.surfaces.views import TrustMarks, mark_entity
from recollect.when.instant import format_instant

MatchKind = Literal["id", "exact", "alias", "partial", "fuzzy", "embedding"]
LookupQuery = Annotated[str, *text_validators(TEXT_LIMIT), Field(description="A name, or a part of one, or an id")]
LookupLimit = Annotated[int, Field(ge=1, le=50, description="At most this many, the likeliest")]

_FUZZY_WEIGHT = 0.8
_EMBEDDING_WEIGHT = 0.6
_MAX_NAMESAKES = 1000


class LookupMatch(TrustMarks):
    """An entity that the text could mean."""

    name: str
    type: str
    id: str
    aliases: list[str]
    match_confidence: float
    match: MatchKind
    provisional: bool
    subtype: str | None
    hint: str | None


@surface.tool("read", example={"query": "the knife"}, older={"query": ("name",)})
def lookup(
    memory: Memory,
    query: LookupQuery,
    type: LabelText | None = None,  # noqa: A002 the published name
    limit: LookupLimit = 10,
    as_of: AsOf = None,
) -> Result[list[LookupMatch]]:
    """Every entity a text could mean, likeliest first: by id, name, alias, part of it, nearly."""
    with read_session(memory, as_of) as session:
        kind = None if type is None else read_label(type)
        types = ANY_TYPE if kind is None else Types(stored_types(kind.type), others=False)
        best = _best_matches(memory.names(session.view), query, types)
        entities = session.lore.entities(best)
        found = [each for each in entities.values() if kind is None or kind.admits(kind_of(each))]
        found.sort(key=lambda each: (-best[each.id][0], each.name, each.id))
        shown = found[:limit]
        hints = disambiguation_hints(session.lore, shown)
        said = [_render_match(session.view, each, best[each.id], hints[each.id]) for each in shown]
        return list_result(said, limit, session, total=len(found))


def _render_match(view: View, entity: Entity, match: tuple[float, MatchKind], hint: str | None) -> LookupMatch:
    aliases = view.aliases(entity)
    shown: LookupMatch = {
        "name": entity.name,
        "type": format_label(kind_of(entity).type),
        "id": format_entity_id(entity.id),
        "aliases": aliases,
        "match_confidence": match[0],
        "match": match[1],
        "provisional": entity.provisional,
        "subtype": kind_of(entity).subtype,
        "hint": hint,
    }
    mark_entity(shown, entity, *aliases)
    return shown


def _best_matches(index: NameIndex, query: str, types: Types) -> dict[EntityId, tuple[float, MatchKind]]:
    """By entity, its best score and the kind of match."""
    best: dict[EntityId, tuple[float, MatchKind]] = {}
    for match, candidate, score in _matches(index, query, types):
        if round(score, 4) > best.get(candidate.entity, (0.0, match))[0]:
            best[candidate.entity] = (round(score, 4), match)
    return best


def _matches(index: NameIndex, query: str, types: Types) -> Iterator[tuple[MatchKind, NameCandidate, float]]:
    by_id = resolve_exact(index, query, types)
    if by_id.rung == "id":
        yield "id", by_id.tied[0], EXACT_SCORE
    for name in index.named(fold(query), types, _MAX_NAMESAKES):
        is_name = name.kind == "name"
        score = EXACT_SCORE if is_name else ALIAS_SCORE
        yield "exact" if is_name else "alias", NameCandidate(name, score), score
    for each in partial_matches(index, query, types):
        yield "partial", each, each.score
    for each in fuzzy_candidates(index, query, types):
        yield "fuzzy", each, each.score * _FUZZY_WEIGHT
    for each in semantic_candidates(index, query, types):
        yield "embedding", each, each.score * _EMBEDDING_WEIGHT


UnresolvedLimit = Annotated[int, Field(ge=1, le=500, description="At most this many, the most mentioned")]
UnresolvedKind = Annotated[
    Literal["provisional", "flagged", "all"],
    fold_case_into("provisional", "flagged", "all"),
    Field(description="Unconfirmed ones, those marked for review, or both"),
]

_MIN_CANDIDATE_SCORE = 0.75
_REASONS = {"guessed": "auto_created"}


class UnresolvedEntityView(LoreEntityRef):
    """An entity that needs review."""

    created_at: str
    mentions: int
    sources: list[str]
    reason: str
    flags: list[FlagView]
    candidates: list[EntitySuggestionView]


@surface.tool("read", example={})
def get_unresolved(
    memory: Memory,
    limit: UnresolvedLimit = 50,
    type: LabelText | None = None,  # noqa: A002 the published name
    kind: UnresolvedKind = "provisional",
    as_of: AsOf = None,
) -> Result[list[UnresolvedEntityView]]:
    """Entities that are unconfirmed or marked for review, the most mentioned first."""
    with read_session(memory, as_of) as session:
        wanted = None if type is None else read_label(type)
        found = [each for each in _unresolved_entities(session, kind) if wanted is None or wanted.admits(kind_of(each))]
        mentions = session.lore.counts(each.id for each in found)
        found.sort(key=lambda each: (-mentions[each.id], each.name, each.id))
        return list_result(_render_unresolved(session, found[:limit], mentions), limit, session, total=len(found))


def _unresolved_entities(session: ReadSession, kind: str) -> list[Entity]:
    found: dict[EntityId, Entity] = {}
    if kind != "flagged":
        found = {entity.id: entity for entity in unconfirmed_entities(session.view)}
        session.lore.cache_entities(*found.values())
    if kind != "provisional":
        found |= session.lore.entities(flagged_entities(session))
    return list(found.values())


def _render_unresolved(
    session: ReadSession, found: Sequence[Entity], mentions: dict[EntityId, int]
) -> list[UnresolvedEntityView]:
    ids = [each.id for each in found]
    sources, flags = _sources_by_entity(session, ids), flags_about(session, ids)
    return [
        {
            **entity_ref(each),
            "created_at": format_instant(each.created_at),
            "mentions": mentions[each.id],
            "sources": source_names(sources.get(each.id, ())),
            "reason": _REASONS.get(each.reason, each.reason) if each.provisional else "flagged",
            "flags": flags.get(each.id, []),
            "candidates": _candidates_for(session, each),
        }
        for each in found
    ]


def _sources_by_entity(session: ReadSession, entities: list[EntityId]) -> dict[EntityId, list[LoreSource]]:
    relations = session.lore.relations_of(entities)
    told = session.lore.sources(each.id for each in relations)
    found: dict[EntityId, list[LoreSource]] = {}
    for each in relations:
        for end in each.ends:
            found.setdefault(end, []).extend(told[each.id])
    for sources in found.values():
        sources.sort(key=source_age)
    return found


def _candidates_for(session: ReadSession, entity: Entity) -> list[EntitySuggestionView]:
    """Confirmed entities with a similar name."""
    near = [
        each for each in suggest(session.memory.names(session.view), entity.name) if each.score >= _MIN_CANDIDATE_SCORE
    ]
    entities = session.lore.entities(each.entity for each in near)
    return [
        {**entity_ref(entities[each.entity]), "score": each.score}
        for each in near
        if each.entity in entities and each.entity != entity.id and not entities[each.entity].provisional
    ]
