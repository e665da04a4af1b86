"""`carabase_find_entity_candidates`: the entities that a fragment of a name may mean."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import Field
from typing_extensions import TypedDict

from recollect.keep.artifacts.artifact import say_day
from recollect.keep.indexing import index_before_read
from recollect.memory import Memory
from recollect.model.certainty import SourceKind
from recollect.model.ids import EntityId
from recollect.model.wording import snake
from recollect.reason.walk import Passable, steps_at
from recollect.resolve.answer import Resolution
from recollect.search.candidates import Hit, Match, find_candidates, likely
from recollect.search.mentioning import entities_in
from recollect.store.seen import Seen
from recollect.store.view import View
from recollect.surfaces.carabase.entity import TYPES, EntityNamed, metadata_of, show_name, type_of
from recollect.surfaces.carabase.problems import BadInput
from recollect.surfaces.carabase.shapes import Object, name, whole
from recollect.surfaces.carabase.surface import surface
from recollect.surfaces.carabase.trailers import Hint, Trailed, answer, call, quoted
from recollect.surfaces.carabase.who import resolved
from recollect.surfaces.declare import Result
from recollect.surfaces.shapes import AsOf
from recollect.when.instant import Instant, local_day
from recollect.when.span import Span
from recollect.write.folio import find_folio

NAME = "carabase_find_entity_candidates"
MOST_SHOWN_ELSEWHERE = 5
BOOST = 0.05
CONTEXT = 3
HINTS = ("type", "near_entity", "folio")

Fragment = Annotated[str, Field(min_length=1, max_length=200, description="A name, part of one, or an id"), name(200)]
Hints = Annotated[
    Object, Field(description="{type?, near_entity?, folio?}: what fits comes first, nothing is left out")
]
CandidateLimit = Annotated[int, Field(ge=1, le=20, description="At most this many"), whole(1, 20)]


class ContextShown(TypedDict):
    type: str
    text: str
    other_name: str | None
    source_kind: SourceKind
    confidence: float


class CandidateShown(EntityNamed):
    match: Match
    score: float
    rank_score: float
    matched_alias: str | None
    aliases: list[str]
    metadata: Mapping[str, Any]
    provisional: bool
    edge_count: int
    last_seen: str | None
    context: list[ContextShown]


class CandidatesFound(Trailed):
    text: str
    candidates: list[CandidateShown]
    count: int
    total: int
    ignored_hints: list[str]


@surface.tool("read", example={"text": "copper", "hints": {"type": "project"}}, older={"text": ("name",)})
def carabase_find_entity_candidates(
    memory: Memory, text: Fragment, hints: Hints | None = None, limit: CandidateLimit = 5, as_of: AsOf = None
) -> Result[CandidatesFound]:
    """The entities that a name, or a part of one, may mean, best first."""
    index_before_read(memory, by_meaning=False)
    with memory.read(as_of) as view:
        found = find_candidates(view, memory.names(view), text)
        fits = _fitting(memory, view, hints or {})
        shown = show_candidates(view, found, limit, fits.entities)
        value = {
            "text": text,
            "candidates": shown,
            "count": len(shown),
            "total": len(found),
            "ignored_hints": fits.ignored,
        }
        lines = [f"{len(shown)} of {len(found)} entities may be meant by {quoted(text)}", *candidate_lines(shown)]
        if shown:
            return answer(value, lines)
        trace = [f"match {quoted(text)} → no name, alias, part or typo"]
        return answer(value, lines, hint=_nothing(text), trace=trace, as_of=as_of)


def _nothing(text: str) -> Hint:
    words = f"No entity has a name like {quoted(text)}. Search what was written with `carabase_search_semantic`."
    return Hint("candidatesNoResults", words, (call("carabase_search_semantic", query=text),))


class _Fits(NamedTuple):
    """For each hint that could be used, which entities it speaks for."""

    entities: Sequence["_Fit"]
    ignored: list[str]


class _Fit(NamedTuple):
    types: Collection[str] | None = None
    among: Collection[EntityId] = ()


def _fitting(memory: Memory, view: View, hints: Mapping[str, Any]) -> _Fits:
    fits: list[_Fit] = []
    ignored = [key for key in hints if key not in HINTS]
    for key in HINTS:
        given = hints.get(key)
        if given is None or (isinstance(given, str) and not given.strip()):
            continue
        if not isinstance(given, str):
            raise BadInput(f"hints.{key} must be a string", field=f"hints.{key}")
        fit = _fit(memory, view, key, given)
        fits += [] if fit is None else [fit]
        ignored += [key] if fit is None else []
    return _Fits(fits, sorted(ignored))


def _fit(memory: Memory, view: View, key: str, given: str) -> _Fit | None:
    match key:
        case "type":
            wanted = snake(given)
            wanted = "organization" if wanted == "company" else wanted
            known = {row[0] for row in view.rows("entity_types")}
            return _Fit(types={wanted}) if wanted in TYPES or wanted in known else None
        case "near_entity":
            near = resolved(memory, view, given.strip()).entity
            return None if near is None else _Fit(among=_neighbours(view, near))
    folio = find_folio(view, given)
    if folio is None:
        return None
    documents = [row[0] for row in view.rows("documents_in_folio", folio=folio.id)]
    return _Fit(among={each for found in entities_in(view, documents).values() for each in found})


def _neighbours(view: View, entity: EntityId) -> set[EntityId]:
    steps = steps_at(view, [entity], Passable(view.world.now.span))
    return {far for step in steps if (far := step.other(entity)) is not None and far != entity}


def show_candidates(
    view: View, hits: Sequence[Hit], limit: int = MOST_SHOWN_ELSEWHERE, fits: Sequence[_Fit] = ()
) -> list[CandidateShown]:
    """The best of the hits, ranked by their match, by what fits the hints, and by how much is known of each."""
    entities = view.entities({hit.entity for hit in hits})
    live = [hit for hit in hits if hit.entity in entities]
    ranks = {
        hit.entity: round(hit.score + BOOST * _fitting_count(hit, entities[hit.entity].type, fits), 4) for hit in live
    }
    floor = sorted(ranks.values(), reverse=True)[:limit][-1] if live else 0.0
    near = [hit for hit in live if ranks[hit.entity] >= floor]
    counts, seen = _known(view, [hit.entity for hit in near])
    near.sort(key=lambda hit: (entities[hit.entity].name, hit.entity))
    near.sort(key=lambda hit: (ranks[hit.entity], counts.get(hit.entity, 0), seen.get(hit.entity, 0)), reverse=True)
    return [
        {
            **show_name(entities[hit.entity]),
            "match": hit.match,
            "score": hit.score,
            "rank_score": ranks[hit.entity],
            "matched_alias": hit.alias,
            "aliases": view.aliases(entities[hit.entity]),
            "metadata": metadata_of(entities[hit.entity]),
            "provisional": entities[hit.entity].provisional,
            "edge_count": counts.get(hit.entity, 0),
            "last_seen": _day(view, seen.get(hit.entity)),
            "context": _context(view, hit.entity),
        }
        for hit in near[:limit]
    ]


def _fitting_count(hit: Hit, stored: str, fits: Sequence[_Fit]) -> int:
    by_type = sum(fit.types is not None and (stored in fit.types or type_of(stored) in fit.types) for fit in fits)
    return by_type + sum(fit.types is None and hit.entity in fit.among for fit in fits)


def _known(view: View, entities: Sequence[EntityId]) -> tuple[dict[EntityId, int], dict[EntityId, int]]:
    """Current edges and the last time anything was said, of each entity."""
    if not entities:
        return {}, {}
    now: Span = view.world.now.span
    counts: dict[EntityId, int] = dict(view.rows("edge_counts", entities=sorted(entities), at_lo=now.lo, at_hi=now.hi))
    return counts, dict(view.rows("entities_last_seen", entities=sorted(entities)))


def _day(view: View, instant: int | None) -> str | None:
    return None if instant is None else say_day(local_day(Instant(instant), view.world.zone))


def _context(view: View, entity: EntityId) -> list[ContextShown]:
    steps = steps_at(view, [entity], Passable(view.world.now.span), CONTEXT)
    facts = {seen.fact.id: seen for seen in view.seen([step.id for step in steps])}
    return [_edge(facts[step.id], entity) for step in steps if step.id in facts]


def _edge(seen: Seen, entity: EntityId) -> ContextShown:
    fact = seen.fact
    return {
        "type": fact.predicate,
        "text": seen.text,
        "other_name": seen.object_name if fact.subject == entity else seen.subject_name,
        "source_kind": fact.source_kind,
        "confidence": round(fact.confidence, 4),
    }


def for_unknown(memory: Memory, view: View, text: str) -> list[CandidateShown]:
    """What may have been meant by a name that resolved to nothing."""
    index = memory.names(view)
    return show_candidates(view, find_candidates(view, index, text) or likely(index, text, MOST_SHOWN_ELSEWHERE))


def for_several(view: View, found: Resolution) -> list[CandidateShown]:
    """Those who tie at a name."""
    match: Match = "exact" if found.rung in ("id", "exact") else "alias" if found.rung == "alias" else "fuzzy"
    hits = [Hit(each.entity, match, each.name.spelling if each.name.kind == "alias" else None) for each in found.tied]
    return show_candidates(view, hits)


def candidate_lines(shown: Sequence[CandidateShown]) -> list[str]:
    lines = []
    for number, each in enumerate(shown, start=1):
        alias = f", alias {quoted(each['matched_alias'])}" if each["matched_alias"] else ""
        kind = each["type"] if each["type"] == each["kind"] else f"{each['type']}/{each['kind']}"
        seen = f", last seen {each['last_seen']}" if each["last_seen"] else ""
        lines.append(
            f"{number}. {each['name']} ({kind}) · {each['id']} · {each['match']}{alias} {each['rank_score']:.2f} · "
            f"{each['edge_count']} edges{seen}"
        )
        lines += [f"   {edge['text']}" for edge in each["context"]]
    return lines


def named_with_types(shown: Sequence[CandidateShown]) -> str:
    return ", ".join(f"{quoted(each['name'])} ({each['type']})" for each in shown)
