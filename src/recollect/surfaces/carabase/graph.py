"""`carabase_search_graph`: a walk through the graph from one named entity."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.fact import ends_of_facts
from recollect.model.similarity import to_snake_case
from recollect.reason.traversal import EdgeFilter, GraphDirection, GraphWalk, count_edges_by_filter, walk_graph
from recollect.resolve.port import Resolution
from recollect.resolve.resolver import resolved_entity
from recollect.store.view import View
from recollect.surfaces.carabase.candidates import (
    EntityCandidateView,
    candidate_lines,
    candidates_for_ambiguous,
    candidates_for_unknown,
    format_names_with_types,
)
from recollect.surfaces.carabase.edges import (
    EdgeRenderer,
    EdgeView,
    EntitySummaryView,
    TypedEntityRef,
    entity_ref,
    format_edge,
    render_entity,
    resolve_name,
    types_named,
)
from recollect.surfaces.carabase.hints import (
    Hint,
    HintedResult,
    SuggestedCall,
    format_options,
    hinted_answer,
    quote,
    suggest_call,
)
from recollect.surfaces.carabase.parameters import (
    AtTimeText,
    BooleanFlag,
    EntityText,
    MinConfidence,
    SourceKinds,
    check_name,
    choice_of,
    integer_between,
    list_of,
    name_of,
    parse_at_time,
)
from recollect.surfaces.carabase.surface import surface
from recollect.surfaces.declarations import Result
from recollect.surfaces.parameter_types import AsOf
from recollect.surfaces.views import marks_text
from recollect.when.period import Time

TOOL_NAME = "carabase_search_graph"
MAX_EDGES = 200
MAX_COUNTED_EDGES = 10_000

StartMethod = Literal["id", "exact", "alias", "fuzzy", "embedding", "ambiguous", "none"]
HopDepth = Annotated[int, Field(ge=1, le=3, description="How many hops"), integer_between(1, 3)]
StartType = Annotated[
    str, Field(max_length=200, description="A type or kind that settles which is meant"), name_of(200)
]
EdgeTypes = Annotated[
    list[str],
    Field(description="Only these predicates"),
    list_of(lambda value: to_snake_case(check_name(value, 200))),
]
EdgeDirectionText = Annotated[
    GraphDirection, Field(description="Which way edges are crossed"), choice_of("both", "out", "in")
]
IncludeHistory = Annotated[BooleanFlag, Field(description="Also edges that ended, are stale or lie ahead")]
EdgeLimit = Annotated[int, Field(ge=1, le=200, description="At most this many edges"), integer_between(1, 200)]


class StartResolution(TypedDict):
    method: StartMethod
    score: float


class HopNodeView(TypedEntityRef):
    hop: int


class GraphSearchResult(HintedResult):
    entity: EntitySummaryView | None
    resolution: StartResolution
    edges: list[EdgeView]
    nodes: list[HopNodeView]
    count: int
    total_edges: int
    truncated: bool
    candidates: list[EntityCandidateView]


@surface.tool(
    "read", example={"start_entity": "Brindle Foods", "min_confidence": 0.5}, older={"start_entity": ("entity",)}
)
def carabase_search_graph(
    memory: Memory,
    start_entity: EntityText,
    depth: HopDepth = 1,
    min_confidence: MinConfidence = 0.0,
    source_kinds: SourceKinds | None = None,
    start_type: StartType | None = None,
    edge_types: EdgeTypes | None = None,
    direction: EdgeDirectionText = "both",
    at_time: AtTimeText | None = None,
    include_history: IncludeHistory = False,
    limit: EdgeLimit = MAX_EDGES,
    as_of: AsOf = None,
) -> Result[GraphSearchResult]:
    """The edges around one entity, walked breadth first; filters act while walking.

    A name that fits several entities gives candidates: ask again with `start_type` or an id.
    """
    given: dict[str, Any] = {"start_entity": start_entity, "depth": depth, "min_confidence": min_confidence or None}
    given |= {"source_kinds": source_kinds, "start_type": start_type, "edge_types": edge_types}
    given |= {"direction": direction if direction != "both" else None, "at_time": at_time, "as_of": as_of}
    given |= {"include_history": include_history or None}
    with memory.read(as_of) as view:
        at = parse_at_time(view, at_time)
        types = None if start_type is None else types_named(start_type)
        found = resolve_name(memory, view, start_entity, types) if types else resolve_name(memory, view, start_entity)
        entity = resolved_entity(view, found)
        if entity is None:
            return _render_unresolved(memory, view, start_entity, found, given)
        kinds = frozenset(source_kinds) if source_kinds else EdgeFilter(at.span).source_kinds
        passable = EdgeFilter(at.span, include_history, min_confidence, kinds, frozenset(edge_types or ()), direction)
        walked = walk_graph(view, entity.id, passable, depth)
        if walked.edges:
            return _render_found(view, at, entity, found, walked, limit)
        return _render_no_edges(view, entity, found, passable, given)


def render_walk(view: View, at: Time, walked: GraphWalk, limit: int) -> list[EdgeView]:
    """The first edges of a walk, rendered."""
    facts = {seen.fact.id: seen for seen in view.fact_rows([each.step.id for each in walked.edges[:limit]])}
    edges = EdgeRenderer(view, at, facts.values())
    return [
        edges.render(facts[each.step.id], each.hop, each.near) for each in walked.edges[:limit] if each.step.id in facts
    ]


def _render_found(
    view: View, at: Time, entity: Entity, found: Resolution, walked: GraphWalk, limit: int
) -> Result[GraphSearchResult]:
    edges = render_walk(view, at, walked, limit)
    nodes = _render_nodes(view, entity, walked, limit)
    left_out = walked.found - len(edges)
    value = _base_value(view, entity, found) | {
        "edges": edges,
        "nodes": nodes,
        "count": len(edges),
        "total_edges": walked.found,
        "truncated": left_out > 0,
    }
    counted = f"{walked.found}{'+' if walked.found >= MAX_COUNTED_EDGES else ''}"
    reached = f"{len(edges)} of {counted} edges, {len(nodes)} entities reached{marks_text(value['entity'])}"
    lines = [
        f"{entity.name} ({value['entity']['type']}): {reached}",
        *map(format_edge, edges),
        *map(_node_line, nodes),
    ]
    trace = [f"walk {quote(entity.name)} → {counted} edges, {left_out} left out by limit={limit}"] if left_out else []
    return hinted_answer(value, lines, trace=trace)


def _node_line(node: HopNodeView) -> str:
    return f"reached at hop {node['hop']}: {node['name']} ({node['type']}) · {node['id']}{marks_text(node)}"


def _render_nodes(view: View, start: Entity, walked: GraphWalk, limit: int) -> list[HopNodeView]:
    entities = view.entities(ends_of_facts(each.step for each in walked.edges[:limit]) - {start.id})
    shown: list[HopNodeView] = [
        {**entity_ref(each), "hop": walked.distances[each.id]}
        for each in entities.values()
        if each.id in walked.distances
    ]
    return sorted(shown, key=lambda node: (node["hop"], node["name"], node["id"]))


def _base_value(view: View, entity: Entity | None, found: Resolution) -> dict[str, Any]:
    method: StartMethod = "ambiguous" if found.is_ambiguous else found.method
    return {
        "entity": None if entity is None else render_entity(view, entity),
        "resolution": {"method": method, "score": round(found.score, 4)},
        "edges": [],
        "nodes": [],
        "count": 0,
        "total_edges": 0,
        "truncated": False,
        "candidates": [],
    }


def _render_unresolved(
    memory: Memory, view: View, text: str, found: Resolution, given: dict[str, Any]
) -> Result[GraphSearchResult]:
    is_several = found.is_ambiguous
    shown = candidates_for_ambiguous(view, found) if is_several else candidates_for_unknown(memory, view, text)
    calls = [suggest_call(TOOL_NAME, **(given | {"start_entity": each["id"], "start_type": None})) for each in shown]
    hint = (ambiguous_hint if is_several else unknown_hint)(text, shown, calls)
    trace = f"resolve {quote(text)} → {f'{len(found.tied)} entities' if is_several else 'none'}"
    value = _base_value(view, None, found) | {"candidates": shown}
    lines = [f"No one entity is named by {quote(text)}", *candidate_lines(shown)]
    return hinted_answer(value, lines, hint=hint, trace=[trace], as_of=given["as_of"])


def ambiguous_hint(text: str, shown: list[EntityCandidateView], calls: list[SuggestedCall]) -> Hint:
    """The hint for a name that several entities have."""
    words = f"{quote(text)} may be {format_names_with_types(shown)}. Ask again with start_type, or with the id of one."
    return Hint("graphAmbiguousEntity", words, tuple(calls[:2]))


def unknown_hint(text: str, shown: list[EntityCandidateView], calls: list[SuggestedCall]) -> Hint:
    """The hint for a name that no entity of the given type has."""
    semantic = suggest_call("carabase_search_semantic", query=text)
    if not shown:
        words = f"No entity is named like {quote(text)}, and there are no candidates. Try `carabase_search_semantic`."
        return Hint("graphUnknownEntity", words, (semantic,))
    choices = [
        f"ask again with one of {format_names_with_types(shown)}",
        "search texts with `carabase_search_semantic`",
    ]
    has_name = any(each["match"] in ("exact", "alias") for each in shown)
    problem = f"No entity named {quote(text)} is of that type." if has_name else f"No entity is named {quote(text)}."
    return Hint("graphUnknownEntity", f"{problem} {format_options(choices)}", (*calls[:2], semantic))


def _render_no_edges(
    view: View, entity: Entity, found: Resolution, passable: EdgeFilter, given: dict[str, Any]
) -> Result[GraphSearchResult]:
    counts, total = count_edges_by_filter(view, entity.id, passable)
    value = _base_value(view, entity, found)
    semantic = suggest_call("carabase_search_semantic", query=entity.name)
    if not total:
        words = (
            f"{quote(entity.name)} is known but has no edge. Search what was written with `carabase_search_semantic`."
        )
        hint = Hint("graphNoEdges", words, (semantic,))
        trace = [f"walk {quote(entity.name)} → 0 edges"]
        return hinted_answer(value, [describe_hidden_edges(entity, 0)], hint=hint, trace=trace, as_of=given["as_of"])
    removed = {name: count for name, count in counts.items() if count}
    said = ", ".join(f"{name} {count}" for name, count in removed.items()) or "no filter alone, only several together"
    calls = [suggest_call(TOOL_NAME, **(given | _LIFTED_FILTERS[name])) for name in removed] or [
        _call_without_filters(given)
    ]
    words = f"{quote(entity.name)} has {total} edges, none passes. Removed by one filter alone: {said}. Ask without it."
    trace = [f"walk {quote(entity.name)} → {total} edges, 0 pass", f"filters → {said}"]
    return hinted_answer(
        value, [describe_hidden_edges(entity, total)], hint=Hint("graphFilteredOut", words, tuple(calls)), trace=trace
    )


def describe_hidden_edges(entity: Entity, total: int) -> str:
    return f"{entity.name}: {total} edges, none of them shown"


_LIFTED_FILTERS: dict[str, dict[str, Any]] = {
    "current": {"include_history": True},
    "min_confidence": {"min_confidence": None},
    "source_kinds": {"source_kinds": None},
    "edge_types": {"edge_types": None},
    "direction": {"direction": None},
}


def _call_without_filters(given: dict[str, Any]) -> SuggestedCall:
    lifted = {key: value for each in _LIFTED_FILTERS.values() for key, value in each.items()}
    return suggest_call(TOOL_NAME, **(given | lifted))
