"""`carabase_traverse_memory_network`: the memories around given memories."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from recollect.keep.network.traversal import MAX_NODES, LinkFilter, NetworkQuery, NetworkWalk, walk_network
from recollect.memory import Memory
from recollect.model.memory_links import LINK_TYPES
from recollect.surfaces.carabase.hints import Hint, format_options, hinted_answer, suggest_call
from recollect.surfaces.carabase.network_view import (
    Anchors,
    MemoryNetworkResult,
    network_lines,
    parse_anchors,
    render_network,
)
from recollect.surfaces.carabase.parameters import MinConfidence, check_text, choice_of, integer_between, list_of
from recollect.surfaces.carabase.surface import CarabaseError, surface
from recollect.surfaces.declarations import Result
from recollect.surfaces.parameter_types import AsOf

TOOL_NAME = "carabase_traverse_memory_network"
MAX_DEPTH = 3
MESH_TIER_NOTE = "the originals of all these memories are gone; cite the memories themselves"

AnchorIds = Annotated[
    list[str],
    Field(description="UUIDs of memories; memory:{uuid} and artifact URIs too"),
    list_of(lambda value: check_text(value, 2000), 20),
]
ModeText = Annotated[
    Literal["pagerank", "shortest_path", "neighbours"],
    Field(description="How memories are ranked"),
    choice_of("pagerank", "shortest_path", "neighbours"),
]
LinkDepth = Annotated[
    int, Field(ge=1, le=3, description="Links to go; default 2, 3 for shortest_path"), integer_between(1, 3)
]
LinkTypes = Annotated[
    list[str],
    Field(description=f"Any of {', '.join(LINK_TYPES)}"),
    list_of(lambda value: check_text(value, 50).casefold()),
]
MemoryLimit = Annotated[int, Field(ge=1, le=50, description="How many memories"), integer_between(1, 50)]
LinkDirection = Annotated[
    Literal["both", "out", "in"], Field(description="For links with a direction"), choice_of("both", "out", "in")
]
MaxNodes = Annotated[int, Field(ge=5, le=2000, description="Most memories to look at"), integer_between(5, 2000)]


class UnknownLinkType(CarabaseError):
    code = "LINK_TYPE_UNKNOWN"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"link type {name!r} is not known; the types are {', '.join(LINK_TYPES)}",
            field="link_types",
            accepted=LINK_TYPES,
        )


class TooFewAnchors(CarabaseError):
    code = "ANCHORS_TOO_FEW"

    def __init__(self) -> None:
        super().__init__("shortest_path needs at least two anchors", field="anchor")


@surface.tool(
    "read",
    example={"anchor": ["019e44d3-ed00-719b-8ca1-e5e8a9274d67"], "depth": 1},
    older={"anchor": ("anchors",)},
)
def carabase_traverse_memory_network(
    memory: Memory,
    anchor: AnchorIds,
    mode: ModeText = "pagerank",
    depth: LinkDepth | None = None,
    link_types: LinkTypes | None = None,
    min_confidence: MinConfidence = 0,
    limit: MemoryLimit = 10,
    direction: LinkDirection = "both",
    max_nodes: MaxNodes = 2000,
    as_of: AsOf = None,
) -> Result[MemoryNetworkResult]:
    """The memories around given ones, ranked by how their links lead there.

    Words are no anchors: find ids with `carabase_search_semantic` first.
    """
    unknown = next((each for each in link_types or () if each not in LINK_TYPES), None)
    if unknown is not None:
        raise UnknownLinkType(unknown)
    kept = LinkFilter(frozenset(link_types or LINK_TYPES), min_confidence, direction)
    query = NetworkQuery(mode, depth or (MAX_DEPTH if mode == "shortest_path" else 2), kept, limit, max_nodes)
    with memory.read(as_of) as view:
        anchors = parse_anchors(view, anchor)
        if mode == "shortest_path" and len(anchors.given) < 2:
            raise TooFewAnchors
        walked = walk_network(view, query, anchors.known)
        value = render_network(view, query, anchors, walked)
    is_empty = not walked.order and not any(path for _, _, path in walked.paths)
    hint = _hint_for(query, anchors, walked) if is_empty else None
    mesh_tier = MESH_TIER_NOTE if value["all_sources_purged"] else None
    trace = _trace_steps(walked, anchors)
    return hinted_answer(value, network_lines(value), hint=hint, trace=trace, mesh_tier=mesh_tier, as_of=as_of)


def _trace_steps(walked: NetworkWalk, anchors: Anchors) -> list[str]:
    more = " timed_out=true" if walked.timed_out else ""
    more += " fallback=bfs" if walked.is_fallback else ""
    counted = f"nodes={len(walked.ball.hops)} edges={len(walked.ball.links)} iter={walked.rounds}"
    converged = "true" if walked.converged else "false"
    return [f"traverse mode={walked.mode} anchors={len(anchors.known)} {counted} converged={converged}{more}"]


def _hint_for(query: NetworkQuery, anchors: Anchors, walked: NetworkWalk) -> Hint:
    if not anchors.known:
        said = ", ".join(each["id"] for each in anchors.unknown[:3])
        text = f"No memory here has the id {said}. Find memories with `carabase_search_semantic` and take their ids."
        find = suggest_call("carabase_search_semantic", query="recent memories", kinds=["memory", "commit"], k=10)
        return Hint("memoryUnknownAnchor", text, (find,))
    if query.mode == "shortest_path":
        return _no_path_hint(query, anchors, walked)
    if walked.is_fallback:
        return _no_room_hint(query, anchors)
    return _no_neighbours_hint(query, anchors)


def _no_room_hint(query: NetworkQuery, anchors: Anchors) -> Hint:
    text = (
        f"The {len(anchors.known)} anchors fill the {query.max_nodes} nodes of `max_nodes`. Call again with more nodes."
    )
    more = suggest_call(TOOL_NAME, anchor=anchors.to_json(), mode=query.mode, depth=query.depth, max_nodes=MAX_NODES)
    return Hint("memoryNoNeighbours", text, (more,))


def _no_path_hint(query: NetworkQuery, anchors: Anchors, walked: NetworkWalk) -> Hint:
    pairs = "; ".join(f"{anchors.describe(one)} and {anchors.describe(other)}" for one, other, _ in walked.paths[:2])
    what = f"No path of at most {query.depth} links joins {pairs}" if pairs else "Only one of the anchors is known"
    around = suggest_call(TOOL_NAME, anchor=anchors.to_json(), mode="neighbours")
    return Hint("memoryNoPath", f"{what}. See what lies around them with `{TOOL_NAME}` in mode neighbours.", (around,))


def _no_neighbours_hint(query: NetworkQuery, anchors: Anchors) -> Hint:
    filters = _describe_filters(query)
    wider = {"anchor": anchors.to_json(), "mode": "neighbours", "depth": MAX_DEPTH}
    is_other = bool(filters) or query.mode != "neighbours" or query.depth != MAX_DEPTH
    choices = [f"call `{TOOL_NAME}` with depth {MAX_DEPTH} and no filters"] if is_other else []
    choices.append("look for related text with `carabase_search_semantic`")
    named = f" with {', '.join(filters)}" if filters else ""
    linked_to = ", ".join(map(anchors.describe, anchors.known[:2]))
    text = f"No memory is linked to {linked_to}{named}. {format_options(choices)}"
    return Hint("memoryNoNeighbours", text, (suggest_call(TOOL_NAME, **wider),) if is_other else ())


def _describe_filters(query: NetworkQuery) -> Sequence[str]:
    kept = query.kept
    said: dict[str, Any] = {
        "link_types": ", ".join(sorted(kept.types)) if len(kept.types) < len(LINK_TYPES) else None,
        "min_confidence": kept.min_confidence or None,
        "direction": kept.direction if kept.direction != "both" else None,
    }
    return [f"{name} {value}" for name, value in said.items() if value is not None]
