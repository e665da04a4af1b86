"""What a week's rollup is made from: its days, the scope of a project, decisions, blockers and marks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta, tzinfo

from recollect.memory import AsOf
from recollect.model.ids import EntityId
from recollect.reason.blockers import find_open_blockers, find_open_marks
from recollect.reason.decisions import (
    BELONGS_TO,
    DECIDED_IN,
    DECISION_PREDICATES,
    FOLLOW_UP_PREDICATES,
    Decision,
    find_decided_things,
    find_decisions,
)
from recollect.reason.fact_links import FactLink, LinkEnd
from recollect.reason.item_lookup import closed_items
from recollect.store.surface_queries import time_of_last_transaction
from recollect.store.view import View
from recollect.surfaces.cognitive_graph.decisions import decisions_of_project, links_of_project
from recollect.surfaces.cognitive_graph.graph import ProjectedGraph
from recollect.surfaces.cognitive_graph.vocabulary import NEXT_ACTION
from recollect.when.as_of import AtInstant, parse_as_of
from recollect.when.instant import Instant, date_of_day, day_of_date, day_start, local_day

BLOCKED_BY = "blocked_by"
RESOLVED_BY = "resolved_by"
TAGGED = "tagged"

_SIX_DAYS = timedelta(days=6)
_EARLIEST = day_of_date(date.min + _SIX_DAYS)
_LATEST = day_of_date(date.max - _SIX_DAYS)


@dataclass(frozen=True, slots=True)
class Week:
    """Seven local days, both ends included."""

    last: date
    zone: tzinfo

    @property
    def first(self) -> date:
        return self.last - _SIX_DAYS

    @property
    def begins(self) -> Instant:
        return day_start(day_of_date(self.first), self.zone)

    def holds(self, instant: Instant) -> bool:
        return day_of_date(self.first) <= local_day(instant, self.zone) <= day_of_date(self.last)


def week_at(view: View, as_of: AsOf) -> Week:
    """The week that ends today, or on the day of `as_of`."""
    zone = view.world.zone
    day = local_day(_instant_of(view, as_of), zone)
    return Week(date_of_day(min(max(day, _EARLIEST), _LATEST)), zone)


def _instant_of(view: View, as_of: AsOf) -> Instant:
    if as_of is None:
        return view.now
    moment = parse_as_of(as_of, view.world.zone)
    if isinstance(moment, AtInstant):
        return moment.instant
    last = time_of_last_transaction(view)
    return view.now if last is None else last


@dataclass(frozen=True, slots=True)
class ProjectScope:
    """A project, all that belongs to it, and its decisions."""

    project: LinkEnd
    entities: frozenset[EntityId]
    decisions: tuple[Decision, ...]

    def has_blocker(self, link: FactLink) -> bool:
        is_blocking_it = link.object is not None and link.object.id == self.project.id
        return is_blocking_it or link.subject.id in self.entities


def project_scope(graph: ProjectedGraph, project: LinkEnd) -> ProjectScope:
    own = links_of_project(graph, project.id)
    members = {
        link.subject.id
        for link in own
        if link.predicate == BELONGS_TO and link.object is not None and link.object.id == project.id
    }
    made = decisions_of_project(graph, project.id, own)
    decided = {decision.thing.id for decision in made if decision.thing is not None}
    return ProjectScope(project, frozenset({project.id} | members | decided), tuple(made))


def decisions_in(graph: ProjectedGraph, week: Week, scope: ProjectScope | None) -> list[Decision]:
    """The decisions of the week, of a project or of all, latest first."""
    every = _decisions_of_all(graph, week) if scope is None else scope.decisions
    return [decision for decision in every if week.holds(decision.first.at)]


def _decisions_of_all(graph: ProjectedGraph, week: Week) -> list[Decision]:
    """Every decision that may have been made since the week began."""
    recent = graph.facts_with(DECIDED_IN, since=week.begins)
    entities = graph.decisions_since(week.begins)
    things = {ref.id for ref in find_decided_things(recent, None)} | {each.entity.id for each in entities}
    links = {link.id: link for link in (*recent, *graph.facts_touching(things, *DECISION_PREDICATES))}
    return find_decisions(list(links.values()), graph.latest_assertions(links.values()), entities=entities)


def open_blockers_in(graph: ProjectedGraph, scope: ProjectScope | None) -> list[FactLink]:
    """The blockers of a project or of all that no `resolved_by` closed, latest first."""
    if scope is None:
        return find_open_blockers(graph.facts_with(BLOCKED_BY), graph.facts_with(RESOLVED_BY))
    near = graph.facts_touching(scope.entities, BLOCKED_BY)
    wanted = {link.id for link in near if scope.has_blocker(link)}
    links = graph.facts_touching(_entities_in(link for link in near if link.id in wanted), BLOCKED_BY, RESOLVED_BY)
    standing = find_open_blockers(_with_predicate(links, BLOCKED_BY), _with_predicate(links, RESOLVED_BY))
    return [link for link in standing if link.id in wanted]


def first_open_blockers(graph: ProjectedGraph, blockers: Sequence[FactLink], most: int) -> list[FactLink]:
    """The first blockers that no report of a completion closes either; only as many are looked at as are shown."""
    found: list[FactLink] = []
    for start in range(0, len(blockers), most):
        part = blockers[start : start + most]
        closed = closed_items(graph.view, {link.subject.id for link in part})
        found += [link for link in part if link.id not in closed]
        if len(found) >= most:
            break
    return found[:most]


def next_action_marks(graph: ProjectedGraph, scope: ProjectScope | None) -> list[FactLink]:
    """The open marks for a next action, in a project's scope or anywhere, latest first."""
    links = (
        graph.facts_with(TAGGED, literal=NEXT_ACTION) if scope is None else graph.facts_touching(scope.entities, TAGGED)
    )
    marks = [
        link for link in links if is_next_action_mark(link) and (scope is None or link.subject.id in scope.entities)
    ]
    return find_open_marks(marks, graph.facts_touching({link.subject.id for link in marks}, RESOLVED_BY))


def follow_up_links(graph: ProjectedGraph, made: Sequence[Decision]) -> list[FactLink]:
    """The facts that count as follow-up of any of these decisions."""
    things = {decision.thing.id for decision in made if decision.thing is not None}
    links = graph.facts_touching(things, *FOLLOW_UP_PREDICATES, TAGGED)
    return [link for link in links if link.predicate != TAGGED or is_next_action_mark(link)]


def is_next_action_mark(link: FactLink) -> bool:
    return link.predicate == TAGGED and link.object is None and link.literal == NEXT_ACTION


def _entities_in(links: Iterable[FactLink]) -> set[EntityId]:
    return {end.id for link in links for end in (link.subject, link.object) if end is not None}


def _with_predicate(links: Sequence[FactLink], predicate: str) -> list[FactLink]:
    return [link for link in links if link.predicate == predicate]
