"""The walk that a traversal asks for, and what it came to."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from typing_extensions import TypedDict

from recollect.keep.artifacts.first_seen import first_transactions
from recollect.keep.network.ball import Ball, Kept, ball
from recollect.keep.network.traits import is_linkable
from recollect.keep.network.walks import Path, Reached, cheapest, ranked, reached, strongest_ways
from recollect.model.ids import DocumentId, say_uuid
from recollect.store.view import View
from recollect.surfaces.carabase.artifact import is_shown, read_artifact_id
from recollect.surfaces.carabase.problems import Problem
from recollect.surfaces.carabase.trailers import Hint, call, quoted

Mode = Literal["pagerank", "shortest_path", "neighbours"]


class UnknownAnchor(TypedDict):
    id: str
    reason: Literal["not_found", "not_a_memory"]


class AnchorInvalid(Problem):
    code = "ANCHOR_INVALID"

    def __init__(self, said: str) -> None:
        text = f"{quoted(said)} is no UUID of a memory. Find ids with `carabase_search_semantic` first."
        find = call("carabase_search_semantic", query=said[:1000], kinds=["memory", "commit"])
        super().__init__(
            f"anchor {quoted(said)} is not a memory's UUID, memory:UUID or artifact URI",
            field="anchor",
            hint=Hint("badInput", text, (find,)),
            trace=[f"read anchor {quoted(said)} → no UUID"],
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """How to walk."""

    mode: Mode
    depth: int
    kept: Kept
    limit: int
    max_nodes: int


@dataclass(frozen=True, slots=True)
class Anchors:
    """The memories to start from in their given order, and what is none."""

    given: list[DocumentId]
    known: list[DocumentId]
    unknown: list[UnknownAnchor]
    titles: dict[DocumentId, str | None] = field(default_factory=dict)

    def shown(self) -> list[str]:
        return [say_uuid(each) for each in self.known]

    def said(self, memory: DocumentId) -> str:
        return quoted(self.titles.get(memory) or say_uuid(memory))


@dataclass(frozen=True, slots=True)
class Walked:
    """Memories in their order, with what the walk says of each."""

    mode: Mode
    ball: Ball
    order: list[DocumentId]
    reached: dict[DocumentId, Reached]
    scores: dict[DocumentId, float]
    paths: list[tuple[DocumentId, DocumentId, Path | None]] = field(default_factory=list)
    rounds: int = 0
    converged: bool = True
    timed_out: bool = False
    is_fallback: bool = False


def read_anchors(view: View, given: Sequence[str]) -> Anchors:
    ids: list[DocumentId] = []
    for said in given:
        found = read_artifact_id(said)
        if found is None:
            raise AnchorInvalid(said)
        ids.append(found)
    ids = list(dict.fromkeys(ids))
    documents = view.documents(ids)
    known = [each for each in ids if is_linkable(documents.get(each), view)]
    unknown: list[UnknownAnchor] = [
        {"id": say_uuid(each), "reason": "not_a_memory" if is_shown(documents.get(each), view) else "not_found"}
        for each in ids
        if each not in known
    ]
    return Anchors(ids, known, unknown, {each: documents[each].title for each in known})


def walk(view: View, asked: Asked, anchors: Sequence[DocumentId]) -> Walked:
    """The memories that a walk from the anchors ranks."""
    if not anchors:
        return Walked(asked.mode, Ball({}), [], {}, {})
    found = ball(view, anchors, asked.depth, asked.kept, asked.max_nodes)
    hops = reached(found, anchors, asked.kept.direction)
    if asked.mode == "shortest_path":
        return _paths(asked, anchors, found, hops)
    if asked.mode == "neighbours" or found.is_cut:
        scores = {memory: each.score for memory, each in hops.items()}
        order = _ordered(view, hops, anchors, scores, by_hop=True)[: asked.limit]
        return Walked(asked.mode, found, order, hops, scores, is_fallback=found.is_cut)
    scores, result = ranked(found, anchors, asked.kept.direction)
    order = _ordered(view, hops, anchors, scores, by_hop=False)[: asked.limit]
    how = (result.rounds, result.converged, result.timed_out)
    return Walked(asked.mode, found, order, hops, scores, [], *how)


def _ordered(
    view: View,
    hops: dict[DocumentId, Reached],
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


def _paths(asked: Asked, anchors: Sequence[DocumentId], found: Ball, hops: dict[DocumentId, Reached]) -> Walked:
    ways = strongest_ways(found, asked.kept.direction)
    paths = [(one, other, cheapest(one, other, ways, asked.depth)) for one, other in pairwise(anchors)]
    scores: dict[DocumentId, float] = {}
    along = dict(hops)
    for _, _, path in paths:
        for step in path.ways[:-1] if path else ():
            if step.stop not in anchors and step.stop not in scores and path is not None:
                scores[step.stop] = 1 / path.cost
                along[step.stop] = Reached(hops[step.stop].hop, scores[step.stop], step.start, step.link)
    return Walked("shortest_path", found, list(scores)[: asked.limit], along, scores, paths, is_fallback=found.is_cut)
