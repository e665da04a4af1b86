"""`recall_entity` and `recall_decisions`: an entity with its facts and neighbours; decisions on a project."""

from collections.abc import Sequence
from typing import Annotated, Any, NotRequired
from typing import Literal as OneOf

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.fact import Assertion
from recollect.model.ids import EntityId, format_entity_id, format_fact_id
from recollect.model.json_limits import is_storable
from recollect.reason.decisions import DECISION_PREDICATES, Decision, find_decided_things, find_decisions
from recollect.reason.fact_links import FactLink, LinkEnd, summarize_assertions
from recollect.resolve.port import Resolution
from recollect.resolve.resolver import resolved_entity
from recollect.store.fact_rows import FactSummaryRow
from recollect.surfaces.cognitive_graph.error_codes import NameTooLong
from recollect.surfaces.cognitive_graph.graph import (
    CurrentFactView,
    DecisionView,
    NeighbourCount,
    ProjectedGraph,
    render_candidates_block,
    render_decision,
    render_fact,
)
from recollect.surfaces.cognitive_graph.surface import surface
from recollect.surfaces.cognitive_graph.vocabulary import (
    MAX_DECISIONS,
    MAX_FACTS,
    MAX_NEIGHBOURS,
    NAME_LIMIT,
    TYPES,
    EntityType,
)
from recollect.surfaces.declarations import Result
from recollect.surfaces.parameter_types import AsOf, DateText, bad_value, fold_case_into, trimmed_text
from recollect.surfaces.views import TrustMarks, mark_entity, mark_trust
from recollect.when.instant import format_instant

_SCORE_DIGITS = 3


class RecalledEntityView(TrustMarks):
    id: str
    type: str
    name: str
    aliases: list[str]
    created_at: str


class NeighbourView(TrustMarks):
    id: str
    type: str
    name: str
    co_occurrence_count: int


class RecallResolution(TypedDict):
    method: OneOf["exact", "alias", "fuzzy", "embedding", "none"]
    score: float


class OtherFactView(TrustMarks):
    id: str
    text: str
    since: NotRequired[str]
    until: NotRequired[str]
    source: NotRequired[str]


class RecallResult(TypedDict):
    entity: RecalledEntityView | None
    facts: list[CurrentFactView]
    related_entities: list[NeighbourView]
    resolution: RecallResolution
    truncated_facts: bool
    other_facts: NotRequired[list[OtherFactView]]
    truncated_other_facts: NotRequired[bool]


def _check_name(text: str) -> str:
    trimmed = text.strip()
    if not trimmed or not is_storable(trimmed):
        raise bad_value("should be a name, an alias or an id")
    return trimmed


NameOrAlias = Annotated[
    str,
    AfterValidator(_check_name),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": NAME_LIMIT}),
    Field(description="A name as people write it, an alias or an entity id"),
]
PrintedType = Annotated[EntityType, fold_case_into(*TYPES), Field(description="Only entities of this type")]


@surface.tool("read", example={"name_or_alias": "coper kettle"})
def recall_entity(
    memory: Memory,
    name_or_alias: NameOrAlias,
    type: PrintedType | None = None,  # noqa: A002
    as_of: AsOf = None,
) -> Result[RecallResult]:
    """One entity by name, with its facts and neighbours.

    `other_facts` are those outside the eight predicates. Typing errors are forgiven. Nothing found is a normal
    answer: `entity` is null. When several entities fit, a second text lists them; ask again with `type` or an id.
    """
    if len(name_or_alias) > NAME_LIMIT:
        raise NameTooLong(len(name_or_alias))
    with memory.read(as_of) as view:
        graph = ProjectedGraph(memory, view)
        found = graph.resolve(name_or_alias, type)
        entity = resolved_entity(view, found)
        if entity is None:
            return Result(_empty_result(), extra_texts=render_candidates_block(graph, name_or_alias, found))
        links = graph.facts_of(entity.id, MAX_FACTS + 1)
        is_cut = len(links) > MAX_FACTS
        shown = links[:MAX_FACTS]
        told = graph.latest_assertions(shown)
        beside = graph.neighbours(entity.id, MAX_NEIGHBOURS) if is_cut else _rank_neighbours(entity.id, links)
        recalled: RecallResult = {
            "entity": _render_entity(graph, entity),
            "facts": [render_fact(link, told[link.id]) for link in shown],
            "related_entities": _render_neighbours(graph, beside),
            "resolution": _render_resolution(found),
            "truncated_facts": is_cut,
        }
        _attach_other_facts(recalled, graph, entity.id)
        return Result(recalled)


def _render_entity(graph: ProjectedGraph, entity: Entity) -> RecalledEntityView:
    ref, aliases = graph.ref_of(entity), graph.view.aliases(entity)
    shown: RecalledEntityView = {
        "id": format_entity_id(ref.id),
        "type": ref.type,
        "name": ref.name,
        "aliases": aliases,
        "created_at": format_instant(entity.created_at),
    }
    mark_entity(shown, entity, *aliases)
    return shown


def _attach_other_facts(recalled: RecallResult, graph: ProjectedGraph, entity: EntityId) -> None:
    """Add the facts outside the eight predicates, if there are any."""
    others = graph.others_about(entity)
    if not others.facts:
        return
    assertions = graph.view.assertions_of([fact.id for fact in others.facts])
    recalled["other_facts"] = [_render_other_fact(fact, assertions[fact.id]) for fact in others.facts]
    if others.is_cut:
        recalled["truncated_other_facts"] = True


def _render_other_fact(fact: FactSummaryRow, assertions: Sequence[Assertion]) -> OtherFactView:
    shown: OtherFactView = {"id": format_fact_id(fact.id), "text": fact.text}
    if fact.valid_from is not None:
        shown["since"] = fact.valid_from
    if fact.valid_until is not None:
        shown["until"] = fact.valid_until
    source = summarize_assertions(assertions).source if assertions else None
    if source is not None:
        shown["source"] = source
    mark_trust(shown, fact.marks, fact.text)
    return shown


def _empty_result() -> RecallResult:
    return {
        "entity": None,
        "facts": [],
        "related_entities": [],
        "resolution": {"method": "none", "score": 0},
        "truncated_facts": False,
    }


def _render_resolution(found: Resolution) -> RecallResolution:
    method = "exact" if found.method == "id" else found.method
    return {"method": method, "score": round(found.score, _SCORE_DIGITS)}


def _rank_neighbours(entity: EntityId, links: Sequence[FactLink]) -> list[NeighbourCount]:
    """The other ends of these facts, those with most shared facts first."""
    shared: dict[LinkEnd, list[FactLink]] = {}
    for link in links:
        other = link.other(entity)
        if other is not None and other.id != entity:
            shared.setdefault(other, []).append(link)
    newest = {ref: max(link.recorded_at for link in its) for ref, its in shared.items()}
    ranked = sorted(shared, key=lambda ref: (-len(shared[ref]), -newest[ref], ref.name, ref.id))
    return [NeighbourCount(ref, len(shared[ref])) for ref in ranked[:MAX_NEIGHBOURS]]


def _render_neighbours(graph: ProjectedGraph, found: Sequence[NeighbourCount]) -> list[NeighbourView]:
    entities = graph.view.entities({each.entity.id for each in found})
    return [_render_neighbour(each, entities[each.entity.id]) for each in found]


def _render_neighbour(neighbour: NeighbourCount, entity: Entity) -> NeighbourView:
    ref, facts = neighbour.entity, neighbour.facts
    shown: NeighbourView = {
        "id": format_entity_id(ref.id), "type": ref.type, "name": ref.name, "co_occurrence_count": facts
    }  # fmt: skip
    mark_entity(shown, entity)
    return shown


class ProjectView(TrustMarks):
    id: str
    name: str


class PastDecisionView(DecisionView):
    supersedes: None


class DecisionsResult(TypedDict):
    project: ProjectView | None
    decisions: list[PastDecisionView]
    truncated: bool
    since: str | None


def none_if_blank(value: Any) -> Any:
    return None if isinstance(value, str) and not value.strip() else value


def check_storable(text: str) -> str:
    if not is_storable(text):
        raise bad_value("should be text that can be stored")
    return text


ProjectName = Annotated[
    str,
    trimmed_text(NAME_LIMIT),
    AfterValidator(check_storable),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": NAME_LIMIT}),
    Field(description="A project's name, alias or id"),
]
Since = Annotated[
    DateText | None,
    BeforeValidator(none_if_blank),
    WithJsonSchema({"type": "string", "format": "date"}),
    Field(description="Only what was decided on this date (YYYY-MM-DD) or later"),
]


@surface.tool("read", example={"project": "Copper Kettle", "since": "2026-05-01"})
def recall_decisions(
    memory: Memory, project: ProjectName, since: Since = None, as_of: AsOf = None
) -> Result[DecisionsResult]:
    """What was decided on a project, newest first.

    `project` is null when no one project goes by that name; a second text then lists those that may be meant.
    """
    with memory.read(as_of) as view:
        graph = ProjectedGraph(memory, view)
        found = graph.resolve(project, "project")
        entity = resolved_entity(view, found)
        if entity is None:
            nothing: DecisionsResult = {"project": None, "decisions": [], "truncated": False, "since": since}
            return Result(nothing, extra_texts=render_candidates_block(graph, project, found))
        shapes = [
            render_decision(each, view.world.zone)
            for each in decisions_of_project(graph, entity.id, links_of_project(graph, entity.id))
        ]
        passed = [shape for shape in shapes if since is None or shape["decided_on"] >= since]
        return Result(
            {
                "project": _render_project(entity),
                "decisions": [{**shape, "supersedes": None} for shape in passed[:MAX_DECISIONS]],
                "truncated": len(passed) > MAX_DECISIONS,
                "since": since,
            }
        )


def _render_project(entity: Entity) -> ProjectView:
    shown: ProjectView = {"id": format_entity_id(entity.id), "name": entity.name}
    mark_entity(shown, entity)
    return shown


def links_of_project(graph: ProjectedGraph, project: EntityId) -> list[FactLink]:
    """The facts that link decisions and members to a project."""
    return graph.facts_touching([project], *DECISION_PREDICATES)


def decisions_of_project(graph: ProjectedGraph, project: EntityId, own: list[FactLink]) -> list[Decision]:
    """The decisions of a project, latest first; `own` are the facts that link entities to it."""
    things = {ref.id for ref in find_decided_things(own, project)}
    links = {link.id: link for link in (*own, *graph.facts_touching(things, *DECISION_PREDICATES))}
    return find_decisions(list(links.values()), graph.latest_assertions(links.values()), project=project)
