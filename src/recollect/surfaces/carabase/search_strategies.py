"""The search strategies of the router, the fusion of their rankings, and tools to suggest instead."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from typing_extensions import TypedDict

from recollect.errors import Refused
from recollect.keep.network.traversal import neighbours_of
from recollect.keep.series.manifest import list_manifests
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import DocumentId, EntityId, FactId, format_entity_id
from recollect.model.names import fold
from recollect.model.trust import is_low
from recollect.reason.traversal import EdgeFilter, WalkedEdge, edge_order, walk_graph
from recollect.resolve.name_finder import find_names
from recollect.search.dates import DateMention, apply_lead
from recollect.store.fact_rows import FactFilter
from recollect.store.passage_filter import ArtifactFilter
from recollect.store.view import View
from recollect.surfaces.carabase.artifacts import ArtifactView, is_visible, render_artifacts
from recollect.surfaces.carabase.edges import EdgeRenderer, EdgeView, type_of
from recollect.surfaces.carabase.metadata import MetadataQuery
from recollect.surfaces.carabase.semantic import search_by_meaning
from recollect.when.instant import Instant, local_day
from recollect.when.period import Time
from recollect.when.span import Span

_DATE_PREPOSITION = re.compile(r"\b(?:since|after|before|until)\s+(?:the\s+)?$", re.IGNORECASE)
_DATE_PROPERTIES = ("date", "at", "when", "start_date")


def event_dates_in(view: View, text: str) -> list[DateMention]:
    """Dates that stand in the question as the name of one event whose day is known."""
    found = []
    # Days of a made-up calendar are none on the wall, where documents are dated.
    for each in () if view.world.timeline.is_fictional else find_names(view, text):
        entity = view.entity(each.entity) if each.entity and _DATE_PREPOSITION.search(text, 0, each.start) else None
        days = _days_of_event(view, entity) if entity is not None and type_of(entity.type) == "event" else None
        if days is not None:
            found.append(apply_lead(text, each.start, each.stop, *days))
    return found


def _days_of_event(view: View, entity: Entity) -> tuple[int, int] | None:
    """The first and last day of an event: as it says itself, as a fact says, or when it was last spoken of."""
    said = next((entity.properties[key] for key in _DATE_PROPERTIES if key in entity.properties), None)
    own = _parse_days(view, said)
    if own is not None:
        return own
    facts = [
        seen.fact for seen in view.facts_about(entity.id, FactFilter(Span(), every=True)) if not seen.fact.is_retracted
    ]
    begun = [fact.valid_from for fact in facts if fact.valid_from is not None]
    if begun:
        first = min(begun, key=lambda time: time.lo)
        return _local_day(view, first.lo), _local_day(view, first.hi)
    told = [fact.source_at for fact in facts]
    return (_local_day(view, min(told)), _local_day(view, min(told))) if told else None


def _parse_days(view: View, said: Any) -> tuple[int, int] | None:
    if not isinstance(said, str):
        return None
    try:
        time = view.world.read(said)
    except Refused:
        return None
    return _local_day(view, time.lo), _local_day(view, time.hi)


def _local_day(view: View, position: int) -> int:
    return local_day(Instant(position), view.world.zone)


_AGGREGATE_QUESTION = re.compile(
    r"\b(?:total|sum|average|mean|how much|how many|how far|per (?:day|week|month)|minimum|maximum)\b", re.IGNORECASE
)
_MESH_URI = re.compile(r"mesh://\S+")
_CHECK_QUESTION = re.compile(r"\b(?:is it true(?:\s+that)?|fact[ -]check|verify that)\b[:,]?\s*", re.IGNORECASE)
_CLOSING_MARKS = " .?!"


class ToolSuggestionView(TypedDict):
    tool: str
    args: dict[str, Any]
    reason: str


def suggest_tools(view: View, query: str, dates: Mapping[str, Any] | None) -> list[ToolSuggestionView]:
    """What to call instead, with what the question already says."""
    found: list[ToolSuggestionView] = []
    series = _named_series(view, query) if _AGGREGATE_QUESTION.search(query) else None
    if series is not None:
        within = {"range": dict(dates)} if dates and dates["from"] and dates["to"] else {}
        reason = f"the question asks for a sum, mean or count of measurements{'' if within else '; add a range'}"
        found.append({"tool": "carabase_query_timeseries", "args": series | within, "reason": reason})
    mesh = _MESH_URI.search(query)
    if mesh:
        uri = mesh[0].rstrip(_CLOSING_MARKS + ",;)")
        reason = "the body behind a mesh URI is fetched by the resolver"
        found.append({"tool": "carabase_resolve_mesh_uri", "args": {"uri": uri}, "reason": reason})
    check = _CHECK_QUESTION.search(query)
    claim = (query[: check.start()] + query[check.end() :]).strip(_CLOSING_MARKS) if check else ""
    if claim:
        reason = "a claim is weighed against what is stored by verification"
        found.append({"tool": "carabase_verify_hypothesis", "args": {"claim": claim}, "reason": reason})
    return found


def _named_series(view: View, query: str) -> dict[str, Any] | None:
    """The source and metric that the question names; underscores may be spaces."""
    text = f" {re.sub(r'[^a-z0-9]+', ' ', fold(query))} "
    for manifest in list_manifests(view):
        is_named = _contains_words(text, manifest.source)
        metric = next((each.metric for each in manifest.metrics if _contains_words(text, each.metric)), None)
        if is_named or metric is not None:
            chosen = metric or (manifest.metrics[0].metric if manifest.metrics else None)
            return {"source": manifest.source} | ({"metric": chosen} if chosen else {})
    return None


def _contains_words(text: str, name: str) -> bool:
    return f" {re.sub(r'[^a-z0-9]+', ' ', fold(name))} " in text


Strategy = Literal["semantic", "graph", "metadata"]
ItemKind = Literal["artifact", "edge"]
ItemKey = tuple[ItemKind, str]
RECIPROCAL_RANK_CONSTANT = 60
MAX_GRAPH_EDGES = 200
EXPANDED_HITS = 3


class RankedResult(NamedTuple):
    """One result, and the strategies that found it."""

    type: ItemKind
    id: str
    score: float
    strategies: tuple[Strategy, ...]


class GraphMatches(NamedTuple):
    """Edges in the order of the graph list, where each stands in its walk, and what each start gave."""

    edges: list[FactId]
    places: Mapping[FactId, WalkedEdge]
    by_start: list[tuple[str, int]]


class ResultLists:
    """What was found so far, list by list."""

    def __init__(self) -> None:
        self.found: list[tuple[Strategy, list[ItemKey]]] = []
        self.walked: GraphMatches | None = None

    def add(self, strategy: Strategy, keys: list[ItemKey]) -> None:
        self.found.append((strategy, keys))

    @property
    def hits(self) -> int:
        return len({key for _, keys in self.found for key in keys})

    @property
    def counts(self) -> dict[str, int]:
        ways: tuple[Strategy, ...] = ("semantic", "graph", "metadata")
        return {way: len({key for each, keys in self.found if each == way for key in keys}) for way in ways}

    def render(
        self, view: View, at: Time, items: Sequence[RankedResult]
    ) -> tuple[dict[str, ArtifactView], dict[str, EdgeView]]:
        """The artifacts and edges among the items, by id."""
        documents = view.documents([DocumentId(item.id) for item in items if item.type == "artifact"])
        shown_artifacts = render_artifacts(view, list(documents.values()))
        artifacts: dict[str, ArtifactView] = {str(id_): each for id_, each in shown_artifacts.items()}
        facts = view.fact_rows([FactId(item.id) for item in items if item.type == "edge"])
        edges = EdgeRenderer(view, at, facts)
        places = self.walked.places if self.walked else {}
        shown = {
            str(seen.fact.id): edges.render(seen, places[seen.fact.id].hop, places[seen.fact.id].near) for seen in facts
        }
        return artifacts, shown


def fuse_rankings(lists: ResultLists, primary: Strategy) -> list[RankedResult]:
    """Everything found, by the sum of its reciprocal ranks; ties as they stand in the primary's list."""
    scores: dict[ItemKey, float] = {}
    ways: dict[ItemKey, dict[Strategy, None]] = {}
    order: dict[ItemKey, tuple[int, int, int]] = {}
    for number, (strategy, keys) in enumerate(lists.found):
        for rank, key in enumerate(keys, start=1):
            scores[key] = scores.get(key, 0.0) + 1 / (RECIPROCAL_RANK_CONSTANT + rank)
            ways.setdefault(key, {})[strategy] = None
            place = (int(strategy != primary), number, rank)
            order[key] = min(order.get(key, place), place)
    ranked = sorted(scores, key=lambda key: (-round(scores[key], 12), order[key], key))
    return [RankedResult(key[0], key[1], scores[key], tuple(ways[key])) for key in ranked]


def search_metadata(memory: Memory, view: View, filters: Mapping[str, Any], limit: int) -> list[DocumentId]:
    wanted = MetadataQuery.parse(memory, view, {**filters, "limit": limit})
    if wanted.missing_folio is not None or wanted.missing_entity is not None:
        return []
    return wanted.run(view).items


def search_graph(
    view: View, starts: Sequence[EntityId], spotted: Sequence[EntityId], depth: int, at: Time
) -> GraphMatches:
    """The edges around each start; those that join two of the spotted come first."""
    places: dict[FactId, WalkedEdge] = {}
    by_start: list[tuple[str, int]] = []
    entities = view.entities(starts)
    for start in starts:
        walked = walk_graph(view, start, EdgeFilter(at.span), depth).edges[:MAX_GRAPH_EDGES]
        name = (
            entities[start].name if start in entities and _is_plain(view, entities[start]) else format_entity_id(start)
        )
        by_start.append((name, len(walked)))
        for each in walked:
            place = places.get(each.step.id)
            places[each.step.id] = each if place is None or each.hop < place.hop else place
    among = set(spotted)
    ranked = sorted(places.values(), key=lambda each: (not _joins_entities(each, among), *edge_order(each)))
    return GraphMatches([each.step.id for each in ranked], places, by_start)


def _is_plain(view: View, entity: Entity) -> bool:
    """Whether the name alone leads to the entity, and somebody trusted gave it."""
    return not is_low(entity.trust) and len({row.entity for row in view.names_matching(fold(entity.name))}) == 1


def _joins_entities(walked: WalkedEdge, among: set[EntityId]) -> bool:
    step = walked.step
    return step.subject in among and step.object in among and step.subject != step.object


def search_semantic(memory: Memory, view: View, query: str, kinds: Sequence[str] | None, k: int) -> list[DocumentId]:
    """The nearest artifacts, best first."""
    found = search_by_meaning(memory, view, query, ArtifactFilter(kinds=frozenset(kinds or ())), k)
    return [each.document for each in found.hits]


def expand_neighbours(view: View, hits: Sequence[DocumentId], k: int) -> list[DocumentId]:
    """The hits, and behind them the memories that are linked to the first few."""
    near = [each for each in neighbours_of(view, hits[:EXPANDED_HITS], k) if each not in hits] if hits else []
    documents = view.documents(near)
    return [*hits, *(each for each in near if is_visible(documents.get(each), view))]
