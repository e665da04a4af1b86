"""The walk that a traversal asks for, and what it came to."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from typing_extensions import TypedDict

from recollect.keep.network.link_derivation import is_linkable
from recollect.keep.network.traversal import (
    LinkFilter,
    MemoryPath,
    Neighbourhood,
    ReachedMemory,
    cheapest_path,
    neighbourhood_of,
    rank_by_pagerank,
    reach_memories,
    strongest_steps,
)
from recollect.model.ids import DocumentId, format_uuid
from recollect.store.artifact_queries import first_transactions
from recollect.store.view import View
from recollect.surfaces.carabase.artifacts import is_visible, parse_artifact_id
from recollect.surfaces.carabase.hints import Hint, quote, suggest_call
from recollect.surfaces.carabase.surface import CarabaseError

NetworkMode = Literal["pagerank", "shortest_path", "neighbours"]


class UnknownAnchor(TypedDict):
    id: str
    reason: Literal["not_found", "not_a_memory"]


class AnchorInvalid(CarabaseError):
    code = "ANCHOR_INVALID"

    def __init__(self, said: str) -> None:
        text = f"{quote(said)} is no UUID of a memory. Find ids with `carabase_search_semantic` first."
        find = suggest_call("carabase_search_semantic", query=said[:1000], kinds=["memory", "commit"])
        super().__init__(
            f"anchor {quote(said)} is not a memory's UUID, memory:UUID or artifact URI",
            field="anchor",
            hint=Hint("badInput", text, (find,)),
            trace=[f"read anchor {quote(said)} → no UUID"],
        )


@dataclass(frozen=True, slots=True)
class NetworkQuery:
    """How to walk."""

    mode: NetworkMode
    depth: int
    kept: LinkFilter
    limit: int
    max_nodes: int


@dataclass(frozen=True, slots=True)
class Anchors:
    """The memories to start from in their given order, and what is none."""

    given: list[DocumentId]
    known: list[DocumentId]
    unknown: list[UnknownAnchor]
    titles: dict[DocumentId, str | None] = field(default_factory=dict)

    def to_json(self) -> list[str]:
        return [format_uuid(each) for each in self.known]

    def describe(self, memory: DocumentId) -> str:
        return quote(self.titles.get(memory) or format_uuid(memory))


@dataclass(frozen=True, slots=True)
class NetworkWalk:
    """Memories in their order, with what the walk says of each."""

    mode: NetworkMode
    ball: Neighbourhood
    order: list[DocumentId]
    reached: dict[DocumentId, ReachedMemory]
    scores: dict[DocumentId, float]
    paths: list[tuple[DocumentId, DocumentId, MemoryPath | None]] = field(default_factory=list)
    rounds: int = 0
    converged: bool = True
    timed_out: bool = False
    is_fallback: bool = False


def parse_anchors(view: View, given: Sequence[str]) -> Anchors:
    ids: list[DocumentId] = []
    for said in given:
        found = parse_artifact_id(said)
        if found is None:
            raise AnchorInvalid(said)
        ids.append(found)
    ids = list(dict.fromkeys(ids))
    documents = view.documents(ids)
    known = [each for each in ids if is_linkable(documents.get(each), view)]
    unknown: list[UnknownAnchor] = [
        {"id": format_uuid(each), "reason": "not_a_memory" if is_visible(documents.get(each), view) else "not_found"}
        for each in ids
        if each not in known
    ]
    return Anchors(ids, known, unknown, {each: documents[each].title for each in known})


def walk_network(view: View, asked: NetworkQuery, anchors: Sequence[DocumentId]) -> NetworkWalk:
    """The memories that a walk from the anchors ranks."""
    if not anchors:
        return NetworkWalk(asked.mode, Neighbourhood({}), [], {}, {})
    found = neighbourhood_of(view, anchors, asked.depth, asked.kept, asked.max_nodes)
    hops = reach_memories(found, anchors, asked.kept.direction)
    if asked.mode == "shortest_path":
        return _walk_paths(asked, anchors, found, hops)
    if asked.mode == "neighbours" or found.is_truncated:
        scores = {memory: each.score for memory, each in hops.items()}
        order = _rank_memories(view, hops, anchors, scores, by_hop=True)[: asked.limit]
        return NetworkWalk(asked.mode, found, order, hops, scores, is_fallback=found.is_truncated)
    scores, result = rank_by_pagerank(found, anchors, asked.kept.direction)
    order = _rank_memories(view, hops, anchors, scores, by_hop=False)[: asked.limit]
    how = (result.rounds, result.converged, result.timed_out)
    return NetworkWalk(asked.mode, found, order, hops, scores, [], *how)


def _rank_memories(
    view: View,
    hops: dict[DocumentId, ReachedMemory],
    anchors: Sequence[DocumentId],
    scores: dict[DocumentId, float],
    *,
    by_hop: bool,
) -> list[DocumentId]:
    """Best first; of equal ones the newest, then by id."""
    others = sorted(set(hops) - set(anchors))
    made = first_transactions(view, others)
    others.sort(key=lambda memory: made[memory].at, reverse=True)
    return sorted(others, key=lambda memory: (hops[memory].hop if by_hop else 0, -round(scores[memory], 12)))


def _walk_paths(
    asked: NetworkQuery, anchors: Sequence[DocumentId], found: Neighbourhood, hops: dict[DocumentId, ReachedMemory]
) -> NetworkWalk:
    ways = strongest_steps(found, asked.kept.direction)
    paths = [(one, other, cheapest_path(one, other, ways, asked.depth)) for one, other in pairwise(anchors)]
    scores: dict[DocumentId, float] = {}
    along = dict(hops)
    for _, _, path in paths:
        for step in path.steps[:-1] if path else ():
            if step.stop not in anchors and step.stop not in scores and path is not None:
                scores[step.stop] = 1 / path.cost
                along[step.stop] = ReachedMemory(hops[step.stop].hop, scores[step.stop], step.start, step.link)
    return NetworkWalk(
        "shortest_path", found, list(scores)[: asked.limit], along, scores, paths, is_fallback=found.is_truncated
    )
