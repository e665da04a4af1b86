"""`recall_decisions`: what was decided on a project, newest first."""

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, format_entity_id
from recollect.model.json_limits import is_storable
from recollect.reason.decisions import DECISION_PREDICATES, Decision, find_decided_things, find_decisions
from recollect.reason.fact_links import FactLink
from recollect.surfaces.cognitive_graph.graph import (
    DecisionView,
    ProjectedGraph,
    render_candidates_block,
    render_decision,
)
from recollect.surfaces.cognitive_graph.surface import surface
from recollect.surfaces.cognitive_graph.vocabulary import MAX_DECISIONS, NAME_LIMIT
from recollect.surfaces.declarations import Result
from recollect.surfaces.parameter_types import AsOf, DateText, bad_value, trimmed_text
from recollect.surfaces.views import TrustMarks, mark_entity


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
        entity = view.entity(found.entity) if found.entity is not None else None
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
