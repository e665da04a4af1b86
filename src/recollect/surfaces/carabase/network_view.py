"""Anchors of a walk through the memory network, result types, and how a walk prints."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from typing_extensions import TypedDict

from recollect.keep.artifacts.artifact import (
    ArtifactKind,
    artifact_date,
    can_have_links,
    kind_of,
    source_label,
    summary_of,
    tier_of,
    title_of,
)
from recollect.keep.document_versions import texts_of
from recollect.keep.network.link_derivation import is_linkable
from recollect.keep.network.links import links_of
from recollect.keep.network.traversal import MemoryPath, NetworkMode, NetworkQuery, NetworkWalk, ReachedMemory
from recollect.model.document import DERIVED_FROM, Document
from recollect.model.ids import DocumentId, format_uuid
from recollect.model.memory_links import LinkType, MemoryLink, Origin
from recollect.store.artifact_queries import first_transactions
from recollect.store.view import Tx, View
from recollect.surfaces.carabase.artifacts import artifact_uri, is_visible, parse_artifact_id
from recollect.surfaces.carabase.hints import Hint, HintedResult, quote, suggest_call
from recollect.surfaces.carabase.surface import CarabaseError
from recollect.text.fold import collapse_spaces, shorten
from recollect.when.instant import format_instant


class UnknownAnchor(TypedDict):
    id: str
    reason: Literal["not_found", "not_a_memory"]


class AnchorInvalid(CarabaseError):
    code = "ANCHOR_INVALID"

    def __init__(self, said: str) -> None:
        text = f"{quote(said)} is not the UUID of a memory. Find ids with `carabase_search_semantic` first."
        find = suggest_call("carabase_search_semantic", query=said[:1000], kinds=["memory", "commit"])
        super().__init__(
            f"anchor {quote(said)} is not a memory's UUID, memory:UUID or artifact URI",
            field="anchor",
            hint=Hint("badInput", text, (find,)),
            trace=[f"read anchor {quote(said)} → no UUID"],
        )


@dataclass(frozen=True, slots=True)
class Anchors:
    """The memories to start from in the given order, and ids that name no memory."""

    given: list[DocumentId]
    known: list[DocumentId]
    unknown: list[UnknownAnchor]
    titles: dict[DocumentId, str | None] = field(default_factory=dict)

    def to_json(self) -> list[str]:
        return [format_uuid(each) for each in self.known]

    def describe(self, memory: DocumentId) -> str:
        return quote(self.titles.get(memory) or format_uuid(memory))


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


MAX_TEXT_LENGTH = 500
MAX_LINKS = 200


class AnchorView(TypedDict):
    memory_id: str
    title: str | None
    score: float | None


class ViaView(TypedDict):
    link_type: LinkType
    confidence: float
    from_id: str


class SourceArtifactView(TypedDict):
    uri: str
    purged: bool


class LinkedMemoryView(TypedDict):
    memory_id: str
    uri: str
    title: str | None
    text: str
    kind: ArtifactKind
    source: str
    date: str | None
    created_at: str
    score: float
    hop: int
    via: ViaView | None
    source_artifact: SourceArtifactView | None
    superseded_by: str | None


LinkView = TypedDict("LinkView", {"from": str, "to": str, "type": LinkType, "confidence": float, "origin": Origin})


class PathStep(TypedDict):
    memory_id: str
    link_type: LinkType
    confidence: float


MemoryPathView = TypedDict(
    "MemoryPathView",
    {"from": str, "to": str, "found": bool, "hops": int | None, "cost": float | None, "steps": list[PathStep]},
)


class MemoryNetworkResult(HintedResult):
    mode: NetworkMode
    depth: int
    anchors: list[AnchorView]
    memories: list[LinkedMemoryView]
    links: list[LinkView]
    paths: list[MemoryPathView]
    unknown_anchors: list[UnknownAnchor]
    stats: dict[str, int | bool | Literal["bfs"]]
    all_sources_purged: bool


def render_network(view: View, query: NetworkQuery, anchors: Anchors, walked: NetworkWalk) -> dict[str, Any]:
    """All fields of the answer without its trailers."""
    documents = view.documents([*anchors.known, *walked.order])
    texts = texts_of(view, [each for each in documents.values() if tier_of(each, view.now) == 0])
    memories = _render_memories(view, walked, documents, texts)
    is_ranked = walked.mode == "pagerank" and not walked.is_fallback
    shown = {*anchors.known, *walked.order}
    among = sorted(link for link in walked.ball.links if link.one in shown and link.other in shown)
    sources = [each["source_artifact"] for each in memories]
    return {
        "mode": query.mode,
        "depth": query.depth,
        "anchors": [
            {
                "memory_id": format_uuid(each),
                "title": title_of(documents[each], texts.get(each)),
                "score": round(walked.scores[each], 6) if is_ranked else None,
            }
            for each in anchors.known
        ],
        "memories": memories,
        "links": [_render_link(each) for each in among[:MAX_LINKS]],
        "paths": [_render_path(*each) for each in walked.paths],
        "unknown_anchors": anchors.unknown,
        "stats": _render_stats(anchors, walked),
        "all_sources_purged": bool(sources) and all(each is not None and each["purged"] for each in sources),
    }


def _render_stats(anchors: Anchors, walked: NetworkWalk) -> dict[str, Any]:
    stats: dict[str, Any] = {
        "anchors": len(anchors.known),
        "nodes": len(walked.ball.hops),
        "edges": len(walked.ball.links),
        "iter": walked.rounds,
        "converged": walked.converged,
    }
    if walked.timed_out:
        stats["timed_out"] = True
    if walked.is_fallback:
        stats["fallback"] = "bfs"
    return stats


def _render_memories(
    view: View, walked: NetworkWalk, documents: Mapping[DocumentId, Document], texts: Mapping[DocumentId, str]
) -> list[LinkedMemoryView]:
    made = first_transactions(view, walked.order)
    sources = _source_artifacts(view, [documents[each] for each in walked.order])
    newer = _successors(view, walked.order)
    return [
        _render_memory(
            view,
            documents[each],
            texts.get(each),
            made[each],
            (walked.reached[each], walked.scores[each], sources.get(each), newer.get(each)),
        )
        for each in walked.order
    ]


def _render_memory(
    view: View,
    document: Document,
    text: str | None,
    made: Tx,
    placed: tuple[ReachedMemory, float, SourceArtifactView | None, DocumentId | None],
) -> LinkedMemoryView:
    way, score, source, newer = placed
    return {
        "memory_id": format_uuid(document.id),
        "uri": artifact_uri(document.id),
        "title": title_of(document, text),
        "text": shorten(text or summary_of(document) or "", MAX_TEXT_LENGTH),
        "kind": kind_of(document),
        "source": source_label(document),
        "date": artifact_date(document, view.world.zone).text,
        "created_at": format_instant(made.at),
        "score": round(score, 6),
        "hop": way.hop,
        "via": _render_via(way),
        "source_artifact": source,
        "superseded_by": None if newer is None else format_uuid(newer),
    }


def _render_via(way: ReachedMemory) -> ViaView | None:
    if way.link is None or way.reached_from is None:
        return None
    return {
        "link_type": way.link.type,
        "confidence": round(way.link.confidence, 4),
        "from_id": format_uuid(way.reached_from),
    }


def _source_artifacts(view: View, documents: Sequence[Document]) -> dict[DocumentId, SourceArtifactView]:
    """By memory, the first source document and whether its body is gone."""
    wanted = {each.id: each.properties.get(DERIVED_FROM) or () for each in documents}
    origins = view.documents({DocumentId(origin) for said in wanted.values() for origin in said})
    found: dict[DocumentId, SourceArtifactView] = {}
    for memory, said in wanted.items():
        held = (origins.get(DocumentId(origin)) for origin in said)
        first = next((each for each in held if each is not None and not can_have_links(each)), None)
        if first is not None:
            is_purged = tier_of(first, view.now) > 0 or first.deleted is not None
            found[memory] = {"uri": artifact_uri(first.id), "purged": is_purged}
    return found


def _successors(view: View, memories: Collection[DocumentId]) -> dict[DocumentId, DocumentId]:
    """By memory, the newest one that supersedes it."""
    found: dict[DocumentId, DocumentId] = {}
    for link in links_of(view, memories):
        if link.type == "supersedes" and link.other in memories:
            found[link.other] = max(found.get(link.other, link.one), link.one)
    return found


def _render_link(link: MemoryLink) -> LinkView:
    return {
        "from": format_uuid(link.one),
        "to": format_uuid(link.other),
        "type": link.type,
        "confidence": round(link.confidence, 4),
        "origin": link.origin,
    }


def _render_path(one: DocumentId, other: DocumentId, path: MemoryPath | None) -> MemoryPathView:
    steps: list[PathStep] = [
        {"memory_id": format_uuid(step.stop), "link_type": step.link.type, "confidence": round(step.link.confidence, 4)}
        for step in (path.steps if path else ())
    ]
    return {
        "from": format_uuid(one),
        "to": format_uuid(other),
        "found": path is not None,
        "hops": None if path is None else len(path.steps),
        "cost": None if path is None else round(path.cost, 6),
        "steps": steps,
    }


def network_lines(value: Mapping[str, Any]) -> list[str]:
    """The walk as lines of text."""
    lines = [f"{len(value['memories'])} memories around {len(value['anchors'])} by {value['mode']}"]
    lines += [_memory_line(number, each) for number, each in enumerate(value["memories"], start=1)]
    lines += [_path_line(each) for each in value["paths"]]
    lines += [f"anchor {each['id']}: {each['reason']}" for each in value["unknown_anchors"]]
    return lines


def _memory_line(number: int, shown: LinkedMemoryView) -> str:
    via = shown["via"]
    way = f" via {via['link_type']} {via['confidence']:.2f}" if via else ""
    title = collapse_spaces(shown["title"] or shown["source"])
    return (
        f"{number}. {title} · {shown['source']} · score {shown['score']:.6f} · hop {shown['hop']}{way} · {shown['uri']}"
    )


def _path_line(shown: MemoryPathView) -> str:
    joined = " → ".join([shown["from"], *(each["memory_id"] for each in shown["steps"])])
    return f"path {joined} · cost {shown['cost']:.6f}" if shown["found"] else f"no path {shown['from']} → {shown['to']}"
