"""`carabase_route_and_execute`: the ways of searching that fit a question, run and merged."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from recollect.keep.artifacts.artifact import say_day
from recollect.keep.indexing import index_before_read
from recollect.memory import Memory
from recollect.model.ids import ENTITY_PREFIX, EntityId, is_id, read_id
from recollect.search.route import Question, read_question
from recollect.store.view import View
from recollect.surfaces.carabase.artifact import ArtifactShown, artifact_lines
from recollect.surfaces.carabase.edge import EdgeShown, edge_line
from recollect.surfaces.carabase.events_asked import events_asked
from recollect.surfaces.carabase.problems import BadInput
from recollect.surfaces.carabase.routes import (
    Item,
    Lists,
    Strategy,
    merged,
    run_graph,
    run_metadata,
    run_semantic,
    with_neighbours,
)
from recollect.surfaces.carabase.shapes import AtTime, Query, checked_text, list_of, whole
from recollect.surfaces.carabase.suggestions import SuggestionShown, suggestions
from recollect.surfaces.carabase.surface import surface
from recollect.surfaces.carabase.times import read_at
from recollect.surfaces.carabase.trailers import Hint, Trailed, answer, call, quoted
from recollect.surfaces.carabase.who import ROLES, with_role
from recollect.surfaces.declare import Result
from recollect.surfaces.shapes import AsOf
from recollect.when.period import Time
from recollect.write.folio import Folio

NAME = "carabase_route_and_execute"
MOST_STARTS = 3
MOST_K = 20
FEW = 3

Roots = Annotated[
    list[str],
    Field(description="Entity ids: the graph starts only there"),
    list_of(lambda value: checked_text(value, 200), 1, 10),
]
RouteLimit = Annotated[int, Field(ge=1, le=50, description="At most this many results"), whole(1, 50)]


class PlanShown(TypedDict):
    rule: Literal["R1", "R2", "R3", "R4"]
    strategy: Strategy
    args: dict[str, Any]
    hits: int
    primary: bool


DatesShown = TypedDict("DatesShown", {"from": str | None, "to": str | None})


class ParsedShown(TypedDict):
    entities: list[str]
    dates: DatesShown | None
    tags: list[str]
    folios: list[str]


class RoutedShown(TypedDict):
    rank: int
    score: float
    type: Literal["artifact", "edge"]
    strategies: list[Strategy]
    artifact: ArtifactShown | None
    edge: EdgeShown | None


class Routed(Trailed):
    query: str
    primary: Strategy
    plan: list[PlanShown]
    parsed: ParsedShown
    results: list[RoutedShown]
    counts: dict[str, int]
    suggestions: list[SuggestionShown]


@surface.tool("read", example={"query": "who supplies Copperleaf?"})
def carabase_route_and_execute(
    memory: Memory,
    query: Query,
    concept_root_ids: Roots | None = None,
    limit: RouteLimit = 10,
    at_time: AtTime | None = None,
    as_of: AsOf = None,
) -> Result[Routed]:
    """Runs semantic, graph and metadata search, as the shape of the question asks for.

    The answer names the plan, the rules that fired and how much each way found.
    """
    index_before_read(memory)
    with memory.read(as_of) as view:
        roots = [_root(view, each) for each in concept_root_ids or ()]
        return _Router(memory, view, query, limit, read_at(view, at_time)).answer(roots, as_of)


def _root(view: View, given: str) -> EntityId:
    held = view.survivor(EntityId(read_id(given, ENTITY_PREFIX))) if is_id(given, ENTITY_PREFIX) else None
    if held is None:
        raise BadInput(
            f"concept_root_ids must be ids of known entities; {quoted(given)} is none", field="concept_root_ids"
        )
    return held.id


class _Router:
    """One question in one view: what fires is run in order, the first that fires is primary."""

    def __init__(self, memory: Memory, view: View, query: str, limit: int, at: Time) -> None:
        self._memory = memory
        self._view = view
        self._query = query
        self._limit = limit
        self._at = at
        self._plan: list[PlanShown] = []
        self._lists = Lists()
        self._players = {word: with_role(view, role) for word, role in ROLES.items()}
        roles = [word for word, playing in self._players.items() if playing]
        folios = [Folio._make(row) for row in view.rows("folios")]
        self._asked: Question = read_question(view, query, view.world.zone, folios, roles, events_asked(view, query))

    def answer(self, roots: Sequence[EntityId], as_of: AsOf) -> Result[Routed]:
        self._by_metadata()
        self._by_graph(roots)
        if self._asked.has_evolution:
            self._by_meaning("R3", ["memory", "commit"])
        if self._lists.hits < FEW:
            self._by_meaning("R4", None)
        items = merged(self._lists, self._plan[0]["strategy"])[: self._limit]
        shown = self._shown(items)
        better = suggestions(self._view, self._query, self._parsed()["dates"])
        value = {
            "query": self._query,
            "primary": self._plan[0]["strategy"],
            "plan": self._plan,
            "parsed": self._parsed(),
            "results": shown,
            "counts": self._lists.counts,
            "suggestions": better,
        }
        lines = [self._summary(len(shown)), *(line for each in shown for line in _lines(each))]
        lines += [f"Better asked: `{each['tool']}` {each['args']}: {each['reason']}" for each in better]
        if shown:
            return answer(value, lines)
        trace = [f"{each['rule']} {each['strategy']} → {each['hits']} hits" for each in self._plan]
        return answer(value, lines, hint=self._nothing(), trace=trace, as_of=as_of)

    def _nothing(self) -> Hint:
        tried = ", ".join(dict.fromkeys(each["strategy"] for each in self._plan))
        words = f"Nothing was found by {tried}. See which names are known with `carabase_find_entity_candidates`."
        named = next((each.text for each in self._asked.named), self._query)
        return Hint("routerNoResults", words, (call("carabase_find_entity_candidates", text=named[:200].strip()),))

    def _note(self, rule: Literal["R1", "R2", "R3", "R4"], strategy: Strategy, args: dict[str, Any], hits: int) -> None:
        is_primary = not self._plan or self._plan[0]["rule"] == rule
        self._plan.append({"rule": rule, "strategy": strategy, "args": args, "hits": hits, "primary": is_primary})

    def _by_metadata(self) -> None:
        asked = self._asked
        filters: dict[str, Any] = {}
        if asked.dates is not None:
            ends = {"date_from": asked.dates.first, "date_to": asked.dates.last}
            filters |= {key: say_day(day) for key, day in ends.items() if day is not None}
        if asked.tags:
            filters["tags"] = list(asked.tags)
        if asked.folios:
            filters["folio"] = asked.folios[0]
        names = {each.entities: each.text for each in asked.named}
        fires = bool(filters) or (asked.is_journal and bool(names))
        if fires and len(names) == 1:
            filters["entity_name"] = next(iter(names.values()))
        if fires and filters:
            found = run_metadata(self._memory, self._view, filters, self._limit)
            self._lists.add("metadata", [("artifact", each) for each in found])
            self._note("R1", "metadata", {"filters": filters, "limit": self._limit}, len(found))

    def _by_graph(self, roots: Sequence[EntityId]) -> None:
        asked = self._asked
        playing = [each for word in asked.roles for each in self._players[word]]
        named = {each.entities for each in asked.named} | {(each.id,) for each in playing}
        fires = bool(roots) or len(named) > 1 or (bool(named) and (asked.has_relation or asked.is_name_alone))
        spotted = list(dict.fromkeys(entity for each in asked.named for entity in each.entities))
        starts = list(roots) or [*spotted, *(each.id for each in playing if each.id not in spotted)]
        if not fires or not starts:
            return
        depth = 2 if asked.has_path else 1
        found = run_graph(self._view, starts[:MOST_STARTS], spotted, depth, self._at)
        self._lists.add("graph", [("edge", each) for each in found.edges])
        self._lists.walked = found
        for start, hits in found.by_start:
            self._note("R2", "graph", {"start_entity": start, "depth": depth}, hits)

    def _by_meaning(self, rule: Literal["R3", "R4"], kinds: list[str] | None) -> None:
        k = min(self._limit, MOST_K)
        found = run_semantic(self._memory, self._view, self._query, kinds, k)
        if rule == "R3":
            found = with_neighbours(self._view, found, k)
        self._lists.add("semantic", [("artifact", each) for each in found])
        self._note(rule, "semantic", {"query": self._query, "k": k} | ({"kinds": kinds} if kinds else {}), len(found))

    def _parsed(self) -> dict[str, Any]:
        asked = self._asked
        ids = {entity for each in asked.named for entity in each.entities}
        entities = self._view.entities(ids)
        names = [entities[entity].name for each in asked.named for entity in each.entities if entity in entities]
        names += [each.name for word in asked.roles for each in self._players[word]]
        dates = asked.dates
        ends = None if dates is None else {"from": _day(dates.first), "to": _day(dates.last)}
        return {
            "entities": list(dict.fromkeys(names)),
            "dates": ends,
            "tags": list(asked.tags),
            "folios": list(asked.folios),
        }

    def _shown(self, items: Sequence[Item]) -> list[RoutedShown]:
        artifacts, edges = self._lists.show(self._view, self._at, items)
        return [
            {
                "rank": rank,
                "score": round(item.score, 4),
                "type": item.type,
                "strategies": list(item.strategies),
                "artifact": artifacts.get(item.id),
                "edge": edges.get(item.id),
            }
            for rank, item in enumerate(items, start=1)
        ]

    def _summary(self, count: int) -> str:
        ran = "; ".join(f"{each['rule']} {each['strategy']} {each['hits']}" for each in self._plan)
        return f"{count} results for {quoted(self._query)} · primary {self._plan[0]['strategy']} · {ran}"


def _day(day: int | None) -> str | None:
    return None if day is None else say_day(day)


def _lines(shown: RoutedShown) -> list[str]:
    head = f"#{shown['rank']} {shown['score']:.4f} by {', '.join(shown['strategies'])}"
    if shown["edge"] is not None:
        return [f"{head}: {edge_line(shown['edge'])}"]
    first, *rest = artifact_lines([shown["artifact"]]) if shown["artifact"] else [""]
    return [f"{head}: {first.removeprefix('1. ')}", *rest]
