"""The ways that the router goes, and how what they find is merged."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from recollect.keep.network.ball import neighbours_of
from recollect.memory import Memory
from recollect.model.ids import DocumentId, EntityId, FactId, say_entity
from recollect.model.names import fold
from recollect.reason.walk import Passable, Walked, walk
from recollect.store.found import Artifacts
from recollect.store.view import View
from recollect.surfaces.carabase.artifact import ArtifactShown, is_shown, show_artifacts
from recollect.surfaces.carabase.edge import Edges, EdgeShown
from recollect.surfaces.carabase.metadata import Wanted
from recollect.surfaces.carabase.semantic import find_near
from recollect.when.period import Time

Strategy = Literal["semantic", "graph", "metadata"]
Kind = Literal["artifact", "edge"]
Key = tuple[Kind, str]
RECIPROCAL = 60
MOST_EDGES = 200
NEAR_HITS = 3


class Item(NamedTuple):
    """One result, and by which ways it was found."""

    type: Kind
    id: str
    score: float
    strategies: tuple[Strategy, ...]


class Graphed(NamedTuple):
    """Edges in the order of the graph list, where each stands in its walk, and what each start gave."""

    edges: list[FactId]
    places: Mapping[FactId, Walked]
    by_start: list[tuple[str, int]]


class Lists:
    """What was found so far, list by list."""

    def __init__(self) -> None:
        self.found: list[tuple[Strategy, list[Key]]] = []
        self.walked: Graphed | None = None

    def add(self, strategy: Strategy, keys: list[Key]) -> None:
        self.found.append((strategy, keys))

    @property
    def hits(self) -> int:
        return len({key for _, keys in self.found for key in keys})

    @property
    def counts(self) -> dict[str, int]:
        ways: tuple[Strategy, ...] = ("semantic", "graph", "metadata")
        return {way: len({key for each, keys in self.found if each == way for key in keys}) for way in ways}

    def show(
        self, view: View, at: Time, items: Sequence[Item]
    ) -> tuple[dict[str, ArtifactShown], dict[str, EdgeShown]]:
        """The artifacts and edges among the items, by id."""
        documents = view.documents([DocumentId(item.id) for item in items if item.type == "artifact"])
        shown_artifacts = show_artifacts(view, list(documents.values()))
        artifacts: dict[str, ArtifactShown] = {str(id_): each for id_, each in shown_artifacts.items()}
        facts = view.seen([FactId(item.id) for item in items if item.type == "edge"])
        edges = Edges(view, at, facts)
        places = self.walked.places if self.walked else {}
        shown = {
            str(seen.fact.id): edges.show(seen, places[seen.fact.id].hop, places[seen.fact.id].near) for seen in facts
        }
        return artifacts, shown


def merged(lists: Lists, primary: Strategy) -> list[Item]:
    """Everything found, by the sum of its reciprocal ranks; ties as they stand in the primary's list."""
    scores: dict[Key, float] = {}
    ways: dict[Key, dict[Strategy, None]] = {}
    order: dict[Key, tuple[int, int, int]] = {}
    for number, (strategy, keys) in enumerate(lists.found):
        for rank, key in enumerate(keys, start=1):
            scores[key] = scores.get(key, 0.0) + 1 / (RECIPROCAL + rank)
            ways.setdefault(key, {})[strategy] = None
            place = (int(strategy != primary), number, rank)
            order[key] = min(order.get(key, place), place)
    ranked = sorted(scores, key=lambda key: (-round(scores[key], 12), order[key], key))
    return [Item(key[0], key[1], scores[key], tuple(ways[key])) for key in ranked]


def run_metadata(memory: Memory, view: View, filters: Mapping[str, Any], limit: int) -> list[DocumentId]:
    wanted = Wanted.of(memory, view, {**filters, "limit": limit})
    if wanted.missing_folio is not None or wanted.missing_entity is not None:
        return []
    return wanted.run(view).documents


def run_graph(view: View, starts: Sequence[EntityId], spotted: Sequence[EntityId], depth: int, at: Time) -> Graphed:
    """The edges around each start; those that join two of the spotted come first."""
    places: dict[FactId, Walked] = {}
    by_start: list[tuple[str, int]] = []
    entities = view.entities(starts)
    for start in starts:
        walked = walk(view, start, Passable(at.span), depth).edges[:MOST_EDGES]
        name = (
            entities[start].name if start in entities and _is_plain(view, entities[start].name) else say_entity(start)
        )
        by_start.append((name, len(walked)))
        for each in walked:
            held = places.get(each.step.id)
            places[each.step.id] = each if held is None or each.hop < held.hop else held
    among = set(spotted)
    ranked = sorted(places.values(), key=lambda each: (not _joins(each, among), *_order(each)))
    return Graphed([each.step.id for each in ranked], places, by_start)


def _is_plain(view: View, name: str) -> bool:
    """Whether the name alone leads to one entity."""
    return len({row.entity for row in view.named(fold(name))}) == 1


def _joins(walked: Walked, among: set[EntityId]) -> bool:
    step = walked.step
    return step.subject in among and step.object in among and step.subject != step.object


def _order(walked: Walked) -> tuple[int, float, int, str]:
    return walked.hop, -walked.step.confidence, -walked.step.source_at, walked.step.id


def run_semantic(memory: Memory, view: View, query: str, kinds: Sequence[str] | None, k: int) -> list[DocumentId]:
    """The nearest artifacts, best first."""
    found = find_near(memory, view, query, Artifacts(kinds=frozenset(kinds or ())), k)
    return [each.document for each in found.hits[:k]]


def with_neighbours(view: View, hits: Sequence[DocumentId], k: int) -> list[DocumentId]:
    """The hits, and behind them the memories that are linked to the first few."""
    near = [each for each in neighbours_of(view, hits[:NEAR_HITS], k) if each not in hits] if hits else []
    documents = view.documents(near)
    return [*hits, *(each for each in near if is_shown(documents.get(each), view))]
