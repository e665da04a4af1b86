"""`recall_decisions`: what was decided on a project, newest first."""

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.ids import EntityId, say_entity
from recollect.model.storable import is_storable
from recollect.reason.decisions import LINKING, Decision, decisions, things_decided
from recollect.reason.links import Link
from recollect.surfaces.cognitive_graph.graph import Graph
from recollect.surfaces.cognitive_graph.shapes import DecisionShape, candidates_block, decision_shape
from recollect.surfaces.cognitive_graph.surface import surface
from recollect.surfaces.cognitive_graph.words import MOST_DECISIONS, NAME_LIMIT
from recollect.surfaces.declare import Result
from recollect.surfaces.shapes import AsOf, DateText, refuse, text_up_to


class ProjectShape(TypedDict):
    id: str
    name: str


class PastDecision(DecisionShape):
    supersedes: None


class Decided(TypedDict):
    project: ProjectShape | None
    decisions: list[PastDecision]
    truncated: bool
    since: str | None


def absent_if_blank(value: Any) -> Any:
    return None if isinstance(value, str) and not value.strip() else value


def storable(text: str) -> str:
    if not is_storable(text):
        raise refuse("should be text that can be stored")
    return text


ProjectName = Annotated[
    str,
    text_up_to(NAME_LIMIT),
    AfterValidator(storable),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": NAME_LIMIT}),
    Field(description="A project's name, alias or id"),
]
Since = Annotated[
    DateText | None,
    BeforeValidator(absent_if_blank),
    WithJsonSchema({"type": "string", "format": "date"}),
    Field(description="Only what was decided on this date (YYYY-MM-DD) or later"),
]


@surface.tool("read", example={"project": "Copper Kettle", "since": "2026-05-01"})
def recall_decisions(memory: Memory, project: ProjectName, since: Since = None, as_of: AsOf = None) -> Result[Decided]:
    """What was decided on a project, newest first.

    `project` is null when no one project goes by that name; a second text then lists those that may be meant.
    """
    with memory.read(as_of) as view:
        graph = Graph(memory, view)
        found = graph.resolve(project, "project")
        entity = view.entity(found.entity) if found.entity is not None else None
        if entity is None:
            nothing: Decided = {"project": None, "decisions": [], "truncated": False, "since": since}
            return Result(nothing, also=candidates_block(graph, project, found))
        shapes = [
            decision_shape(each, view.world.zone)
            for each in decisions_on(graph, entity.id, own_links(graph, entity.id))
        ]
        passed = [shape for shape in shapes if since is None or shape["decided_on"] >= since]
        return Result(
            {
                "project": {"id": say_entity(entity.id), "name": entity.name},
                "decisions": [{**shape, "supersedes": None} for shape in passed[:MOST_DECISIONS]],
                "truncated": len(passed) > MOST_DECISIONS,
                "since": since,
            }
        )


def own_links(graph: Graph, project: EntityId) -> list[Link]:
    """The facts that join decisions and members to a project."""
    return graph.touching([project], *LINKING)


def decisions_on(graph: Graph, project: EntityId, own: list[Link]) -> list[Decision]:
    """The decisions of a project, latest first; `own` are the facts that join things to it."""
    things = {ref.id for ref in things_decided(own, project)}
    links = {link.id: link for link in (*own, *graph.touching(things, *LINKING))}
    return decisions(list(links.values()), graph.told(links.values()), project=project)
