"""`carabase_route_and_execute`: the ways of searching that fit a question, run and merged."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from recollect.indexing import index_before_read
from recollect.memory import Memory
from recollect.model.ids import EntityId, parse_entity_id
from recollect.search.question import Question
from recollect.store.view import View
from recollect.store.write_queries import all_folios
from recollect.surfaces.carabase.artifacts import ArtifactView, artifact_lines
from recollect.surfaces.carabase.edges import ROLE_PRONOUNS, EdgeView, entities_with_role, format_edge
from recollect.surfaces.carabase.hints import Hint, HintedResult, hinted_answer, quote, suggest_call
from recollect.surfaces.carabase.parameters import (
    AtTimeText,
    QueryText,
    check_text,
    integer_between,
    list_of,
    parse_at_time,
)
from recollect.surfaces.carabase.search_strategies import (
    RankedResult,
    ResultLists,
    Strategy,
    ToolSuggestionView,
    event_dates_in,
    expand_neighbours,
    fuse_rankings,
    search_graph,
    search_metadata,
    search_semantic,
    suggest_tools,
)
from recollect.surfaces.carabase.surface import BadInput, surface
from recollect.surfaces.declarations import Result
from recollect.surfaces.parameter_types import AsOf
from recollect.surfaces.views import TrustMarks, mark_worst
from recollect.when.instant import format_date
from recollect.when.period import Time

MAX_STARTS = 3
MAX_SEMANTIC_HITS = 20
FEW_RESULTS = 3

Roots = Annotated[
    list[str],
    Field(description="Entity ids: the graph starts only there"),
    list_of(lambda value: check_text(value, 200), 10),
]
RouteLimit = Annotated[int, Field(ge=1, le=50, description="At most this many results"), integer_between(1, 50)]


class PlanStepView(TypedDict):
    rule: Literal["R1", "R2", "R3", "R4"]
    strategy: Strategy
    args: dict[str, Any]
    hits: int
    primary: bool


DatesView = TypedDict("DatesView", {"from": str | None, "to": str | None})


class ParsedQueryView(TrustMarks):
    entities: list[str]
    dates: DatesView | None
    tags: list[str]
    folios: list[str]


class RoutedResultView(TypedDict):
    rank: int
    score: float
    type: Literal["artifact", "edge"]
    strategies: list[Strategy]
    artifact: ArtifactView | None
    edge: EdgeView | None


class RoutingResult(HintedResult):
    query: str
    primary: Strategy
    plan: list[PlanStepView]
    parsed: ParsedQueryView
    results: list[RoutedResultView]
    counts: dict[str, int]
    suggestions: list[ToolSuggestionView]


@surface.tool("read", example={"query": "who supplies Copperleaf?"})
def carabase_route_and_execute(
    memory: Memory,
    query: QueryText,
    concept_root_ids: Roots | None = None,
    limit: RouteLimit = 10,
    at_time: AtTimeText | None = None,
    as_of: AsOf = None,
) -> Result[RoutingResult]:
    """Runs semantic, graph and metadata search, as the shape of the question asks for.

    The answer names the plan, the rules that fired and how much each way found.
    """
    index_before_read(memory)
    with memory.read(as_of) as view:
        roots = [_find_root(view, each) for each in concept_root_ids or ()]
        return _Router(memory, view, query, limit, parse_at_time(view, at_time)).answer(roots, as_of)


def _find_root(view: View, given: str) -> EntityId:
    survivor = view.survivor(id_) if (id_ := parse_entity_id(given, strict=True)) else None
    if survivor is None:
        raise BadInput(
            f"concept_root_ids must be ids of known entities; {quote(given)} is not one", field="concept_root_ids"
        )
    return survivor.id


class _Router:
    """One question in one view: what fires is run in order, the first that fires is primary."""

    def __init__(self, memory: Memory, view: View, query: str, limit: int, at: Time) -> None:
        self._memory = memory
        self._view = view
        self._query = query
        self._limit = limit
        self._at = at
        self._plan: list[PlanStepView] = []
        self._lists = ResultLists()
        self._players = {word: entities_with_role(view, role) for word, role in ROLE_PRONOUNS.items()}
        roles = [word for word, playing in self._players.items() if playing]
        folios = all_folios(view)
        self._asked = Question(
            query,
            view.now,
            view.world.zone,
            view=view,
            folios_known=folios,
            roles_known=roles,
            events=event_dates_in(view, query),
        )

    def answer(self, roots: Sequence[EntityId], as_of: AsOf) -> Result[RoutingResult]:
        self._by_metadata()
        self._by_graph(roots)
        if self._asked.has_evolution:
            self._by_meaning("R3", ["memory", "commit"])
        if self._lists.hits < FEW_RESULTS:
            self._by_meaning("R4", None)
        items = fuse_rankings(self._lists, self._plan[0]["strategy"])[: self._limit]
        shown = self._render_results(items)
        better = suggest_tools(self._view, self._query, self._parsed_query()["dates"])
        value = {
            "query": self._query,
            "primary": self._plan[0]["strategy"],
            "plan": self._plan,
            "parsed": self._parsed_query(),
            "results": shown,
            "counts": self._lists.counts,
            "suggestions": better,
        }
        lines = [self._summary(len(shown)), *(line for each in shown for line in _render_lines(each))]
        lines += [f"Better asked: `{each['tool']}` {each['args']}: {each['reason']}" for each in better]
        if shown:
            return hinted_answer(value, lines)
        trace = [f"{each['rule']} {each['strategy']} → {each['hits']} hits" for each in self._plan]
        return hinted_answer(value, lines, hint=self._no_results_hint(), trace=trace, as_of=as_of)

    def _no_results_hint(self) -> Hint:
        tried = ", ".join(dict.fromkeys(each["strategy"] for each in self._plan))
        words = f"Nothing was found by {tried}. See which names are known with `carabase_find_entity_candidates`."
        named = next((each.text for each in self._asked.named), self._query)
        return Hint(
            "routerNoResults", words, (suggest_call("carabase_find_entity_candidates", text=named[:200].strip()),)
        )

    def _note(self, rule: Literal["R1", "R2", "R3", "R4"], strategy: Strategy, args: dict[str, Any], hits: int) -> None:
        is_primary = not self._plan or self._plan[0]["rule"] == rule
        self._plan.append({"rule": rule, "strategy": strategy, "args": args, "hits": hits, "primary": is_primary})

    def _by_metadata(self) -> None:
        asked = self._asked
        filters: dict[str, Any] = {}
        if asked.dates is not None:
            ends = {"date_from": asked.dates.first, "date_to": asked.dates.last}
            filters |= {key: format_date(day) for key, day in ends.items() if day is not None}
        if asked.tags:
            filters["tags"] = list(asked.tags)
        if asked.folios:
            filters["folio"] = asked.folios[0]
        names = {each.entities: each.text for each in asked.named}
        fires = bool(filters) or (asked.is_journal and bool(names))
        if fires and len(names) == 1:
            filters["entity_name"] = next(iter(names.values()))
        if fires and filters:
            found = search_metadata(self._memory, self._view, filters, self._limit)
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
        found = search_graph(self._view, starts[:MAX_STARTS], spotted, depth, self._at)
        self._lists.add("graph", [("edge", each) for each in found.edges])
        self._lists.walked = found
        for start, hits in found.by_start:
            self._note("R2", "graph", {"start_entity": start, "depth": depth}, hits)

    def _by_meaning(self, rule: Literal["R3", "R4"], kinds: list[str] | None) -> None:
        k = min(self._limit, MAX_SEMANTIC_HITS)
        found = search_semantic(self._memory, self._view, self._query, kinds, k)
        if rule == "R3":
            found = expand_neighbours(self._view, found, k)
        self._lists.add("semantic", [("artifact", each) for each in found])
        self._note(rule, "semantic", {"query": self._query, "k": k} | ({"kinds": kinds} if kinds else {}), len(found))

    def _parsed_query(self) -> ParsedQueryView:
        asked = self._asked
        ids = {entity for each in asked.named for entity in each.entities}
        entities = self._view.entities(ids)
        named = [entities[entity] for each in asked.named for entity in each.entities if entity in entities]
        names = [each.name for each in named]
        names += [each.name for word in asked.roles for each in self._players[word]]
        dates = asked.dates
        ends: DatesView | None = (
            None if dates is None else {"from": _format_day_or_none(dates.first), "to": _format_day_or_none(dates.last)}
        )
        shown: ParsedQueryView = {
            "entities": list(dict.fromkeys(names)),
            "dates": ends,
            "tags": list(asked.tags),
            "folios": list(asked.folios),
        }
        mark_worst(shown, (each.trust for each in named), "\n".join(names))
        return shown

    def _render_results(self, items: Sequence[RankedResult]) -> list[RoutedResultView]:
        artifacts, edges = self._lists.render(self._view, self._at, items)
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
        return f"{count} results for {quote(self._query)} · primary {self._plan[0]['strategy']} · {ran}"


def _format_day_or_none(day: int | None) -> str | None:
    return None if day is None else format_date(day)


def _render_lines(shown: RoutedResultView) -> list[str]:
    head = f"#{shown['rank']} {shown['score']:.4f} by {', '.join(shown['strategies'])}"
    if shown["edge"] is not None:
        return [f"{head}: {format_edge(shown['edge'])}"]
    first, *rest = artifact_lines([shown["artifact"]]) if shown["artifact"] else [""]
    return [f"{head}: {first.removeprefix('1. ')}", *rest]
