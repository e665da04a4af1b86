"""`weekly_rollup`: the last seven days of decisions, the open blockers, and what to do next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta, tzinfo
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from typing_extensions import TypedDict

from recollect.memory import AsOfValue, Memory
from recollect.model.ids import EntityId
from recollect.model.trust import trust_in
from recollect.reason.closures.blockers import find_open_marks, latest_first
from recollect.reason.closures.open_items import blocker_identity
from recollect.reason.decisions import (
    BELONGS_TO,
    DECIDED_IN,
    DECISION_PREDICATES,
    FOLLOW_UP_PREDICATES,
    Decision,
    find_decided_things,
    find_decisions,
    has_follow_up,
)
from recollect.reason.fact_links import FactLink, LinkEnd
from recollect.reason.items.item_lookup import closed_anywhere, closed_items
from recollect.resolve.resolver import resolved_entity
from recollect.store.activity_queries import time_of_last_transaction
from recollect.store.view import View
from recollect.surfaces.cognitive_graph.error_codes import ProjectNotFound
from recollect.surfaces.cognitive_graph.graph import (
    CurrentFactView,
    DecisionView,
    ProjectedGraph,
    render_decision,
    render_fact,
)
from recollect.surfaces.cognitive_graph.recall import (
    check_storable,
    decisions_of_project,
    links_of_project,
    none_if_blank,
)
from recollect.surfaces.cognitive_graph.surface import surface
from recollect.surfaces.cognitive_graph.vocabulary import (
    ACTION_LIMIT,
    MAX_ACTIONS,
    MAX_BLOCKERS,
    MAX_ROLLUP_DECISIONS,
    NAME_LIMIT,
    NEXT_ACTION,
    SUMMARY_LIMIT,
)
from recollect.surfaces.parameter_types import AsOf, trimmed_text
from recollect.surfaces.views import format_count, trust_note
from recollect.text.fold import shorten
from recollect.when.as_of import AtInstant, parse_as_of
from recollect.when.instant import Instant, date_of_day, day_of_date, day_start, format_instant, local_day

BLOCKED_BY = "blocked_by"
RESOLVED_BY = "resolved_by"
TAGGED = "tagged"
_SIX_DAYS = timedelta(days=6)
_EARLIEST = day_of_date(date.min + _SIX_DAYS)
_LATEST = day_of_date(date.max - _SIX_DAYS)


@dataclass(frozen=True, slots=True)
class _Week:
    """Seven local days, both ends included."""

    last: date
    zone: tzinfo

    @property
    def first(self) -> date:
        return self.last - _SIX_DAYS

    @property
    def start(self) -> Instant:
        return day_start(day_of_date(self.first), self.zone)

    def contains(self, instant: Instant) -> bool:
        return day_of_date(self.first) <= local_day(instant, self.zone) <= day_of_date(self.last)


def _week_at(view: View, as_of: AsOfValue) -> _Week:
    """The week that ends today, or on the day of `as_of`."""
    zone = view.world.zone
    day = local_day(_instant_of(view, as_of), zone)
    return _Week(date_of_day(min(max(day, _EARLIEST), _LATEST)), zone)


def _instant_of(view: View, as_of: AsOfValue) -> Instant:
    if as_of is None:
        return view.now
    moment = parse_as_of(as_of, view.world.zone)
    if isinstance(moment, AtInstant):
        return moment.instant
    last = time_of_last_transaction(view)
    return view.now if last is None else last


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


OptionalProject = Annotated[
    Annotated[str, trimmed_text(NAME_LIMIT)] | None,
    BeforeValidator(none_if_blank),
    AfterValidator(lambda text: None if text is None else check_storable(text)),
    WithJsonSchema({"type": "string", "maxLength": NAME_LIMIT}),
    Field(description="A project's name, alias or id; all projects without one"),
]


@dataclass(frozen=True, slots=True)
class _ProjectScope:
    """A project, its members and its decisions."""

    project: LinkEnd
    entities: frozenset[EntityId]
    decisions: tuple[Decision, ...]

    def has_blocker(self, link: FactLink) -> bool:
        is_blocking_it = link.object is not None and link.object.id == self.project.id
        return is_blocking_it or link.subject.id in self.entities


@surface.tool("read", example={"project": "Copper Kettle"})
def weekly_rollup(memory: Memory, project: OptionalProject = None, as_of: AsOf = None) -> RollupResult:
    """The last seven days: decisions, open blockers, what to do next.

    Blockers show at any age until they are resolved. With `as_of` the week ends on that day.
    """
    with memory.read(as_of) as view:
        graph = ProjectedGraph(memory, view)
        week = _week_at(view, as_of)
        scope = _scope_by_name(graph, project) if project is not None else None
        made = _decisions_in(graph, week, scope)[:MAX_ROLLUP_DECISIONS]
        blockers = _open_blockers_in(graph, scope)[:MAX_BLOCKERS]
        assertions = graph.latest_assertions(blockers)
        actions = _first_actions(_candidate_actions(graph, scope, blockers, made))
        shapes = [render_decision(decision, view.world.zone) for decision in made]
        return {
            "project": scope.project.name if scope is not None else None,
            "period": {"start": week.first.isoformat(), "end": week.last.isoformat()},
            "summary": _summarize(scope, week, shapes, (len(blockers), len(actions))),
            "decisions": shapes,
            "blockers": [render_fact(link, assertions[link.id]) for link in blockers],
            "next_actions": actions,
            "generated_at": format_instant(view.now),
        }


def _scope_by_name(graph: ProjectedGraph, name: str) -> _ProjectScope:
    found = graph.resolve(name, "project")
    entity = resolved_entity(graph.view, found)
    if entity is None:
        raise ProjectNotFound(name, found)
    return _project_scope(graph, graph.ref_of(entity))


def _first_actions(wanted: Iterator[str]) -> list[str]:
    """The first few distinct texts."""
    found: dict[str, None] = {}
    for text in wanted:
        found.setdefault(shorten(text, ACTION_LIMIT))
        if len(found) == MAX_ACTIONS:
            break
    return list(found)


def _candidate_actions(
    graph: ProjectedGraph, scope: _ProjectScope | None, blockers: Sequence[FactLink], made: Sequence[Decision]
) -> Iterator[str]:
    """Possible next actions, most pressing first; later kinds are queried only when reached."""
    for link in blockers:
        yield f"Unblock {link.subject.name}: {link.target}{trust_note(trust_in(link.marks))}"
    links = _follow_up_links(graph, made)
    for decision in made:
        if not has_follow_up(decision, links):
            yield f"Follow up on the decision: {decision.name}{trust_note(decision.trust)}"
    for mark in _next_action_marks(graph, scope):
        yield f"Take the next action on {mark.subject.name}{trust_note(trust_in(mark.marks))}"


def _summarize(scope: _ProjectScope | None, week: _Week, made: Sequence[DecisionView], counts: tuple[int, int]) -> str:
    whose = scope.project.name if scope is not None else "All projects"
    blockers, actions = counts
    parts = (
        format_count(len(made), "decision"),
        format_count(blockers, "open blocker"),
        format_count(actions, "next action"),
    )
    text = f"{whose}, {week.first.isoformat()} to {week.last.isoformat()}: {', '.join(parts)}."
    return shorten(f"{text} Latest decision: {_format_decision(made[0])}." if made else text, SUMMARY_LIMIT)


def _format_decision(decision: DecisionView) -> str:
    who = ", ".join(ref["name"] for ref in decision["decided_by"][:3])
    doubt = f"{decision['trust']} source; " if "trust" in decision else ""
    return f"{decision['name']} ({doubt}{who + '; ' if who else ''}{decision['decided_on']})"


def _project_scope(graph: ProjectedGraph, project: LinkEnd) -> _ProjectScope:
    own = links_of_project(graph, project.id)
    members = {
        link.subject.id
        for link in own
        if link.predicate == BELONGS_TO and link.object is not None and link.object.id == project.id
    }
    made = decisions_of_project(graph, project.id, own)
    decided = {decision.thing.id for decision in made if decision.thing is not None}
    return _ProjectScope(project, frozenset({project.id} | members | decided), tuple(made))


def _decisions_in(graph: ProjectedGraph, week: _Week, scope: _ProjectScope | None) -> list[Decision]:
    """The decisions of the week, of a project or of all, latest first."""
    every = _decisions_of_all(graph, week) if scope is None else scope.decisions
    return [decision for decision in every if week.contains(decision.first.at)]


def _decisions_of_all(graph: ProjectedGraph, week: _Week) -> list[Decision]:
    """Every decision that may have been made since the start of the week."""
    recent = graph.facts_with(DECIDED_IN, since=week.start)
    entities = graph.decisions_since(week.start)
    things = {ref.id for ref in find_decided_things(recent, None)} | {each.entity.id for each in entities}
    links = {link.id: link for link in (*recent, *graph.facts_touching(things, *DECISION_PREDICATES))}
    return find_decisions(list(links.values()), graph.latest_assertions(links.values()), entities=entities)


def _open_blockers_in(graph: ProjectedGraph, scope: _ProjectScope | None) -> list[FactLink]:
    """The open blockers of a project, or of all, latest first; of several spellings of one, the latest."""
    if scope is None:
        every = [*graph.facts_with(BLOCKED_BY), *graph.reported_blockers()]
        closed = closed_anywhere(graph.view)
    else:
        near = [*graph.facts_touching(scope.entities, BLOCKED_BY), *graph.reported_blockers(scope.entities)]
        every = [link for link in near if scope.has_blocker(link)]
        ends = {end.id for link in every for end in (link.subject, link.object) if end is not None}
        closed = closed_items(graph.view, ends)
    standing = latest_first(link for link in every if link.id not in closed)
    return list({blocker_identity(link.subject, link.target): link for link in reversed(standing)}.values())[::-1]


def _next_action_marks(graph: ProjectedGraph, scope: _ProjectScope | None) -> list[FactLink]:
    """Open next-action tags, in the scope of a project or anywhere, latest first."""
    links = (
        graph.facts_with(TAGGED, literal=NEXT_ACTION) if scope is None else graph.facts_touching(scope.entities, TAGGED)
    )
    marks = [
        link for link in links if _is_next_action_mark(link) and (scope is None or link.subject.id in scope.entities)
    ]
    return find_open_marks(marks, graph.facts_touching({link.subject.id for link in marks}, RESOLVED_BY))


def _follow_up_links(graph: ProjectedGraph, made: Sequence[Decision]) -> list[FactLink]:
    """The facts that count as follow-up of any of these decisions."""
    things = {decision.thing.id for decision in made if decision.thing is not None}
    links = graph.facts_touching(things, *FOLLOW_UP_PREDICATES, TAGGED)
    return [link for link in links if link.predicate != TAGGED or _is_next_action_mark(link)]


def _is_next_action_mark(link: FactLink) -> bool:
    return link.predicate == TAGGED and link.object is None and link.literal == NEXT_ACTION
