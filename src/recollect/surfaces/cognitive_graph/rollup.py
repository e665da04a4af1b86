"""`weekly_rollup`: the last seven days of decisions, the open blockers, and what to do next."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.reason.decisions import Decision, has_follow_up
from recollect.reason.links import Link
from recollect.surfaces.cognitive_graph.decided import absent_if_blank, storable
from recollect.surfaces.cognitive_graph.graph import Graph
from recollect.surfaces.cognitive_graph.problems import ProjectNotFound
from recollect.surfaces.cognitive_graph.shapes import DecisionShape, FactShape, decision_shape, fact_shape
from recollect.surfaces.cognitive_graph.surface import surface
from recollect.surfaces.cognitive_graph.week import (
    Scope,
    Week,
    decisions_in,
    first_open,
    followers,
    marks_in,
    scope_of,
    standing_blockers,
    week_at,
)
from recollect.surfaces.cognitive_graph.words import (
    ACTION_LIMIT,
    MOST_ACTIONS,
    MOST_BLOCKERS,
    MOST_ROLLUP_DECISIONS,
    NAME_LIMIT,
    SUMMARY_LIMIT,
    cut,
)
from recollect.surfaces.shapes import AsOf, text_up_to
from recollect.when.instant import say_instant


class PeriodShape(TypedDict):
    start: str
    end: str


class Rollup(TypedDict):
    project: str | None
    period: PeriodShape
    summary: str
    decisions: list[DecisionShape]
    blockers: list[FactShape]
    next_actions: list[str]
    generated_at: str


def _project_name(text: str | None) -> str | None:
    return None if text is None else storable(text)


OptionalProject = Annotated[
    Annotated[str, text_up_to(NAME_LIMIT)] | None,
    BeforeValidator(absent_if_blank),
    AfterValidator(_project_name),
    WithJsonSchema({"type": "string", "maxLength": NAME_LIMIT}),
    Field(description="A project's name, alias or id; all projects without one"),
]


@surface.tool("read", example={"project": "Copper Kettle"})
def weekly_rollup(memory: Memory, project: OptionalProject = None, as_of: AsOf = None) -> Rollup:
    """The last seven days: decisions, open blockers, what to do next.

    Blockers show at any age until they are resolved. With `as_of` the week ends on that day.
    """
    with memory.read(as_of) as view:
        graph = Graph(memory, view)
        week = week_at(view, as_of)
        scope = _named_scope(graph, project) if project is not None else None
        made = decisions_in(graph, week, scope)[:MOST_ROLLUP_DECISIONS]
        blockers = first_open(graph, standing_blockers(graph, scope), MOST_BLOCKERS)
        told = graph.told(blockers)
        actions = _actions(_wanted(graph, scope, blockers, made))
        shapes = [decision_shape(decision, view.world.zone) for decision in made]
        return {
            "project": scope.project.name if scope is not None else None,
            "period": {"start": week.first.isoformat(), "end": week.last.isoformat()},
            "summary": _summary(scope, week, shapes, (len(blockers), len(actions))),
            "decisions": shapes,
            "blockers": [fact_shape(link, told[link.id]) for link in blockers],
            "next_actions": actions,
            "generated_at": say_instant(view.now),
        }


def _named_scope(graph: Graph, name: str) -> Scope:
    found = graph.resolve(name, "project")
    entity = graph.view.entity(found.entity) if found.entity is not None else None
    if entity is None:
        raise ProjectNotFound(name, found)
    return scope_of(graph, graph.ref(entity))


def _actions(wanted: Iterator[str]) -> list[str]:
    """The first few texts, none twice."""
    found: dict[str, None] = {}
    for text in wanted:
        found.setdefault(cut(text, ACTION_LIMIT))
        if len(found) == MOST_ACTIONS:
            break
    return list(found)


def _wanted(graph: Graph, scope: Scope | None, blockers: Sequence[Link], made: Sequence[Decision]) -> Iterator[str]:
    """What could be done next, most pressing first; later kinds are looked up only when they are reached."""
    for link in blockers:
        yield f"Unblock {link.subject.name}: {link.target}"
    links = followers(graph, made)
    for decision in made:
        if not has_follow_up(decision, links):
            yield f"Follow up on the decision: {decision.name}"
    for mark in marks_in(graph, scope):
        yield f"Take the next action on {mark.subject.name}"


def _summary(scope: Scope | None, week: Week, made: Sequence[DecisionShape], counts: tuple[int, int]) -> str:
    whose = scope.project.name if scope is not None else "All projects"
    blockers, actions = counts
    parts = (_count(len(made), "decision"), _count(blockers, "open blocker"), _count(actions, "next action"))
    text = f"{whose}, {week.first.isoformat()} to {week.last.isoformat()}: {', '.join(parts)}."
    return cut(f"{text} Latest decision: {_latest(made[0])}." if made else text, SUMMARY_LIMIT)


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _latest(decision: DecisionShape) -> str:
    who = ", ".join(ref["name"] for ref in decision["decided_by"][:3])
    return f"{decision['name']} ({who + '; ' if who else ''}{decision['decided_on']})"
