"""`weekly_rollup`: the last seven days of decisions, the open blockers, and what to do next."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.reason.decisions import Decision, has_follow_up
from recollect.reason.fact_links import FactLink
from recollect.surfaces.cognitive_graph.decisions import check_storable, none_if_blank
from recollect.surfaces.cognitive_graph.graph import (
    CurrentFactView,
    DecisionView,
    ProjectedGraph,
    render_decision,
    render_fact,
)
from recollect.surfaces.cognitive_graph.problems import ProjectNotFound
from recollect.surfaces.cognitive_graph.surface import surface
from recollect.surfaces.cognitive_graph.vocabulary import (
    ACTION_LIMIT,
    MAX_ACTIONS,
    MAX_BLOCKERS,
    MAX_ROLLUP_DECISIONS,
    NAME_LIMIT,
    SUMMARY_LIMIT,
    truncate,
)
from recollect.surfaces.cognitive_graph.week import (
    ProjectScope,
    Week,
    decisions_in,
    first_open_blockers,
    follow_up_links,
    next_action_marks,
    open_blockers_in,
    project_scope,
    week_at,
)
from recollect.surfaces.parameter_types import AsOf, trimmed_text
from recollect.when.instant import format_instant


class PeriodView(TypedDict):
    start: str
    end: str


class RollupResult(TypedDict):
    project: str | None
    period: PeriodView
    summary: str
    decisions: list[DecisionView]
    blockers: list[CurrentFactView]
    next_actions: list[str]
    generated_at: str


def _check_project_name(text: str | None) -> str | None:
    return None if text is None else check_storable(text)


OptionalProject = Annotated[
    Annotated[str, trimmed_text(NAME_LIMIT)] | None,
    BeforeValidator(none_if_blank),
    AfterValidator(_check_project_name),
    WithJsonSchema({"type": "string", "maxLength": NAME_LIMIT}),
    Field(description="A project's name, alias or id; all projects without one"),
]


@surface.tool("read", example={"project": "Copper Kettle"})
def weekly_rollup(memory: Memory, project: OptionalProject = None, as_of: AsOf = None) -> RollupResult:
    """The last seven days: decisions, open blockers, what to do next.

    Blockers show at any age until they are resolved. With `as_of` the week ends on that day.
    """
    with memory.read(as_of) as view:
        graph = ProjectedGraph(memory, view)
        week = week_at(view, as_of)
        scope = _scope_by_name(graph, project) if project is not None else None
        made = decisions_in(graph, week, scope)[:MAX_ROLLUP_DECISIONS]
        blockers = first_open_blockers(graph, open_blockers_in(graph, scope), MAX_BLOCKERS)
        told = graph.latest_assertions(blockers)
        actions = _first_actions(_candidate_actions(graph, scope, blockers, made))
        shapes = [render_decision(decision, view.world.zone) for decision in made]
        return {
            "project": scope.project.name if scope is not None else None,
            "period": {"start": week.first.isoformat(), "end": week.last.isoformat()},
            "summary": _summarize(scope, week, shapes, (len(blockers), len(actions))),
            "decisions": shapes,
            "blockers": [render_fact(link, told[link.id]) for link in blockers],
            "next_actions": actions,
            "generated_at": format_instant(view.now),
        }


def _scope_by_name(graph: ProjectedGraph, name: str) -> ProjectScope:
    found = graph.resolve(name, "project")
    entity = graph.view.entity(found.entity) if found.entity is not None else None
    if entity is None:
        raise ProjectNotFound(name, found)
    return project_scope(graph, graph.ref_of(entity))


def _first_actions(wanted: Iterator[str]) -> list[str]:
    """The first few texts, none twice."""
    found: dict[str, None] = {}
    for text in wanted:
        found.setdefault(truncate(text, ACTION_LIMIT))
        if len(found) == MAX_ACTIONS:
            break
    return list(found)


def _candidate_actions(
    graph: ProjectedGraph, scope: ProjectScope | None, blockers: Sequence[FactLink], made: Sequence[Decision]
) -> Iterator[str]:
    """What could be done next, most pressing first; later kinds are looked up only when they are reached."""
    for link in blockers:
        yield f"Unblock {link.subject.name}: {link.target}"
    links = follow_up_links(graph, made)
    for decision in made:
        if not has_follow_up(decision, links):
            yield f"Follow up on the decision: {decision.name}"
    for mark in next_action_marks(graph, scope):
        yield f"Take the next action on {mark.subject.name}"


def _summarize(scope: ProjectScope | None, week: Week, made: Sequence[DecisionView], counts: tuple[int, int]) -> str:
    whose = scope.project.name if scope is not None else "All projects"
    blockers, actions = counts
    parts = (
        _format_count(len(made), "decision"),
        _format_count(blockers, "open blocker"),
        _format_count(actions, "next action"),
    )
    text = f"{whose}, {week.first.isoformat()} to {week.last.isoformat()}: {', '.join(parts)}."
    return truncate(f"{text} Latest decision: {_format_decision(made[0])}." if made else text, SUMMARY_LIMIT)


def _format_count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _format_decision(decision: DecisionView) -> str:
    who = ", ".join(ref["name"] for ref in decision["decided_by"][:3])
    return f"{decision['name']} ({who + '; ' if who else ''}{decision['decided_on']})"
