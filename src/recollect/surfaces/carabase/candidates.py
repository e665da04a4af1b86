"""`carabase_find_entity_candidates`: the entities that a fragment of a name may mean."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from recollect.indexing import index_before_read
from recollect.memory import Memory
from recollect.model.certainty import SourceKind
from recollect.model.ids import DocumentId, EntityId
from recollect.model.similarity import to_snake_case
from recollect.reason.traversal import EdgeFilter, edges_at
from recollect.resolve.port import Resolution
from recollect.search.name_search import (
    NameHit,
    NameMatchKind,
    documents_with_names,
    entities_in,
    find_candidates,
    suggest_candidates,
)
from recollect.store.document_queries import documents_in_folio, newest_of
from recollect.store.edge_queries import edge_counts
from recollect.store.entity_queries import entity_types, last_seen
from recollect.store.fact_rows import FactRow
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.view import View
from recollect.surfaces.carabase.edges import TYPES, TypedEntityRef, entity_ref, metadata_of, resolve_name, type_of
from recollect.surfaces.carabase.hints import Hint, HintedResult, hinted_answer, quote, suggest_call
from recollect.surfaces.carabase.parameters import JsonObject, integer_between, name_of
from recollect.surfaces.carabase.surface import BadInput, surface
from recollect.surfaces.declarations import Result
from recollect.surfaces.parameter_types import AsOf
from recollect.surfaces.views import TrustMarks, mark_trust, marks_text
from recollect.when.instant import Instant, format_date, local_day
from recollect.when.span import Span
from recollect.write.folios import find_folio, name_of_folio

MAX_CANDIDATES_ELSEWHERE = 5
HINT_BOOST = 0.05
MAX_CONTEXT_FACTS = 3
MAX_LOOKED_UP = 40
"""This many entities are looked for in texts."""
HINT_KEYS = ("type", "near_entity", "folio")

Fragment = Annotated[
    str, Field(min_length=1, max_length=200, description="A name, part of one, or an id"), name_of(200)
]
CandidateHints = Annotated[
    JsonObject, Field(description="{type?, near_entity?, folio?}: what fits comes first, nothing is left out")
]
CandidateLimit = Annotated[int, Field(ge=1, le=20, description="At most this many"), integer_between(1, 20)]


class CandidateContextView(TrustMarks):
    type: str
    text: str
    other_name: str | None
    source_kind: SourceKind
    confidence: float


class EntityCandidateView(TypedEntityRef):
    match: NameMatchKind
    score: float
    rank_score: float
    matched_alias: str | None
    aliases: list[str]
    metadata: Mapping[str, Any]
    provisional: bool
    edge_count: int
    last_seen: str | None
    context: list[CandidateContextView]


class CandidatesResult(HintedResult):
    text: str
    candidates: list[EntityCandidateView]
    count: int
    total: int
    ignored_hints: list[str]


@surface.tool("read", example={"text": "copper", "hints": {"type": "project"}}, older={"text": ("name",)})
def carabase_find_entity_candidates(
    memory: Memory, text: Fragment, hints: CandidateHints | None = None, limit: CandidateLimit = 5, as_of: AsOf = None
) -> Result[CandidatesResult]:
    """The entities that a name, or a part of one, may mean, best first."""
    index_before_read(memory, by_meaning=False)
    with memory.read(as_of) as view:
        found = find_candidates(view, memory.names(view), text)
        fits = _read_hints(memory, view, hints or {}, found)
        shown = render_candidates(view, found, limit, fits.entities)
        value = {
            "text": text,
            "candidates": shown,
            "count": len(shown),
            "total": len(found),
            "ignored_hints": fits.ignored,
        }
        lines = [f"{len(shown)} of {len(found)} entities may be meant by {quote(text)}", *candidate_lines(shown)]
        if shown:
            return hinted_answer(value, lines)
        trace = [f"match {quote(text)} → no name, alias, part or typo"]
        return hinted_answer(value, lines, hint=_no_results_hint(text), trace=trace, as_of=as_of)


def _no_results_hint(text: str) -> Hint:
    words = f"No entity has a name like {quote(text)}. Search what was written with `carabase_search_semantic`."
    return Hint("candidatesNoResults", words, (suggest_call("carabase_search_semantic", query=text),))


class _HintFilters(NamedTuple):
    """The entities that each usable hint favours, and the hints that were ignored."""

    entities: Sequence["_HintFilter"]
    ignored: list[str]


class _HintFilter(NamedTuple):
    types: Collection[str] | None = None
    among: Collection[EntityId] = ()


def _read_hints(memory: Memory, view: View, hints: Mapping[str, Any], hits: Sequence[NameHit]) -> _HintFilters:
    fits: list[_HintFilter] = []
    ignored = [key for key in hints if key not in HINT_KEYS]
    for key in HINT_KEYS:
        given = hints.get(key)
        if given is None or (isinstance(given, str) and not given.strip()):
            continue
        if not isinstance(given, str):
            raise BadInput(f"hints.{key} must be a string", field=f"hints.{key}")
        fit = _read_hint(memory, view, key, given, hits)
        fits += [] if fit is None else [fit]
        ignored += [key] if fit is None else []
    return _HintFilters(fits, sorted(ignored))


def _read_hint(memory: Memory, view: View, key: str, given: str, hits: Sequence[NameHit]) -> _HintFilter | None:
    match key:
        case "type":
            wanted = to_snake_case(given)
            wanted = "organization" if wanted == "company" else wanted
            is_known = wanted in TYPES or wanted in entity_types(view)
            return _HintFilter(types={wanted}) if is_known else None
        case "near_entity":
            near = resolve_name(memory, view, given.strip()).entity
            return None if near is None else _HintFilter(among=_neighbours(view, near))
    folio = find_folio(view, name_of_folio(given))
    if folio is None:
        return None
    documents = documents_in_folio(view, folio.id)
    told = {each for found in entities_in(view, documents).values() for each in found}
    named = _documents_naming(view, [hit.entity for hit in hits if hit.entity not in told])
    return _HintFilter(among=told | {entity for entity, found in named.items() if not found.isdisjoint(documents)})


def _documents_naming(view: View, entities: Sequence[EntityId]) -> dict[EntityId, set[DocumentId]]:
    """The documents that name each entity, also in their text; of the first of them only."""
    index = StoredPassageIndex(view)
    return {each: documents_with_names(view, index, [each]) for each in entities[:MAX_LOOKED_UP]}


def _neighbours(view: View, entity: EntityId) -> set[EntityId]:
    steps = edges_at(view, [entity], EdgeFilter(view.world.present))
    return {far for step in steps if (far := step.other(entity)) is not None and far != entity}


def render_candidates(
    view: View, hits: Sequence[NameHit], limit: int = MAX_CANDIDATES_ELSEWHERE, fits: Sequence[_HintFilter] = ()
) -> list[EntityCandidateView]:
    """The best of the hits, ranked by their match, by what fits the hints, and by how much is known of each."""
    entities = view.entities({hit.entity for hit in hits})
    live = [hit for hit in hits if hit.entity in entities]
    ranks = {
        hit.entity: round(hit.score + HINT_BOOST * _count_fitting_hints(hit, entities[hit.entity].type, fits), 4)
        for hit in live
    }
    floor = sorted(ranks.values(), reverse=True)[:limit][-1] if live else 0.0
    near = [hit for hit in live if ranks[hit.entity] >= floor]
    counts, seen = _edge_counts_and_last_seen(view, [hit.entity for hit in near])
    near.sort(key=lambda hit: (entities[hit.entity].name, hit.entity))
    near.sort(key=lambda hit: (ranks[hit.entity], counts.get(hit.entity, 0), seen.get(hit.entity, 0)), reverse=True)
    return [
        {
            **entity_ref(entities[hit.entity]),
            "match": hit.match,
            "score": hit.score,
            "rank_score": ranks[hit.entity],
            "matched_alias": hit.alias,
            "aliases": view.aliases(entities[hit.entity]),
            "metadata": metadata_of(entities[hit.entity]),
            "provisional": entities[hit.entity].provisional,
            "edge_count": counts.get(hit.entity, 0),
            "last_seen": _format_seen_day(view, seen.get(hit.entity)),
            "context": _render_context(view, hit.entity),
        }
        for hit in near[:limit]
    ]


def _count_fitting_hints(hit: NameHit, stored: str, fits: Sequence[_HintFilter]) -> int:
    by_type = sum(fit.types is not None and (stored in fit.types or type_of(stored) in fit.types) for fit in fits)
    return by_type + sum(fit.types is None and hit.entity in fit.among for fit in fits)


def _edge_counts_and_last_seen(
    view: View, entities: Sequence[EntityId]
) -> tuple[dict[EntityId, int], dict[EntityId, Instant]]:
    """Current edges, and when each entity was last mentioned; without facts, when a text last named it."""
    if not entities:
        return {}, {}
    now: Span = view.world.present
    seen = last_seen(view, entities)
    for entity, documents in _documents_naming(view, [each for each in entities if each not in seen]).items():
        newest = newest_of(view, documents)
        if newest is not None:
            seen[entity] = newest
    return edge_counts(view, entities, now), seen


def _format_seen_day(view: View, instant: int | None) -> str | None:
    return None if instant is None else format_date(local_day(Instant(instant), view.world.zone))


def _render_context(view: View, entity: EntityId) -> list[CandidateContextView]:
    steps = edges_at(view, [entity], EdgeFilter(view.world.present), MAX_CONTEXT_FACTS)
    facts = {seen.fact.id: seen for seen in view.fact_rows([step.id for step in steps])}
    return [_render_context_edge(facts[step.id], entity) for step in steps if step.id in facts]


def _render_context_edge(seen: FactRow, entity: EntityId) -> CandidateContextView:
    fact = seen.fact
    shown: CandidateContextView = {
        "type": fact.predicate,
        "text": seen.text,
        "other_name": seen.object_name if fact.subject == entity else seen.subject_name,
        "source_kind": fact.source_kind,
        "confidence": round(fact.confidence, 4),
    }
    mark_trust(shown, fact.attributes, f"{seen.text}\n{shown['other_name'] or ''}")
    return shown


def candidates_for_unknown(memory: Memory, view: View, text: str) -> list[EntityCandidateView]:
    """Candidates for a name that resolved to nothing."""
    index = memory.names(view)
    return render_candidates(
        view, find_candidates(view, index, text) or suggest_candidates(index, text, MAX_CANDIDATES_ELSEWHERE)
    )


def candidates_for_ambiguous(view: View, found: Resolution) -> list[EntityCandidateView]:
    """The entities that tie for a name."""
    match: NameMatchKind = "exact" if found.rung in ("id", "exact") else "alias" if found.rung == "alias" else "fuzzy"
    hits = [
        NameHit(each.entity, match, each.name.spelling if each.name.kind == "alias" else None) for each in found.tied
    ]
    return render_candidates(view, hits)


def candidate_lines(shown: Sequence[EntityCandidateView]) -> list[str]:
    lines = []
    for number, each in enumerate(shown, start=1):
        alias = f", alias {quote(each['matched_alias'])}" if each["matched_alias"] else ""
        kind = each["type"] if each["type"] == each["kind"] else f"{each['type']}/{each['kind']}"
        seen = f", last seen {each['last_seen']}" if each["last_seen"] else ""
        lines.append(
            f"{number}. {each['name']} ({kind}) · {each['id']} · {each['match']}{alias} {each['rank_score']:.2f} · "
            f"{each['edge_count']} edges{seen}{marks_text(each)}"
        )
        lines += [f"   {edge['text']}{marks_text(edge)}" for edge in each["context"]]
    return lines


def format_names_with_types(shown: Sequence[EntityCandidateView]) -> str:
    return ", ".join(f"{quote(each['name'])} ({each['type']})" for each in shown)
