"""`carabase_traverse_memory_network`: the memories around given memories."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from recollect.keep.network.ball import Kept
from recollect.memory import Memory
from recollect.model.memory_link import LINK_TYPES
from recollect.surfaces.carabase.network_shown import Networked, network_lines, show_network
from recollect.surfaces.carabase.network_walk import Anchors, Asked, Walked, read_anchors, walk
from recollect.surfaces.carabase.problems import Problem
from recollect.surfaces.carabase.shapes import Confidence, checked_text, list_of, whole, word_of
from recollect.surfaces.carabase.surface import surface
from recollect.surfaces.carabase.trailers import Hint, answer, call, options
from recollect.surfaces.declare import Result
from recollect.surfaces.shapes import AsOf

NAME = "carabase_traverse_memory_network"
DEEPEST = 3
MESH_TIER = "the originals of all these memories are gone; cite the memories themselves"

AnchorIds = Annotated[
    list[str],
    Field(description="UUIDs of memories; memory:{uuid} and artifact URIs too"),
    list_of(lambda value: checked_text(value, 2000), 1, 20),
]
Mode = Annotated[
    Literal["pagerank", "shortest_path", "neighbours"],
    Field(description="How memories are ranked"),
    word_of("pagerank", "shortest_path", "neighbours"),
]
Depth = Annotated[int, Field(ge=1, le=3, description="Links to go; default 2, 3 for shortest_path"), whole(1, 3)]
LinkTypes = Annotated[
    list[str],
    Field(description=f"Any of {', '.join(LINK_TYPES)}"),
    list_of(lambda value: checked_text(value, 50).casefold()),
]
Limit = Annotated[int, Field(ge=1, le=50, description="How many memories"), whole(1, 50)]
Way = Annotated[
    Literal["both", "out", "in"], Field(description="For links with a direction"), word_of("both", "out", "in")
]
MaxNodes = Annotated[int, Field(ge=5, le=2000, description="Most memories to look at"), whole(5, 2000)]


class UnknownLinkType(Problem):
    code = "LINK_TYPE_UNKNOWN"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"link type {name!r} is not known; the types are {', '.join(LINK_TYPES)}",
            field="link_types",
            accepted=LINK_TYPES,
        )


class TooFewAnchors(Problem):
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
    mode: Mode = "pagerank",
    depth: Depth | None = None,
    link_types: LinkTypes | None = None,
    min_confidence: Confidence = 0,
    limit: Limit = 10,
    direction: Way = "both",
    max_nodes: MaxNodes = 2000,
    as_of: AsOf = None,
) -> Result[Networked]:
    """The memories around given ones, ranked by how their links lead there.

    Words are no anchors: find ids with `carabase_search_semantic` first.
    """
    unknown = next((each for each in link_types or () if each not in LINK_TYPES), None)
    if unknown is not None:
        raise UnknownLinkType(unknown)
    kept = Kept(frozenset(link_types or LINK_TYPES), min_confidence, direction)
    asked = Asked(mode, depth or (DEEPEST if mode == "shortest_path" else 2), kept, limit, max_nodes)
    with memory.read(as_of) as view:
        anchors = read_anchors(view, anchor)
        if mode == "shortest_path" and len(anchors.given) < 2:
            raise TooFewAnchors
        walked = walk(view, asked, anchors.known)
        value = show_network(view, asked, anchors, walked)
    is_empty = not walked.order and not any(path for _, _, path in walked.paths)
    hint = _hint(asked, anchors, walked) if is_empty else None
    mesh_tier = MESH_TIER if value["all_sources_purged"] else None
    trace = _trace(walked, anchors)
    return answer(value, network_lines(value), hint=hint, trace=trace, mesh_tier=mesh_tier, as_of=as_of)


def _trace(walked: Walked, anchors: Anchors) -> list[str]:
    more = " timed_out=true" if walked.timed_out else ""
    more += " fallback=bfs" if walked.is_fallback else ""
    counted = f"nodes={len(walked.ball.hops)} edges={len(walked.ball.links)} iter={walked.rounds}"
    converged = "true" if walked.converged else "false"
    return [f"traverse mode={walked.mode} anchors={len(anchors.known)} {counted} converged={converged}{more}"]


def _hint(asked: Asked, anchors: Anchors, walked: Walked) -> Hint:
    if not anchors.known:
        said = ", ".join(each["id"] for each in anchors.unknown[:3])
        text = f"No memory here has the id {said}. Find memories with `carabase_search_semantic` and take their ids."
        find = call("carabase_search_semantic", query="recent memories", kinds=["memory", "commit"], k=10)
        return Hint("memoryUnknownAnchor", text, (find,))
    if asked.mode == "shortest_path":
        return _no_path(asked, anchors, walked)
    return _no_neighbours(asked, anchors)


def _no_path(asked: Asked, anchors: Anchors, walked: Walked) -> Hint:
    pairs = "; ".join(f"{anchors.said(one)} and {anchors.said(other)}" for one, other, _ in walked.paths[:2])
    what = f"No path of at most {asked.depth} links joins {pairs}" if pairs else "Only one of the anchors is known"
    around = call(NAME, anchor=anchors.shown(), mode="neighbours")
    return Hint("memoryNoPath", f"{what}. See what lies around them with `{NAME}` in mode neighbours.", (around,))


def _no_neighbours(asked: Asked, anchors: Anchors) -> Hint:
    filters = _filters(asked)
    wider = {"anchor": anchors.shown(), "mode": "neighbours", "depth": DEEPEST}
    is_other = bool(filters) or asked.mode != "neighbours" or asked.depth != DEEPEST
    choices = [f"call `{NAME}` with depth {DEEPEST} and no filters"] if is_other else []
    choices.append("look for related text with `carabase_search_semantic`")
    named = f" with {', '.join(filters)}" if filters else ""
    text = f"No memory is linked to {', '.join(map(anchors.said, anchors.known[:2]))}{named}. {options(choices)}"
    return Hint("memoryNoNeighbours", text, (call(NAME, **wider),) if is_other else ())


def _filters(asked: Asked) -> Sequence[str]:
    kept = asked.kept
    said: dict[str, Any] = {
        "link_types": ", ".join(sorted(kept.types)) if len(kept.types) < len(LINK_TYPES) else None,
        "min_confidence": kept.least or None,
        "direction": kept.direction if kept.direction != "both" else None,
    }
    return [f"{name} {value}" for name, value in said.items() if value is not None]
