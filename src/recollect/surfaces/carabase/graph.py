"""`carabase_search_graph`: a walk through the graph from one named entity."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.wording import snake
from recollect.reason.walk import Direction, Passable, Walk, removed_alone, walk
from recollect.resolve.answer import Resolution
from recollect.store.view import View
from recollect.surfaces.carabase.candidates import (
    CandidateShown,
    candidate_lines,
    for_several,
    for_unknown,
    named_with_types,
)
from recollect.surfaces.carabase.edge import Edges, EdgeShown, edge_line
from recollect.surfaces.carabase.entity import EntityNamed, EntityShown, show_entity, show_name, types_called
from recollect.surfaces.carabase.shapes import (
    AtTime,
    Confidence,
    EntityText,
    Flag,
    SourceKinds,
    checked_name,
    list_of,
    name,
    whole,
    word_of,
)
from recollect.surfaces.carabase.surface import surface
from recollect.surfaces.carabase.times import read_at
from recollect.surfaces.carabase.trailers import Call, Hint, Trailed, answer, call, options, quoted
from recollect.surfaces.carabase.who import resolved
from recollect.surfaces.declare import Result
from recollect.surfaces.shapes import AsOf
from recollect.when.period import Time

NAME = "carabase_search_graph"
MOST_EDGES = 200
COUNTED = 10_000

Method = Literal["id", "exact", "alias", "fuzzy", "embedding", "ambiguous", "none"]
Depth = Annotated[int, Field(ge=1, le=3, description="How many hops"), whole(1, 3)]
StartType = Annotated[str, Field(max_length=200, description="A type or kind that settles which is meant"), name(200)]
EdgeTypes = Annotated[
    list[str],
    Field(description="Only these predicates"),
    list_of(lambda value: snake(checked_name(value, 200))),
]
Way = Annotated[Direction, Field(description="Which way edges are crossed"), word_of("both", "out", "in")]
History = Annotated[Flag, Field(description="Also edges that ended, are stale or lie ahead")]
EdgeLimit = Annotated[int, Field(ge=1, le=200, description="At most this many edges"), whole(1, 200)]


class ResolvedBy(TypedDict):
    method: Method
    score: float


class NodeShown(EntityNamed):
    hop: int


class GraphFound(Trailed):
    entity: EntityShown | None
    resolution: ResolvedBy
    edges: list[EdgeShown]
    nodes: list[NodeShown]
    count: int
    total_edges: int
    truncated: bool
    candidates: list[CandidateShown]


@surface.tool(
    "read", example={"start_entity": "Brindle Foods", "min_confidence": 0.5}, older={"start_entity": ("entity",)}
)
def carabase_search_graph(
    memory: Memory,
    start_entity: EntityText,
    depth: Depth = 1,
    min_confidence: Confidence = 0.0,
    source_kinds: SourceKinds | None = None,
    start_type: StartType | None = None,
    edge_types: EdgeTypes | None = None,
    direction: Way = "both",
    at_time: AtTime | None = None,
    include_history: History = False,
    limit: EdgeLimit = MOST_EDGES,
    as_of: AsOf = None,
) -> Result[GraphFound]:
    """The edges around one entity, walked breadth first; filters act while walking.

    A name that fits several entities gives candidates: ask again with `start_type` or an id.
    """
    given: dict[str, Any] = {"start_entity": start_entity, "depth": depth, "min_confidence": min_confidence or None}
    given |= {"source_kinds": source_kinds, "start_type": start_type, "edge_types": edge_types}
    given |= {"direction": direction if direction != "both" else None, "at_time": at_time, "as_of": as_of}
    given |= {"include_history": include_history or None}
    with memory.read(as_of) as view:
        at = read_at(view, at_time)
        types = None if start_type is None else types_called(start_type)
        found = resolved(memory, view, start_entity, types) if types else resolved(memory, view, start_entity)
        entity = view.entity(found.entity) if found.entity is not None else None
        if entity is None:
            return _not_one(memory, view, start_entity, found, given)
        kinds = frozenset(source_kinds) if source_kinds else Passable(at.span).source_kinds
        passable = Passable(at.span, include_history, min_confidence, kinds, frozenset(edge_types or ()), direction)
        walked = walk(view, entity.id, passable, depth)
        if walked.edges:
            return _found(view, at, entity, found, walked, limit)
        return _no_edges(view, entity, found, passable, given)


def show_walk(view: View, at: Time, walked: Walk, limit: int) -> list[EdgeShown]:
    """The first edges of a walk."""
    facts = {seen.fact.id: seen for seen in view.seen([each.step.id for each in walked.edges[:limit]])}
    edges = Edges(view, at, facts.values())
    return [
        edges.show(facts[each.step.id], each.hop, each.near) for each in walked.edges[:limit] if each.step.id in facts
    ]


def _found(view: View, at: Time, entity: Entity, found: Resolution, walked: Walk, limit: int) -> Result[GraphFound]:
    edges = show_walk(view, at, walked, limit)
    nodes = _nodes(view, entity, walked, limit)
    left_out = walked.found - len(edges)
    value = _value(view, entity, found) | {
        "edges": edges,
        "nodes": nodes,
        "count": len(edges),
        "total_edges": walked.found,
        "truncated": left_out > 0,
    }
    counted = f"{walked.found}{'+' if walked.found >= COUNTED else ''}"
    lines = [
        f"{entity.name} ({value['entity']['type']}): {len(edges)} of {counted} edges, {len(nodes)} entities reached",
        *map(edge_line, edges),
        *(f"reached at hop {node['hop']}: {node['name']} ({node['type']}) · {node['id']}" for node in nodes),
    ]
    trace = [f"walk {quoted(entity.name)} → {counted} edges, {left_out} left out by limit={limit}"] if left_out else []
    return answer(value, lines, trace=trace)


def _nodes(view: View, start: Entity, walked: Walk, limit: int) -> list[NodeShown]:
    ends = {end for each in walked.edges[:limit] for end in (each.step.subject, each.step.object) if end is not None}
    entities = view.entities(ends - {start.id})
    shown: list[NodeShown] = [
        {**show_name(each), "hop": walked.distances[each.id]}
        for each in entities.values()
        if each.id in walked.distances
    ]
    return sorted(shown, key=lambda node: (node["hop"], node["name"], node["id"]))


def _value(view: View, entity: Entity | None, found: Resolution) -> dict[str, Any]:
    method: Method = "ambiguous" if found.is_ambiguous else found.method
    return {
        "entity": None if entity is None else show_entity(view, entity),
        "resolution": {"method": method, "score": round(found.score, 4)},
        "edges": [],
        "nodes": [],
        "count": 0,
        "total_edges": 0,
        "truncated": False,
        "candidates": [],
    }


def _not_one(memory: Memory, view: View, text: str, found: Resolution, given: dict[str, Any]) -> Result[GraphFound]:
    if found.is_ambiguous:
        shown = for_several(view, found)
        hint = several(
            text, shown, [call(NAME, **(given | {"start_entity": each["id"], "start_type": None})) for each in shown]
        )
        trace = f"resolve {quoted(text)} → {len(found.tied)} entities"
    else:
        shown = for_unknown(memory, view, text)
        calls = [call(NAME, **(given | {"start_entity": each["id"], "start_type": None})) for each in shown]
        hint = unknown(text, shown, calls)
        trace = f"resolve {quoted(text)} → none"
    value = _value(view, None, found) | {"candidates": shown}
    lines = [f"No one entity is named by {quoted(text)}", *candidate_lines(shown)]
    return answer(value, lines, hint=hint, trace=[trace], as_of=given["as_of"])


def several(text: str, shown: list[CandidateShown], calls: list[Call]) -> Hint:
    """A name that several entities share."""
    words = f"{quoted(text)} may be {named_with_types(shown)}. Ask again with start_type, or with the id of one."
    return Hint("graphAmbiguousEntity", words, tuple(calls[:2]))


def unknown(text: str, shown: list[CandidateShown], calls: list[Call]) -> Hint:
    """A name that nobody has, or nobody of the type that was asked for."""
    semantic = call("carabase_search_semantic", query=text)
    if not shown:
        words = f"No entity is named like {quoted(text)}, and there are no candidates. Try `carabase_search_semantic`."
        return Hint("graphUnknownEntity", words, (semantic,))
    choices = [f"ask again with one of {named_with_types(shown)}", "search texts with `carabase_search_semantic`"]
    has_name = any(each["match"] in ("exact", "alias") for each in shown)
    problem = f"No entity named {quoted(text)} is of that type." if has_name else f"No entity is named {quoted(text)}."
    return Hint("graphUnknownEntity", f"{problem} {options(choices)}", (*calls[:2], semantic))


def _no_edges(
    view: View, entity: Entity, found: Resolution, passable: Passable, given: dict[str, Any]
) -> Result[GraphFound]:
    counts, total = removed_alone(view, entity.id, passable)
    value = _value(view, entity, found)
    semantic = call("carabase_search_semantic", query=entity.name)
    if not total:
        words = (
            f"{quoted(entity.name)} is known but has no edge. Search what was written with `carabase_search_semantic`."
        )
        hint = Hint("graphNoEdges", words, (semantic,))
        trace = [f"walk {quoted(entity.name)} → 0 edges"]
        return answer(value, [words_of(entity, 0)], hint=hint, trace=trace, as_of=given["as_of"])
    removed = {name: count for name, count in counts.items() if count}
    said = ", ".join(f"{name} {count}" for name, count in removed.items()) or "no filter alone, only several together"
    calls = [_without(name, given) for name in removed] or [_without_all(given)]
    words = (
        f"{quoted(entity.name)} has {total} edges, none passes. Removed by one filter alone: {said}. Ask without it."
    )
    trace = [f"walk {quoted(entity.name)} → {total} edges, 0 pass", f"filters → {said}"]
    return answer(value, [words_of(entity, total)], hint=Hint("graphFilteredOut", words, tuple(calls)), trace=trace)


def words_of(entity: Entity, total: int) -> str:
    return f"{entity.name}: {total} edges, none of them shown"


_LIFTED: dict[str, dict[str, Any]] = {
    "current": {"include_history": True},
    "min_confidence": {"min_confidence": None},
    "source_kinds": {"source_kinds": None},
    "edge_types": {"edge_types": None},
    "direction": {"direction": None},
}


def _without(name: str, given: dict[str, Any]) -> Call:
    return call(NAME, **(given | _LIFTED[name]))


def _without_all(given: dict[str, Any]) -> Call:
    lifted = {key: value for each in _LIFTED.values() for key, value in each.items()}
    return call(NAME, **(given | lifted))
